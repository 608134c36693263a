"""Sheets to print at 100 %: calibration sheet, stand-in deck, boards with tile and discs."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

from calibration.games.wicked.art import corridor_face, great_face, small_face
from calibration.games.wicked.kit import KIT
from calibration.games.wicked.sheets import PrintedCard, deck_pdf
from calibration.printing import calibration_pdf
from companion.games.wicked.components import Deck
from companion.games.wicked.standin_deck import STANDIN

Sheet = Literal["calibration", "deck", "boards"]
"""Names of the sheets."""
SHEETS: tuple[Sheet, ...] = get_args(Sheet)
"""All sheets."""


@lru_cache(maxsize=len(SHEETS))
def sheet_pdf(what: Sheet) -> bytes:
    """Return the sheets of a name as a PDF; cached."""
    if what == "calibration":
        return calibration_pdf()
    return deck_pdf(printed_cards(STANDIN)) if what == "deck" else KIT.sheets[what]()


def printed_cards(deck: Deck) -> list[PrintedCard]:
    """Return all cards of a deck as drawn faces: corridors, great oracles, small oracles."""
    cards: list[PrintedCard] = [(corridor_face(c.id, c.upper, c.lower), "corridor") for c in deck.corridors]
    cards += [(great_face(c.id, c.colours), "great") for c in deck.great]
    cards += [
        (small_face(c.id, [(need.colour, need.rank) for need in c.needs], c.reward), "small") for c in deck.small
    ]
    return cards
