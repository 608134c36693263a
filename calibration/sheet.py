"""The calibration sheet: a ChArUco board centred on A4 landscape, and how it is found in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import SheetError

COLUMNS, ROWS = 7, 5
SQUARE_MM, MARKER_MM = 36.0, 27.0
PAPER_MM = (297.0, 210.0)
CORNERS = (COLUMNS - 1) * (ROWS - 1)
"""Inner chessboard corners of the whole sheet."""
NEEDED_CORNERS = 15
"""Fewer than this (of 24) means that about half of the sheet is hidden: what is left says too little about tilt."""


@dataclass(frozen=True)
class SheetCorners:
    """Corners found: where they are in the picture (n, 2) px, and where on the table (n, 2) mm."""

    image_px: NDArray[np.float64]
    table_mm: NDArray[np.float64]


@cache
def board() -> Any:
    """Give OpenCV's board, in metres as the design fixes it."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM / 1000, MARKER_MM / 1000, dictionary)


def picture(px_per_mm: float) -> NDArray[np.uint8]:
    """Draw the sheet of paper (A4 landscape, grey, (height, width) uint8) at about this scale, top edge up."""
    square = round(SQUARE_MM * px_per_mm)
    scale = square / SQUARE_MM
    width, height = (round(side * scale) for side in PAPER_MM)
    paper = np.full((height, width), 255, np.uint8)
    pattern = board().generateImage((COLUMNS * square, ROWS * square))
    top, left = (height - pattern.shape[0]) // 2, (width - pattern.shape[1]) // 2
    paper[top : top + pattern.shape[0], left : left + pattern.shape[1]] = pattern
    return paper


def find(image: NDArray[np.uint8]) -> SheetCorners:
    """Find the sheet in a BGR picture.

    Raises SheetError when there is none, or when too little of it is seen.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids = _detect(grey)
    if len(ids) < NEEDED_CORNERS:
        # Far cameras show a marker's modules 2 px wide; enlarging lets the detector's fixed windows work.
        larger = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        again, again_ids = _detect(larger)
        if len(again_ids) > len(ids):
            corners, ids = (again - 0.5) / 2, again_ids
    if len(ids) == 0:
        raise SheetError(
            "No calibration sheet in the picture: lay the printed sheet flat in the middle of the table, "
            "wholly in sight and in focus, and take the picture again."
        )
    if len(ids) < NEEDED_CORNERS:
        raise SheetError(
            f"Only {len(ids)} of the calibration sheet's {CORNERS} corners are seen: "
            "uncover it, keep it flat and sharp, and take the picture again."
        )
    table = np.stack(
        [
            (ids % (COLUMNS - 1) + 1) * SQUARE_MM - COLUMNS * SQUARE_MM / 2,
            ROWS * SQUARE_MM / 2 - (ids // (COLUMNS - 1) + 1) * SQUARE_MM,
        ],
        axis=1,
    )
    return SheetCorners(corners, table.astype(np.float64))


def in_sight(image: NDArray[np.uint8]) -> bool:
    """Tell whether a good part of the sheet lies in a BGR picture."""
    return len(_detect(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[1]) >= 4


def _detect(grey: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
    if ids is None or len(ids) == 0:
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(ids, np.int64).reshape(-1)
