"""Whose board it is: boards of one game share most of their print, so that only what differs is compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import free_of_things, straight
from calibration.board_features import Matrix
from calibration.personal_boards import BOARD_PX_PER_MM, EnrolledBoard
from calibration.plane import Image
from vision.reveal import colour
from vision.reveal.colour import Colours

_PX_PER_MM = 0.5
_DIFFERENT = 0.12
"""Boards differ where the spread of their colours is more than this."""
_LEAST_PIXELS = 25
_WEIGHTS = np.array([0.5, 1.0, 1.0], np.float32)
_SHARPNESS = 60.0
_EVERY = 3
"""Every so many pixels are enough to tell the light."""


def prepare(boards: Sequence[EnrolledBoard]) -> None:
    """Learn what tells boards apart."""
    for board in boards:
        _looks(_rivals(board, boards))


def whose(
    image: Image, homography: Matrix, board: EnrolledBoard, boards: Sequence[EnrolledBoard]
) -> tuple[EnrolledBoard, float]:
    """Tell which of the boards with this one's layout lies under a homography (board mm → px), how surely, 0..1.

    Where none differs from the others it is the one given, surely.
    """
    rivals = _rivals(board, boards)
    looks, where, free = _looks(rivals)
    if len(rivals) == 1 or np.count_nonzero(where) < _LEAST_PIXELS:
        return board, 1.0
    view = straight(image, homography, board.layout, _PX_PER_MM)
    seen = (cv2.transform(view, np.ones((1, 3), np.float32)) > 0) & free
    there = colour.of_view(view)
    # By number, not by mask: a mask would be searched again for every board's look.
    own, some = np.nonzero(where & seen), np.nonzero(seen[::_EVERY, ::_EVERY])
    lit, differing = there[::_EVERY, ::_EVERY][some], there[own]
    away = []
    for look in looks:
        # Light and the camera's balance are the same over nearly all of a board: the median takes them out.
        light = np.median(lit - look[::_EVERY, ::_EVERY][some], axis=0) if len(lit) else 0.0
        off = np.abs(differing - look[own] - light) @ _WEIGHTS
        away.append(float(np.minimum(off, 1.0).mean()) if len(off) else 1.0)
    scores = np.exp(-_SHARPNESS * (np.array(away) - min(away)))
    best = int(np.argmin(away))
    return rivals[best], float(scores[best] / scores.sum())


def _rivals(board: EnrolledBoard, boards: Sequence[EnrolledBoard]) -> tuple[EnrolledBoard, ...]:
    return tuple(other for other in boards if other.layout == board.layout)


@lru_cache(maxsize=4)
def _looks(boards: tuple[EnrolledBoard, ...]) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """Give the boards' colours when small (boards, height, width, 3), where they differ, and where nothing lies."""
    looks: list[Colours] = []
    for board in boards:
        soft = cv2.GaussianBlur(board.picture, (0, 0), 0.5 * BOARD_PX_PER_MM / _PX_PER_MM)
        small = cv2.resize(soft, board.layout.pixels(_PX_PER_MM), interpolation=cv2.INTER_AREA)
        looks.append(colour.of_view(np.asarray(small, np.uint8)))
    together = np.stack(looks)
    free = free_of_things(boards[0].layout, _PX_PER_MM)
    free[:2], free[-2:], free[:, :2], free[:, -2:] = False, False, False, False
    differ = (together.std(axis=0) * _WEIGHTS).sum(axis=2) > _DIFFERENT
    return together, differ & free, free
