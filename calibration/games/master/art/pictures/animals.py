"""Pictures of animals."""

from __future__ import annotations

import math

from calibration.drawing.palette import BRIGHT_GOLD, INK, VELLUM
from calibration.drawing.svg_pen import Pen, curve, ellipse, mirrored
from calibration.games.master.art.pictures.shapes import LINE, moved, tapered


def draw_spider(pen: Pen) -> None:
    """Draw a spider on its web."""
    web = "#cfd3de"
    pen.lines(
        [[(0, 0), (8.2 * math.sin(a), -8.2 * math.cos(a))] for a in (k * math.pi / 4 for k in range(8))], web, 0.3
    )
    for radius in (3.4, 5.6, 7.6):
        ring = [moved([(0, -radius)], 0, 0, 45 * k)[0] for k in range(8)]
        pen.line(ring, web, 0.3, closed=True)
    for side in (-1, 1):
        for knee, foot in (
            ((3.4, -5.0), (5.0, -7.0)),
            ((4.8, -2.6), (7.0, -2.6)),
            ((4.8, 0.6), (7.0, 2.4)),
            ((3.6, 2.4), (4.8, 6.4)),
        ):
            leg = [(0, -1), (side * knee[0], knee[1]), (side * foot[0], foot[1])]
            pen.line(leg, VELLUM, 1.3)
            pen.line(leg, INK, 0.8)
    pen.shape(ellipse(0, 2.4, 3.2, 3.8), "#2a1d2e", VELLUM, 0.35)
    pen.shape(ellipse(0, -2.2, 2.1, 2.0), "#2a1d2e", VELLUM, 0.35)
    pen.fill(
        [(0, 0.2), (0.9, 1.6), (0.4, 2.4), (1.2, 4.2), (0, 3.4), (-1.2, 4.2), (-0.4, 2.4), (-0.9, 1.6)], "#d24a3c"
    )
    for side in (-1, 1):
        pen.fill(ellipse(side * 0.7, -3.1, 0.42, steps=10), BRIGHT_GOLD)


def draw_blindworm(pen: Pen) -> None:
    """Draw a coppery blindworm, coiled once and a half."""
    spiral = [
        ((1.4 + 4.9 * k / 40) * math.cos(a), (1.4 + 4.9 * k / 40) * math.sin(a) * 0.92)
        for k in range(41)
        for a in [math.radians(-40 + 600 * k / 40)]
    ]
    body = tapered(spiral, (0.4, 1.6, 2.2, 2.3, 2.3, 2.1, 2.4))
    pen.line(body, INK, 1.0, closed=True)
    for k in range(40):
        part = tapered(spiral[k : k + 2], _widths_at((0.4, 1.6, 2.2, 2.3, 2.3, 2.1, 2.4), k / 40, (k + 1) / 40))
        pen.fill(part, "#b87a4b" if k % 2 else "#c98d5c")
        pen.line(part, "#c08253", 0.12, closed=True)
    pen.line(spiral[2:38], "#f3d3a2", 0.45, 0.9)
    pen.line(spiral[2:38:2], "#6b3d20", 0.25)
    x, y = spiral[-1]
    pen.shape(ellipse(x - 0.4, y - 0.9, 1.5, 1.9), "#c98d5c", INK, 0.4)
    pen.fill(ellipse(x - 0.8, y - 1.4, 0.36, steps=10), INK)


def _widths_at(widths: tuple[float, ...], start: float, end: float) -> tuple[float, float]:
    """Return the interpolated widths at two positions (0..1) along a body. widths: spread evenly along it."""
    found = []
    for share in (start, end):
        at = share * (len(widths) - 1)
        low = min(int(at), len(widths) - 2)
        found.append(widths[low] + (widths[low + 1] - widths[low]) * (at - low))
    return found[0], found[1]


def draw_toad(pen: Pen) -> None:
    """Draw a squat toad from the front."""
    skin, dark = "#7f8d3f", "#4e5a24"
    for side in (-1, 1):
        pen.shape(
            [(side * x, y) for x, y in curve("M 3 5 C 7 5.4 8.4 2.4 6.4 0.2 C 5 -1.2 3.4 0 3 2")], dark, INK, LINE
        )
        foot = [(2.6, 5.2), (8.0, 6.0), (6.4, 6.6), (7.6, 7.4), (4.8, 7.0), (2.4, 7.0)]
        pen.shape([(side * x, y) for x, y in foot], skin, INK, 0.4)
    body = mirrored(curve("M 0 -2.8 C 3 -3.4 6 -2 6 1.6 C 6 5 3.4 6.4 0 6.4", 7))
    pen.shape(body, skin, INK, LINE)
    pen.fill(mirrored(curve("M 0 0.8 C 2.4 0.8 4 1.8 4 3.4 C 4 5 2 5.8 0 5.8", 6)), "#d9d69a")
    for side in (-1, 1):
        pen.shape(ellipse(side * 3.1, -3.1, 2.1), skin, INK, LINE)
        pen.fill(ellipse(side * 3.1, -3.2, 1.3), BRIGHT_GOLD)
        pen.fill(ellipse(side * 3.1, -3.2, 0.9, 0.45, 12), INK)
        arm = [(side * x, y) for x, y in curve("M 3.2 3.2 C 2.4 5 2.2 6 1.6 7")]
        pen.shape(tapered(arm, (1.7, 1.4, 1.8)), skin, INK, 0.4)
    pen.line(curve("M -4.4 -0.4 C -2.4 1.2 2.4 1.2 4.4 -0.4"), INK, 0.55)
    for x, y in ((-1.6, -1.8), (0.4, -2.2), (1.9, -1.5), (-5.0, 1.9), (5.0, 1.7), (-0.4, -1.1)):
        pen.fill(ellipse(x, y, 0.45, steps=10), dark)


def draw_salamander(pen: Pen) -> None:
    """Draw a black salamander with yellow spots, seen from above."""
    black, yellow = "#211d26", "#f2c22e"
    spine = curve("M 3.4 -5.8 C 0.4 -5.4 -2.8 -3.4 -1 -1.2 C 0.8 1 4 1.4 3 3.6 C 2 5.6 -2.2 5.4 -5.6 2.2", 10)
    for x, y, angle in ((-0.6, -4.2, -70), (1.6, -3.2, 84), (0.2, 1.0, -112), (3.4, 1.0, 62)):
        limb = moved(curve("M 0 0.6 C 0.6 -1 0.4 -2.2 -0.2 -3.4"), x, y, angle)
        pen.line(limb, VELLUM, 1.9)
        pen.line(limb, black, 1.4)
        toes = [moved([(-0.2, -3.2), (-0.2 + spread, -4.4)], x, y, angle) for spread in (-0.9, 0, 0.9)]
        pen.lines(toes, black, 0.55)
    body = tapered(spine, (2.2, 2.5, 3.3, 3.4, 2.6, 1.8, 1.2, 0.3))
    pen.shape(body, black, VELLUM, 0.4)
    head = moved(ellipse(0, 0, 1.9, 2.2), 4.2, -5.8, 66)
    pen.shape(head, black, VELLUM, 0.4)
    for k, (dx, dy, size) in enumerate(
        (
            (0.4, 0.3, 0.8),
            (-0.5, 0.4, 0.7),
            (0.6, -0.3, 0.9),
            (-0.4, -0.2, 0.8),
            (0.4, 0.4, 0.7),
            (-0.2, 0, 0.6),
            (0.1, 0, 0.45),
        )
    ):
        x, y = spine[2 + k * 4]
        pen.fill(ellipse(x + dx, y + dy, size, size * 0.8, 14), yellow)
    for x, y in ((3.8, -6.9), (4.8, -4.7)):
        pen.fill(ellipse(x, y, 0.62, steps=12), yellow)
    pen.fill(ellipse(5.2, -6.4, 0.3, steps=8), VELLUM)


def draw_weasel(pen: Pen) -> None:
    """Draw a weasel standing upright, its belly white."""
    fur, belly = "#a4622c", "#f3e7cf"
    tail = curve("M -2.4 5.6 C -5.6 6.4 -7 3.4 -5.6 0.2")
    pen.shape(tapered(tail, (1.8, 1.6, 1.3, 0.3)), fur, INK, LINE)
    pen.fill(tapered(tail[-3:], (1.1, 0.7, 0.2)), INK)
    body = curve(
        "M -1.6 -3 C -3.2 0 -4 2.4 -3.8 5 C -3.6 6.8 -2 7.2 0 7.2 L 2.4 7.2 C 3.2 5.6 3.2 3.4"
        " 2.8 1.4 C 2.4 -0.6 2.2 -2 2.4 -3.4",
        8,
    )
    pen.shape(body, fur, INK, LINE)
    pen.fill(
        curve("M 0.4 -3.6 C -0.6 0 -0.4 4 0.6 6.8 L 2.2 6.8 C 2.9 5 2.7 2.6 2.3 1.2 C 1.9 -0.6 1.8 -2 2 -3.6"),
        belly,
    )
    for y in (0.2, 1.8):
        pen.line([(0.9, y), (3.4, y + 0.6)], INK, 1.5)
        pen.line([(0.9, y), (3.4, y + 0.6)], fur, 0.9)
    pen.shape(ellipse(-1.5, -6.6, 1.0), fur, INK, 0.4)
    head = curve(
        "M -2.3 -3.6 C -2.8 -6.4 -0.4 -7.8 1.6 -6.8 C 3.2 -6.2 4.6 -5.2 5 -4.4 C 4.8 -3.2 3 -2.6"
        " 1.8 -2.4 C 0 -2 -1.8 -2.2 -2.3 -3.6",
        7,
    )
    pen.shape(head, fur, INK, LINE)
    pen.fill(curve("M 4.6 -4 C 3.8 -3.4 2.6 -3 1.8 -2.8 C 0.8 -2.6 0 -2.8 0 -3.2 C 1.4 -3.6 3 -4 4.6 -4"), belly)
    pen.fill(ellipse(4.8, -4.5, 0.5, steps=10), INK)
    pen.fill(ellipse(1.7, -5.0, 0.5, steps=12), INK)
    pen.fill(ellipse(1.5, -5.2, 0.16, steps=8), VELLUM)
    pen.shape(ellipse(-0.2, -6.9, 0.9), fur, INK, 0.4)


def draw_snake(pen: Pen) -> None:
    """Draw a green snake that rears up with its tongue out."""
    spine = curve(
        "M -6.6 5.6 C -4 7.6 -1 7 1.2 6 C 4.6 4.4 6.4 2 3 0.6 C -0.4 -0.6 -4.4 -0.8"
        " -4 -3.2 C -3.6 -5.4 -1 -6 1.6 -5.8",
        10,
    )
    pen.line(curve("M 4.4 -5 C 5.6 -4.8 6 -4.6 6.6 -4.4 L 8 -5"), "#d2333a", 0.5)
    pen.line(curve("M 6.6 -4.4 L 7.8 -3.4"), "#d2333a", 0.5)
    widths = (0.4, 1.4, 2.2, 2.7, 2.8, 2.6, 2.4, 2.2)
    pen.shape(tapered(spine, widths), "#3f8f4b", INK, LINE)
    pen.line(spine[6:], "#c9dc6b", 0.7)
    for k in range(8, len(spine) - 2, 4):
        (x0, y0), (x1, y1) = spine[k], spine[k + 1]
        angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
        pen.fill(moved([(-0.7, 0), (0, -0.9), (0.7, 0), (0, 0.9)], x0, y0, angle), "#17422a")
    head = curve(
        "M 0.2 -6.8 C 1.8 -8 4.4 -7.2 5.2 -5.6 C 5.2 -4.2 3.4 -3.8 1.6 -4.2 C 0.4 -4.4 -0.4 -5.8 0.2 -6.8", 7
    )
    pen.shape(head, "#3f8f4b", INK, LINE)
    pen.fill(ellipse(2.6, -6.1, 0.7, steps=12), BRIGHT_GOLD)
    pen.fill(ellipse(2.7, -6.1, 0.25, 0.6, 10), INK)
    pen.line(curve("M 5.1 -5 C 4 -4.7 3 -4.7 2.2 -4.9"), INK, 0.3)


def draw_rooster(pen: Pen) -> None:
    """Draw a black rooster in profile with a red comb."""
    black, sheen = "#1d1a24", "#3d5a63"
    for k, (dx, dy) in enumerate(((-8.2, -5.2), (-8.6, -2.6), (-8.0, 0.0), (-6.6, -7.2))):
        feather = curve(f"M -2.4 2 C -4.4 0 -5.6 {dy - 1.6} {dx} {dy}")
        pen.shape(tapered(feather, (2.0, 2.1, 1.6, 0.5)), (black, sheen)[k % 2], VELLUM, 0.25)
    for x in (-0.6, 1.6):
        pen.line([(x, 4.6), (x + 0.2, 7.0)], "#d99a2b", 0.8)
        pen.lines([[(x + 0.2, 7.0), (x + 1.7, 7.5)], [(x + 0.2, 7.0), (x - 0.9, 7.6)]], "#d99a2b", 0.6)
    comb = curve("M 1.2 -5 C 0.8 -7.6 2 -8.2 2.4 -6.8 C 2.6 -8.8 4.2 -8.6 4 -6.8 C 4.8 -8.2 6 -7.2 5 -5.2", 6)
    pen.shape(comb, "#cf2a33", VELLUM, 0.25)
    body = curve(
        "M 1.4 -5.2 C 2.6 -6.2 4.6 -5.8 5 -4.2 C 5 -2.6 5 -1 5.2 0.6 C 5 3.8 2.4 5.4 -0.4 5.2"
        " C -3.8 5 -5 2 -3.6 0.6 C -1.4 1.2 0.2 -1.2 1.4 -5.2",
        7,
    )
    pen.shape(body, black, VELLUM, 0.35)
    pen.shape([(4.9, -4.7), (7.2, -3.8), (4.9, -3.2)], "#e8b23c", INK, 0.3)
    pen.shape(curve("M 4.4 -3 C 5.6 -2.6 5.8 -0.6 4.8 -0.2 C 3.8 -0.4 3.8 -2.2 4.4 -3", 6), "#cf2a33", VELLUM, 0.2)
    pen.fill(ellipse(3.7, -4.5, 0.62, steps=12), BRIGHT_GOLD)
    pen.fill(ellipse(3.8, -4.5, 0.28, steps=8), INK)
    pen.lines(
        [
            curve("M -2.6 1.6 C -1 3.4 1.4 3.2 2.4 1.6"),
            curve("M -2 3 C -0.6 4.2 1 4 2 3"),
            curve("M 2.2 -3 C 2.2 -1.4 1.4 0 0.6 0.8"),
            curve("M 3.6 -2.2 C 3.6 -0.8 3 0.4 2.2 1"),
        ],
        sheen,
        0.5,
    )
