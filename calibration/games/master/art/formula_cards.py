"""The formula cards: three ingredients round a cauldron, and one back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from calibration.drawing.labyrinth_generator import generate_labyrinth
from calibration.drawing.numerals import draw_number
from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, RAISED, VELLUM
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, arc, box, curve, ellipse, mirrored, mix, rounded
from calibration.games.master.art.pictures.shapes import LINE
from calibration.games.master.art.tokens import draw_token

CARD: Final = (63.0, 88.0)
"""Width and height of a formula card, mm."""

_BREWS: Final = ("#6f9b3c", "#8a4b9c", "#3c8f97", "#b9782c", "#a33a4c", "#4a66ae")
"""Colours of the brew in the cauldron."""
_ARRANGEMENTS: Final[tuple[tuple[Point, ...], ...]] = (
    ((18.0, 24.0), (45.0, 24.0), (31.5, 42.0)),
    ((18.0, 42.0), (31.5, 24.0), (45.0, 42.0)),
    ((15.5, 23.0), (32.0, 33.0), (48.0, 43.0)),
    ((15.5, 43.0), (32.0, 33.0), (48.0, 23.0)),
    ((14.5, 28.0), (32.0, 42.0), (49.0, 28.0)),
)
"""Where the three ingredients can be, mm."""
_COLUMNS: Final = 10
"""Cells of the maze in the ground, from left to right."""
_ROWS: Final = 14
"""Cells of the maze in the ground, from top to bottom."""
_CELL: Final = 5.6
"""Width of a cell, mm."""
_OVERLAP: Final = 0.1
"""How far a cell's ground reaches under the next one, so that no seam shows, mm."""
_CORNER: Final = (3.5, 4.8)
"""Upper left corner of the maze, mm."""


def formula_face(numbers: Sequence[int]) -> str:
    """Return the formula card with these three numbers as SVG. Raises KeyError for a number without token."""
    width, height = CARD
    dice = Dice(f"formula {'-'.join(map(str, numbers))}")
    brew, depth = dice.shuffled(_BREWS)[:2]
    centres = dice.pick(_ARRANGEMENTS)
    pen = Pen.new()
    pen.fill(rounded(0, 0, width, height, 3.0), INK)
    pen.fill(rounded(1.6, 1.6, width - 1.6, height - 1.6, 2.2), GOLD)
    pen.fill(rounded(2.1, 2.1, width - 2.1, height - 2.1, 1.9), VELLUM)
    _draw_maze(pen, dice, (mix(VELLUM, brew, 0.15), mix(depth, INK, 0.25)), mix(depth, INK, 0.6))
    pen.line(rounded(2.6, 2.6, width - 2.6, height - 2.6, 1.6), DEEP_GOLD, 0.3, closed=True)
    x = dice.between(22.0, 41.0)
    for dx in (-7.0, 0.0, 7.0):
        sway = dice.between(2.0, 4.0) * (1 if dice.chance(0.5) else -1)
        steam = curve(f"M {x + dx} 64 C {x + dx + sway} 61 {x + dx - sway} 57 {x + dx + sway / 2} 54")
        pen.line(steam, VELLUM, 1.9, 0.8)
        pen.line(steam, brew, 1.1)
    _draw_cauldron(pen.placed(x, 69.5, 0.7), brew)
    for number, (x, y) in zip(numbers, centres, strict=True):
        pen.fill(ellipse(x + 0.5, y + 0.7, 10.2), INK, 0.35)
        draw_token(pen.placed(x, y), number)
    for k, number in enumerate(numbers):
        _draw_small_number(pen.placed(11.0 + 20.5 * k, 8.2), number)
    for k, number in enumerate(reversed(numbers)):
        _draw_small_number(pen.placed(11.0 + 20.5 * k, height - 6.6, 1.0, 180.0), number)
    return pen.svg(0, 0, width, height)


def formula_back() -> str:
    """Return the back of the formula cards as SVG."""
    width, height = CARD
    pen = Pen.new()
    pen.fill(rounded(0, 0, width, height, 3.0), INK)
    pen.line(rounded(2.0, 2.0, width - 2.0, height - 2.0, 2.0), GOLD, 0.5, closed=True)
    pen.fill(rounded(3.0, 3.0, width - 3.0, height - 3.0, 1.6), "#1c3a35")
    _draw_maze(pen, Dice("formula back"), ("#1c3a35", "#24483f"), "#356a5d")
    pen.glow(31.5, 44.0, 22.0, "#0d2521", 0.9, 5)
    pen.line(ellipse(31.5, 44.0, 20.0, steps=90), GOLD, 0.6, closed=True)
    pen.line(ellipse(31.5, 44.0, 18.6, steps=90), DEEP_GOLD, 0.3, closed=True)
    for k in range(3):
        angle = math.radians(120 * k - 90)
        x, y = 31.5 + 12.0 * math.cos(angle), 44.0 + 12.0 * math.sin(angle)
        pen.shape(ellipse(x, y, 4.4), RAISED, GOLD, 0.5)
        pen.fill(ellipse(x, y, 1.2), BRIGHT_GOLD)
    _draw_cauldron(pen.placed(31.5, 46.0, 0.55), "#6f9b3c")
    return pen.svg(0, 0, width, height)


def _draw_small_number(pen: Pen, number: int) -> None:
    """Draw a token's number on a small dark plate round (0, 0)."""
    half = 3.0 if number < 10 else 4.6
    pen.fill(rounded(-half, -2.9, half, 2.9, 1.6), INK)
    draw_number(pen.placed(0, 0, 0.28), number, BRIGHT_GOLD, 2.6)


def _draw_maze(pen: Pen, dice: Dice, tones: tuple[str, str], wall: str) -> None:
    """Draw a random maze over the card. tones: its ground changes from the first to the second along its paths."""
    links = generate_labyrinth(_COLUMNS, _ROWS, dice)
    steps = _distances(links, (dice.whole(0, _COLUMNS - 1), dice.whole(0, _ROWS - 1)))
    farthest = max(steps.values())
    walls: list[list[Point]] = []
    for (x, y), step in steps.items():
        left, top = _CORNER[0] + _CELL * x, _CORNER[1] + _CELL * y
        right, bottom = left + _CELL, top + _CELL
        pen.fill(box(left, top, right + _OVERLAP, bottom + _OVERLAP), mix(*tones, round(12 * step / farthest) / 12))
        if x + 1 < _COLUMNS and (x, y, x + 1, y) not in links:
            walls.append([(right, top), (right, bottom)])
        if y + 1 < _ROWS and (x, y, x, y + 1) not in links:
            walls.append([(left, bottom), (right, bottom)])
    pen.lines(walls, wall, 0.6)


def _distances(links: frozenset[tuple[int, int, int, int]], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Return the number of steps from a start cell to each cell. links: passages, from `generate_labyrinth`."""
    neighbours: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for x, y, to_x, to_y in sorted(links):
        neighbours.setdefault((x, y), []).append((to_x, to_y))
    steps = {start: 0}
    trail = [start]
    for cell in trail:
        for other in neighbours[cell]:
            if other not in steps:
                steps[other] = steps[cell] + 1
                trail.append(other)
    return steps


def _draw_cauldron(pen: Pen, brew: str) -> None:
    """Draw a cauldron with its brew, about 34 mm wide, its rim at y = -6."""
    for side in (-1, 1):
        pen.shape(
            [(side * 8.0, 7.0), (side * 10.6, 6.0), (side * 10.6, 11.0), (side * 9.0, 11.0)], RAISED, INK, LINE
        )
        pen.line([(side * x, y) for x, y in arc(15.6, -0.6, 2.6, 2.6, -60, 110, 12)], INK, 1.0)
    belly = mirrored(curve("M 0 -6 L 13.6 -6 C 18.4 0 16.6 9.6 6 10.4 C 4 10.6 2 10.6 0 10.6", 8))
    pen.shape(belly, "#2c2a36", INK, LINE)
    pen.fill(curve("M -12.6 -4 C -16.4 1.4 -14.4 7.4 -8 9 C -11.6 6 -13 1.4 -11 -4", 8), "#5b586b", 0.8)
    pen.shape(ellipse(0, -6, 14.6, 3.2), "#3a3746", INK, LINE)
    pen.fill(ellipse(0, -6, 12.8, 2.4), brew)
    for x, y, size in ((-6.0, -6.4, 1.5), (0.6, -5.6, 1.1), (5.4, -6.8, 1.7), (9.0, -5.8, 0.9), (-9.6, -5.8, 0.8)):
        pen.fill(ellipse(x, y, size, size * 0.8, 16), mix(brew, VELLUM, 0.5))
        pen.line(ellipse(x, y, size, size * 0.8, 16), mix(brew, INK, 0.5), 0.25, closed=True)
