"""Crops of photographed empty hands: real skin without pieces, and real fists.

The photographs are not part of the project: a folder with subfolders `open` and `fist` of closely cropped hands
(HandsDataset by SubhiH, Apache-2.0). Training also works without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.crops import Crop, with_camera_defects
from vision.cameras.frame import Image
from vision.cameras.simulated.renderer import Box
from vision.detector import CROP_PX

STATES = {"open": "open", "fist": "closed"}
"""The detector's label for the hands in each subfolder."""
CLOSE_PX = 230
"""Longer side of a hand at the scale of pieces, px; corresponds to about 145 mm."""
WIDE_PX = 64
"""Longer side of a photograph at the scale of hands, px; corresponds to about 195 mm, as margins vary."""
_BLOCK = 20
"""Number of consecutive photographs in a block, about one series in one room."""
_HELD_OUT = 3
"""Every n-th block is held out."""
_VARIANTS = 2
"""Crops per photograph."""
_WIDE_EACH = 6
"""Approximate number of hands in a wide crop."""
_FADES_PX = 5.0
"""Width of the faded border of a pasted photograph, px."""
_WITHIN = 0.94
"""Fraction of a photograph's longer side that the hand fills."""


def photograph_files(folder: Path, state: str, *, held_out: bool) -> list[Path]:
    """Return the files of photographed hands in one state, of the training set or the held-out one.

    folder: of all photographs. state: "open" or "fist".
    """
    files = sorted((folder / state).glob("*.jpg"))
    aside = [number // _BLOCK % _HELD_OUT == _HELD_OUT - 1 for number in range(len(files))]
    return [file for file, apart in zip(files, aside, strict=True) if apart == held_out]


def photographed_crops(folder: Path) -> Iterator[Crop]:
    """Yield crops of training photographs: close ones of an empty hand, without boxes, and wide ones of several."""
    known: list[tuple[str, Image]] = []
    for state, label in STATES.items():
        for number, file in enumerate(photograph_files(folder, state, held_out=False)):
            photo = cv2.imread(str(file))
            if photo is None:
                continue
            known.append((label, np.asarray(photo, np.uint8)))
            for variant in range(_VARIANTS):
                rng = np.random.default_rng([number, variant, len(state), 0xF0])
                yield _close_crop(known[-1][1], rng)
    for number in range(3 * len(known) // _WIDE_EACH):
        yield _wide_crop(known, np.random.default_rng([number, 0x31DE]))


def framed(photo: Image, longer_px: float, side_px: int) -> Image:
    """Return a square with a photograph in the middle, scaled, on the photograph's median colour.

    longer_px: length of the photograph's longer side in the result. side_px: side of the square.
    """
    scale = longer_px / max(photo.shape[:2])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=flags)[:side_px, :side_px]
    square = np.empty((side_px, side_px, 3), np.uint8)
    square[:] = np.median(small.reshape(-1, 3), axis=0)
    top, left = (side_px - small.shape[0]) // 2, (side_px - small.shape[1]) // 2
    square[top : top + small.shape[0], left : left + small.shape[1]] = small
    return square


def _close_crop(photo: Image, rng: np.random.Generator) -> Crop:
    """Return a crop of one randomly rotated hand at the scale of pieces; it has no boxes, as the hand is empty."""
    square = framed(photo, CLOSE_PX * float(rng.uniform(0.85, 1.15)), CROP_PX)
    middle = (CROP_PX - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(0, 360)), 1.0)
    turned = cv2.warpAffine(square, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REFLECT)
    return Crop(with_camera_defects(np.asarray(turned, np.uint8), rng), ())


def _wide_crop(known: list[tuple[str, Image]], rng: np.random.Generator) -> Crop:
    """Return a crop of several photographed hands on a blurred background, at the scale of hands.

    known: label and photograph of each available hand.
    """
    ground = cv2.resize(known[int(rng.integers(len(known)))][1], (CROP_PX, CROP_PX))
    canvas = np.asarray(cv2.GaussianBlur(ground, (0, 0), float(rng.uniform(6, 30))), np.uint8)
    boxes: list[tuple[str, Box]] = []
    cell = CROP_PX // 3
    for place in rng.permutation(9)[: int(rng.integers(_WIDE_EACH - 3, _WIDE_EACH + 3))]:
        label, photo = known[int(rng.integers(len(known)))]
        longer = WIDE_PX * float(rng.uniform(0.8, 1.25))
        scale = longer / max(photo.shape[:2])
        small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        small = np.ascontiguousarray(np.rot90(small, int(rng.integers(4))))
        height, width = small.shape[:2]
        left = int(place % 3) * cell + int(rng.integers(max(1, cell - width)))
        top = int(place // 3) * cell + int(rng.integers(max(1, cell - height)))
        part = canvas[top : top + height, left : left + width]
        cover = _fading_mask(part.shape[0], part.shape[1])
        part[:] = np.round(cover * small[: part.shape[0], : part.shape[1]] + (1 - cover) * part)
        high, across = part.shape[0] * _WITHIN, part.shape[1] * _WITHIN
        boxes.append((label, (left + (part.shape[1] - across) / 2, top + (part.shape[0] - high) / 2, across, high)))
    return Crop(with_camera_defects(canvas, rng), tuple(boxes))


def _fading_mask(height: int, width: int) -> NDArray[np.float64]:
    """Return an alpha mask (height, width, 1) that fades towards the borders."""
    rows, columns = (
        np.minimum(np.arange(height), np.arange(height)[::-1]),
        np.minimum(np.arange(width), np.arange(width)[::-1]),
    )
    return np.clip((np.minimum(rows[:, None], columns[None]) + 1) / _FADES_PX, 0, 1)[..., None]
