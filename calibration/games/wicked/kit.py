"""The kit of The Wicked Labyrinth: its pieces, cards and boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from calibration.boards.enrolled_board import EnrolledBoard
from calibration.game_kit import (
    BACK,
    TILE,
    Ability,
    BoardPlan,
    CardField,
    CardSort,
    CardValues,
    Enrolled,
    Kit,
    Paint,
    Picture,
    PieceGroup,
)
from calibration.games.wicked import element_proposals
from calibration.games.wicked.element_proposals import Element
from calibration.translatable import counted, say

FIGURES = ("purple", "green", "red", "black", "yellow")
"""Colours of players and of their search pieces."""
TOKENS = ("red", "green", "blue", "yellow")
"""Colours of soul fragment tokens."""
ELEMENTS: tuple[str, ...] = get_args(Element)
"""Everything that half a corridor card can show."""
RANKS = ("low", "middle", "high")
"""Rows of a board, from the lowest."""
Spell = Literal["promotion", "colour_change"]
SPELLS: tuple[Spell, ...] = ("promotion", "colour_change")
"""Names of the rectangles on a board, one for each kind of spell."""
TILE_ID = "tile"
"""Id of the labyrinth tile."""
BACKS: tuple[Literal["corridor", "great", "small"], ...] = ("corridor", "great", "small")
"""Sorts of cards that have a back of their own."""
_SEARCH_PIECES: Mapping[int, int] = {3: 6, 4: 7, 5: 8}
"""Search pieces of each player, by number of players."""
_CORRIDORS: Mapping[int, int] = {3: 16, 4: 20, 5: 24}
"""Corridor cards of a whole game, by number of players."""
_ORACLES_EACH = 2
"""Great oracle cards of each player, and small ones as many."""

_COLOURED = (*TOKENS, "white")
"""Elements that have a colour of their own."""
_GOLD: Mapping[str, str] = {"yellow": "Gold may be promotion or colour_change."}

_UPPER = CardField(
    "upper",
    (ELEMENTS,),
    hint="Corridor: upper.",
    place="upper half",
    recognised=_COLOURED,
    notes=_GOLD,
    title=say("Upper half"),
)
_LOWER = CardField(
    "lower",
    (ELEMENTS,),
    hint="Corridor: lower.",
    place="lower half",
    recognised=_COLOURED,
    notes=_GOLD,
    title=say("Lower half"),
)
_COLOURS = CardField(
    "colours",
    (TOKENS,),
    fewest=2,
    most=2,
    option="colour",
    hint="Great: twice.",
    title=say("Its two colours"),
    repeats=True,
)
_NEEDS = CardField(
    "needs",
    (TOKENS, RANKS),
    option="need",
    hint="Small oracle.",
    other_names=("requirement",),
    title=say("It requires"),
)
_REWARD = CardField("reward", (ELEMENTS,), hint="Small oracle.", title=say("It gives"))


def _printed_boards() -> tuple[EnrolledBoard, ...]:
    from calibration.games.wicked.standin_boards import standin_boards  # not needed to read a table

    return standin_boards()


def _boards_pdf() -> bytes:
    from calibration.games.wicked.printable_sheets import boards_pdf  # not needed to read a table

    return boards_pdf()


def _proposed_halves(picture: Picture) -> CardValues:
    proposed = element_proposals.propose(picture)
    return {"upper": proposed.upper, "lower": proposed.lower}


def _proposed_colours(picture: Picture) -> CardValues:
    proposed = element_proposals.propose(picture)
    colours = [name for name in (*proposed.upper, *proposed.lower) if name != "white"]
    return {"colours": tuple(colours[:2])}


def _pieces_needed(figures: tuple[str, ...]) -> Mapping[str, int]:
    """Return the number of pieces of each kind in a game.

    The players' search pieces in seat order, then witch and soul signs.
    """
    players = len(figures)
    search = {f"search:{colour}": _SEARCH_PIECES[players] for colour in figures}
    return search | {"sign:witch": players, "sign:soul": players}


def _cards_needed(players: int) -> Mapping[str, int]:
    """Return the number of cards of each sort that a game with this many players needs."""
    oracles = _ORACLES_EACH * players
    return {"corridor": _CORRIDORS[players], "great": oracles, "small": oracles}


def _abilities(enrolled: Enrolled) -> tuple[Ability, ...]:
    """Return what can be read with the enrolled pieces, cards and boards, and what is entered by hand."""
    hands = enrolled.calibrated and enrolled.has_all(
        kind for group in PIECES if group.in_hands for kind in group.kinds
    )
    cards = enrolled.calibrated and enrolled.cards
    tokens = enrolled.has_all(f"token:{colour}" for colour in TOKENS)
    if enrolled.boards and tokens:
        boards = say("Boards are read, for souls and scores.")
    elif enrolled.boards:
        boards = say("Boards and scores are entered by hand: the camera has not learned the tokens yet.")
    else:
        boards = say("Boards and scores are entered by hand: the camera has not learned the boards yet.")
    abilities = (
        Ability(hands, say("Reveals are read.") if hands else say("Reveals are entered by hand.")),
        Ability(cards, say("Corridors are read.") if cards else say("Corridors are picked by hand.")),
        Ability(bool(enrolled.boards) and tokens, boards),
    )
    if not abilities[-1].works:
        return abilities
    tiles = enrolled.has_all(("impurity:1", "impurity:3"))
    counted = say("Impurity is counted.")
    by_hand = say("Impurity is counted by hand: the camera has not learned its tiles yet.")
    return (*abilities, Ability(tiles, counted if tiles else by_hand))


PIECES = (
    PieceGroup("search", FIGURES, in_hands=True),
    PieceGroup("sign", ("witch", "soul"), in_hands=True, printed=True),
    PieceGroup("token", TOKENS),
    PieceGroup("impurity", ("1", "3"), pale=True),
)
"""Groups of loose pieces."""

KIT = Kit(
    game="wicked",
    players=tuple(_SEARCH_PIECES),
    figures=FIGURES,
    pieces=PIECES,
    paints=(
        Paint("purple", say("purple"), (120, 40, 90)),
        Paint("green", say("green"), (60, 130, 40)),
        Paint("red", say("red"), (40, 40, 190)),
        Paint("black", say("black"), (32, 30, 34)),
        Paint("yellow", say("yellow"), (40, 190, 220)),
    ),
    cards=(
        CardSort(
            "corridor",
            "corridor",
            lambda number: counted(number, "{n} more corridor", "{n} more corridors"),
            "C",
            fields=(_UPPER, _LOWER),
            contents="a corridor has upper and lower elements",
            incomplete=say("Enter what both halves of the corridor show."),
            propose=_proposed_halves,
            titles={"corridor": say("Corridor")},
        ),
        CardSort(
            "great",
            "great oracle",
            lambda number: counted(number, "{n} more great oracle", "{n} more great oracles"),
            "G",
            fields=(_COLOURS,),
            contents="a great oracle has two colours",
            incomplete=say("A great oracle requires two colours, which may be the same."),
            propose=_proposed_colours,
            titles={"great": say("Great oracle")},
        ),
        CardSort(
            "small",
            "small oracle",
            lambda number: counted(number, "{n} more small oracle", "{n} more small oracles"),
            "S",
            fields=(_NEEDS, _REWARD),
            contents="a small oracle has needs and a reward",
            incomplete=say("Enter the tokens that the small oracle requires, and its reward."),
            titles={"small": say("Small oracle")},
        ),
        CardSort(
            BACK,
            "back",
            ids=tuple(f"{BACK}:{sort}" for sort in BACKS),
            wrong_id=say("Choose whose back it is: of a corridor, a great or a small oracle."),
            titles={
                f"{BACK}:corridor": say("Back of a corridor"),
                f"{BACK}:great": say("Back of a great oracle"),
                f"{BACK}:small": say("Back of a small oracle"),
            },
            about=say("The back of cards that lie face down."),
        ),
        CardSort(
            TILE,
            "tile",
            ids=(TILE_ID,),
            wrong_id=say("The labyrinth tile is called {tile_id}.", tile_id=TILE_ID),
            titles={TILE_ID: say("Labyrinth tile")},
            about=say("The labyrinth tile in the middle of the table."),
        ),
    ),
    board=BoardPlan(
        {"low": 6, "middle": 5, "high": 4},
        SPELLS,
        {
            "low": say("the low row"),
            "middle": say("the middle row"),
            "high": say("the high row"),
            "promotion": say("the space for promotion spells"),
            "colour_change": say("the space for colour-change spells"),
        },
    ),
    printed_boards=_printed_boards,
    sheets={"boards": _boards_pdf},
    pieces_needed=_pieces_needed,
    cards_needed=_cards_needed,
    abilities=_abilities,
)
"""Everything in the box that a camera has to recognise."""
