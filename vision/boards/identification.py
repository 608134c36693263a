"""Identify a board among similar ones by the pixels in which their prints differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import print_mask, rectify_board
from calibration.boards.detection import Matrix
from calibration.boards.enrolled_board import BOARD_PX_PER_MM, EnrolledBoard
from calibration.plane import Image
from vision import colour
from vision.colour import Colours

_PX_PER_MM = 0.5
"""Scale of the comparison, px/mm."""
_MIN_DIFFERENCE = 0.12
"""Minimum standard deviation of the boards' colours at a distinguishing pixel."""
_MIN_PIXELS = 25
"""Minimum number of distinguishing pixels."""
_WEIGHTS = np.array([0.5, 1.0, 1.0], np.float32)
"""Weight of each colour channel."""
_SHARPNESS = 60.0
"""Log likelihood per unit of mean difference."""
_SAMPLE_STEP = 3
"""Sampling step for the estimate of the light, px."""


def cache_differences(boards: Sequence[EnrolledBoard]) -> None:
    """Compute and cache the pixels in which boards with the same layout differ, for each layout."""
    for board in boards:
        _colours_and_differences(_with_same_layout(board, boards))


def identify(
    image: Image, homography: Matrix, board: EnrolledBoard, boards: Sequence[EnrolledBoard]
) -> tuple[EnrolledBoard, float]:
    """Return the board that a picture shows, among those with the layout of `board`, and its probability, 0..1.

    homography: from board mm to px of the picture. Boards without differences cannot be distinguished: `board`
    itself is returned with probability 1.
    """
    rivals = _with_same_layout(board, boards)
    looks, where, free = _colours_and_differences(rivals)
    if len(rivals) == 1 or np.count_nonzero(where) < _MIN_PIXELS:
        return board, 1.0
    view = rectify_board(image, homography, board.layout, _PX_PER_MM)
    seen = (cv2.transform(view, np.ones((1, 3), np.float32)) > 0) & free
    there = colour.of_view(view)
    # Arrays of indices instead of masks: a mask would be searched again for each board.
    own, some = np.nonzero(where & seen), np.nonzero(seen[::_SAMPLE_STEP, ::_SAMPLE_STEP])
    lit, differing = there[::_SAMPLE_STEP, ::_SAMPLE_STEP][some], there[own]
    away = []
    for look in looks:
        # Light and white balance are constant over most of a board: the median removes them.
        light = np.median(lit - look[::_SAMPLE_STEP, ::_SAMPLE_STEP][some], axis=0) if len(lit) else 0.0
        off = np.abs(differing - look[own] - light) @ _WEIGHTS
        away.append(float(np.minimum(off, 1.0).mean()) if len(off) else 1.0)
    scores = np.exp(-_SHARPNESS * (np.array(away) - min(away)))
    best = int(np.argmin(away))
    return rivals[best], float(scores[best] / scores.sum())


def _with_same_layout(board: EnrolledBoard, boards: Sequence[EnrolledBoard]) -> tuple[EnrolledBoard, ...]:
    """Return the boards with the layout of `board`, itself included."""
    return tuple(other for other in boards if other.layout == board.layout)


@lru_cache(maxsize=4)
def _colours_and_differences(
    boards: tuple[EnrolledBoard, ...],
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the boards' colours at _PX_PER_MM, the pixels that distinguish them, and those outside of token spots.

    Colours are (boards, height, width, 3), the two masks (height, width).
    """
    looks: list[Colours] = []
    for board in boards:
        soft = cv2.GaussianBlur(board.picture, (0, 0), 0.5 * BOARD_PX_PER_MM / _PX_PER_MM)
        small = cv2.resize(soft, board.layout.pixels(_PX_PER_MM), interpolation=cv2.INTER_AREA)
        looks.append(colour.of_view(np.asarray(small, np.uint8)))
    together = np.stack(looks)
    free = print_mask(boards[0].layout, _PX_PER_MM)
    free[:2], free[-2:], free[:, :2], free[:, -2:] = False, False, False, False
    differ = (together.std(axis=0) * _WEIGHTS).sum(axis=2) > _MIN_DIFFERENCE
    return together, differ & free, free
