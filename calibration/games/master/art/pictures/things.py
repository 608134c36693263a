"""Pictures of a bottle, a feather, a skull and two stones."""

from __future__ import annotations

from calibration.drawing.palette import INK, VELLUM
from calibration.drawing.svg_pen import Pen, curve, mirrored
from calibration.games.master.art.pictures.shapes import LINE, tapered


def draw_slug_oil(pen: Pen) -> None:
    """Draw a corked flask of green oil with a slug on its label."""
    flask = mirrored(curve("M 0 -5.6 L 1.6 -5.6 L 1.5 -2.6 C 5 -1.4 6.2 1.4 5.8 4 C 5.4 6.6 3 7.2 0 7.2", 7))
    pen.shape(flask, "#dfe6cf", INK, LINE)
    oil = mirrored(curve("M 0 -0.6 L 4.3 -0.6 C 5.6 0.8 5.7 2.6 5.4 4 C 5 6 2.8 6.7 0 6.7", 7))
    pen.fill(oil, "#8fa62a")
    pen.shape([(-1.3, -8), (1.3, -8), (1.1, -5.2), (-1.1, -5.2)], "#b98350", INK, 0.4)
    pen.line([(-1.9, -5.5), (1.9, -5.5)], INK, 0.7)
    label = [(-3.9, 1.0), (3.9, 1.0), (3.9, 5.4), (-3.9, 5.4)]
    pen.shape(label, VELLUM, INK, 0.35)
    slug = curve("M -3.2 4.7 C -2 3.4 -0.6 2.5 0.8 2.7 C 1.6 2.8 1.8 2.2 2.6 2.4 C 3.2 2.8 3 4 2.4 4.7")
    pen.shape(slug, "#8a4a2c", INK, 0.3)
    pen.lines([[(2.2, 2.4), (1.9, 1.5)], [(2.8, 2.5), (3.2, 1.6)]], INK, 0.35)
    pen.line(curve("M -4.4 0.6 C -4.9 2.4 -4.8 4 -4.2 5.2"), "#eef2c4", 0.7)


def draw_feather(pen: Pen) -> None:
    """Draw a raven's black feather, slanting."""
    spine = curve("M -5.8 6.4 C -3.6 1.8 0.2 -2.8 5.6 -7", 14)
    widths = (1.6, 5.4, 6.2, 6.0, 4.6, 0.3)
    vane = tapered(spine[3:], widths)
    pen.shape(vane, "#22202b", VELLUM, 0.35)
    pen.fill([*spine[3:], *vane[: len(spine) - 3][::-1]], "#46506f")
    for k in range(4, len(spine) - 2):
        x, y = spine[k]
        pen.lines([[(x, y), (x + 1.6, y - 0.5)], [(x, y), (x - 0.1, y - 1.7)]], "#7f8bad", 0.28)
    pen.line(spine, "#e6e0d2", 0.6)


def draw_skull(pen: Pen) -> None:
    """Draw a skull from the front."""
    bone = "#ece3cc"
    pen.shape(mirrored(curve("M 0 2.6 L 2.6 2.6 C 3 4.4 2.8 6 2.2 6.8 L 0 7", 6)), bone, INK, LINE)
    head = mirrored(curve("M 0 -7.4 C 4.6 -7.4 6.6 -4.4 6.2 -1 C 6 1 5 1.8 4.2 2.6 C 4 3.8 3 4 2.4 4 L 0 4", 7))
    pen.shape(head, bone, INK, LINE)
    pen.fill(
        curve("M 2.6 -6.8 C 5.6 -5.6 6.2 -3 5.9 -1 C 5.7 1 4.8 1.6 4 2.4 C 5 -0.6 4.6 -4.4 2.6 -6.8", 7), "#bfae86"
    )
    for side in (-1, 1):
        pen.fill(
            [
                (side * x, y)
                for x, y in curve(
                    "M 1 -0.6 C 1.2 -2.4 3.6 -3 4.4 -1.2 C 4.8 0.6 3.4 1.6 2.2 1.2 C 1.4 1 1 0.4 1 -0.6"
                )
            ],
            INK,
        )
    pen.fill([(0, 1.0), (0.9, 2.8), (0, 2.4), (-0.9, 2.8)], INK)
    pen.lines([[(x, 4.4), (x, 6.6)] for x in (-1.4, -0.5, 0.5, 1.4)], INK, 0.4)
    pen.line([(-2.4, 4.2), (2.4, 4.2)], INK, 0.45)
    pen.line(curve("M -2 -6.8 L -1.2 -5.4 L -2 -4.6 L -1.4 -3.6"), "#6d5c3a", 0.35)


def draw_quartz(pen: Pen) -> None:
    """Draw a cluster of pale crystals."""
    crystals = (
        (-4.2, 5.6, -30, 7.6, 2.6),
        (4.2, 5.6, 28, 8.2, 2.8),
        (-1.6, 6.2, -8, 11.6, 3.6),
        (2.0, 6.4, 9, 8.4, 3.0),
    )
    for x, y, angle, length, width in crystals:
        part = pen.placed(x, y, 1.0, angle)
        half, tip = width / 2, width * 0.9
        left = [
            (-half, 0.4),
            (-half, tip - length),
            (0, -length),
            (-0.2 * half, tip - length + 0.4),
            (-0.2 * half, 0.4),
        ]
        right = [
            (half, 0.4),
            (half, tip - length),
            (0, -length),
            (-0.2 * half, tip - length + 0.4),
            (-0.2 * half, 0.4),
        ]
        outline = [(-half, 0.4), (-half, tip - length), (0, -length), (half, tip - length), (half, 0.4)]
        part.fill(left, "#f4f6fb")
        part.fill(right, "#b4bfdd")
        part.line([(-0.2 * half, 0.4), (-0.2 * half, tip - length + 0.4), (0, -length)], "#7d89b5", 0.3)
        part.line([(-half, tip - length), (-0.2 * half, tip - length + 0.4), (half, tip - length)], "#7d89b5", 0.3)
        part.line(outline, INK, LINE, closed=True)
    pen.shape(curve("M -6.8 7.4 C -6 5 -3.4 5.4 -1.8 5.8 C 0.6 4.8 4.6 5 6.8 7.4", 7), "#6f6a78", INK, LINE)


def draw_emerald(pen: Pen) -> None:
    """Draw a large emerald with a step cut."""

    def cut(size: float) -> list[tuple[float, float]]:
        w, h, c = 6.4 * size, 7.0 * size, 2.6 * size
        return [
            (-w + c, -h),
            (w - c, -h),
            (w, -h + c),
            (w, h - c),
            (w - c, h),
            (-w + c, h),
            (-w, h - c),
            (-w, -h + c),
        ]

    tones = ("#5fd08f", "#3fae72", "#1f8a55", "#0f6a3e", "#0b5230", "#157045", "#3fae72", "#7fe0a8")
    for outer, inner, shade in ((1.0, 0.72, 0), (0.72, 0.44, 1)):
        a, b = cut(outer), cut(inner)
        for k in range(8):
            pen.fill([a[k], a[(k + 1) % 8], b[(k + 1) % 8], b[k]], tones[(k + 7 * shade) % 8])
    pen.fill(cut(0.44), "#2c9d63")
    pen.fill([(-1.8, -2.8), (1.2, -2.8), (-2.4, 1.4)], "#c9f5da", 0.85)
    pen.lines([[cut(0.44)[k], cut(1.0)[k]] for k in range(8)], "#0a3d24", 0.3)
    for size in (0.72, 0.44):
        pen.line(cut(size), "#0a3d24", 0.3, closed=True)
    pen.line(cut(1.0), INK, LINE + 0.1, closed=True)
