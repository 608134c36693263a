"""Calibration sheet, a ChArUco board centred on A4 landscape, and its detection in a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import SheetError
from calibration.translatable import say, sentences

COLUMNS = 7
"""Squares of the ChArUco board beside each other."""
ROWS = 5
"""Squares of the ChArUco board below each other."""
SQUARE_MM = 36.0
"""Side of a square, mm."""
MARKER_MM = 27.0
"""Side of an ArUco marker, mm."""
PAPER_MM = (297.0, 210.0)
"""Width and height of the landscape A4 page, mm."""
CORNERS = (COLUMNS - 1) * (ROWS - 1)
"""Inner chessboard corners of the whole sheet."""
MIN_CORNERS = 15
"""Fewest detected corners (of 24); with fewer, about half of the sheet is hidden and the tilt is uncertain."""


_MAX_ENLARGED_PX = 10_000_000
"""Largest picture, in pixels, that is enlarged for detection; larger ones show the sheet large enough."""


@dataclass(frozen=True)
class SheetCorners:
    """Detected corners of the sheet's squares."""

    image_px: NDArray[np.float64]
    """Where they are in the picture, (n, 2) px."""
    table_mm: NDArray[np.float64]
    """Where they are on the table, (n, 2) mm."""


@cache
def board() -> Any:
    """Return the sheet's pattern as OpenCV's CharucoBoard, whose lengths are in metres."""
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


def find(image: NDArray[np.uint8], least: int = MIN_CORNERS) -> SheetCorners:
    """Return the sheet's corners that are detected in a BGR picture, in picture px and in table mm.

    least: fewest corners that must be detected. Raises SheetError when there is no sheet or too little of it. The
    error names the likely reason: the sheet is mirrored or inverted, or the picture's light or sharpness.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids = _detect_at_scales(grey)
    if len(ids) < _MIN_SHEET_CORNERS and (reason := _reversed_sheet(grey)) is not None:
        raise SheetError(reason)
    # A sheet may be found in a picture that is white for the most part: nothing else would be.
    if (len(ids) < least or _glare_fraction(grey) > _MAX_GLARE_FRACTION) and (
        reason := _why_unreadable(grey)
    ) is not None:
        raise SheetError(reason)
    if len(ids) == 0:
        raise SheetError(
            say(
                "No calibration sheet in the picture: lay the printed sheet flat in the middle of the table, "
                "completely visible and in focus, and take the picture again."
            )
        )
    if len(ids) < least:
        raise SheetError(
            say(
                "Only {number} of the calibration sheet's {corners} corners are visible: uncover the sheet, "
                "keep it flat and in focus, and take the picture again.",
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
    """Return whether the sheet, or a part of it with at least four corners, is detected in a BGR picture."""
    return len(_detect(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[1]) >= _MIN_SHEET_CORNERS


def _detect_at_scales(grey: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the corners (n, 2) px and ids (n,) of the scale at which most corners are detected.

    Resized copies are searched until no corner is missing. The detector's windows have fixed sizes: markers of a
    far camera are too small for them, and edges of an upscaled picture too wide.
    """
    corners, ids = _detect(grey)
    for scale, attempt in _rescaled(grey):
        if len(ids) == CORNERS:
            break
        again, again_ids = _detect(attempt)
        if len(again_ids) > len(ids):
            corners, ids = (again + 0.5) / scale - 0.5, again_ids
    return corners, ids


def _rescaled(grey: NDArray[np.uint8]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Yield (scale, copy of the picture at it), the most promising first; some are sharpened or darkened, too."""
    if (scale := _SHARPNESS_WIDTH_PX / grey.shape[1]) < _MIN_REDUCTION:
        yield scale, _reduced(grey)
    if grey.size <= _MAX_ENLARGED_PX:
        larger = np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
        yield 2.0, larger
        yield 2.0, _sharpened(larger)
        yield 2.0, _DARKENED[larger]


def _reduced(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shrink a picture wider than a webcam's to that width: larger ones are often upscaled without more detail."""
    scale = _SHARPNESS_WIDTH_PX / grey.shape[1]
    if scale >= _MIN_REDUCTION:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _reversed_sheet(grey: NDArray[np.uint8]) -> str | None:
    """Return the error line for a sheet that is mirrored, inverted (white on black) or both; None for neither."""
    small = _reduced(grey)
    # Sheets that are far away are only found enlarged, which takes four times as long.
    for scale in (1.0, 2.0):
        picture = np.asarray(cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
        flipped = np.asarray(cv2.flip(picture, 1), np.uint8)
        for attempt, reason in (
            (flipped, _MIRRORED),
            (np.asarray(255 - picture, np.uint8), _INVERTED),
            (np.asarray(255 - flipped, np.uint8), sentences(_MIRRORED, _INVERTED)),
        ):
            if len(_detect(attempt)[1]) >= _MIN_SHEET_CORNERS:
                return reason
    return None


_MIRRORED = say(
    "The picture is mirrored: switch the mirror image off in the camera's app, or tap “Mirror it” on the page, and "
    "take the picture again."
)
_INVERTED = say(
    "The sheet is white on black: print it black on white, switch any inverted colours of the camera off, and take "
    "the picture again."
)
_MIN_SHEET_CORNERS = 4
"""Corners from which the sheet, or its mirror image, is certainly in the picture."""
_SHARPNESS_WIDTH_PX = 1280.0
"""Width to which larger pictures are reduced before sharpness is measured, px: finer blur affects no piece."""
_MIN_REDUCTION = 0.7
"""Scale below which a picture is reduced before its quality is measured."""

_DARKENED = (np.linspace(0, 1, 256) ** 2.2 * 255).astype(np.uint8)
"""Look-up table of a gamma correction that reduces the bleeding of white paper into its black squares."""


def _sharpened(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture with unsharp masking."""
    return np.asarray(cv2.addWeighted(grey, 3.5, cv2.GaussianBlur(grey, (0, 0), 4.0), -2.5, 0), np.uint8)


_MAX_GLARE_FRACTION = 0.5
"""Fraction of almost white pixels above which glare is reported."""


def _glare_fraction(grey: NDArray[np.uint8]) -> float:
    """Return the fraction of almost white pixels of a picture."""
    return float(np.mean(grey >= 252))


def _why_unreadable(grey: NDArray[np.uint8]) -> str | None:
    """Return the likely reason why a picture shows no sheet, its light or its sharpness; None for neither."""
    grey = _reduced(grey)
    dark, bright = np.percentile(grey, (1, 99))
    if bright < 45:
        return say(
            "The picture is too dark to find the calibration sheet: more light on the table, or a longer exposure."
        )
    if _glare_fraction(grey) > 0.35 or (dark > 90 and bright >= 254):
        return say(
            "The picture is over-exposed: less light on the table, or a shorter exposure, then take it again."
        )
    # In a sharp picture with any contrast, the steepest edge of all is a few pixels wide.
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    steps = np.maximum(cv2.absdiff(soft[:, 1:], soft[:, :-1])[1:], cv2.absdiff(soft[1:], soft[:-1])[:, 1:])
    if bright - dark > 30 and float(np.percentile(steps, 99.9)) < _SHARP_STEP * (bright - dark):
        return say(
            "The picture is blurred: focus on the table, clean the lens, hold the camera still and take it again."
        )
    return None


_SHARP_STEP = 0.19
"""Steepest gradient of a sharp picture per pixel, as a fraction of its contrast; a bare table has 0.22."""


def _detect(grey: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the detected corners, (n, 2) px, and their ids, (n,)."""
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
    if ids is None or len(ids) == 0:
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(ids, np.int64).reshape(-1)
