"""Simulate pieces that drop into a palm one by one, each settling on those below it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Heights, Mask, as_floats
from vision.cameras.simulated.solids import Body, Solid, turned

REACH_MM = 62.0
"""Half the side of the square around the palm's centre on which pieces can fall, mm."""
_TRIALS = 5
"""Number of random drops per piece, of which the best is used."""
_FINGER_MM = 16.0
"""Height above the palm of a finger or the ball of the thumb, on which nothing settles."""


@dataclass(frozen=True, slots=True)
class _Footprint:
    """Footprint of a body on the surface."""

    area: tuple[slice, slice]
    """Rows and columns of the surface that enclose it."""
    mask: Mask
    """Mask of the footprint within that part."""


def drop_pieces(
    solids: tuple[Solid, ...], ground: Heights, scale: float, rng: np.random.Generator, spread: float = 1.0
) -> tuple[Body, ...]:
    """Return pieces at rest after they were dropped into a palm one by one, in the order of falling.

    Poses are in mm from the palm's centre, x right, y towards the fingers. ground: heights of the hand relative to
    the palm's centre, mm, a square of side 2·REACH_MM at `scale` px/mm, its first row nearest the fingertips.
    spread: scatter of the spots above which pieces are dropped, relative to the default.
    """
    surface = cv2.GaussianBlur(ground, (0, 0), 2.0 * scale).astype(np.float32)
    spread_mm = (5.5 + 3.3 * float(np.sqrt(len(solids)))) * spread
    heart = rng.normal([0.0, 5.0], 4.5)
    fallen = []
    for index in rng.permutation(len(solids)):
        shape = solids[index]
        options = [_settle(shape, heart + rng.normal(0, spread_mm, 2), surface, scale, rng) for _ in range(_TRIALS)]
        _, body, footprint, top = min(
            options, key=lambda option: option[0] + 0.12 * _distance_from_heap(option[1], heart)
        )
        under = surface[footprint.area]
        under[footprint.mask] = np.maximum(under[footprint.mask], top)
        fallen.append(body)
    return tuple(fallen)


def _distance_from_heap(body: Body, heart: Floats) -> float:
    """Return the horizontal distance of a body from the middle of the heap, mm."""
    return float(np.linalg.norm(body.centre[:2] - heart))


def _settle(
    shape: Solid, spot: Floats, surface: Heights, scale: float, rng: np.random.Generator
) -> tuple[float, Body, _Footprint, float]:
    """Drop a solid at a spot (x, y), mm, in a random orientation.

    Returns a cost that grows with the height of the surface under it, the body at rest, its footprint, and the
    height of its top, mm. surface: heights of palm and pieces so far, mm. scale: px/mm.
    """
    spot = np.clip(spot, -REACH_MM + 14, REACH_MM - 14)
    draw = rng.random()
    flat = 0.92 if shape.printed else 0.62
    if draw < flat:
        roll = 180.0 * float(rng.integers(2))
    else:
        roll = 90.0 if draw < flat + (1 - flat) * 0.6 else -90.0
        if shape.printed:
            roll = float(rng.choice([-1, 1])) * float(rng.uniform(35, 60))  # a disc leans, it does not stand
    rotation = turned(float(rng.uniform(0, 360))) @ turned(
        0.0, float(rng.normal(0, 5)), roll + float(rng.normal(0, 5))
    )
    if not shape.printed and rng.random() < 0.3 and draw >= flat:
        rotation = turned(float(rng.uniform(0, 360)), roll=90.0) @ turned(90.0 * float(rng.integers(4)))
    body = Body(shape, rotation, np.array([spot[0], spot[1], 0.0]))
    body, footprint = _tilted(body, surface, scale)
    corners = body.corners()
    under = surface[footprint.area][footprint.mask]
    bed = float(np.percentile(under, 80))
    low = float(corners[:, 2].min())
    rest = bed - low - 0.8
    body = Body(shape, body.rotation, body.centre + np.array([0, 0, rest]))
    steep = max(0.0, float(np.percentile(under, 95)) - _FINGER_MM) * 3
    return bed + steep, body, footprint, float(corners[:, 2].max()) + rest - 1.0


def _tilted(body: Body, surface: Heights, scale: float) -> tuple[Body, _Footprint]:
    """Return a body tilted along the slope of the surface under it, 22 degrees at most, and its footprint.

    The footprint is that before the tilt. scale: px/mm of the surface.
    """
    footprint = _footprint(body, surface.shape, scale)
    rows, columns = np.nonzero(footprint.mask)
    heights = surface[footprint.area][footprint.mask]
    x, y = (columns - columns.mean()) / scale, -(rows - rows.mean()) / scale
    spread_x, spread_y = float(np.mean(x**2)) + 1e-6, float(np.mean(y**2)) + 1e-6
    slope = np.array([float(np.mean(x * heights)) / spread_x, float(np.mean(y * heights)) / spread_y])
    pitch, roll = np.clip(np.degrees(np.arctan([-slope[0], slope[1]])), -22, 22)
    leaning = turned(0.0, float(pitch), float(roll)) @ body.rotation
    leant = Body(body.solid, as_floats(leaning), body.centre)
    return leant, footprint


def _footprint(body: Body, shape: tuple[int, ...], scale: float) -> _Footprint:
    """Return the pixels of a surface that a body covers as viewed from above.

    shape: of the surface. scale: px/mm.
    """
    points = body.corners()[:, :2]
    pixels = np.round(np.c_[points[:, 0] + REACH_MM, REACH_MM - points[:, 1]] * scale).astype(np.int32)
    low = np.clip(pixels.min(axis=0), 0, np.asarray(shape[::-1]) - 2)
    high = np.clip(pixels.max(axis=0) + 1, low + 1, np.asarray(shape[::-1]))
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(pixels - low), 1.0)
    return _Footprint((slice(low[1], high[1]), slice(low[0], high[0])), mask > 0)
