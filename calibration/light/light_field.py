"""Corrects uneven light on the table, so that colours are compared as if lit like the middle of the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image

Lab = NDArray[np.float32]
"""CIELAB, shape (..., 3): L 0..100, a and b about -128..127."""

_LEVELS = np.arange(256) / 255
"""Encoded sRGB values of 8 bits, 0..1."""
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""Linear light of each of them, 0..1 (IEC 61966-2-1)."""
_LUMINANCE_BGR = np.array([0.0722, 0.7152, 0.2126], np.float32)
"""Weights of linear blue, green and red in the luminance (ITU-R BT.709)."""
_CELL_PX = 20
"""Side of the cells over which the light is averaged, px."""
_MAX_GAIN = 3.0
"""Largest factor, or its inverse, by which the light is corrected."""


def linear(image: Image) -> NDArray[np.float32]:
    """Convert an sRGB picture, BGR uint8 (..., 3), to linear light 0..1 of the same shape."""
    return np.asarray(cv2.LUT(image, _LINEAR), np.float32)


def srgb_levels(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert linear light 0..1, of any shape, to sRGB levels 0..255 as floats; the inverse of `linear`."""
    bright = 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055
    return np.asarray(255 * np.where(light <= 0.0031308, 12.92 * light, bright), np.float32)


def table_light(table: Image, uncovered: NDArray[np.bool_] | None = None) -> tuple[float, float, float]:
    """Return the median linear BGR of the table in the middle of a picture (half its width and height).

    table: BGR. uncovered: (height, width), True on bare table; None if the whole picture is.
    """
    height, width = table.shape[:2]
    middle = (slice(height // 4, height - height // 4), slice(width // 4, width - width // 4))
    pixels = table[middle].reshape(-1, 3)
    if uncovered is not None and uncovered[middle].any():
        pixels = pixels[uncovered[middle].reshape(-1)]
    b, g, r = np.median(_LINEAR[pixels], axis=0)
    return float(b), float(g), float(r)


@dataclass(frozen=True, eq=False)
class LightField:
    """Correction of the light in each pixel of a picture to that of a reference."""

    gain: NDArray[np.float32]
    """Factor on the linear light of each pixel, (height, width)."""
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Further factors for blue, green and red."""

    @classmethod
    def of(cls, table: Image, reference: tuple[float, float, float], *, balanced: bool = False) -> LightField:
        """Return the correction measured in a BGR picture of the table with little on it.

        reference: linear BGR of the table under the reference light. balanced: also correct the hue, which
        compensates a camera's drifting white balance; only for pictures that show mostly the bare table.
        """
        height, width = table.shape[:2]
        cells = (max(2, width // _CELL_PX), max(2, height // _CELL_PX))
        luminance = cv2.resize(linear(table), cells, interpolation=cv2.INTER_AREA) @ _LUMINANCE_BGR
        coarse = np.log(luminance + 1e-3)
        # The median drops things lying about; what is left is blurred so that grain and cloth stay in the colours.
        smooth = cv2.GaussianBlur(cv2.medianBlur(coarse, 5), (0, 0), 2.5)
        log_light = cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)
        wanted = float(np.array(reference) @ _LUMINANCE_BGR) + 1e-3
        gain = np.clip(wanted / np.exp(log_light), 1 / _MAX_GAIN, _MAX_GAIN).astype(np.float32)
        balance = (1.0, 1.0, 1.0)
        if balanced:
            now = np.array(table_light(table)) + 1e-3
            ratio = (np.array(reference) + 1e-3) / now
            ratio /= wanted / float(now @ _LUMINANCE_BGR)
            b, g, r = np.clip(ratio, 0.5, 2.0)
            balance = (float(b), float(g), float(r))
        return cls(gain, balance)

    def normalise(self, image: Image, left: int = 0, top: int = 0) -> Lab:
        """Return the colours of a BGR picture as CIELAB under the reference light, (height, width, 3).

        left, top: position of the picture, if it is a crop, in the picture that the light was measured from, px.
        """
        height, width = image.shape[:2]
        gain = self.gain[top : top + height, left : left + width]
        scaled = linear(image) * gain[..., None] * np.array(self.balance, np.float32)
        return np.asarray(cv2.cvtColor(np.minimum(scaled, 1.5), cv2.COLOR_LBGR2Lab), np.float32)
