"""Open or closed: told by a hand's outline alone, never by what lies in it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.reveal.foreground import Mask
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM, PATCH_SIZE
from vision.reveal.network import Network, load_network

STATE_FEATURES = (
    "area", "area_above", "solidity", "solidity_above", "reach", "width", "thickest", "outline", "gaps",
    "gap_depth", "crossings_1", "crossings_2", "crossings_3", "share_1", "share_2", "share_3",
)  # fmt: skip
_WRIST_MM = 45.0
_STEP = 2


def state_features(mask: Mask) -> tuple[float, ...]:
    """Describe the outline of a hand in its level patch; lengths in units of 10 mm."""
    small = cv2.resize(mask, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA)
    hand = (small > 127).astype(np.uint8)
    unit = 10.0 * PATCH_PX_PER_MM / _STEP
    x, y = PATCH_PALM[0] / _STEP, PATCH_PALM[1] / _STEP
    hand[int(y + _WRIST_MM / 10 * unit) :] = 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(hand)
    if count < 2:
        return (0.0,) * len(STATE_FEATURES)
    hand = (labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))).astype(np.uint8)
    above = hand.copy()
    above[int(y) :] = 0
    contour = max(cv2.findContours(hand, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    gaps = depth = 0.0
    hull = cv2.convexHull(contour, returnPoints=False)
    if len(contour) > 20 and len(hull) > 3:
        hull = np.sort(hull.reshape(-1, 1), axis=0)[::-1].copy()
        defects = cv2.convexityDefects(contour, hull)
        if defects is not None:
            depths = defects.reshape(-1, 4)[:, 3] / 256.0 / unit
            gaps, depth = float((depths > 0.8).sum()), float(depths.clip(0, 6).sum())
    rows, columns = np.nonzero(hand)
    crossings, shares = [], []
    for radius in (5.0, 6.2, 7.4):
        turns = np.radians(np.arange(-100, 101, 2.0))
        px = np.clip(np.round(x + np.sin(turns) * radius * unit), 0, PATCH_SIZE[0] // _STEP - 1).astype(np.int64)
        py = np.clip(np.round(y - np.cos(turns) * radius * unit), 0, PATCH_SIZE[1] // _STEP - 1).astype(np.int64)
        ring = hand[py, px].astype(np.int64)
        crossings.append(float((np.diff(ring) > 0).sum()))
        shares.append(float(ring.mean()))
    return (
        float(hand.sum()) / unit**2 / 10, float(above.sum()) / unit**2 / 10, _solidity(contour, hand),
        _solidity(_points(above), above), float(y - np.quantile(rows, 0.003)) / unit,
        float(np.quantile(columns, 0.99) - np.quantile(columns, 0.01)) / unit,
        float(cv2.distanceTransform(hand, cv2.DIST_L2, 3).max()) / unit,
        cv2.arcLength(contour, True) / unit, gaps, depth, *crossings, *shares,
    )  # fmt: skip


@cache
def state_network() -> Network:
    """Give the network that tells closed from open."""
    return load_network("state", STATE_FEATURES)


def state_chances(mask: Mask) -> tuple[float, float, float]:
    """Give the probabilities of a closed hand, an open one, and of a patch that missed the hand.

    The last happens when a hand looks so much like the table that only its sleeve was found.
    """
    closed, opened, missed = state_network().probabilities(np.array([state_features(mask)], np.float32))[0]
    return float(closed), float(opened), float(missed)


def _points(hand: Mask) -> cv2.typing.MatLike:
    found = cv2.findNonZero(hand)
    return np.zeros((1, 1, 2), np.int32) if found is None else found


def _solidity(points: cv2.typing.MatLike, hand: Mask) -> float:
    return float(hand.sum()) / (cv2.contourArea(cv2.convexHull(points)) + 20.0)
