"""Art of the board: 16 fixed tiles, start rings, recesses for the loose tiles, and arrows on the rim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, RAISED
from calibration.drawing.svg_pen import Pen, Point, arc, box, ellipse, mix, rounded
from calibration.games.master.art.tiles import TILE, draw_tile

SIZE: Final = 7
"""Places along each side of the board."""
RIM: Final = 24.0
"""Width of the rim around the 7 × 7 places, mm, at tiles of `TILE` mm."""
FIXED: Final[Mapping[int, str]] = {
    SIZE * row + column: openings
    for row, line in ((0, "RB RBL RBL BL"), (2, "TRB TRB RBL TBL"), (4, "TRB TRL TBL TBL"), (6, "TR TRL TRL TL"))
    for column, openings in zip((0, 2, 4, 6), line.split(), strict=True)
}
"""Openings of the fixed tiles by place, 7 · row + column, in the order T R B L."""
STARTS: Final[Mapping[int, str]] = {16: "red", 18: "brown", 32: "blue", 30: "white"}
"""Places with a start ring, and the colour of the wizard that begins there."""
PAINTS: Final[Mapping[str, str]] = {"red": "#be2a30", "brown": "#b9855a", "blue": "#2b5fc0", "white": "#f4efe6"}
"""Colours of start rings and wizards."""


def board_face(tile: float = TILE, rim: float = RIM) -> str:
    """Return the board as SVG. tile: width of a tile in mm; rim: width of the rim in mm."""
    pen = Pen.new()
    scale = tile / TILE
    draw_board(pen.placed(rim, rim, scale), rim / scale)
    width = SIZE * tile + 2 * rim
    return pen.svg(0, 0, width, width)


def draw_board(pen: Pen, rim: float = RIM) -> None:
    """Draw the board; its 7 × 7 places have their upper left corner at (0, 0) of a pen that is not rotated.

    rim: width of the rim, mm at tiles of `TILE` mm.
    """
    field = SIZE * TILE
    pen.fill(box(-rim, -rim, field + rim, field + rim), INK)
    pen.fill(box(-rim + 1, -rim + 1, field + rim - 1, field + rim - 1), mix("#4a3020", RAISED, 0.35))
    pen.line(box(-rim + 2.2, -rim + 2.2, field + rim - 2.2, field + rim - 2.2), DEEP_GOLD, 0.5, closed=True)
    pen.fill(box(-1.2, -1.2, field + 1.2, field + 1.2), INK)
    pen.line(box(-1.2, -1.2, field + 1.2, field + 1.2), GOLD, 0.6, closed=True)
    for place in range(SIZE * SIZE):
        at = pen.placed(place % SIZE * TILE, place // SIZE * TILE)
        if place in FIXED:
            draw_tile(at, FIXED[place], f"fixed {place}")
            at.line(box(0.15, 0.15, TILE - 0.15, TILE - 0.15), INK, 0.3, closed=True)
        else:
            _draw_recess(at)
    for place, colour in STARTS.items():
        _draw_ring(pen.placed(place % SIZE * TILE + TILE / 2, place // SIZE * TILE + TILE / 2), PAINTS[colour])
    size = min(9.0, rim * 0.36)
    for line in (1, 3, 5):
        middle = (line + 0.5) * TILE
        for x, y, angle in (
            (middle, -rim / 2, 180.0),
            (field + rim / 2, middle, 270.0),
            (middle, field + rim / 2, 0.0),
            (-rim / 2, middle, 90.0),
        ):
            _draw_arrow(pen.placed(x, y, size / 9, angle))


def _draw_recess(pen: Pen) -> None:
    """Draw the bare ground of a place on which a loose tile lies."""
    pen.fill(box(0, 0, TILE, TILE), mix(INK, RAISED, 0.7))
    pen.line(rounded(2, 2, TILE - 2, TILE - 2, 2), mix(RAISED, DEEP_GOLD, 0.3), 0.4, closed=True)
    middle = TILE / 2
    for radius in (4.0, 8.0, 12.0):
        pen.line(arc(middle, middle, radius, radius, 30, 330, 30), mix(RAISED, DEEP_GOLD, 0.25), 0.4)


def _draw_ring(pen: Pen, colour: str) -> None:
    """Draw a start ring round (0, 0)."""
    pen.line(ellipse(0, 0, 9.2, steps=64), INK, 3.4, closed=True)
    pen.line(ellipse(0, 0, 9.2, steps=64), colour, 2.4, closed=True)
    for x, y in _four_points(9.2):
        pen.fill(ellipse(x, y, 0.6, steps=10), INK)


def _four_points(radius: float) -> list[Point]:
    """Return the four points right, below, left and above of (0, 0) at this distance."""
    return [(radius, 0.0), (0.0, radius), (-radius, 0.0), (0.0, -radius)]


def _draw_arrow(pen: Pen) -> None:
    """Draw an arrow round (0, 0) that points upwards, 18 mm wide."""
    head = [(0.0, -7.0), (9.0, 6.0), (0.0, 3.0), (-9.0, 6.0)]
    pen.shape(head, GOLD, INK, 0.7)
    pen.line([(0.0, -4.0), (0.0, 2.0)], BRIGHT_GOLD, 0.7)
