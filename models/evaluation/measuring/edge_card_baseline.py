"""Baseline card detector by edges alone, to compare trained detectors with."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.plane import Image
from vision.bounding_boxes import shared
from vision.readings import Box

_MIN_AREA_FRACTION = 0.01
"""Smallest area of a card, as a fraction of the picture's."""
_MAX_AREA_FRACTION = 0.6
"""Largest area of a card, as a fraction of the picture's."""
_MAX_ASPECT = 2.0
"""Largest aspect ratio of a card."""
_MIN_ASPECT = 1.15
"""Smallest aspect ratio of a card."""
_MIN_FILL = 0.85
"""Smallest ratio of a contour's area to that of its box."""
_SIDE_PX = 480
"""Longer side of the searched picture, px."""
_MAX_OVERLAP = 0.5
"""Overlap (fraction of the smaller box) from which on two boxes are the same card."""


def find_cards(image: Image) -> tuple[Box, ...]:
    """Return boxes (x, y, width, height in px) of rectangles with a card's proportions in a BGR picture.

    They are bright areas, or areas that edges enclose. No two overlap by half of the smaller one.
    """
    shrink = _SIDE_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    least, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    edges = cv2.dilate(cv2.Canny(grey, 40, 110), np.ones((3, 3), np.uint8))
    layers = [np.where(edges > 0, 0, 255).astype(np.uint8)]
    for level in (least, 0.5 * (least + 255), 0.25 * least + 0.75 * 255):
        bright = (grey > level).astype(np.uint8) * 255
        layers.append(np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8))
    found: list[tuple[float, Box]] = []
    for layer in layers:
        contours, _ = cv2.findContours(layer, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            area = cv2.contourArea(hull)
            if not _MIN_AREA_FRACTION * grey.size < area < _MAX_AREA_FRACTION * grey.size:
                continue
            _, (one, other), _ = cv2.minAreaRect(hull)
            longer, shorter = max(one, other), max(1.0, min(one, other))
            filled = area / (longer * shorter)
            if _MIN_ASPECT < longer / shorter < _MAX_ASPECT and filled > _MIN_FILL:
                x, y, width, height = cv2.boundingRect(hull)
                found.append((filled, (x / shrink, y / shrink, width / shrink, height / shrink)))
    kept: list[Box] = []
    for _, box in sorted(found, reverse=True):
        if all(_overlap(box, other) < _MAX_OVERLAP for other in kept):
            kept.append(box)
    return tuple(kept)


def _overlap(one: Box, other: Box) -> float:
    """Return the area of two boxes' intersection divided by the area of the smaller box."""
    return shared(one, other) / max(1.0, min(one[2] * one[3], other[2] * other[3]))
