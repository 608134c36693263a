"""The formula cards: three ingredients round a cauldron, and one back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from calibration.drawing.mazes import carve
from calibration.drawing.numerals import draw_number
from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, PARCHMENT, RAISED, VELLUM
from calibration.drawing.pen import Pen, Point, arc, curve, ellipse, mirrored, mix, rounded
from calibration.drawing.seeded_random import Dice
from calibration.games.master.art.pictures.shapes import LINE
from calibration.games.master.art.tokens import draw_token

CARD: Final = (63.0, 88.0)
"""Width and height of a formula card, mm."""

_BREWS: Final = ("#6f9b3c", "#8a4b9c", "#3c8f97", "#b9782c", "#a33a4c", "#4a66ae")
"""Colours of the brew."""
_CENTRES: Final[tuple[Point, ...]] = ((18.0, 24.0), (45.0, 24.0), (31.5, 42.0))
"""Where the three ingredients are, mm."""


def formula_face(numbers: Sequence[int]) -> str:
    """Draw the formula card with these three numbers as SVG. Raises KeyError for a number without token."""
    width, height = CARD
    dice = Dice(f"formula {'-'.join(map(str, numbers))}")
    brew = dice.pick(_BREWS)
    pen = Pen.new()
    pen.fill(rounded(0, 0, width, height, 3.0), INK)
    pen.fill(rounded(1.6, 1.6, width - 1.6, height - 1.6, 2.2), GOLD)
    pen.fill(rounded(2.1, 2.1, width - 2.1, height - 2.1, 1.9), VELLUM)
    _draw_maze(pen, dice, mix(VELLUM, PARCHMENT, 0.75))
    pen.line(rounded(3.4, 3.4, width - 3.4, height - 3.4, 1.4), DEEP_GOLD, 0.3, closed=True)
    _draw_steam(pen, dice, brew)
    _draw_cauldron(pen.placed(31.5, 66.5, 0.92), brew)
    for number, (x, y) in zip(numbers, _CENTRES, strict=True):
        pen.fill(ellipse(x + 0.5, y + 0.7, 10.2), mix(PARCHMENT, INK, 0.35), 0.6)
        draw_token(pen.placed(x, y), number)
    for k, number in enumerate(numbers):
        _draw_corner(pen.placed(11.0 + 20.5 * k, 8.2), number)
    for k, number in enumerate(reversed(numbers)):
        _draw_corner(pen.placed(11.0 + 20.5 * k, height - 6.6, 1.0, 180.0), number)
    return pen.svg(0, 0, width, height)


def formula_back() -> str:
    """Draw the back of the formula cards as SVG."""
    width, height = CARD
    pen = Pen.new()
    pen.fill(rounded(0, 0, width, height, 3.0), INK)
    pen.line(rounded(2.0, 2.0, width - 2.0, height - 2.0, 2.0), GOLD, 0.5, closed=True)
    pen.fill(rounded(3.0, 3.0, width - 3.0, height - 3.0, 1.6), "#1c3a35")
    _draw_maze(pen, Dice("formula back"), "#2d5a50")
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


def _draw_corner(pen: Pen, number: int) -> None:
    half = 3.0 if number < 10 else 4.6
    pen.fill(rounded(-half, -2.9, half, 2.9, 1.6), INK)
    draw_number(pen.placed(0, 0, 0.28), number, BRIGHT_GOLD, 2.6)


def _draw_maze(pen: Pen, dice: Dice, colour: str) -> None:
    """Draw the walls of a maze of the card's own behind everything."""
    columns, rows, side, left, top = 10, 14, 5.6, 3.5, 4.8
    links = carve(columns, rows, dice)
    walls: list[list[Point]] = []
    for x in range(columns):
        for y in range(rows):
            px, py = left + side * x, top + side * y
            if x + 1 < columns and (x, y, x + 1, y) not in links:
                walls.append([(px + side, py), (px + side, py + side)])
            if y + 1 < rows and (x, y, x, y + 1) not in links:
                walls.append([(px, py + side), (px + side, py + side)])
    pen.lines(walls, colour, 1.1)


def _draw_steam(pen: Pen, dice: Dice, brew: str) -> None:
    for x in (19.0, 31.5, 44.0):
        sway = dice.between(2.0, 4.5) * (1 if dice.chance(0.5) else -1)
        pen.line(
            curve(f"M {x} 60 C {x + sway} 57 {x - sway} 53 {x + sway / 2} 50"), mix(brew, VELLUM, 0.35), 1.1, 0.8
        )


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
