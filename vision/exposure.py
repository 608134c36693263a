"""How a camera exposes and balances the same table from one picture to the next."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from vision.cameras.frame import Image
from vision.readings import Box

Gains = NDArray[np.float64]
"""One factor each for blue, green and red, of linear light."""

_CELL_PX = 16
_DARKEST, _BRIGHTEST = 10, 245
"""Levels beyond which nothing can be told."""
_ALIKE = 0.2
"""What differs (log) by less from what most of the picture does is the same table in the same light."""
_MOST = 0.4
"""Where less of the picture than this agrees, it is not the light that has changed."""
_ENOUGH = 0.1
"""Of less of the picture than this nothing can be told: of a black table, say, on which only cards are light."""
_FURTHEST = 1.1
"""No light is thought to differ (log) by more."""
_ROUNDS = 2


def exposure(then: Image, now: Image, hands: Sequence[Box] = ()) -> Gains:
    """Tell what a picture's light is to be multiplied by to look as in another one of the same table, (3,).

    then, now: BGR pictures of one size. hands: boxes (x, y, width, height) in px of `now` where others things are
    seen than the table. Ones where the pictures do not agree on any.
    """
    size = (max(1, now.shape[1] // _CELL_PX), max(1, now.shape[0] // _CELL_PX))
    small = [np.asarray(cv2.resize(of, size, interpolation=cv2.INTER_AREA), np.uint8) for of in (then, now)]
    told = np.ones(small[0].shape[:2], np.bool_)
    for of in small:
        told &= (of.min(axis=2) >= _DARKEST) & (of.max(axis=2) <= _BRIGHTEST)
    for x, y, width, height in hands:
        left, top = max(0, int(x / _CELL_PX)), max(0, int(y / _CELL_PX))
        told[top : int((y + height) / _CELL_PX) + 1, left : int((x + width) / _CELL_PX) + 1] = False
    if told.mean() < _ENOUGH:
        return np.ones(3)
    off = np.log(linear(small[0])[told]) - np.log(linear(small[1])[told])
    gains = np.median(off, axis=0)
    for _ in range(_ROUNDS):
        alike = np.abs(off - gains).max(axis=1) < _ALIKE
        if alike.mean() < _MOST:
            return np.ones(3)
        gains = np.median(off[alike], axis=0)
    return np.asarray(np.exp(np.clip(gains, -_FURTHEST, _FURTHEST)), np.float64)
