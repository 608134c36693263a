"""The picture that boards were read from, with what was read drawn over it."""

from __future__ import annotations

import cv2
import numpy as np

from companion.table.overlay import jpeg
from vision.board_readings import BoardReading, BoardsReading
from vision.cameras.frame import Image
from vision.readings import Box

_GOLD, _DOUBT, _INK, _VELLUM = (92, 164, 201), (80, 120, 240), (26, 18, 20), (214, 230, 239)
_MARGIN = 0.03
"""So much of the picture's width is kept round the boards."""


def boards_picture(image: Image, reading: BoardsReading) -> bytes:
    """Draw each board's outline and tokens over a BGR picture, cut to where boards lie, as JPEG.

    Tokens carry the first letter of their colour; what is doubtful is drawn in red with a question mark.
    """
    drawn = image.copy()
    for board in reading.boards:
        _draw(drawn, board)
    if not reading.boards:
        return jpeg(drawn)
    boxes = np.array([board.box for board in reading.boards])
    margin = _MARGIN * image.shape[1]
    left, top = (boxes[:, :2].min(axis=0) - margin).astype(int)
    right, bottom = ((boxes[:, :2] + boxes[:, 2:]).max(axis=0) + margin).astype(int)
    height, width = image.shape[:2]
    return jpeg(np.ascontiguousarray(drawn[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]))


def _draw(drawn: Image, board: BoardReading) -> None:
    corners = np.array(board.corners, np.int32)
    cv2.polylines(drawn, [corners], True, _DOUBT if board.doubtful else _GOLD, 2, cv2.LINE_AA)
    for spot in board.spots:
        if spot.token is None and not spot.reason:
            continue
        _mark(drawn, spot.box, ("?" if spot.reason else "") + (spot.token or "")[:1].upper(), bool(spot.reason))
    for space in board.spaces:
        if space.pieces or space.reason:
            _mark(drawn, space.box, f"{space.pieces}{'?' if space.reason else ''}", bool(space.reason))
    for card in board.great:
        outline = np.array(card.corners, np.int32)
        cv2.polylines(drawn, [outline], True, _DOUBT if card.reason else _GOLD, 1, cv2.LINE_AA)


def _mark(drawn: Image, box: Box, text: str, doubtful: bool) -> None:
    x, y, width, height = box
    middle = (round(x + width / 2), round(y + height / 2))
    cv2.rectangle(
        drawn, (round(x), round(y)), (round(x + width), round(y + height)), _DOUBT if doubtful else _VELLUM, 1
    )
    size = max(0.35, height / 42.0)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = (middle[0] - wide // 2, middle[1] + high // 2)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 3, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, _VELLUM, 1, cv2.LINE_AA)
