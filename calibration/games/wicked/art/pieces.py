"""The labyrinth tile and the small discs: fragment tokens, impurity, the two signs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from calibration.drawing.numerals import draw_numeral
from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, RAISED, VELLUM
from calibration.drawing.svg_pen import Pen, Point, arc, between, curve, cut_half_plane, ellipse, mirrored, mix
from calibration.games.wicked.art.animal_heads import draw_witch
from calibration.games.wicked.art.icons import draw_gem, draw_impurity
from calibration.games.wicked.art.palette import IMPURITY as IMPURITY_TONES
from calibration.games.wicked.art.palette import JEWELS

TILE: tuple[float, float] = (112.0, 97.0)
"""Width (corner to corner) and height (edge to edge) of the hexagonal tile in mm; an edge is uppermost."""
TOKEN = 16.0
"""Diameter of a fragment token in mm."""
IMPURITY: Mapping[int, float] = {1: 14.0, 3: 20.0}
"""Diameter of an impurity tile in mm, by what it counts."""
SIGN = 18.0
"""Diameter of a sign piece in mm."""


_RINGS: tuple[tuple[float, tuple[int, ...]], ...] = ((50.5, (4,)), (43.5, (4, 2)), (36.5, (4, 0)))
"""Walls of the labyrinth round the witch: radius in mm, and the sides (4 is uppermost) that have a gate."""
_BARRIERS = {
    (0, 0): 0.7,
    (1, 1): 0.3,
    (2, 0): 0.25,
    (3, 1): 0.6,
    (5, 0): 0.45,
    (5, 1): 0.7,
    (1, 0): 0.62,
    (3, 0): 0.3,
}
"""Walls across a path, by side and ring: how far along the side."""


def tile_face() -> str:
    """Return the labyrinth tile as SVG: paths round the cow-headed witch, whose head points to the upper edge."""
    pen = Pen.new()
    pen.fill(_hexagon(56.0), INK)
    pen.fill(_hexagon(54.4), GOLD)
    pen.fill(_hexagon(53.6), RAISED)
    walls: list[tuple[Point, Point]] = []
    for ring, (radius, gates) in enumerate(_RINGS):
        corners, inner = _hexagon(radius), _hexagon(radius - 7.0)
        for side in range(6):
            a, b = corners[side], corners[(side + 1) % 6]
            c, d = inner[side], inner[(side + 1) % 6]
            pen.fill([a, b, d, c], "#3a3350" if (side + ring) % 2 else "#2c2740")
            gaps = ((0.0, 0.38), (0.62, 1.0)) if side in gates else ((0.0, 1.0),)
            walls += [(between(a, b, start), between(a, b, end)) for start, end in gaps]
            if ring < 2 and (side, ring) in _BARRIERS:
                t = _BARRIERS[side, ring]
                walls.append((between(a, b, t), between(c, d, t)))
    pen.lines(walls, INK, 2.8)
    pen.lines(walls, GOLD, 1.5)
    pen.fill(_hexagon(31.0), INK)
    pen.fill(_hexagon(30.1), "#3f2550")
    for k in range(12):
        turn = math.radians(30 * k - 97.5)
        ray = [(0.0, 0.0)] + [(40 * math.cos(turn + d), 40 * math.sin(turn + d)) for d in (0.0, 0.26)]
        for side in range(6):
            normal = math.radians(60 * side + 30)
            ray = cut_half_plane(ray, (-math.cos(normal), -math.sin(normal)), -26.0)
        pen.fill(ray, "#5a376e")
    pen.glow(0, 3, 22, BRIGHT_GOLD, 0.35, 6)
    pen.shape([(0, -47.4), (5.2, -41.6), (0, -43.4), (-5.2, -41.6)], BRIGHT_GOLD, INK, 0.7)
    for side in (-1, 1):  # candles stand at the gate above her head
        for x, y in ((6.8, -34.2), (7.6, -40.6)):
            pen.glow(side * x, y - 1.2, 2.6, BRIGHT_GOLD, 0.5, 3)
            pen.fill(
                [(side * x + u, y + v) for u, v in ((0, -2.6), (0.8, -0.9), (0, 0), (-0.8, -0.9))], BRIGHT_GOLD
            )
            pen.fill([(side * x + u, y + v) for u, v in ((-0.8, 0), (0.8, 0), (0.8, 1.9), (-0.8, 1.9))], VELLUM)
    draw_witch(pen.placed(0, -2.0, 2.15))
    return pen.svg(-TILE[0] / 2, -TILE[1] / 2, *TILE)


def _hexagon(radius: float) -> list[Point]:
    return [(radius * math.cos(math.radians(60 * k)), radius * math.sin(math.radians(60 * k))) for k in range(6)]


def token_face(colour: str) -> str:
    """Return a fragment token as SVG: a disc of its colour with its gem."""
    dark, middle, light = JEWELS[colour]
    pen = Pen.new()
    pen.fill(ellipse(0, 0, TOKEN / 2, steps=72), dark)
    pen.fill(ellipse(0, 0, TOKEN / 2 - 0.7, steps=72), middle)
    pen.line(ellipse(0, 0, TOKEN / 2 - 1.3), mix(middle, light, 0.6), 0.3, closed=True)
    draw_gem(pen.placed(0, 0.3 if colour != "red" else -0.2, 0.5), colour)
    return pen.svg(-TOKEN / 2, -TOKEN / 2, TOKEN, TOKEN)


def impurity_face(count: int) -> str:
    """Return an impurity tile that counts 1 or 3 as SVG."""
    radius = IMPURITY[count] / 2
    dark, _middle, light = IMPURITY_TONES
    pen = Pen.new()
    pen.fill(ellipse(0, 0, radius, steps=72), INK)
    pen.fill(ellipse(0, 0, radius - 0.6, steps=72), light if count == 1 else mix(light, VELLUM, 0.4))
    pen.line(ellipse(0, 0, radius - 1.2), dark, 0.3, closed=True)
    if count == 1:
        draw_impurity(pen.placed(0, 0, 0.5))
    else:
        draw_impurity(pen.placed(-3.1, 0.3, 0.46))
        draw_numeral(pen.placed(4.7, 0.2, 0.46), "3", INK, 3.0)
    return pen.svg(-radius, -radius, 2 * radius, 2 * radius)


def sign_face(sign: str) -> str:
    """Return a sign piece as SVG.

    sign: "witch" (horns under a hat, on night violet) or "soul" (a wisp with a star, on vellum).
    """
    pen = Pen.new()
    draw_sign(pen, sign)
    return pen.svg(-SIGN / 2, -SIGN / 2, SIGN, SIGN)


def draw_sign(pen: Pen, sign: str) -> None:
    """Draw the disc of a sign, "witch" or "soul", round (0, 0)."""
    witch = sign == "witch"
    ground, mark = ("#2a1636", BRIGHT_GOLD) if witch else (VELLUM, "#2f6f78")
    pen.fill(ellipse(0, 0, SIGN / 2, steps=72), INK)
    pen.fill(ellipse(0, 0, SIGN / 2 - 0.6, steps=72), ground)
    pen.line(ellipse(0, 0, SIGN / 2 - 1.2), GOLD if witch else DEEP_GOLD, 0.35, closed=True)
    if witch:
        horns = curve("M 1.9 0.4 C 4.4 0.6 5.4 -0.9 5 -3.6 C 7.4 -0.6 6.6 3.2 2.7 3.2 L 1.9 3", 6)
        for side in (-1, 1):
            pen.fill([(side * x, y) for x, y in horns], mark)
        pen.fill(mirrored(curve("M 0 0.6 L 2.2 0.6 C 2.8 2.6 2 5.4 0 6", 6)), mark)
        pen.fill(mirrored(curve("M 0 -7 C 0.6 -3.6 1.4 -2 2.7 -0.2 L 0 -0.2", 6)), mark)
        pen.line(arc(0, 0.2, 3.8, 0.6, 0, 180, 8), mark, 0.7)
        for side in (-1, 1):
            pen.fill(ellipse(side * 0.95, 2.4, 0.45, steps=10), ground)
    else:
        wisp = curve(
            "M 0.6 -7 C 0.4 -4 4.8 -2.6 4.6 1.6 C 4.4 4.6 2.4 6.2 0 6.2 C -2.6 6.2 -4.6 4.4 -4.6 1.8"
            " C -4.6 -0.4 -3.2 -1.2 -2.9 -3.2 C -1.8 -2.4 -1.6 -1.6 -1.5 -0.9 C -0.2 -2.6 0.4 -4.6 0.6 -7",
            8,
        )
        pen.fill(wisp, mark)
        star = [
            (r * math.sin(math.radians(45 * k)), 2.2 - r * math.cos(math.radians(45 * k)))
            for k, r in enumerate((2.9, 0.8) * 4)
        ]
        pen.fill(star, ground)
