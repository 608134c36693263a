"""Enrol a personal board from one picture of the empty board: detected by its print, or marked by its corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.boards.alignment import PX_PER_MM, align, outline, rectify_board, reference, scale_of
from calibration.boards.detection import BoardFinder, Matrix, plausible
from calibration.boards.enrolled_board import (
    BOARD_PX_PER_MM,
    BoardLayout,
    BoardSpace,
    EnrolledBoard,
    Point,
)
from calibration.errors import EnrolError
from calibration.plane import Image
from calibration.translatable import say

_MIN_PX_PER_MM = 0.75
"""Smallest scale of a picture from which a board is enrolled, px/mm."""
_LONG_SIDE_PX = 2400
"""Larger pictures are scaled down to this longer side, px."""
_WHITE_LEVEL = 228
"""Grey level (0..255) from which a pixel counts as white paper."""
_MAX_WHITE_FRACTION = 0.04
"""Largest fraction of white pixels on an enrolled board."""
_MIN_EMPTY_CORRELATION = 0.45
"""Normalised cross-correlation with the printed spot from which a spot counts as empty."""


def detected_board(image: Image, boards: Sequence[EnrolledBoard], board_id: str | None = None) -> EnrolledBoard:
    """Return a board enrolled from a BGR picture that shows one of these known boards, empty, in any pose.

    board_id: name of the result; that of the recognised board when None. Raises EnrolError when none of the
    boards is visible as a whole, empty and large enough.
    """
    image = _limited_size(image)
    found = BoardFinder.of(boards).find(image)
    aligned = None if found is None else align(image, boards[found.board], found.homography)
    if found is None or aligned is None:
        raise EnrolError(
            say(
                "None of the printed boards is found: show one whole from above, or mark the corners and spots of "
                "another board with --corners and --spots."
            )
        )
    tries = [(align(image, board, aligned.homography), board) for board in boards]
    best, board = max(((fit, own) for fit, own in tries if fit is not None), key=lambda pair: pair[0].agreeing)
    _check_whole(image, best.homography, board.layout)
    filled = [
        f"{row} {number}"
        for (row, number), alike in _spot_correlations(image, best.homography, board).items()
        if alike < _MIN_EMPTY_CORRELATION
    ]
    if filled:
        raise EnrolError(
            say("Something lies on the board (at {spots}): remove everything from it.", spots=", ".join(filled[:4]))
        )
    return _rectified_board(image, best.homography, board.layout, board_id or board.id)


def marked_board(
    image: Image,
    board_id: str,
    corners: Sequence[Point],
    size_mm: Point,
    spots: Mapping[str, Sequence[Point]],
    spaces: Mapping[str, tuple[float, float, float, float]],
    spot_mm: float,
) -> EnrolledBoard:
    """Return a board of any design, enrolled from corners, spots and spaces that were marked in a BGR picture.

    corners: px, clockwise from the board's upper left one. spots: centres in px, from left to right, by row.
    spaces: (x, y, width, height) in px by name, x and y of the upper left corner. size_mm: width and height of the
    board; spot_mm: diameter of a spot. Raises EnrolError for what cannot be a board.
    """
    four = np.array(corners, np.float64).reshape(-1, 2)
    if four.shape != (4, 2) or not np.isfinite(four).all():
        raise EnrolError(say("A board has four corners: mark each, clockwise from the board's upper left one."))
    half = np.array(size_mm) / 2
    own = (np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half).astype(np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(own, four.astype(np.float32)), np.float64)
    if abs(np.linalg.det(homography)) < 1e-12:
        raise EnrolError(say("The four corners lie in a line: mark each, clockwise from the upper left one."))
    back = np.linalg.inv(homography)

    def on_board(points: Sequence[Point]) -> tuple[Point, ...]:
        if not points:
            return ()
        mapped = cv2.perspectiveTransform(np.array([points], np.float64), back)[0]
        return tuple((round(float(x), 2), round(float(y), 2)) for x, y in mapped)

    def space(name: str) -> BoardSpace:
        x, y, width, height = spaces[name]
        (left, top), (right, bottom) = on_board([(x, y), (x + width, y + height)])
        return BoardSpace((left + right) / 2, (top + bottom) / 2, abs(right - left), abs(top - bottom))

    try:
        layout = BoardLayout(
            (float(size_mm[0]), float(size_mm[1])),
            float(spot_mm),
            {row: on_board(points) for row, points in spots.items()},
            {name: space(name) for name in spaces},
        )
    except ValueError as error:
        raise EnrolError(
            say("The marked corners, spots and spaces do not form a board ({why}): mark them again.", why=error)
        ) from error
    likely = EnrolledBoard(board_id, np.zeros((1, 1, 3), np.uint8), layout)
    if not plausible(homography, likely):
        raise EnrolError(
            say(
                "The corners do not form a board seen from above: mark them clockwise from the board's upper "
                "left one."
            )
        )
    _check_whole(image, homography, layout)
    return _rectified_board(image, homography, layout, board_id)


def _limited_size(image: Image) -> Image:
    """Return a picture scaled down to a longer side of _LONG_SIDE_PX, or as it is where it is smaller."""
    shrink = _LONG_SIDE_PX / max(image.shape[:2])
    if shrink >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def _check_whole(image: Image, homography: Matrix, layout: BoardLayout) -> None:
    """Raise EnrolError for a board that is cut off by the picture's edge or too small in the picture."""
    quad = outline(homography, layout)
    if (quad < -1.5).any() or (quad > np.array([image.shape[1], image.shape[0]]) + 0.5).any():
        raise EnrolError(
            say("A part of the board is not in the picture: take it again with the whole board in it.")
        )
    scale = scale_of(homography, layout)
    if scale < _MIN_PX_PER_MM:
        raise EnrolError(
            say(
                "The board is only {px} pixels wide in the picture: take the picture from closer.",
                px=round(scale * layout.size_mm[0]),
            )
        )


def _spot_correlations(image: Image, homography: Matrix, board: EnrolledBoard) -> dict[tuple[str, int], float]:
    """Return how well each spot matches the board's print: correlation, -1 to 1, by (row's name, number from 1)."""
    layout = board.layout
    view = cv2.cvtColor(rectify_board(image, homography, layout), cv2.COLOR_BGR2GRAY)
    own = cv2.cvtColor(reference(board, scale_of(homography, layout)), cv2.COLOR_BGR2GRAY)
    half = round(layout.spot_mm / 2 * PX_PER_MM)
    alike: dict[tuple[str, int], float] = {}
    number: dict[str, int] = {}
    for row, spot in layout.spots():
        number[row] = number.get(row, 0) + 1
        u, v = (round(float(value)) for value in (layout.to_pixels(PX_PER_MM) @ (*spot, 1.0))[:2])
        there = view[v - half - 2 : v + half + 3, u - half - 2 : u + half + 3]
        print_ = own[v - half : v + half + 1, u - half : u + half + 1]
        alike[row, number[row]] = float(cv2.matchTemplate(there, print_, cv2.TM_CCOEFF_NORMED).max())
    return alike


def _rectified_board(image: Image, homography: Matrix, layout: BoardLayout, board_id: str) -> EnrolledBoard:
    """Return the enrolled board cut out of a picture. Raises EnrolError where it is over-exposed.

    homography: board mm → px.
    """
    picture = rectify_board(image, homography, layout, BOARD_PX_PER_MM)
    if (picture.min(axis=2) >= _WHITE_LEVEL).mean() > _MAX_WHITE_FRACTION:
        # Over-exposed print would later be taken for objects on the board.
        raise EnrolError(say("The board is over-exposed: take the picture with less light or a shorter exposure."))
    return EnrolledBoard(board_id, picture, layout, min(scale_of(homography, layout), BOARD_PX_PER_MM))
