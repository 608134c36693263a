"""PDFs to print at 100 %: the stand-in deck, and boards with tile and discs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from calibration.games.wicked.art import corridor_face, great_face, small_face
from calibration.games.wicked.kit import KIT
from calibration.games.wicked.printable_sheets import PrintedCard, deck_pdf
from companion.games.wicked.standin_deck import STANDIN


@cache
def _deck_pdf() -> bytes:
    return deck_pdf(printed_cards())


SHEETS: Mapping[str, Callable[[], bytes]] = {
    "deck": _deck_pdf,
    **{name: cache(make) for name, make in KIT.sheets.items()},
}
"""Functions that return a PDF to print, by its name."""


def printed_cards() -> list[PrintedCard]:
    """Return (drawn face, kind) of each stand-in card: corridors, then great oracles, then small oracles."""
    cards: list[PrintedCard] = [(corridor_face(c.id, c.upper, c.lower), "corridor") for c in STANDIN.corridors]
    cards += [(great_face(c.id, c.colours), "great") for c in STANDIN.great]
    cards += [
        (small_face(c.id, [(need.colour, need.rank) for need in c.needs], c.reward), "small") for c in STANDIN.small
    ]
    return cards
