"""The kit of Master Labyrinth: tokens, wizards, wands and formula cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from calibration.game_kit import BACK, CardField, CardSort, Kit, OrderedPicture, PieceGroup
from calibration.translatable import counted, say

FIGURES: Final = ("red", "brown", "blue", "white")
"""Colours of wizards, which mark players."""
NUMBERS: Final = tuple(str(number) for number in (*range(1, 21), 25))
"""Numbers of tokens."""
WANDS: Final = 3
"""Wands of each player."""

_FORMULA = CardField(
    "numbers",
    (NUMBERS,),
    fewest=3,
    most=3,
    option="number",
    hint="Formula card: three times.",
    place="card",
    title=say("Its three numbers"),
)


def _pieces_needed(figures: tuple[str, ...]) -> Mapping[str, int]:
    """Return the number of pieces of each kind in a game: tokens, the players' wizards in seat order, wands."""
    tokens = {f"token:{number}": 1 for number in NUMBERS}
    return tokens | {f"wizard:{colour}": 1 for colour in figures} | {"wand": WANDS * len(figures)}


KIT = Kit(
    game="master",
    players=(2, 3, 4),
    figures=FIGURES,
    pieces=(
        PieceGroup("token", NUMBERS, printed=True),
        PieceGroup("wizard", FIGURES),
        PieceGroup("wand"),
        PieceGroup("maze", ("loose",), printed=True),
    ),
    cards=(
        CardSort(
            "formula",
            "formula",
            lambda number: counted(number, "{n} more formula card", "{n} more formula cards"),
            "F",
            fields=(_FORMULA,),
            contents="a formula card has three numbers",
            incomplete=say("Enter the three numbers of the formula card."),
            titles={"formula": say("Formula card")},
        ),
        CardSort(
            BACK,
            "back",
            ids=(f"{BACK}:formula",),
            wrong_id=say("The back of the formula cards is called {back_id}.", back_id=f"{BACK}:formula"),
            titles={f"{BACK}:formula": say("Back of a formula card")},
            about=say("The back of cards that lie face down."),
        ),
    ),
    pieces_needed=_pieces_needed,
    cards_needed=lambda players: {"formula": players},
    in_order=OrderedPicture(
        title=say("Tokens of another printing"),
        about=(
            say("Tokens that the companion printed are known. Show it those of another printing once."),
            say(
                "Lay all 21 in order, with space between them: four rows of five from left to right, and 25 alone "
                "below 16."
            ),
        ),
        done=say("Your own tokens are enrolled."),
    ),
)
"""Everything in the box that a camera has to recognise."""
