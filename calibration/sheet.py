"""The calibration sheet: a ChArUco board centred on A4 landscape, and how it is found in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import SheetError
from calibration.wording import say

COLUMNS, ROWS = 7, 5
SQUARE_MM, MARKER_MM = 36.0, 27.0
PAPER_MM = (297.0, 210.0)
CORNERS = (COLUMNS - 1) * (ROWS - 1)
"""Inner chessboard corners of the whole sheet."""
NEEDED_CORNERS = 15
"""Fewer than this (of 24) means that about half of the sheet is hidden: what is left says too little about tilt."""


_MOST_ENLARGED_PX = 10_000_000
"""Larger pictures show the sheet large enough as they are."""


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


def find(image: NDArray[np.uint8], least: int = NEEDED_CORNERS) -> SheetCorners:
    """Find the sheet in a BGR picture.

    least: corners that must be seen. Raises SheetError when there is none, or when too little of it is seen; it
    says where the picture's light or sharpness is the likely reason.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids = _detect(grey)
    if len(ids) < CORNERS and grey.size <= _MOST_ENLARGED_PX:
        # Far cameras show a marker's modules 2 px wide; enlarging lets the detector's fixed windows work.
        larger = np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
        for attempt in (larger, _sharpened(larger), _DARKENED[larger]):
            again, again_ids = _detect(attempt)
            if len(again_ids) > len(ids):
                corners, ids = (again - 0.5) / 2, again_ids
            if len(ids) == CORNERS:
                break
    # A sheet may be found in a picture that is white for the most part: nothing else would be.
    if (len(ids) < least or _glaring(grey) > _MOST_GLARING) and (reason := _why_unreadable(grey)) is not None:
        raise SheetError(reason)
    if len(ids) == 0:
        raise SheetError(
            say(
                "No calibration sheet in the picture: lay the printed sheet flat in the middle of the "
                "table, wholly in sight and in focus, and take the picture again."
            )
        )
    if len(ids) < least:
        raise SheetError(
            say(
                "Only {number} of the calibration sheet's {corners} corners are seen: uncover it, keep "
                "it flat and sharp, and take the picture again.",
                number=len(ids),
                corners=CORNERS,
            )
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


_DARKENED = (np.linspace(0, 1, 256) ** 2.2 * 255).astype(np.uint8)
"""Grey levels in which white paper that shines over its black squares grows less."""


def _sharpened(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Undo some of a picture's softness."""
    return np.asarray(cv2.addWeighted(grey, 3.5, cv2.GaussianBlur(grey, (0, 0), 4.0), -2.5, 0), np.uint8)


_MOST_GLARING = 0.5


def _glaring(grey: NDArray[np.uint8]) -> float:
    """Give the share of a picture that is as good as white."""
    return float(np.mean(grey >= 252))


def _why_unreadable(grey: NDArray[np.uint8]) -> str | None:
    """Tell the likely reason why a picture shows no sheet: its light, or its sharpness."""
    dark, bright = np.percentile(grey, (1, 99))
    if bright < 45:
        return (
            "The picture is too dark to find the calibration sheet: more light on the table, or a longer exposure."
        )
    if _glaring(grey) > 0.35 or (dark > 90 and bright >= 254):
        return "The picture is over-exposed: less light on the table, or a shorter exposure, then take it again."
    # Wherever there is contrast, something is sharp in a sharp picture: the steepest step of all takes few pixels.
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    steps = np.maximum(cv2.absdiff(soft[:, 1:], soft[:, :-1])[1:], cv2.absdiff(soft[1:], soft[:-1])[:, 1:])
    if bright - dark > 30 and float(np.percentile(steps, 99.9)) < _SHARP_STEP * (bright - dark):
        return (
            "The picture is blurred: focus on the table, clean the lens, hold the camera still and take it again."
        )
    return None


_SHARP_STEP = 0.19
"""The steepest step of a sharp picture, as a share of its contrast; a table without anything on it has 0.22."""


def _detect(grey: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
    if ids is None or len(ids) == 0:
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(ids, np.int64).reshape(-1)
