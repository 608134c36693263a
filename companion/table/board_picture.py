"""The picture that boards were read from, with what was read drawn over it: all of them, or one enlarged."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.overlay import jpeg
from vision.board_readings import BoardReading, BoardsReading
from vision.cameras.frame import Image
from vision.readings import Box

_GOLD, _DOUBT, _INK, _VELLUM = (92, 164, 201), (80, 120, 240), (26, 18, 20), (214, 230, 239)
_MARGIN = 0.03
"""So much of the picture's width is kept round the boards."""
_LONGER_PX, _BESIDE = 560, 0.3
"""A board alone: its longer side, and how much beside it is shown, as a part of its shorter one."""


def boards_picture(image: Image, reading: BoardsReading) -> bytes:
    """Draw each board's outline over a BGR picture, red where it is doubtful, cut to where boards lie, as JPEG."""
    drawn = image.copy()
    for board in reading.boards:
        cv2.polylines(
            drawn, [np.array(board.corners, np.int32)], True, _DOUBT if board.doubtful else _GOLD, 2, cv2.LINE_AA
        )
    if not reading.boards:
        return jpeg(drawn)
    boxes = np.array([board.box for board in reading.boards])
    margin = _MARGIN * image.shape[1]
    left, top = (boxes[:, :2].min(axis=0) - margin).astype(int)
    right, bottom = ((boxes[:, :2] + boxes[:, 2:]).max(axis=0) + margin).astype(int)
    height, width = image.shape[:2]
    return jpeg(np.ascontiguousarray(drawn[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]))


def board_picture(image: Image, board: BoardReading) -> bytes:
    """Show one board upright and enlarged with what was read on its spots, as JPEG.

    Tokens carry the first letter of their colour; what is doubtful is drawn in red with a question mark.
    """
    place, size = _upright(board)
    drawn = np.asarray(cv2.warpPerspective(image, place, size, flags=cv2.INTER_CUBIC, borderValue=_INK), np.uint8)
    for spot in board.spots:
        if spot.token is not None or spot.reason:
            text = ("?" if spot.reason else "") + (spot.token or "")[:1].upper()
            _mark(drawn, place, spot.box, text, doubtful=bool(spot.reason))
    for space in board.spaces:
        if space.pieces or space.reason:
            text = f"{space.pieces}{'?' if space.reason else ''}"
            _mark(drawn, place, space.box, text, doubtful=bool(space.reason))
    return jpeg(drawn)


def _upright(board: BoardReading) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Give the matrix that turns a board upright with something round it, and the size of that picture."""
    corners = np.array(board.corners, np.float32)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = max(1.0, float(sides[0] + sides[2])), max(1.0, float(sides[1] + sides[3]))
    width, height = (
        (_LONGER_PX, _LONGER_PX * down / across) if across >= down else (_LONGER_PX * across / down, _LONGER_PX)
    )
    beside = _BESIDE * min(width, height)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + np.float32(beside)
    place = cv2.getPerspectiveTransform(corners, target.astype(np.float32))
    return np.asarray(place, np.float64), (round(width + 2 * beside), round(height + 2 * beside))


def _mark(drawn: Image, place: NDArray[np.float64], box: Box, text: str, *, doubtful: bool) -> None:
    x, y, width, height = box
    ((u, v),) = cv2.perspectiveTransform(np.array([[(x + width / 2, y + height / 2)]], np.float64), place)[0]
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
    at = (round(u - wide / 2), round(v + high / 2))
    cv2.circle(drawn, (round(u), round(v)), 25, _DOUBT if doubtful else _GOLD, 3 if doubtful else 1, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, _INK, 6, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, _VELLUM, 2, cv2.LINE_AA)
