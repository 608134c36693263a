"""Outlines that several pictures use."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from calibration.drawing.svg_pen import Point

LINE = 0.5
"""Width of an ink outline, mm."""


def tapered(spine: Sequence[Point], widths: Sequence[float]) -> list[Point]:
    """Return the outline of a body along a line of points. widths: of the body, spread evenly along the line."""
    directions = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(spine)]
    left: list[Point] = []
    right: list[Point] = []
    for k, (x, y) in enumerate(spine):
        before, after = directions[max(k - 1, 0)], directions[min(k, len(directions) - 1)]
        dx, dy = before[0] + after[0], before[1] + after[1]
        length = math.hypot(dx, dy) or 1.0
        at = k / (len(spine) - 1) * (len(widths) - 1)
        low = min(int(at), len(widths) - 2)
        half = (widths[low] + (widths[low + 1] - widths[low]) * (at - low)) / 2
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return [*left, *reversed(right)]


def leaf(length: float, width: float) -> list[Point]:
    """Return the outline of a pointed leaf that grows upwards from (0, 0)."""
    half = [(0.0, 0.0)] + [(width / 2 * math.sin(math.pi * k / 8) ** 0.8, -length * k / 8) for k in range(1, 8)]
    return [*half, (0.0, -length), *((-x, y) for x, y in reversed(half[1:]))]


def moved(points: Sequence[Point], x: float, y: float, angle: float = 0.0) -> list[Point]:
    """Return points rotated clockwise about (0, 0) by an angle in degrees, then shifted by (x, y)."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(x + c * a - s * b, y + s * a + c * b) for a, b in points]
