"""From pixels to millimetres at the height where hands hold their pieces, and the palm as a level picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.cameras.frame import Image

Floats = NDArray[np.float64]

PALM_HEIGHT_MM = 85.0
"""Palms are shown some 60 to 110 mm above the table; half of that spread changes a piece's size by 3 %."""
PATCH_PX_PER_MM = 1.3
PATCH_WIDTH_MM = 190.0
PATCH_TOP_MM = 115.0
"""From the middle of the palm up to the patch's upper edge: where the fingers are."""
PATCH_BOTTOM_MM = 85.0
PATCH_SIZE = (
    round(PATCH_WIDTH_MM * PATCH_PX_PER_MM),
    round((PATCH_TOP_MM + PATCH_BOTTOM_MM) * PATCH_PX_PER_MM),
)
"""(width, height) of a patch in its own pixels."""
PATCH_PALM = (PATCH_WIDTH_MM * PATCH_PX_PER_MM / 2, PATCH_TOP_MM * PATCH_PX_PER_MM)
"""Where the middle of the palm is in a patch, in its own pixels."""


@dataclass(frozen=True, slots=True)
class PatchFrame:
    """Where a level patch around a palm lies: fingers up, PATCH_PX_PER_MM, at the palm's height.

    to_picture: 3×3 homography from patch pixels to picture pixels.
    """

    palm_mm: tuple[float, float]
    angle: float
    to_picture: Floats

    def picture(self, image: Image, scale: float = 1.0, interpolation: int = cv2.INTER_LINEAR) -> Image:
        """Cut the patch out of a picture that is `scale` times the calibrated picture's size."""
        # A pixel's middle stays its middle: half a pixel of the large picture is less than half of the small.
        off = (scale - 1.0) / 2
        shrink = np.array([[scale, 0.0, off], [0.0, scale, off], [0.0, 0.0, 1.0]])
        flags = interpolation | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(image, shrink @ self.to_picture, PATCH_SIZE, flags=flags))

    def box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Turn a box in the patch into the box around it in the picture."""
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float64)
        seen = cv2.perspectiveTransform(corners[None], self.to_picture)[0]
        (left, top), (right, bottom) = seen.min(0), seen.max(0)
        return float(left), float(top), float(right - left), float(bottom - top)


def patch_frame(plane: TablePlane, palm_mm: tuple[float, float], angle: float) -> PatchFrame:
    """Lay a patch on a palm; `angle` is where the fingers point, in degrees clockwise from +y."""
    width, height = PATCH_SIZE
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    offset = (corners - PATCH_PALM) / PATCH_PX_PER_MM
    turn = math.radians(angle)
    up = np.array([math.sin(turn), math.cos(turn)])
    right = np.array([math.cos(turn), -math.sin(turn)])
    at = np.array(palm_mm) + offset[:, :1] * right - offset[:, 1:] * up
    seen = np.asarray(plane.to_image(at, height_mm=PALM_HEIGHT_MM), dtype=np.float32)
    to_picture = cv2.getPerspectiveTransform(corners.astype(np.float32), seen)
    return PatchFrame(palm_mm, angle, np.asarray(to_picture, np.float64))
