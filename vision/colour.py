"""Log-opponent colour space: a change of brightness moves a colour along one axis.

A colour is (intensity, first opponent, second opponent), float32: the mean of log blue, green and red and two
differences of them. An offset of a few grey levels is added before the logarithm; near black, where hue is noise,
all colours converge to hue zero.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from vision.cameras.frame import Image

Colours = NDArray[np.float32]
"""Array of shape (..., 3): intensity, blue minus red, green minus the mean of blue and red."""

_OFFSET = 14.0
"""Offset added before the logarithm, in 8-bit gamma-coded grey levels."""
_MIX = np.array([[1 / 3, 1 / 3, 1 / 3], [0.7071, 0.0, -0.7071], [-0.4082, 0.8165, -0.4082]], np.float32)
"""Matrix from log (b, g, r) to (intensity, first opponent, second opponent)."""
_UNMIX = np.linalg.inv(_MIX).astype(np.float32)
"""Inverse of `_MIX`."""
_LEVELS = linear(np.arange(256, dtype=np.uint8).reshape(1, 256, 1)).reshape(256)
"""Linear light 0..1 of each 8-bit level, (256)."""
_CODED = np.log(255.0 * np.sqrt(_LEVELS) + _OFFSET).astype(np.float32)
"""Offset logarithm of each 8-bit level, (256)."""


def of_light(light: NDArray[np.float32]) -> Colours:
    """Convert linear BGR light (0..1) of shape (..., 3) to log-opponent colours of the same shape."""
    coded = np.log(255.0 * np.sqrt(np.maximum(light, 0.0)) + _OFFSET)
    return _mixed(coded, _MIX)


def to_light(colours: Colours) -> NDArray[np.float32]:
    """Convert log-opponent colours (..., 3) to linear BGR light (0..1): the inverse of `of_light`."""
    coded = np.exp(_mixed(colours, _UNMIX)) - _OFFSET
    return np.asarray((np.maximum(coded, 0.0) / 255.0) ** 2, np.float32)


def of_view(image: Image) -> Colours:
    """Convert an 8-bit BGR picture (height, width, 3) to log-opponent colours of the same shape."""
    return np.asarray(cv2.transform(cv2.LUT(image, _CODED), _MIX), np.float32)


def squared(off: Colours, spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the squared norms, shape (...), of colour differences (..., 3).

    off: differences. spread: standard deviation of each channel, (3,), by which they are divided first.
    """
    return _mixed(off * off, np.asarray(1 / spread**2, np.float32)[None])[..., 0]


def _mixed(channels: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product (..., n) of channels (..., 3) and a matrix (n, 3).

    `cv2.transform` is much faster than NumPy here.
    """
    shape = (*channels.shape[:-1], len(matrix))
    if not channels.size:
        return np.zeros(shape, np.float32)
    return np.asarray(cv2.transform(channels.reshape(1, -1, 3), matrix), np.float32).reshape(shape)


def of_picture(image: Image, gain: NDArray[np.float64]) -> Colours:
    """Convert an 8-bit BGR picture to log-opponent colours, its linear light multiplied by `gain` (b, g, r)."""
    table = np.log(255.0 * np.sqrt(_LEVELS[:, None] * gain[None]) + _OFFSET).astype(np.float32)
    coded = cv2.LUT(image, table.reshape(256, 1, 3))
    return np.asarray(cv2.transform(coded, _MIX), np.float32)


def shaded(light: NDArray[np.float32], shades: NDArray[np.float32]) -> Colours:
    """Return the log-opponent colours (n, m, 3) of n linear BGR colours, each under m brightness factors.

    light: linear BGR 0..1, (n, 3). shades: brightness factors, (m,).
    """
    return of_light(light[:, None, :] * shades[None, :, None])


def light_of_lab(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert CIELAB colours (n, 3) to linear BGR light 0..1, (n, 3)."""
    return np.maximum(np.asarray(cv2.cvtColor(lab[None], cv2.COLOR_Lab2LBGR)[0], np.float32), 0.0)
