"""Colours as the reader compares them: logarithms, so that light and shade move along one line.

A colour is (intensity, first opponent, second opponent), float32: the mean of the logarithms of blue, green and
red and two differences of them. A few grey levels are added before the logarithm, so that near black, where hue
is only noise, all colours run together at hue nought.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from vision.cameras.frame import Image

Colours = NDArray[np.float32]
"""Shape (..., 3): intensity, blue against red, green against the other two."""

_OFFSET = 14.0
_MIX = np.array([[1 / 3, 1 / 3, 1 / 3], [0.7071, 0.0, -0.7071], [-0.4082, 0.8165, -0.4082]], np.float32)
_UNMIX = np.linalg.inv(_MIX).astype(np.float32)
_LEVELS = linear(np.arange(256, dtype=np.uint8).reshape(1, 256, 1)).reshape(256)
_CODED = np.log(255.0 * np.sqrt(_LEVELS) + _OFFSET).astype(np.float32)


def of_light(light: NDArray[np.float32]) -> Colours:
    """Turn linear BGR 0..1, shape (..., 3), into colours."""
    coded = np.log(255.0 * np.sqrt(np.maximum(light, 0.0)) + _OFFSET)
    return _mixed(coded, _MIX)


def to_light(colours: Colours) -> NDArray[np.float32]:
    """Return the linear BGR (..., 3) of colours, the inverse of `of_light`."""
    coded = np.exp(_mixed(colours, _UNMIX)) - _OFFSET
    return np.asarray((np.maximum(coded, 0.0) / 255.0) ** 2, np.float32)


def of_view(image: Image) -> Colours:
    """Turn a BGR picture (height, width, 3) into colours as it is: those of its linear light, only faster."""
    return np.asarray(cv2.transform(cv2.LUT(image, _CODED), _MIX), np.float32)


def squared(off: Colours, spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give how far colours differ, (..., 3) to (...): the sum of squared differences, each in its own spread."""
    return _mixed(off * off, np.asarray(1 / spread**2, np.float32)[None])[..., 0]


def _mixed(channels: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mix three channels (..., 3) into n by a matrix (n, 3); along so short an axis NumPy takes far longer."""
    shape = (*channels.shape[:-1], len(matrix))
    if not channels.size:
        return np.zeros(shape, np.float32)
    return np.asarray(cv2.transform(channels.reshape(1, -1, 3), matrix), np.float32).reshape(shape)


def of_picture(image: Image, gain: NDArray[np.float64]) -> Colours:
    """Turn a BGR picture (height, width, 3) into colours; linear light is multiplied by `gain` (b, g, r) first."""
    table = np.log(255.0 * np.sqrt(_LEVELS[:, None] * gain[None]) + _OFFSET).astype(np.float32)
    coded = cv2.LUT(image, table.reshape(256, 1, 3))
    return np.asarray(cv2.transform(coded, _MIX), np.float32)


def shaded(light: NDArray[np.float32], shades: NDArray[np.float32]) -> Colours:
    """Give linear BGR (n, 3) under each shade (m), as colours (n, m, 3)."""
    return of_light(light[:, None, :] * shades[None, :, None])


def of_lab(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn CIELAB (n, 3) into linear BGR (n, 3)."""
    return np.maximum(np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_Lab2LBGR)[0], np.float32), 0.0)
