"""Detects tiles that are face down or of another game, by the colours of their corners.

The corners of every tile of the game are walls, so they have the colours of the fixed tiles' corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.rectification import CENTRES, KNOWN, MARGIN, SQUARE, TILE_PX
from vision.games.master.readings import SIZE

CORNER_INSET: Final = 0.14
"""Distance of a sample from both sides of its corner, in tiles."""
_BLUR_PX: Final = 1.5
"""Standard deviation of the blur of the rectified picture, px."""
_NEAREST: Final = 5
"""Number of nearest fixed tiles that a tile is compared with: they are in the same light."""
RANK: Final = 2
"""Which of the fixed corners, sorted by distance from 0, a corner is judged by: two may be similar by chance."""
_FLOOR: Final = 6.0
"""Variance that is added to that of each channel, squared grey values."""
_MIN_DISTANCE: Final = 15.0
"""Squared Mahalanobis distance that all four corners of a foreign tile exceed; measured: 21 to 185 for 14 of 16
tiles that lie face down."""


def _samples() -> NDArray[np.intp]:
    """Return the sample point (x, y) of each corner of each tile, px of the rectified picture, shape (49, 4, 2)."""
    corners = CENTRES[:, None] + (SQUARE - 0.5) * (1 - 2 * CORNER_INSET)
    return np.asarray((corners + MARGIN) * TILE_PX, np.intp)


def _nearest() -> NDArray[np.intp]:
    """Return the places of the nearest other fixed tiles for each place, shape (49, _NEAREST)."""
    distance = np.linalg.norm(CENTRES[:, None] - CENTRES, axis=-1)
    distance[:, ~KNOWN] = np.inf
    np.fill_diagonal(distance, np.inf)
    return np.asarray(np.argsort(distance, axis=1)[:, :_NEAREST], np.intp)


_SAMPLES, _COMPARED = _samples(), _nearest()


@dataclass(frozen=True, eq=False)
class WallColours:
    """Colours of the corners of a field's tiles, and how much they vary; 8-bit CIELAB."""

    corners: NDArray[np.float64]
    """Colour of each corner of each tile, shape (49, 4, 3)."""
    inverse: NDArray[np.float64]
    """Inverse covariance of the corners of a fixed tile about their median, shape (3, 3)."""

    def distances(self, colours: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return squared Mahalanobis distances between `colours` and `others`, by the spread of wall colours.

        colours, others: 8-bit CIELAB, shapes (…, 3) that broadcast; the result has their common shape without the
        last axis.
        """
        differences = colours - others
        return np.asarray(((differences @ self.inverse) * differences).sum(-1), np.float64)


def lab_colours(image: Image) -> NDArray[np.uint8]:
    """Return a BGR picture slightly blurred and converted to 8-bit CIELAB, for comparing the corners of tiles."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), _BLUR_PX), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, np.uint8)


def wall_colours(shown: Image) -> WallColours:
    """Return the colours of all tiles' corners, which are walls on every tile, and how much these colours vary.

    shown: the rectified field (`rectification.rectified`).
    """
    colours = lab_colours(shown)[_SAMPLES[..., 1], _SAMPLES[..., 0]].astype(np.float64)
    apart = (colours[KNOWN] - np.median(colours[KNOWN], 1, keepdims=True)).reshape(-1, 3)
    return WallColours(colours, np.linalg.inv(apart.T @ apart / len(apart) + _FLOOR * np.eye(3)))


def foreign_tiles(shown: Image) -> NDArray[np.bool_]:
    """Return a mask (49,) of the places with a loose tile that lies face down or is not the game's.

    shown: the rectified field (`rectification.rectified`).
    """
    walls = wall_colours(shown)
    compared = walls.corners[_COMPARED].reshape(SIZE**2, 1, -1, 3)
    judged = np.sort(walls.distances(walls.corners[:, :, None], compared), -1)[..., RANK]
    return np.asarray((judged.min(1) > _MIN_DISTANCE) & ~KNOWN, np.bool_)
