"""What is in the box of Master Labyrinth: tiles, tokens, wizards, wands and formula cards."""

from __future__ import annotations

from typing import Final, Literal, get_args

Colour = Literal["red", "brown", "blue", "white"]
"""Colour of a wizard."""

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
SIZE: Final = 7
"""Places along each side of the board."""
PLACES: Final = SIZE * SIZE
"""A place is a number: 7 · row + column, row 0 farthest from seat 0, column 0 on its left."""

FIXED: Final[dict[int, str]] = {
    7 * row + column: openings
    for row, line in zip(
        (0, 2, 4, 6),
        (
            ("RB", "RBL", "RBL", "BL"),
            ("TRB", "TRB", "RBL", "TBL"),
            ("TRB", "TRL", "TBL", "TBL"),
            ("TR", "TRL", "TRL", "TL"),
        ),
        strict=True,
    )
    for column, openings in zip((0, 2, 4, 6), line, strict=True)
}
"""Openings of the fixed tiles by place, in the order top, right, bottom, left."""
LOOSE: Final = tuple(place for place in range(PLACES) if place not in FIXED)
"""Places of loose tiles, in reading order."""
LOOSE_TILES: Final = {"TB": 13, "TR": 15, "TRL": 6}
"""Loose tiles in the box, the spare included: straight ones, corners and T pieces."""
START: Final[dict[Colour, int]] = {"red": 16, "brown": 18, "blue": 32, "white": 30}
"""Places where the wizards begin."""

TOKENS: Final = (*range(1, 21), 25)
"""Numbers of the tokens, in the order in which they are taken."""
TOKEN_PLACES: Final = tuple(
    7 * row + column for row in range(1, 6) for column in range(1, 6) if 7 * row + column not in START.values()
)
"""Places on which the tokens lie at first, in reading order."""

WANDS: Final = 3
"""Wands of each player at first."""
FORMULAS: Final[tuple[tuple[int, int, int], ...]] = (
    (11, 3, 14),
    (19, 7, 15),
    (1, 10, 13),
    (20, 17, 3),
    (9, 20, 11),
    (6, 14, 8),
    (14, 4, 10),
    (13, 15, 12),
    (15, 2, 4),
    (4, 13, 20),
    (10, 12, 16),
    (16, 9, 7),
    (2, 8, 17),
    (17, 5, 6),
    (8, 19, 5),
    (3, 18, 1),
    (12, 1, 9),
    (18, 11, 19),
    (25, 16, 2),
    (7, 6, 25),
    (5, 25, 18),
)
"""The formula cards: three token numbers each."""
FORMULA_POINTS: Final = 20
"""Points for a held token on the own formula card (M9)."""
WAND_POINTS: Final = 3
"""Points for an unused wand (M9)."""
