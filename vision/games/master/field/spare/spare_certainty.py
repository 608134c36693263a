"""How probably something beside the board is the spare: not a token, nor the table's own print."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.lattice import KNOWN, SQUARE, TILE_PX, Corners
from vision.games.master.field.tiles.foreign_tiles import CORNER_INSET, RANK, WallColours, lab_colours

FEATURES: Final = ("rank", "score", "corner", "outline", "contrast")
"""What is known of a place where the spare may lie: places before it that have more of the field's colours; how
clearly its sides read; the logarithms of the distance of its corners from the walls' colours, of the difference of
colours across most of its outline, and of the mean difference."""
_WEIGHTS: Final = (-1.34, 0.45, -1.06, 1.80, 0.67)
_OFFSET: Final = -7.27
"""Log odds of a spare: weights of `FEATURES`, and offset; fitted on pictures of looks that are not held out, with
and without a spare (`models.maze.spares`)."""
_JUDGED_CORNER: Final = 2
"""Rank of the corner by which a tile is judged, the likest to walls first; a token may cover one."""
_ALONG: Final = np.linspace(0.1, 0.9, 9)
"""Places along each side where the outline is sampled, in tiles."""
_WITHIN, _BEYOND = 0.08, 0.14
"""Distances of samples from a side, inside and outside of it, in tiles."""
_BORDER: Final = 0.5
"""Border round the tile in the rectified picture, in tiles."""
_QUARTER: Final = 25
"""Percentile of the differences across the outline by which most of it is judged."""


def spare_certainty(image: Image, corners: Corners, walls: WallColours, score: float, rank: int) -> float:
    """Return the probability that the quadrilateral with these corners, px, is the spare.

    walls: of the field in the same picture. score: how clearly its sides read. rank: number of places before it.
    """
    log_odds = float(np.dot(_WEIGHTS, features(image, corners, walls, score, rank))) + _OFFSET
    return float(1.0 / (1.0 + np.exp(-log_odds)))


def features(image: Image, corners: Corners, walls: WallColours, score: float, rank: int) -> NDArray[np.float64]:
    """Return `FEATURES` of a place, shape (5,). The arguments are those of `spare_certainty`."""
    square = (TILE_PX * (SQUARE + _BORDER)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    side = round(TILE_PX * (1 + 2 * _BORDER))
    tile = cv2.warpPerspective(image, matrix, (side, side), flags=cv2.INTER_AREA)
    lab = lab_colours(np.asarray(tile, np.uint8)).astype(np.float64)

    def shown(points: NDArray[np.float64]) -> NDArray[np.float64]:
        columns, rows = ((points + _BORDER) * TILE_PX).astype(np.intp).T
        return np.asarray(lab[rows, columns], np.float64)

    own = shown(0.5 + (SQUARE - 0.5) * (1 - 2 * CORNER_INSET))
    distances = np.sort(walls.distances(own[:, None], walls.corners[KNOWN].reshape(-1, 3)), axis=-1)[:, RANK]
    across = np.linalg.norm(shown(_outline(_WITHIN)) - shown(_outline(-_BEYOND)), axis=-1)
    corner = np.sort(distances)[_JUDGED_CORNER]
    return np.array(
        [rank, score, np.log1p(corner), np.log1p(np.percentile(across, _QUARTER)), np.log1p(across.mean())]
    )


def _outline(inset: float) -> NDArray[np.float64]:
    """Return points along all sides, moved inwards, in tiles, shape (36, 2)."""
    low, high = np.full(len(_ALONG), inset), np.full(len(_ALONG), 1 - inset)
    sides = ((_ALONG, low), (high, _ALONG), (_ALONG, high), (low, _ALONG))
    return np.concatenate([np.column_stack(side) for side in sides])
