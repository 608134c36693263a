"""Quadrilaterals of outlines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.games.master.field.lattice import Corners

_OPENINGS: Final = (0.0, 0.16, 0.3)
"""Widths of what is cut off from an outline, such as a tile that touches the board, in units of its size."""
_ON_EDGE: Final = 0.02
"""Distance from the picture's edge within which a corner lies on it, as a share of the longer side."""
_BEYOND: Final = (0.05, 0.1, 0.15, 0.2)
"""How far a side on the edge is moved outwards, as a share of the adjacent sides."""
_MIN_FILLED: Final = 0.9
"""Least overlap of an outline's hull and its quadrilateral, intersection over union."""


def clockwise(points: NDArray[np.float64]) -> Corners:
    """Return four points clockwise in the picture, the one nearest to the upper left first."""
    centred = points - points.mean(0)
    ordered = points[np.argsort(np.arctan2(centred[:, 1], centred[:, 0]))]
    return np.roll(ordered, -int(np.argmin(ordered.sum(1))), 0)


def area_quads(mask: NDArray[np.uint8], most: int, least: float) -> list[Corners]:
    """Return quadrilaterals of the largest areas of a mask, px of it, clockwise.

    most: number of areas. least: smallest area, as a fraction of the mask.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = sorted(contours, key=cv2.contourArea, reverse=True)[:most]
    large = [contour for contour in largest if cv2.contourArea(contour) > least * mask.size]
    return [quad for contour in large for quad in four_corners(np.asarray(contour))]


def beyond_edges(quads: Sequence[Corners], size: tuple[int, int]) -> list[Corners]:
    """Return the quadrilaterals whose side on the picture's edge is moved outwards: of boards that it cuts off.

    size: width and height of the picture, px.
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
    """Return whether a quadrilateral is convex, not too small, and not more oblique than a camera sees a square.

    least: shortest side.
    """
    edges = np.roll(quad, -1, 0) - quad
    following = np.roll(edges, -1, 0)
    lengths = np.linalg.norm(edges, axis=1)
    if lengths.min() < least or lengths.min() < 0.3 * lengths.max():
        return False
    cross = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((cross / (lengths * np.roll(lengths, -1))).min() > 0.4)


def four_corners(contour: NDArray[Any]) -> list[Corners]:
    """Return the quadrilaterals that an outline nearly fills, as it is and without what protrudes from it."""
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
