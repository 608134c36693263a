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
    """Return whether two rectangles, (4, 2) each, overlap more than the measured outlines of adjacent cards can."""
    if np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > (_diagonal(one) + _diagonal(other)) / 2:
        return False
    polygons = [np.asarray(corners, np.float32) for corners in (one, other)]
    shared, _ = cv2.intersectConvexConvex(polygons[0], polygons[1])
    return bool(shared > _MAX_SHARED * min(cv2.contourArea(polygon) for polygon in polygons))


def distances(some: Corners, others: Corners) -> NDArray[np.float64]:
    """Return the distances (mm) between the centres of n and m rectangles, (n, m)."""
    between = some.mean(axis=1)[:, None] - others.mean(axis=1)[None]
    return np.asarray(np.linalg.norm(between, axis=2), np.float64)


def rotated_copies(corners: Corners, degrees: Sequence[float]) -> NDArray[np.float64]:
    """Return each rectangle unrotated, then rotated about its centre by each angle, (n, 1 + angles, 4, 2)."""
    angles = np.radians((0.0, *degrees))
    turns = np.stack([np.cos(angles), np.sin(angles), -np.sin(angles), np.cos(angles)], axis=1).reshape(-1, 2, 2)
    middle = corners.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("nij,tjk->ntik", corners - middle, turns) + middle[:, None], np.float64)


def shifted_copies(corners: Corners, by_mm: float) -> NDArray[np.float64]:
    """Return each rectangle unshifted, then shifted in eight directions along its sides, (n, 9, 4, 2).

    by_mm: length of a shift along a side.
    """
    steps = sorted(itertools.product((-1, 0, 1), repeat=2), key=lambda step: step != (0, 0))
    along = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], axis=1)
    along = along / np.linalg.norm(along, axis=2, keepdims=True) * by_mm
    shifts = np.einsum("sk,nkj->nsj", np.array(steps, np.float64), along)
    return np.asarray(corners[:, None] + shifts[:, :, None], np.float64)


def _diagonal(corners: Corners) -> float:
    """Return the length of a rectangle's diagonal, mm."""
    return float(np.linalg.norm(corners[2] - corners[0]))


def spanned(first: NDArray[np.float64], right: NDArray[np.float64], up: NDArray[np.float64]) -> Corners:
    """Return the rectangles with a given corner and the two sides from it, clockwise in table coordinates.

    first: corners in table mm. right, up: vectors of the sides, mm; all (n, 2).
    """
    corners = np.stack([first, first + right, first + right + up, first + up], axis=1)
    counter_clockwise = right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0] > 0
    corners[counter_clockwise] = corners[counter_clockwise][:, [1, 0, 3, 2]]
    return corners


def points_on_sides(corners: Corners, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sample points along the sides of rectangles, side after side, and unit normals, (n, 4·k, 2) each.

    step_mm: distance of the points.
    """
    start, end = corners, np.roll(corners, -1, axis=1)
    length = np.linalg.norm(end - start, axis=2)
    steps = max(4, round((float(length.max()) - 2 * _CORNER_MM) / step_mm))
    margin = (_CORNER_MM / length)[..., None]
    share = margin + (1 - 2 * margin) * np.linspace(0, 1, steps)
    points = start[:, :, None] + share[..., None] * (end - start)[:, :, None]
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def points_beyond_corners(corners: Corners) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sample points on the sides' continuations beyond the corners, and unit normals, (n, k, 2) each."""
    start, end = corners, np.roll(corners, -1, axis=1)
    ahead = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    far = np.arange(_BEYOND_MM[0], _BEYOND_MM[1] + 0.1, 2.5)[:, None]
    points = np.concatenate(
        [end[:, :, None] + far * ahead[:, :, None], start[:, :, None] - far * ahead[:, :, None]], 2
    )
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def _normals(start: Corners, end: Corners) -> NDArray[np.float64]:
    """Return unit normals of the sides between corners, to the right of the direction from start to end."""
    ahead = (end - start) / np.linalg.norm(end - start, axis=-1, keepdims=True)
    return np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)


def enlarged(corners: Corners, by_mm: float) -> Corners:
    """Return rectangles with each side moved outwards by this distance."""
    right = corners[:, 1] - corners[:, 0]
    down = corners[:, 3] - corners[:, 0]
    right = right / np.linalg.norm(right, axis=1, keepdims=True) * by_mm
    down = down / np.linalg.norm(down, axis=1, keepdims=True) * by_mm
    enlarged = corners + np.stack([-right - down, right - down, right + down, down - right], axis=1)
    return np.asarray(enlarged, np.float64)
