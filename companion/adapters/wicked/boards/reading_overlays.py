"""Draws what was read on personal boards over their picture: all boards, or one enlarged."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.pictures.overlay import jpeg
from vision.cameras.frame import Image
from vision.games.wicked.readings import BoardReading, BoardsReading
from vision.readings import Box

Points = NDArray[np.float64]

_GOLD, _DOUBT, _INK, _VELLUM = (92, 164, 201), (80, 120, 240), (26, 18, 20), (214, 230, 239)
"""Colours, BGR."""
_MARGIN = 0.03
"""Margin round the boards, fraction of the picture's width."""
_WIDTH, _BESIDE, _FARTHEST = 960, 0.12, 1.2
"""Picture of one board: width in px; margin, and farthest distance of shown things, in board widths."""


def boards_picture(image: Image, reading: BoardsReading) -> bytes:
    """Return a BGR picture cropped to its boards, with their outlines drawn, red where doubtful, as JPEG."""
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
    """Return a rectified, enlarged picture of one board and what lies beside it, with its reading, as JPEG.

    Tokens are labelled with the first letter of their colour; doubtful parts are red with a question mark. image:
    BGR.
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
    return jpeg(drawn, quality=82)


def _upright(board: BoardReading) -> tuple[Points, tuple[int, int]]:
    """Return the homography to a rectified picture of a board and what lies beside it, and that picture's size.

    The size is (width, height), px.
    """
    seen = np.array(board.corners, np.float64)
    wide, high = (float(np.linalg.norm(seen[a] - seen[b])) for a, b in ((0, 1), (0, 3)))
    shape = high / max(wide, 1.0)
    upright = np.array([(0, 0), (1, 0), (1, shape), (0, shape)], np.float64)
    to_board = cv2.getPerspectiveTransform(seen.astype(np.float32), upright.astype(np.float32))
    beside = [np.array(card.corners, np.float64) for card in board.great]
    beside += [_corners(box) for box in board.impurity.boxes]
    shown = np.vstack([upright, *(cv2.perspectiveTransform(one[:, None], to_board)[:, 0] for one in beside)])
    least = np.maximum(shown.min(axis=0), -_FARTHEST) - _BESIDE
    most = np.minimum(shown.max(axis=0), (1 + _FARTHEST, shape + _FARTHEST)) + _BESIDE
    scale = _WIDTH / (most[0] - least[0])
    into = np.array([[scale, 0, -scale * least[0]], [0, scale, -scale * least[1]], [0, 0, 1.0]])
    return np.asarray(into @ to_board, np.float64), (_WIDTH, round(scale * (most[1] - least[1])))


def _corners(box: Box) -> Points:
    x, y, width, height = box
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], np.float64)


def _mark(drawn: Image, place: Points, box: Box, text: str, *, doubtful: bool) -> None:
    """Draw a circle and a text onto `drawn`, at the middle of a box.

    box: in the picture that was read, px. place: homography from that picture to `drawn`.
    """
    x, y, width, height = box
    ((u, v),) = cv2.perspectiveTransform(np.array([[(x + width / 2, y + height / 2)]], np.float64), place)[0]
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
    at = (round(u - wide / 2), round(v + high / 2))
    cv2.circle(drawn, (round(u), round(v)), 25, _DOUBT if doubtful else _GOLD, 3 if doubtful else 1, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, _INK, 6, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, _VELLUM, 2, cv2.LINE_AA)
