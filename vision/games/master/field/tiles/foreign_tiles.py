"""Tiles whose corners have other colours than those of the fixed tiles: face down, or of another game.

The corners of every tile of the game are walls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.lattice import CENTRES, KNOWN, MARGIN, SQUARE, TILE_PX
from vision.games.master.readings import SIZE

CORNER_INSET: Final = 0.14
"""Distance of a sample from both sides of its corner, in tiles."""
_BLUR_PX: Final = 1.5
"""Blur of the rectified picture, px."""
_NEAREST: Final = 5
"""Fixed tiles that each tile is compared with: nearby ones are in the same light."""
RANK: Final = 2
"""Rank of the most similar of their corners by which a corner is judged; two may be like it by chance."""
_FLOOR: Final = 6.0
"""Variance that is added to every channel's, squared grey values."""
_MIN_DISTANCE: Final = 15.0
"""Least squared Mahalanobis distance of all four corners; 21 to 185 for 14 of 16 tiles that lie face down."""


def _samples() -> NDArray[np.intp]:
    """Return the corners' samples, px of the rectified picture as (x, y), shape (49, 4, 2)."""
    corners = CENTRES[:, None] + (SQUARE - 0.5) * (1 - 2 * CORNER_INSET)
    return np.asarray((corners + MARGIN) * TILE_PX, np.intp)


def _nearest() -> NDArray[np.intp]:
    """Return the nearest other fixed tiles of each place, shape (49, _NEAREST)."""
    distance = np.linalg.norm(CENTRES[:, None] - CENTRES, axis=-1)
    distance[:, ~KNOWN] = np.inf
    np.fill_diagonal(distance, np.inf)
    return np.asarray(np.argsort(distance, axis=1)[:, :_NEAREST], np.intp)


_SAMPLES, _COMPARED = _samples(), _nearest()


@dataclass(frozen=True, eq=False)
class WallColours:
    """Colours of the corners of a field's tiles, CIELAB in 8 bits."""

    corners: NDArray[np.float64]
    """Of each tile's corners, shape (49, 4, 3)."""
    inverse: NDArray[np.float64]
    """Inverse covariance of the corners of a fixed tile about their median, shape (3, 3)."""

    def distances(self, colours: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the squared Mahalanobis distances of colours; both broadcast to shape (…, 3)."""
        differences = colours - others
        return np.asarray(((differences @ self.inverse) * differences).sum(-1), np.float64)


def lab_colours(image: Image) -> NDArray[np.uint8]:
    """Return a BGR picture, slightly blurred, in the colours that corners are compared in."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), _BLUR_PX), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, np.uint8)


def wall_colours(shown: Image) -> WallColours:
    """Return the colours of the corners of all tiles of a rectified field (`lattice.rectified`)."""
    colours = lab_colours(shown)[_SAMPLES[..., 1], _SAMPLES[..., 0]].astype(np.float64)
    apart = (colours[KNOWN] - np.median(colours[KNOWN], 1, keepdims=True)).reshape(-1, 3)
    return WallColours(colours, np.linalg.inv(apart.T @ apart / len(apart) + _FLOOR * np.eye(3)))


def foreign_tiles(shown: Image) -> NDArray[np.bool_]:
    """Return which loose tiles of a rectified field (`lattice.rectified`) are not the game's, shape (49,)."""
    walls = wall_colours(shown)
    compared = walls.corners[_COMPARED].reshape(SIZE**2, 1, -1, 3)
    judged = np.sort(walls.distances(walls.corners[:, :, None], compared), -1)[..., RANK]
    return np.asarray((judged.min(1) > _MIN_DISTANCE) & ~KNOWN, np.bool_)
