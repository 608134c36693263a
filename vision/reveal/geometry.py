"""From pixels to millimetres at the height where hands hold their pieces, and the crop round a hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.detector import CLOSE_PX_PER_MM, CROP_PX
from vision.readings import Box

PALM_HEIGHT_MM = 85.0
"""Palms are shown some 60 to 110 mm above the table; half of that spread changes a piece's size by 3 %."""


def px_per_mm(plane: TablePlane, at_px: tuple[float, float]) -> float:
    """Tell how many pixels a millimetre has at the height of palms, about a pixel of the picture."""
    x, y = np.asarray(plane.to_table(np.array([at_px]), PALM_HEIGHT_MM))[0]
    ends = plane.to_image(np.array([[x - 25, y], [x + 25, y], [x, y - 25], [x, y + 25]]), height_mm=PALM_HEIGHT_MM)
    across, along = np.hypot(*(ends[1] - ends[0])), np.hypot(*(ends[3] - ends[2]))
    return float((across + along) / 2) / 50.0


@dataclass(frozen=True, slots=True)
class CropFrame:
    """A square of the picture at table scale: its left and top edge in the picture, and crop px a picture px."""

    left: float
    top: float
    scale: float

    def picture(self, image: Image) -> Image:
        """Cut the square out of a picture."""
        matrix = np.array([[self.scale, 0, -self.left * self.scale], [0, self.scale, -self.top * self.scale]])
        size = (CROP_PX, CROP_PX)
        return np.asarray(cv2.warpAffine(image, matrix, size, borderValue=(114.0, 114.0, 114.0)), np.uint8)

    def box(self, box: Box) -> Box:
        """Turn a box of the crop into one of the picture."""
        x, y, width, height = (value / self.scale for value in box)
        return x + self.left, y + self.top, width, height


def crop_round(plane: TablePlane, centre_px: tuple[float, float]) -> CropFrame:
    """Lay a crop round a pixel, at the scale at which pieces are found."""
    scale = CLOSE_PX_PER_MM / px_per_mm(plane, centre_px)
    half = CROP_PX / scale / 2
    return CropFrame(centre_px[0] - half, centre_px[1] - half, scale)
