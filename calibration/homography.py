"""Maps points by homographies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def map_points(points: NDArray[np.float64], matrix: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return points (x, y) mapped by a homography, in the same shape (…, 2)."""
    mapped = np.concatenate([points, np.ones((*points.shape[:-1], 1))], -1) @ matrix.T
    return np.asarray(mapped[..., :2] / mapped[..., 2:], np.float64)
