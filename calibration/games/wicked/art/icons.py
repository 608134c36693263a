"""Icons that are recognisable without colour: gems of five outlines, spells, impurity, rank bars, numerals.

Every icon is drawn round (0, 0) inside a circle of radius 10 and placed by the caller's pen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from calibration.drawing.numerals import draw_numeral
from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, VELLUM
from calibration.drawing.svg_pen import Pen, Point, arc, box, curve, cut, cut_half_plane, ellipse, mirrored, mix
from calibration.games.wicked.art.palette import IMPURITY, JEWELS

RANKS = ("low", "middle", "high")
BAR_PITCH = 3.0
"""Distance between the bars of a rank."""

_LIGHT = (-0.45, -0.89)
"""Direction of the light on facets, unit vector (x right, y down)."""


def _triangle() -> list[Point]:
    return [(0.0, -9.8), (10.2, 7.9), (-10.2, 7.9)]


def _hexagon() -> list[Point]:
    # Narrower than a regular one, so that its mere shape is never taken for the circle.
    return [(8.3 * math.sin(math.radians(60 * k)), -10.2 * math.cos(math.radians(60 * k))) for k in range(6)]


def _drop() -> list[Point]:
    right = curve("M 0 -10.8 C 1.6 -6.2 7.6 -2.6 7.6 2.9 C 7.6 7.2 4.2 10.2 0 10.2", 12)
    return mirrored(right)


def _square() -> list[Point]:
    return [(0.0, -10.4), (10.4, 0.0), (0.0, 10.4), (-10.4, 0.0)]


def _circle() -> list[Point]:
    return [(p[1], -p[0]) for p in ellipse(0, 0, 9.2, steps=48)]


_OUTLINES: dict[str, tuple[Callable[[], list[Point]], int]] = {
    "red": (_triangle, 3),
    "green": (_hexagon, 6),
    "blue": (_drop, 8),
    "yellow": (_square, 4),
    "white": (_circle, 8),
}
"""Outline of each colour's gem, and its number of facets."""


def gem_outline(colour: str) -> list[Point]:
    """Return the outline of a colour's gem: triangle, hexagon, drop, square on its corner or circle."""
    return _OUTLINES[colour][0]()


def draw_gem(pen: Pen, colour: str) -> None:
    """Draw a soul fragment of a colour as a cut gem, lit from the upper left."""
    outline = gem_outline(colour)
    dark, middle, light = JEWELS[colour]
    _draw_rim(pen, outline)
    count = _OUTLINES[colour][1]
    cx = sum(x for x, _ in outline) / len(outline)
    cy = sum(y for _, y in outline) / len(outline)
    table = [(cx + (x - cx) * 0.54, cy + (y - cy) * 0.54) for x, y in outline]
    per = len(outline) // count
    for side in range(count):
        span = [(side * per + k) % len(outline) for k in range(per + 1)]
        inner = [table[span[0]], table[span[-1]]]
        facet = [outline[k] for k in span] + inner[::-1]
        mx = (outline[span[0]][0] + outline[span[-1]][0]) / 2 - cx
        my = (outline[span[0]][1] + outline[span[-1]][1]) / 2 - cy
        shine = (mx * _LIGHT[0] + my * _LIGHT[1]) / (math.hypot(mx, my) or 1.0)
        tone = mix(middle, light, shine * 0.75) if shine > 0 else mix(middle, dark, -shine * 0.9)
        if colour == "white":  # any of the four: an opal that plays in all of them
            tone = mix(tone, JEWELS[("red", "yellow", "green", "blue")[side // 2]][1], 0.2)
        pen.fill(facet, tone)
    corners = [table[k * per] for k in range(count)]
    pen.fill(corners, mix(middle, light, 0.22))
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    slant = (0.6, 0.8)
    level = slant[0] * cx + slant[1] * (low + (high - low) * 0.48)
    pen.fill(cut_half_plane(corners, (-slant[0], -slant[1]), -level), mix(middle, light, 0.62))
    for k in range(count):
        pen.line([outline[k * per], corners[k]], mix(middle, light, 0.85), 0.28, 0.75)
    pen.line(corners, mix(middle, light, 0.9), 0.32, 0.9, closed=True)
    pen.line(outline, INK, 0.55, closed=True)


def _draw_rim(pen: Pen, outline: Sequence[Point]) -> None:
    """Draw a rim that makes a shape stand out on any background, and fill the shape with vellum."""
    pen.line(outline, INK, 3.6, 0.55, closed=True)
    pen.line(outline, VELLUM, 2.3, closed=True)
    pen.fill(outline, VELLUM)


def draw_promotion(pen: Pen) -> None:
    """Draw the promotion spell: an upward double chevron."""
    for top in (-10.0, -1.0):
        outline = [(0.0, top), (9.2, top + 7.4), (9.2, top + 11.2), (0.0, top + 4.4), (-9.2, top + 11.2)]
        outline.append((-9.2, top + 7.4))
        _draw_rim(pen, outline)
        pen.fill([outline[0], outline[3], outline[4], outline[5]], BRIGHT_GOLD)
        pen.fill([outline[0], outline[1], outline[2], outline[3]], mix(GOLD, DEEP_GOLD, 0.55))
        pen.line(outline, INK, 0.6, closed=True)


def draw_colour_change(pen: Pen) -> None:
    """Draw the colour-change spell: two arrows that chase each other in a ring."""
    for turn, tone in ((0.0, BRIGHT_GOLD), (180.0, mix(GOLD, DEEP_GOLD, 0.5))):
        part = pen.placed(0, 0, 1.0, turn)
        shaft = arc(0, 0, 9.2, 9.2, 196.0, 322.0, 16) + arc(0, 0, 5.2, 5.2, 322.0, 196.0, 16)
        at = math.radians(322.0)
        ox, oy = 7.2 * math.cos(at), 7.2 * math.sin(at)
        tangent, radial = (-math.sin(at), math.cos(at)), (math.cos(at), math.sin(at))
        head = [
            (ox + radial[0] * 4.4, oy + radial[1] * 4.4),
            (ox + tangent[0] * 5.8, oy + tangent[1] * 5.8),
            (ox - radial[0] * 4.4, oy - radial[1] * 4.4),
        ]
        outline = shaft[:17] + head + shaft[17:]
        _draw_rim(part, outline)
        part.fill(outline, tone)
        part.line(outline, INK, 0.6, closed=True)


def impurity_outline() -> list[Point]:
    """Return the outline of the horned drop: it hangs, horns up and tip down."""
    return mirrored(
        curve(
            "M 0 -4.6 C 1.5 -4.9 3 -4.7 4.2 -4 C 6 -5 7 -7 6.4 -9.8 C 9.6 -7.4 9.6 -3.2 7 -0.8"
            " C 7.7 3 4.4 6.6 0 10.6",
            7,
        )
    )


def draw_impurity(pen: Pen) -> None:
    """Draw the witch's impurity: a horned drop with two pale eyes."""
    dark, middle, light = IMPURITY
    outline = impurity_outline()
    _draw_rim(pen, outline)
    pen.fill(outline, middle)
    pen.fill(cut(outline, 0, 1, 0.0), dark)
    for side in (-1, 1):
        pen.fill([(side * 1.3, 0.6), (side * 4.6, -1.2), (side * 4.0, 1.6), (side * 2.2, 2.0)], VELLUM)
    pen.line([(-6.4, -1.0), (-4.6, 4.2), (-1.2, 8.0)], light, 0.7, 0.9)
    pen.line(outline, INK, 0.6, closed=True)


def draw_bars(pen: Pen, rank: str, colour: str = VELLUM, edge: str = INK) -> None:
    """Draw the bars of a rank (low one, middle two, high three), the first at y = 0 and the others below it.

    edge: colour of the bars' outlines.
    """
    last = BAR_PITCH * RANKS.index(rank)
    pen.fill(box(-4.2, -1.0, 4.2, last + 1.0), edge)
    for k in range(RANKS.index(rank) + 1):
        y = BAR_PITCH * k
        bar = [(-5.0, y), (-4.2, y - 0.85), (4.2, y - 0.85), (5.0, y), (4.2, y + 0.85), (-4.2, y + 0.85)]
        pen.line(bar, edge, 1.1, closed=True)
        pen.fill(bar, colour)


RANK_SIZE = {"low": 0.78, "middle": 0.89, "high": 1.0}
"""Scale of a gem by its rank."""


def draw_ranked(pen: Pen, colour: str, rank: str) -> None:
    """Draw a colour's gem in the size of its rank, with the rank's bars underneath."""
    draw_gem(pen.placed(0, -2.0, RANK_SIZE[rank]), colour)
    draw_bars(pen.placed(0, 12.4, 1.1), rank)


def draw_points(pen: Pen, digit: str) -> None:
    """Draw victory points: a numeral on a gold laurel disc."""
    pen.fill(ellipse(0, 0, 10), INK)
    pen.fill(ellipse(0, 0, 9.3), GOLD)
    pen.fill(ellipse(0, 0, 8.2), INK)
    pen.line(ellipse(0, 0, 7.4), DEEP_GOLD, 0.4, closed=True)
    for k in range(16):
        a = math.radians(360 * k / 16)
        pen.fill(ellipse(8.75 * math.sin(a), -8.75 * math.cos(a), 0.36, steps=8), INK)
    draw_numeral(pen.placed(0, 0, 0.62), digit, BRIGHT_GOLD, 2.6)


def draw_give_back(pen: Pen) -> None:
    """Draw "2 impurity back": two horned drops and an arrow that carries them off."""
    for side in (-1, 1):
        draw_impurity(pen.placed(5.2 * side, 4.2, 0.6))
    way = arc(0.0, -2.6, 7.6, 5.6, 350, 225, 18)
    (x0, y0), (x1, y1) = way[-2], way[-1]
    reach = math.hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / reach, (y1 - y0) / reach
    head = [(x1 + ux * a - uy * b, y1 + uy * a + ux * b) for a, b in ((4.6, 0.0), (-0.4, 2.8), (-0.4, -2.8))]
    pen.line(way, INK, 2.6)
    pen.line(head, INK, 1.2, closed=True)
    pen.line(way, BRIGHT_GOLD, 1.4)
    pen.fill(head, BRIGHT_GOLD)


def draw_element(pen: Pen, name: str) -> None:
    """Draw an element, by name: a gem by its colour, or a spell."""
    if name == "promotion":
        draw_promotion(pen)
    elif name == "colour_change":
        draw_colour_change(pen)
    else:
        draw_gem(pen, name)
