"""Square crops of a picture at the scale that a network was trained with."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.detection_types import CROP_PX
from vision.readings import Box


@dataclass(frozen=True, slots=True)
class CropFrame:
    """Placement of a square crop in a picture; the crop is resampled to CROP_PX by CROP_PX."""

    left: float
    """Left edge in the picture, px."""
    top: float
    """Top edge in the picture, px."""
    scale: float
    """Crop px per picture px."""

    def picture(self, image: Image) -> Image:
        """Return the crop, (CROP_PX, CROP_PX, 3), cut from a BGR picture."""
        size = (CROP_PX, CROP_PX)
        return np.asarray(cv2.warpAffine(image, self.matrix(), size, borderValue=(114.0, 114.0, 114.0)), np.uint8)

    def matrix(self) -> NDArray[np.float64]:
        """Return the affine matrix from px of the picture to px of the crop, (2, 3)."""
        return np.array([[self.scale, 0, -self.left * self.scale], [0, self.scale, -self.top * self.scale]])

    def box(self, box: Box) -> Box:
        """Return a box of the crop as a box in px of the picture."""
        x, y, width, height = (value / self.scale for value in box)
        return x + self.left, y + self.top, width, height
