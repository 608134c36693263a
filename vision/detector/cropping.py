"""Squares cut out of a picture and shown to a network at the size that it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.detector import CROP_PX
from vision.readings import Box

_NEARER = 1.5
"""Things are shown so many times as large from nearer, at most, in play."""
_MARGIN_PX = 6.0
"""So much of the crop round them is shown with them."""


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


def frame_nearer(boxes: Sequence[Box], most: float = _NEARER) -> CropFrame:
    """Lay a frame round what was found in a crop, at least one box of it, to look at that from nearer.

    The frame lies within the crop and shows all of the boxes, larger (`most` times at most) if they leave room.
    """
    placed = np.array(boxes, np.float64)
    low, high = placed[:, :2].min(axis=0), (placed[:, :2] + placed[:, 2:]).max(axis=0)
    scale = min(most, max(1.0, CROP_PX / (float((high - low).max()) + 2 * _MARGIN_PX)))
    half = CROP_PX / scale / 2
    left, top = np.clip((low + high) / 2, half, CROP_PX - half) - half
    return CropFrame(float(left), float(top), scale)
