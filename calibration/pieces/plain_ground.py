"""Classifies the table top in a picture as plain or patterned; pieces can be counted only on a plain one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.pieces.hand_marked_segmentation import Box
from calibration.plane import Image, TablePlane

_SCALES = (0.1, 10.0)
"""Range of scales, px/mm; others are of invalid planes and taken as the nearest of these."""
_SURROUNDINGS_MM = 60.0
"""Window of the median that estimates the table below a piece."""
_PATTERN_DIFFERENCE = 12.0
"""CIELAB difference from the surroundings of a patterned pixel."""
_MAX_PATTERNED = 0.1
"""Maximum share of patterned pixels of a plain table: wood grain stays below 0.01, printed boards and cloths are
above 0.25."""


def has_plain_ground(image: Image, px_per_mm: float, covered: Sequence[Box] = ()) -> bool:
    """Return whether the table top in a BGR picture is plain: few of its pixels differ from their surroundings.

    covered: boxes (px) of objects on it, excluded with a margin of their own size.
    """
    px_per_mm = min(max(px_per_mm, _SCALES[0]), _SCALES[1])
    scale = min(1.0, 1.0 / px_per_mm)
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    smooth = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)
    around = surroundings(smooth, px_per_mm * scale)
    here, there = (cv2.cvtColor(of.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) for of in (smooth, around))
    free = np.ones(smooth.shape[:2], np.bool_)
    for x, y, width, height in covered:
        left, top = max(0, int((x - width) * scale)), max(0, int((y - height) * scale))
        free[top : int((y + 2 * height) * scale) + 1, left : int((x + 2 * width) * scale) + 1] = False
    patterned = np.linalg.norm(here - there, axis=2)[free] > _PATTERN_DIFFERENCE
    return bool(not len(patterned) or patterned.mean() < _MAX_PATTERNED)


def surroundings(image: Image, px_per_mm: float) -> Image:
    """Return the estimated table top below each pixel: the median of a window much larger than a piece."""
    height, width = image.shape[:2]
    scale = min(1.0, 0.5 / px_per_mm)
    small = cv2.resize(
        image, (max(8, round(width * scale)), max(8, round(height * scale))), interpolation=cv2.INTER_AREA
    )
    window = max(3, round(_SURROUNDINGS_MM * px_per_mm * scale) | 1)
    return np.asarray(cv2.resize(cv2.medianBlur(small, window), (width, height)), np.uint8)


def middle_scale(plane: TablePlane) -> float:
    """Return the scale at the centre of a calibrated picture, px/mm; 0 if that lies above the horizon."""
    width, height = plane.image_size
    return float(np.nan_to_num(plane.px_per_mm_at(plane.to_table(((width - 1) / 2, (height - 1) / 2)))))
