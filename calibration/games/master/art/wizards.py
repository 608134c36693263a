"""The paper wizards: quarters of a circle that are rolled into cones, each printed with a robe and a face."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from calibration.drawing.palette import BRIGHT_GOLD, GOLD, INK, VELLUM
from calibration.drawing.svg_pen import Pen, Point, arc, curve, ellipse, mirrored, mix
from calibration.games.master.art.board import PAINTS
from calibration.games.master.art.pictures.shapes import LINE, moved

WIZARDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "red": ("#6a141c", PAINTS["red"], "#ec8a7c"),
    "brown": ("#6b4220", PAINTS["brown"], "#e6c79a"),
    "blue": ("#14295e", PAINTS["blue"], "#8db4ea"),
    "white": ("#a8a294", PAINTS["white"], "#ffffff"),
}
"""Dark, middle and light tone of each wizard's colour."""
ROBE_RADIUS: Final = 30.0
"""Radius of the quarter of a circle, from the tip to the hem, mm: the cone is 15 mm wide and 29 mm high."""
CONE: Final = (36.0, 36.0)
"""Width and height of the flat drawing, mm."""

_TIP: Final = (5.5, 2.5)
"""Where the tip lies in the drawing, mm."""
_FLAP_DEGREES: Final = 9.0
"""Width of the flap to glue, beyond the quarter of a circle."""


def wizard_face(colour: str) -> str:
    """Return the robe of a wizard's colour as SVG: a quarter of a circle with a flap. Raises KeyError."""
    pen = Pen.new()
    _draw_robe(pen.placed(*_TIP), colour)
    return pen.svg(0, 0, *CONE)


def _ring_sector(inner: float, outer: float, start: float = 0.0, end: float = 90.0) -> list[Point]:
    """Return the outline of a part of a ring round the tip, between two radii, mm.

    start, end: degrees, 0 to the right, growing clockwise.
    """
    return [*arc(0, 0, outer, outer, start, end, 32), *reversed(arc(0, 0, inner, inner, start, end, 32))]


def _draw_robe(pen: Pen, colour: str) -> None:
    """Draw the robe of a wizard's colour, its tip at (0, 0)."""
    dark, middle, light = WIZARDS[colour]
    flap = [(0.0, 6.0), *arc(0, 0, ROBE_RADIUS - 2.0, ROBE_RADIUS - 2.0, 90.0, 90.0 + _FLAP_DEGREES, 6)]
    pen.shape(flap, VELLUM, "#8c8577", 0.2)
    pen.fill(_ring_sector(0.01, ROBE_RADIUS), middle)
    for k in range(6):  # folds of the robe
        pen.fill(_ring_sector(17.0, ROBE_RADIUS, 15.0 * k, 15.0 * k + 4.5), mix(middle, dark, 0.45))
        pen.fill(_ring_sector(17.0, ROBE_RADIUS, 15.0 * k + 4.5, 15.0 * k + 6.5), mix(middle, light, 0.4))
    pen.fill(_ring_sector(ROBE_RADIUS - 2.2, ROBE_RADIUS), dark)
    pen.line(arc(0, 0, ROBE_RADIUS - 2.2, ROBE_RADIUS - 2.2, 0, 90, 32), GOLD, 0.5)
    pen.fill(_ring_sector(0.01, 11.0), mix(dark, middle, 0.25))
    pen.fill(_ring_sector(10.0, 11.6), GOLD)
    for angle, distance, size in ((20, 7.4, 1.0), (45, 5.2, 0.9), (68, 7.6, 1.1), (24, 22.5, 1.5), (66, 23.0, 1.5)):
        x, y = distance * math.cos(math.radians(angle)), distance * math.sin(math.radians(angle))
        pen.fill(moved(_star(size), x, y, angle - 90), BRIGHT_GOLD)
    _draw_face(pen.placed(0, 0, 1.0, -45.0), colour)
    pen.line([(0, 0), (ROBE_RADIUS, 0)], INK, 0.2)
    pen.line([(0, 0), (0, ROBE_RADIUS)], INK, 0.2)
    pen.line(arc(0, 0, ROBE_RADIUS, ROBE_RADIUS, 0, 90, 48), INK, 0.2)


def _star(size: float) -> list[Point]:
    return [
        (radius * size * math.sin(math.radians(36 * k)), -radius * size * math.cos(math.radians(36 * k)))
        for k, radius in enumerate((1.0, 0.42) * 5)
    ]


def _draw_face(pen: Pen, colour: str) -> None:
    """Draw face and beard below the tip, (0, 0); y grows towards the hem."""
    hair, shade = ("#b9b3a6", "#d6d0c2") if colour == "white" else ("#f6f1e6", "#ffffff")
    pen.fill(ellipse(0, 13.4, 3.4, 2.6), "#e7c09a")
    beard = mirrored(curve("M 0 14.7 C 1.2 14.7 2.8 14.6 3.6 13.4 C 4.4 17 2.6 21.6 0 24.4"))
    pen.shape(beard, hair, INK, LINE * 0.7)
    for side in (-1, 1):
        pen.line([(side * x, y) for x, y in curve("M 1.6 17 C 1.4 19 0.8 21 0 22.6")], "#8d877b", 0.3)
    moustache = mirrored(curve("M 0 15.2 C 1.4 14.6 2.8 15 3.4 16.4 C 2 17 0.8 16.6 0 15.8"))
    pen.shape(moustache, shade, INK, 0.25)
    for side in (-1, 1):
        pen.fill(ellipse(side * 1.3, 13.0, 0.42, steps=10), INK)
        pen.line([(side * 0.6, 12.2), (side * 2.1, 12.0)], "#8d877b", 0.45)
    pen.fill(ellipse(0, 14.2, 0.55, 0.7, 12), "#d99f78")
    for side in (-1, 1):
        pen.line([(side * 3.4, 24.6), (side * 5.6, 20.4)], mix(WIZARDS[colour][1], INK, 0.6), 0.4)
