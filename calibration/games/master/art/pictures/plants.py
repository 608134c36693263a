"""Pictures of plants."""

from __future__ import annotations

from calibration.drawing.palette import BRIGHT_GOLD, INK, VELLUM
from calibration.drawing.svg_pen import Pen, arc, curve, ellipse, mirrored, mix
from calibration.games.master.art.pictures.shapes import LINE, leaf, moved, tapered


def draw_crab_apples(pen: Pen) -> None:
    """Draw two red apples on short stalks with leaves."""
    for angle, tone in ((-112, "#5d8f3a"), (66, "#77a84a")):
        pen.shape(moved(leaf(5.8, 3.2), 0.2, -5.6, angle), tone, INK, LINE)
        pen.line(moved([(0, -0.6), (0, -4.8)], 0.2, -5.6, angle), "#2e4d1c", 0.35)
    pen.line(curve("M -3.3 -0.6 Q -2.4 -3.8 0.2 -5.8 L 0.8 -7.6"), "#5b3a1c", 0.9)
    pen.line(curve("M 3.5 0 Q 2.6 -3.4 0.2 -5.8"), "#5b3a1c", 0.9)
    apple = mirrored(curve("M 0 -2.5 C 1.4 -3.9 4.5 -3.5 4.4 -0.4 C 4.3 2.6 2.6 4.6 1 4.3 C 0.6 4.2 0.3 4 0 4", 7))
    for x, y, tone, blush in ((3.5, 2.4, "#b3202c", "#e9a53d"), (-3.5, 1.8, "#d5382f", "#f0c04a")):
        pen.shape(moved(apple, x, y), tone, INK, LINE)
        pen.fill(moved(curve("M 0.4 3.4 C 2.4 3.6 3.8 1 3.5 -0.8 C 2.6 1 1.6 2.2 0.4 3.4", 7), x, y), blush, 0.9)
        pen.fill(moved(ellipse(-2.2, -0.8, 0.7, 1.3), x, y), "#f9c9b4", 0.9)
        pen.line(moved(arc(0, -2.6, 1.1, 0.6, 10, 170, 6), x, y), INK, 0.4)
        pen.lines([moved([(dx, 4.4), (0, 3.5)], x, y) for dx in (-0.7, 0, 0.7)], INK, 0.3)


def draw_pine_cone(pen: Pen) -> None:
    """Draw a brown cone with rows of scales, on a twig with needles."""
    for angle in (-118, -98, 98, 118):
        pen.line(moved([(0, 0), (0, -6.4)], 0, -6.6, angle), "#3f6b3a", 0.6)
    pen.line([(0, -5), (0, -8)], "#4b2f17", 1.4)
    outline = mirrored(curve("M 0 -6 C 3 -6 4.6 -4 4.6 -1 C 4.6 3 2.6 6.4 0 7.4", 8))
    pen.shape(outline, "#5a3618", INK, LINE)
    for row in range(6):
        y = -4.6 + row * 1.95
        half = max(x for x, at in outline if abs(at - y) < 1.2) - 0.5
        count = 3 + row % 2 if row < 4 else 7 - row
        for k in range(count):
            x = (k - (count - 1) / 2) * (2 * half / count)
            wide = half / count + 0.25
            scale = [(-wide, -0.8), (0, -1.7), (wide, -0.8), (wide * 0.7, 0.7), (0, 1.5), (-wide * 0.7, 0.7)]
            pen.shape(moved(scale, x, y), mix("#a9702f", "#d8a960", 0.5 - x / 9), "#3a220e", 0.35)


def draw_oak_leaf(pen: Pen) -> None:
    """Draw a lobed leaf with its veins."""
    half = curve(
        "M 0 -7.8 C 1.8 -8 2.6 -6.4 1.9 -5.2 C 3.6 -6 5 -4.4 3.5 -2.7 C 5.8 -3.2 6.6 -0.8 4.3 0.4"
        " C 6.2 0.8 6 3.2 3.5 3.2 C 3 4.6 1.4 4.6 0.4 5.2 L 0 5.2",
        6,
    )
    pen.line([(0, 4), (-0.5, 7.6)], "#5a3d16", 0.9)
    pen.shape(mirrored(half), "#b98a2e", INK, LINE)
    pen.fill([(0, -7.8), *half[1:], (0, 5.2)], "#8f6420", 0.55)
    pen.lines([[(0, 5), (0, -6.4)]], "#4d3410", 0.5)
    veins = [[(0, y), (side * x, y - 1.8)] for side in (-1, 1) for y, x in ((3, 3.0), (0.4, 3.6), (-2.4, 2.6))]
    pen.lines(veins, "#4d3410", 0.35)


def draw_clover(pen: Pen) -> None:
    """Draw a clover of four leaves."""
    pen.line(curve("M 0 0 C 0.4 3 1.4 5 3.6 7"), "#2c5e22", 1.0)
    heart = mirrored(curve("M 0 -0.3 C 2.4 -2.2 4.2 -4 3.3 -5.8 C 2.4 -7 0.6 -6.7 0 -5.4", 7))
    for angle in (0, 90, 180, 270):
        pen.shape(moved(heart, 0, -0.7, angle + 45), "#3f9140", INK, LINE)
        pen.lines([moved([(0, -1), (0, -4.8)], 0, -0.7, angle + 45)], "#b9e08c", 0.4)
        pen.line(moved(arc(0, -0.4, 2.6, 3.6, 235, 305, 8), 0, -0.7, angle + 45), "#b9e08c", 0.55, 0.8)


def draw_garlic(pen: Pen) -> None:
    """Draw a white bulb with a stalk and roots."""
    bulb = mirrored(curve("M 0.8 -8 C 0.9 -5 2 -3.8 4.4 -2 C 6.8 -0.2 6.4 4.4 3.4 5.8 C 2 6.4 1 6.2 0 6.4", 7))
    for x in (-1.4, -0.5, 0.5, 1.4):
        pen.line([(x * 0.5, 6), (x, 7.6)], "#7c6742", 0.4)
    pen.shape(bulb, "#f4eee4", INK, LINE)
    pen.fill(curve("M 0.6 -4 C 2 -2.6 4.6 -1.6 5.4 0.8 C 5.8 3.4 4.6 5.4 2.6 6 C 4 3 3.4 -1 0.6 -4", 7), "#cdb9c9")
    for side in (-1, 1):
        pen.line(
            [(side * x, y) for x, y in curve("M 0.4 -6.4 C 0.5 -3.2 2.6 -1 2.4 2 C 2.3 4 1.4 5.4 0.5 6")],
            "#8a6f92",
            0.4,
        )
    pen.line([(0, -3.6), (0, 6)], "#8a6f92", 0.3)


def draw_henbane(pen: Pen) -> None:
    """Draw a pale flower with dark veins and a dark throat."""
    for angle in (140, 222):
        pen.shape(moved(leaf(8.6, 4.2), 0, 0, angle), "#5f7f4c", INK, LINE)
    petal = mirrored(curve("M 0 0.6 C 2 -1.4 4.4 -3.4 4 -5.6 C 3.2 -7.4 1.2 -7.3 0 -6.6", 7))
    for k in range(5):
        pen.shape(moved(petal, 0, -0.4, 72 * k), "#e9dd9c", INK, LINE)
        veins = [
            moved(line, 0, -0.4, 72 * k)
            for line in ([(0, -1.6), (0, -5.8)], [(0.5, -1.6), (2.2, -5)], [(-0.5, -1.6), (-2.2, -5)])
        ]
        pen.lines(veins, "#6b2350", 0.4)
    pen.shape(ellipse(0, -0.4, 2.0), "#4b1740", INK, 0.35)
    for k in range(5):
        pen.fill(moved(ellipse(0, -1.0, 0.4, steps=10), 0, -0.4, 72 * k + 36), BRIGHT_GOLD)


def draw_silver_thistle(pen: Pen) -> None:
    """Draw a wide star of silver rays round a brown heart, on spiny leaves."""
    for k in range(8):
        spine = [(0, 0), (0.9, -5.4), (2.2, -6.0), (0.8, -6.6), (0, -8.2), (-0.8, -6.6), (-2.2, -6.0), (-0.9, -5.4)]
        pen.shape(moved(spine, 0, 0, 45 * k + 22.5), "#4c6f57", INK, 0.4)
    for ring, (length, tone) in enumerate(((7.0, "#c7cbd6"), (5.6, "#f2f2f4"))):
        for k in range(16):
            pen.shape(moved(leaf(length, 1.7), 0, 0, 22.5 * k + 11.25 * ring), tone, "#4a4c5c", 0.25)
    pen.shape(ellipse(0, 0, 2.9), "#8a5a3a", INK, 0.4)
    for radius, count in ((2.0, 12), (1.0, 6)):
        for k in range(count):
            pen.fill(moved(ellipse(0, -radius, 0.34, steps=8), 0, 0, 360 / count * k), "#d9b27a")
    pen.fill(ellipse(0, 0, 0.4, steps=8), "#d9b27a")


def draw_mandrake(pen: Pen) -> None:
    """Draw a root with limbs and a sleeping face under its leaves."""
    for angle, length in ((-64, 6.0), (64, 6.0), (-32, 6.8), (32, 6.8), (0, 5.4)):
        pen.shape(moved(leaf(length, 2.8), 0, -2.6, angle), "#4f8a45", INK, LINE)
        pen.line(moved([(0, -1), (0, -length + 1)], 0, -2.6, angle), "#26481f", 0.3)
    root = "#c08b52"
    for side in (-1, 1):
        arm = [(side * x, y) for x, y in curve("M 1.6 1.6 C 3.4 1.4 4.8 2.2 6.4 0.6")]
        leg = [(side * x, y) for x, y in curve("M 0.9 4 C 1.2 5.6 2.6 6 3.2 7.8")]
        pen.shape(tapered(arm, (1.7, 1.2, 0.4)), root, INK, LINE)
        pen.shape(tapered(leg, (2.2, 1.4, 0.4)), root, INK, LINE)
    body = mirrored(curve("M 0 -4.2 C 2.4 -4.2 3 -2.6 2.5 -0.6 C 2.3 0.6 2.8 2 2.4 3.8 C 2 5.4 0.8 5.4 0 5", 7))
    pen.shape(body, root, INK, LINE)
    pen.fill(
        curve(
            "M 0.9 -4 C 2.3 -3.6 2.8 -2.4 2.3 -0.6 C 2.2 0.6 2.6 2 2.2 3.8 C 1.9 4.9 1.2 5.1 0.7 5"
            " C 1.7 2 1.5 -1 0.9 -4",
            7,
        ),
        "#8d5e30",
        0.7,
    )
    for side in (-1, 1):
        pen.line(arc(side * 1.1, -2.0, 0.6, 0.5, 20, 160, 6), INK, 0.45)
    pen.line(arc(0, -0.7, 0.7, 0.5, 20, 160, 6), INK, 0.4)
    pen.lines([[(-1.4, 2), (-0.2, 2.2)], [(0.2, 3.2), (1.3, 3)]], "#6d4620", 0.35)


def draw_mistletoe(pen: Pen) -> None:
    """Draw forked twigs with pairs of leaves and white berries."""
    twig = "#6f8a3c"
    pen.line([(0, -8), (0, -3.4)], twig, 1.1)
    for side in (-1, 1):
        pen.line([(0, -3.6), (side * 3.6, 0.4)], twig, 0.9)
        for angle in (side * 118, side * 168):
            pen.shape(moved(leaf(6.4, 2.7), side * 3.5, 0.3, angle), "#9db653", INK, LINE)
            pen.line(moved([(0, -1), (0, -5)], side * 3.5, 0.3, angle), "#55702a", 0.3)
        pen.shape(moved(leaf(5.4, 2.4), 0, -3.6, side * 74), "#9db653", INK, LINE)
    for x, y in ((-3.4, 0.7), (3.4, 0.7), (0, -2.6), (-1.3, -0.7), (1.3, -0.7)):
        pen.shape(ellipse(x, y, 1.35), "#f7f5e6", INK, 0.4)
        pen.fill(ellipse(x + 0.35, y + 0.4, 0.7, steps=14), mix("#f7f5e6", "#9aa07c", 0.5))
        pen.fill(ellipse(x - 0.4, y - 0.4, 0.35, steps=10), VELLUM)
