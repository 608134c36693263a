"""The wands: strips with a star at the tip."""

from __future__ import annotations

import math
from typing import Final

from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, RAISED
from calibration.drawing.svg_pen import Pen, box, ellipse, mix, rounded

WAND: Final = (8.0, 46.0)
"""Width and height of a wand, mm."""


def wand_face() -> str:
    """Return a wand as SVG, its star up."""
    width, height = WAND
    pen = Pen.new()
    pen.fill(rounded(0, 0, width, height, 2.0), INK)
    pen.line(rounded(0.7, 0.7, width - 0.7, height - 0.7, 1.5), GOLD, 0.3, closed=True)
    pen.fill(rounded(1.1, 1.1, width - 1.1, height - 1.1, 1.2), RAISED)
    middle = width / 2
    pen.shape([(middle - 0.8, 10), (middle + 0.8, 10), (middle + 1.2, 42), (middle - 1.2, 42)], "#7a4a24", INK, 0.3)
    pen.fill([(middle - 0.5, 10), (middle - 0.1, 10), (middle - 0.2, 42), (middle - 0.9, 42)], "#a97042")
    for y in (14.0, 30.0, 33.0, 40.5):
        pen.fill(box(middle - 1.35, y, middle + 1.35, y + 1.1), GOLD)
        pen.fill(box(middle - 1.35, y + 0.7, middle + 1.35, y + 1.1), DEEP_GOLD)
    pen.glow(middle, 7.0, 3.2, BRIGHT_GOLD, 0.45, 4)
    star = [
        (middle + r * math.sin(math.radians(36 * k)), 7.0 - r * math.cos(math.radians(36 * k)))
        for k, r in enumerate((3.0, 1.25) * 5)
    ]
    pen.shape(star, BRIGHT_GOLD, INK, 0.3)
    for k in range(5):
        tip, left = star[2 * k], star[2 * k - 1]
        pen.fill([(middle, 7.0), left, tip], mix(BRIGHT_GOLD, DEEP_GOLD, 0.4))
    pen.fill(ellipse(middle, 7.0, 0.5, steps=10), INK)
    return pen.svg(0, 0, width, height)
