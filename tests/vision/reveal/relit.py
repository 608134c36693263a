"""Pictures as another camera setting would have taken them."""

from __future__ import annotations

import numpy as np

from calibration.light import coded, linear
from vision.cameras.frame import Image


def taken_anew(image: Image, gains: tuple[float, float, float]) -> Image:
    """Expose and balance a BGR picture otherwise: linear light times one factor each for blue, green and red."""
    light = np.minimum(linear(image) * np.array(gains, np.float32), 1.0)
    return np.asarray(np.clip(coded(np.asarray(light, np.float32)), 0, 255), np.uint8)
