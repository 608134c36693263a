"""Geometry of many rectangles at once, on the table plane in mm."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

_CORNER_MM = 6.0
"""Distance from the corners at which the sampling of a side starts."""
_BEYOND_MM = (4.0, 14.0)
"""Range of distances behind the corners in which continuing sides are sampled."""
_MAX_SHARED = 0.15
"""Maximum overlap of adjacent cards' outlines, as a share of the smaller one's area."""

Corners = NDArray[np.float64]
"""Corners of rectangles in table mm, (n, 4, 2), clockwise."""


def overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles (4, 2) overlap more than two adjacent cards can."""
    if np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > (_diagonal(one) + _diagonal(other)) / 2:
        return False
    polygons = [np.asarray(corners, np.float32) for corners in (one, other)]
    shared, _ = cv2.intersectConvexConvex(polygons[0], polygons[1])
    return bool(shared > _MAX_SHARED * min(cv2.contourArea(polygon) for polygon in polygons))


def distances(some: Corners, others: Corners) -> NDArray[np.float64]:
    """Return the distances between the centres of rectangles, (some, others) mm."""
    between = some.mean(axis=1)[:, None] - others.mean(axis=1)[None]
    return np.asarray(np.linalg.norm(between, axis=2), np.float64)


def rotated(corners: Corners, degrees: Sequence[float]) -> NDArray[np.float64]:
    """Return rectangles rotated about their centres, (n, 1 + degrees, 4, 2); unrotated first."""
    angles = np.radians((0.0, *degrees))
    turns = np.stack([np.cos(angles), np.sin(angles), -np.sin(angles), np.cos(angles)], axis=1).reshape(-1, 2, 2)
    middle = corners.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("nij,tjk->ntik", corners - middle, turns) + middle[:, None], np.float64)


def shifted(corners: Corners, by_mm: float) -> NDArray[np.float64]:
    """Return rectangles shifted along their sides, (n, 9, 4, 2); unshifted first."""
    steps = sorted(itertools.product((-1, 0, 1), repeat=2), key=lambda step: step != (0, 0))
    along = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], axis=1)
    along = along / np.linalg.norm(along, axis=2, keepdims=True) * by_mm
    shifts = np.einsum("sk,nkj->nsj", np.array(steps, np.float64), along)
    return np.asarray(corners[:, None] + shifts[:, :, None], np.float64)


def _diagonal(corners: Corners) -> float:
    return float(np.linalg.norm(corners[2] - corners[0]))


def clockwise(first: NDArray[np.float64], right: NDArray[np.float64], up: NDArray[np.float64]) -> Corners:
    """Return rectangles spanned by two sides from a first corner, all (n, 2), clockwise in table coordinates."""
    corners = np.stack([first, first + right, first + right + up, first + up], axis=1)
    counter_clockwise = right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0] > 0
    corners[counter_clockwise] = corners[counter_clockwise][:, [1, 0, 3, 2]]
    return corners


def along_sides(corners: Corners, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sample points along the sides of rectangles, (n, 4·k, 2), side after side, and their normals."""
    start, end = corners, np.roll(corners, -1, axis=1)
    length = np.linalg.norm(end - start, axis=2)
    steps = max(4, round((float(length.max()) - 2 * _CORNER_MM) / step_mm))
    margin = (_CORNER_MM / length)[..., None]
    share = margin + (1 - 2 * margin) * np.linspace(0, 1, steps)
    points = start[:, :, None] + share[..., None] * (end - start)[:, :, None]
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def beyond_corners(corners: Corners) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sample points on the sides' lines beyond the corners, (n, k, 2), and normals."""
    start, end = corners, np.roll(corners, -1, axis=1)
    ahead = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    far = np.arange(_BEYOND_MM[0], _BEYOND_MM[1] + 0.1, 2.5)[:, None]
    points = np.concatenate(
        [end[:, :, None] + far * ahead[:, :, None], start[:, :, None] - far * ahead[:, :, None]], 2
    )
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def _normals(start: Corners, end: Corners) -> NDArray[np.float64]:
    ahead = (end - start) / np.linalg.norm(end - start, axis=-1, keepdims=True)
    return np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)


def grown(corners: Corners, by_mm: float) -> Corners:
    """Return rectangles enlarged by `by_mm` on each side."""
    right = corners[:, 1] - corners[:, 0]
    down = corners[:, 3] - corners[:, 0]
    right = right / np.linalg.norm(right, axis=1, keepdims=True) * by_mm
    down = down / np.linalg.norm(down, axis=1, keepdims=True) * by_mm
    grown = corners + np.stack([-right - down, right - down, right + down, down - right], axis=1)
    return np.asarray(grown, np.float64)
