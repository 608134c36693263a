"""Computes the probability that a candidate beside the board is the spare, not a token or print of the table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.rectification import KNOWN, SQUARE, TILE_PX, Corners
from vision.games.master.field.tiles.face_down_or_foreign_tiles import CORNER_INSET, RANK, WallColours, lab_colours

FEATURES: Final = ("rank", "score", "corner", "outline", "contrast")
"""Features of a candidate: its rank by how much of the field's colours it shows (0 first); the clarity of its sides
(`Spare.score`); logarithms of the distance of its corners from the walls' colours, of the difference of colours
across its outline that three quarters of it exceed, and of the mean difference across it."""
_WEIGHTS: Final = (-1.34, 0.45, -1.06, 1.80, 0.67)
"""Weights of `FEATURES` in the log odds of a spare, fitted with `_OFFSET` on pictures with and without a spare, of
looks that are not held out (`models.maze_sides.spare_certainty_fit`)."""
_OFFSET: Final = -7.27
"""Log odds of a spare whose features are all 0."""
_JUDGED_CORNER: Final = 2
"""Which of its corners, sorted by distance from the walls' colours from 0, counts: a token may cover the last."""
_ALONG: Final = np.linspace(0.1, 0.9, 9)
"""Positions along each side at which the outline is sampled, in tiles."""
_WITHIN, _BEYOND = 0.08, 0.14
"""Distances of the samples from a side, inside and outside of the tile, in tiles."""
_BORDER: Final = 0.5
"""Border round the candidate in its rectified picture, in tiles."""
_QUARTER: Final = 25
"""Percentile of the differences of colours across the outline."""


def spare_certainty(image: Image, corners: Corners, walls: WallColours, score: float, rank: int) -> float:
    """Return the probability that a candidate region beside the field is the spare tile.

    image: BGR picture. corners: of the candidate, px. walls: colours of tile corners of the field in the same
    picture. score: clarity of the candidate's sides (`Spare.score`). rank: number of likelier candidates.
    """
    log_odds = float(np.dot(_WEIGHTS, features(image, corners, walls, score, rank))) + _OFFSET
    return float(1.0 / (1.0 + np.exp(-log_odds)))


def features(image: Image, corners: Corners, walls: WallColours, score: float, rank: int) -> NDArray[np.float64]:
    """Return the features of a candidate in the order of `FEATURES`, (5,). For arguments, see `spare_certainty`."""
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
    """Return points (x, y) along the sides of the unit square, moved inwards by `inset`, shape (36, 2)."""
    low, high = np.full(len(_ALONG), inset), np.full(len(_ALONG), 1 - inset)
    sides = ((_ALONG, low), (high, _ALONG), (_ALONG, high), (low, _ALONG))
    return np.concatenate([np.column_stack(side) for side in sides])
