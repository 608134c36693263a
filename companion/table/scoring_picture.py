"""The part of a picture that a board was read from, upright, with what lies beside it. Pure."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image
from companion.table.overlay import jpeg
from vision.board_readings import BoardReading
from vision.readings import Box

WIDTH = 960
_ROOM = 0.12
"""How much is shown round the board and what lies beside it, as a share of the board's width."""
_FARTHEST = 1.2
"""How far from the board something may lie to be shown with it, as a share of its width."""

Points = NDArray[np.float64]


def board_picture(image: Image, reading: BoardReading) -> bytes:
    """Cut a board out of the BGR picture that it was read from, upright, WIDTH px wide, as JPEG.

    With it is shown what was read beside it, the great oracles and the impurity; what lies outside the picture is
    black.
    """
    seen = np.array(reading.corners, np.float64)
    wide, high = (float(np.linalg.norm(seen[a] - seen[b])) for a, b in ((0, 1), (0, 3)))
    shape = high / max(wide, 1.0)
    upright = np.array([(0, 0), (1, 0), (1, shape), (0, shape)], np.float64)
    to_board = cv2.getPerspectiveTransform(seen.astype(np.float32), upright.astype(np.float32))
    beside = [np.array(card.corners, np.float64) for card in reading.great]
    beside += [_corners(box) for box in reading.impurity.boxes]
    shown = np.vstack([upright, *(_moved(points, to_board) for points in beside)])
    least, most = shown.min(axis=0), shown.max(axis=0)
    least = np.maximum(least, -_FARTHEST) - _ROOM
    most = np.minimum(most, (1 + _FARTHEST, shape + _FARTHEST)) + _ROOM
    scale = WIDTH / (most[0] - least[0])
    size = (WIDTH, round(scale * (most[1] - least[1])))
    into = np.array([[scale, 0, -scale * least[0]], [0, scale, -scale * least[1]], [0, 0, 1.0]])
    whole = cv2.warpPerspective(image, into @ to_board, size, flags=cv2.INTER_AREA)
    return jpeg(np.asarray(whole, np.uint8), width=WIDTH, quality=82)


def _corners(box: Box) -> Points:
    x, y, width, height = box
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], np.float64)


def _moved(points: Points, homography: NDArray[Any]) -> Points:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography).reshape(-1, 2), np.float64)
