"""What is new in a picture against the same table without hands, shadows left out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image

Mask = NDArray[np.uint8]
"""0 outside, 255 inside, shape (height, width)."""

_DARK_OFFSET = 12.0
"""Grey levels added before the logarithm: what is nearly black has no hue to speak of, only noise."""
_LOG = np.log(np.arange(256, dtype=np.float32) + _DARK_OFFSET).astype(np.float32)
_BRIGHTER = 0.10
_OTHER_HUE = 0.085
_DEEPEST_SHADOW = -0.75
"""Logarithms of brightness ratios. Shadows on a table keep the hue and more than a third of the coded brightness."""


def foreground(image: Image, background: Image) -> Mask:
    """Mark what is in `image` and not in `background`, both BGR of one shape; shadows do not count.

    A shadow is darker than the table with the same hue. The overall gain between the pictures (the camera's
    automatic exposure and white balance) is taken out first. Returns a mask of the same shape.
    """
    ratio = cv2.LUT(cv2.blur(image, (3, 3)), _LOG) - cv2.LUT(cv2.blur(background, (3, 3)), _LOG)
    sample = ratio[::6, ::6].reshape(-1, 3)
    gain = np.median(sample, axis=0)
    ratio -= gain.astype(np.float32)
    spread = 1.4826 * float(np.median(np.abs(sample - gain)))
    blue, green, red = cv2.split(ratio)
    brightness = (blue + green + red) / 3.0
    hue = np.sqrt((blue - brightness) ** 2 + (green - brightness) ** 2 + (red - brightness) ** 2)
    new = hue > max(_OTHER_HUE, 4.0 * spread)
    new |= brightness > max(_BRIGHTER, 4.0 * spread)
    new |= brightness < _DEEPEST_SHADOW
    mask = new.astype(np.uint8) * 255
    tb = cv2.LUT(background[..., 1], _LOG)
    hp = brightness - cv2.blur(brightness, (7, 7))
    hb = tb - cv2.blur(tb, (7, 7))
    e = cv2.blur(hp * hp, (7, 7))
    eb = cv2.blur(hb * hb, (7, 7))
    tex = (e > 0.45 * eb + 0.0004) & (np.abs(brightness) > 0.12)
    return mask | tex.astype(np.uint8) * 255
