"""Fits quadrilaterals to outlines and to areas of a mask, and checks their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.games.master.field.rectification import Corners

_OPENINGS: Final = (0.0, 0.16, 0.3)
"""Kernel sizes of the morphological opening that removes protrusions, such as a tile that touches the board; as
fractions of the square root of the outline's area."""
_ON_EDGE: Final = 0.02
"""Largest distance of a corner from the picture's edge to lie on it, as a fraction of the picture's longer side."""
_BEYOND: Final = (0.05, 0.1, 0.15, 0.2)
"""Distances by which a side on the picture's edge is moved outwards, as fractions of the adjacent sides."""
_MIN_AREA: Final = 0.02
"""Smallest area, as a fraction of the mask."""
_MIN_FILLED: Final = 0.9
"""Minimum intersection over union of an outline's convex hull and its quadrilateral."""


def clockwise(points: NDArray[np.float64]) -> Corners:
    """Return four points in clockwise order, starting with the upper left one (smallest x + y)."""
    centred = points - points.mean(0)
    ordered = points[np.argsort(np.arctan2(centred[:, 1], centred[:, 0]))]
    return np.roll(ordered, -int(np.argmin(ordered.sum(1))), 0)


def area_quads(mask: NDArray[np.uint8], most: int) -> list[Corners]:
    """Return quadrilaterals fitted to the largest areas of a mask: corners in px of the mask, clockwise.

    most: maximum number of areas.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = sorted(contours, key=cv2.contourArea, reverse=True)[:most]
    large = [contour for contour in largest if cv2.contourArea(contour) > _MIN_AREA * mask.size]
    return [quad for contour in large for quad in fitted_quads(np.asarray(contour))]


def beyond_edges(quads: Sequence[Corners], size: tuple[int, int]) -> list[Corners]:
    """Return enlarged copies of the quadrilaterals that touch the picture's edge, which may cut off a board.

    In each copy, one side on the edge is moved outwards by one of several distances. size: width and height, px.
    """
    low, high = _ON_EDGE * max(size), np.array(size, np.float64) - _ON_EDGE * max(size)
    found = list[Corners]()
    for quad in quads:
        on_edge = np.concatenate([quad < low, quad > high], axis=1)  # left, top, right, bottom of each corner
        for side in range(4):
            first, second = side, (side + 1) % 4
            if (on_edge[first] & on_edge[second]).any():
                inner = quad[[first - 1, (second + 1) % 4]]
                for share in _BEYOND:
                    moved = quad.copy()
                    moved[[first, second]] += share * (moved[[first, second]] - inner)
                    found.append(moved)
    return found


def is_sound(quad: Corners, least: float) -> bool:
    """Return whether a quadrilateral is convex, not too small, and not too oblique for a square in perspective.

    least: minimum length of its sides, px.
    """
    edges = np.roll(quad, -1, 0) - quad
    following = np.roll(edges, -1, 0)
    lengths = np.linalg.norm(edges, axis=1)
    if lengths.min() < least or lengths.min() < 0.3 * lengths.max():
        return False
    cross = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((cross / (lengths * np.roll(lengths, -1))).min() > 0.4)


def fitted_quads(contour: NDArray[Any]) -> list[Corners]:
    """Return quadrilaterals that fit an outline (OpenCV contour) closely, with and without its protrusions.

    Empty if none fits: the outline has another shape.
    """
    (left, top), (right, bottom) = contour.reshape(-1, 2).min(0), contour.reshape(-1, 2).max(0)
    filled = np.zeros((bottom - top + 3, right - left + 3), np.uint8)
    cv2.drawContours(filled, [contour - np.array([left - 1, top - 1])], -1, 1, -1)
    size = float(np.sqrt(filled.sum()))
    found = list[Corners]()
    for width in _OPENINGS:
        kernel = max(1, round(width * size))
        opened = cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((kernel, kernel), np.uint8)) if width else filled
        parts, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if not parts:
            continue
        hull = cv2.convexHull(max(parts, key=cv2.contourArea))
        if len(hull) < 4:
            continue
        rough = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
        common, _ = cv2.intersectConvexConvex(hull.astype(np.float32), rough.astype(np.float32))
        union = cv2.contourArea(hull) + cv2.contourArea(rough.astype(np.float32)) - common
        if common > _MIN_FILLED * union:
            found.append(clockwise(rough) + np.array([left - 1, top - 1]))
    return found
