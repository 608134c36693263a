"""Array types of this package, and the way back from OpenCV, which does not say what it returns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Points, matrices, directions."""

Heights = NDArray[np.float32]
"""A field of heights in mm, or of noise."""

Image = NDArray[np.uint8]
"""A picture or a coverage mask."""

Mask = NDArray[np.bool_]


def as_image(values: Any) -> Image:
    """Take an array as a picture, without a copy where it is one already."""
    return np.asarray(values, dtype=np.uint8)


def as_heights(values: Any) -> Heights:
    """Take an array as a field of float32."""
    return np.asarray(values, dtype=np.float32)


def as_floats(values: Any) -> Floats:
    """Take an array as float64."""
    return np.asarray(values, dtype=np.float64)
