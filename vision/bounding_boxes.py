"""Arithmetic of bounding boxes (x, y, width, height): centre, scale, intersection, overlap."""

from __future__ import annotations

from vision.readings import Box


def centre(box: Box) -> tuple[float, float]:
    """Return the centre of a box."""
    x, y, width, height = box
    return x + width / 2, y + height / 2


def scaled(box: Box, times: float) -> Box:
    """Return a box with its position and its size multiplied by `times`."""
    x, y, width, height = box
    return x * times, y * times, width * times, height * times


def shared(one: Box, other: Box) -> float:
    """Return the intersection area of two boxes."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def overlap(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes, 0..1."""
    common = shared(one, other)
    return common / max(1e-9, one[2] * one[3] + other[2] * other[3] - common)
