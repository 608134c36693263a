"""Array types of this package, and casts of OpenCV's untyped results."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Points, matrices or directions."""

Heights = NDArray[np.float32]
"""Field of heights in mm, or of noise."""

Image = NDArray[np.uint8]
"""Picture or coverage mask."""

Mask = NDArray[np.bool_]


def as_image(values: Any) -> Image:
    """Return an array as uint8, without a copy if it is that already; values are not clipped."""
    return np.asarray(values, dtype=np.uint8)


def as_heights(values: Any) -> Heights:
    """Return an array as float32, without a copy if it is that already."""
    return np.asarray(values, dtype=np.float32)


def as_floats(values: Any) -> Floats:
    """Return an array as float64, without a copy if it is that already."""
    return np.asarray(values, dtype=np.float64)
