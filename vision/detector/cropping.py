"""Square crops of a picture at the scale that a network was trained with."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.detector import CROP_PX
from vision.readings import Box


@dataclass(frozen=True, slots=True)
class CropFrame:
    """A square of a picture, shown at another size: its left and top edge there, and its px a picture px."""

    left: float
    top: float
    scale: float

    def picture(self, image: Image) -> Image:
        """Cut the square out of a picture."""
        size = (CROP_PX, CROP_PX)
        return np.asarray(cv2.warpAffine(image, self.matrix(), size, borderValue=(114.0, 114.0, 114.0)), np.uint8)

    def matrix(self) -> NDArray[np.float64]:
        """Give what turns places of the picture into such of the square, (2, 3)."""
        return np.array([[self.scale, 0, -self.left * self.scale], [0, self.scale, -self.top * self.scale]])

    def box(self, box: Box) -> Box:
        """Turn a box of the crop into one of the picture."""
        x, y, width, height = (value / self.scale for value in box)
        return x + self.left, y + self.top, width, height
