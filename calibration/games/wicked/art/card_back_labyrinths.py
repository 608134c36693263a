"""Labyrinths in gold on the backs of the cards: a square one, a round one, a hexagonal one."""

from __future__ import annotations

import math

from calibration.drawing.labyrinth_generator import generate_labyrinth
from calibration.drawing.palette import DEEP_GOLD, GOLD, INK, RAISED
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Window, arc, box, ellipse


def draw_square(pen: Pen, window: Window) -> None:
    """Draw a square maze that fills the window: the back of the corridor cards."""
    left, top, right, bottom = window
    pen.fill(box(*window), "#1d2238")
    columns, rows = 7, 10
    w, h = (right - left - 5) / columns, (bottom - top - 5) / rows
    links = generate_labyrinth(columns, rows, Dice("the back of every corridor"))
    lines = []
    for x in range(columns):
        for y in range(rows):
            x0, y0 = left + 2.5 + x * w, top + 2.5 + y * h
            if x + 1 < columns and (x, y, x + 1, y) not in links:
                lines.append([(x0 + w, y0), (x0 + w, y0 + h)])
            if y + 1 < rows and (x, y, x, y + 1) not in links:
                lines.append([(x0, y0 + h), (x0 + w, y0 + h)])
    x0, x1, y0, y1 = left + 2.5, right - 2.5, top + 2.5, bottom - 2.5
    lines.append([(x0 + 4 * w, y0), (x1, y0), (x1, y1), (x0 + 4 * w, y1)])  # a gate above and one below
    lines.append([(x0 + 3 * w, y0), (x0, y0), (x0, y1), (x0 + 3 * w, y1)])
    pen.lines(lines, INK, 3.0)
    pen.lines(lines, GOLD, 1.5)


def draw_round(pen: Pen, window: Window) -> None:
    """Draw a round labyrinth under rays: the back of the great oracles."""
    left, top, right, bottom = window
    pen.fill(box(*window), "#431824")
    cx, cy = (left + right) / 2, (top + bottom) / 2
    for k in range(24):
        a0, a1 = math.radians(15 * k), math.radians(15 * k + 7.5)
        ray = [
            (cx, cy),
            (cx + 80 * math.cos(a0), cy + 80 * math.sin(a0)),
            (cx + 80 * math.cos(a1), cy + 80 * math.sin(a1)),
        ]
        pen.fill(ray, "#5c2430")
    pen.fill(ellipse(cx, cy, 26.5, steps=60), INK)
    gates = ((270, 12), (80, 16), (200, 20), (330, 26), (120, 40))
    for k, (at, gap) in enumerate(gates):
        r = 25.0 - 4.6 * k
        pen.line(arc(cx, cy, r, r, at + gap / 2, at + 360 - gap / 2, 48), GOLD, 1.5)
    for r, at in ((20.4, 300), (15.8, 60), (11.2, 180), (15.8, 240), (20.4, 130)):
        a = math.radians(at)
        pen.line(
            [
                (cx + r * math.cos(a), cy + r * math.sin(a)),
                (cx + (r + 4.6) * math.cos(a), cy + (r + 4.6) * math.sin(a)),
            ],
            GOLD,
            1.5,
        )
    pen.fill(ellipse(cx, cy, 2.4), GOLD)
    for y in (top + 8, bottom - 8):
        for x, r in ((cx, 3.6), (cx - 11, 2.4), (cx + 11, 2.4), (cx - 20, 1.5), (cx + 20, 1.5)):
            pen.fill(ellipse(x, y, r), GOLD)
            pen.fill(ellipse(x + (x - cx) * 0.06, y, r * 0.8 if x != cx else r * 0.55), "#431824")


def draw_hexagonal(pen: Pen, window: Window) -> None:
    """Draw a hexagonal labyrinth on a lattice: the back of the small oracles."""
    left, top, right, bottom = window
    pen.fill(box(*window), "#14332f")
    cx, cy = (left + right) / 2, (top + bottom) / 2
    for k in range(-12, 13):
        for slope in (1.732, -1.732):
            x = cx + 9 * k
            pen.line([(x - 60 / slope, cy - 60), (x + 60 / slope, cy + 60)], "#215048", 0.9)
    pen.fill(_hexagon(cx, cy, 27.6), INK)
    for k, gate in enumerate((0, 3, 1, 4, 2)):
        corners = _hexagon(cx, cy, 25.6 - 4.8 * k)
        for side in range(6):
            a, b = corners[side], corners[(side + 1) % 6]
            if side == gate:
                pen.line([a, (a[0] + (b[0] - a[0]) * 0.3, a[1] + (b[1] - a[1]) * 0.3)], GOLD, 1.5)
                pen.line([(a[0] + (b[0] - a[0]) * 0.7, a[1] + (b[1] - a[1]) * 0.7), b], GOLD, 1.5)
            else:
                pen.line([a, b], GOLD, 1.5)
    for y in (top + 6.5, bottom - 6.5):
        for x in (cx - 18, cx, cx + 18):
            pen.shape(_hexagon(x, y, 3.6), INK, GOLD, 0.9)
            pen.fill(_hexagon(x, y, 1.4), DEEP_GOLD)
    pen.fill(_hexagon(cx, cy, 2.6), RAISED)


def _hexagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon round (x, y)."""
    return [
        (x + radius * math.cos(math.radians(60 * k)), y + radius * math.sin(math.radians(60 * k))) for k in range(6)
    ]
