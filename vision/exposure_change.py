"""Change of a camera's exposure and white balance between two pictures of the same table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from vision.cameras.frame import Image
from vision.readings import Box

Gains = NDArray[np.float64]
"""One factor each for blue, green and red, of linear light."""

_CELL_PX = 16
"""Cell size of the comparison."""
_MIN_LEVEL = 10
"""Minimum grey level of a usable cell."""
_MAX_LEVEL = 245
"""Maximum grey level of a usable cell."""
_MAX_DEVIATION = 0.2
"""Maximum deviation (log) of an unchanged cell from the median change."""
_MIN_INLIER_SHARE = 0.4
"""Minimum share of unchanged cells; below it, the scene is assumed to have changed, not the light."""
_MIN_USABLE_SHARE = 0.1
"""Minimum share of usable cells; a black table with only cards on it has fewer."""
_MAX_LOG_GAIN = 1.1
"""Maximum log gain."""
_ITERATIONS = 2
"""Number of iterations of the robust median."""


def cells(image: Image) -> Image:
    """Return a BGR picture downscaled so that each pixel is one cell of the comparison, (rows, columns, 3)."""
    size = (max(1, image.shape[1] // _CELL_PX), max(1, image.shape[0] // _CELL_PX))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def exposure(then: Image, now: Image, hands: Sequence[Box] = ()) -> Gains:
    """Return the gains (b, g, r) by which the linear light of picture `now` is multiplied to match picture `then`.

    then, now: BGR pictures of one table, of one size. hands: boxes (x, y, width, height) in px of `now` that cover
    the table. Returns ones if too little of the table is usable, or changed by the same gains.
    """
    return exposure_of_cells(cells(then), cells(now), hands)


def exposure_of_cells(then: Image, now: Image, hands: Sequence[Box] = ()) -> Gains:
    """Return the gains (b, g, r) of `exposure`, computed from pictures that `cells` has downscaled already.

    hands: boxes (x, y, width, height) that cover the table, in px of the full-size picture `now`.
    """
    usable = np.ones(then.shape[:2], np.bool_)
    for of in (then, now):
        usable &= (of.min(axis=2) >= _MIN_LEVEL) & (of.max(axis=2) <= _MAX_LEVEL)
    for x, y, width, height in hands:
        left, top = max(0, int(x / _CELL_PX)), max(0, int(y / _CELL_PX))
        usable[top : int((y + height) / _CELL_PX) + 1, left : int((x + width) / _CELL_PX) + 1] = False
    if usable.mean() < _MIN_USABLE_SHARE:
        return np.ones(3)
    off = np.log(linear(then)[usable]) - np.log(linear(now)[usable])
    gains = np.median(off, axis=0)
    for _ in range(_ITERATIONS):
        alike = np.abs(off - gains).max(axis=1) < _MAX_DEVIATION
        if alike.mean() < _MIN_INLIER_SHARE:
            return np.ones(3)
        gains = np.median(off[alike], axis=0)
    return np.asarray(np.exp(np.clip(gains, -_MAX_LOG_GAIN, _MAX_LOG_GAIN)), np.float64)
