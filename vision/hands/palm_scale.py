"""Conversion from pixels to millimetres at the height of open hands, and the crop around a hand."""

from __future__ import annotations

import numpy as np

from calibration.plane import TablePlane
from vision.detector import CLOSE_PX_PER_MM, CROP_PX
from vision.detector.cropping import CropFrame

PALM_HEIGHT_MM = 85.0
"""Assumed height of open palms above the table, mm. They are shown at about 60 to 110 mm; half of that spread
changes the size of a piece by 3 %."""


def px_per_mm(plane: TablePlane, at_px: tuple[float, float]) -> float:
    """Return the scale at palm height around a pixel of the picture, px/mm."""
    x, y = np.asarray(plane.to_table(np.array([at_px]), PALM_HEIGHT_MM))[0]
    ends = plane.to_image(np.array([[x - 25, y], [x + 25, y], [x, y - 25], [x, y + 25]]), height_mm=PALM_HEIGHT_MM)
    across, along = np.hypot(*(ends[1] - ends[0])), np.hypot(*(ends[3] - ends[2]))
    return float((across + along) / 2) / 50.0


def hand_crop(plane: TablePlane, centre_px: tuple[float, float]) -> CropFrame:
    """Return the placement of a hand's crop, centred on a pixel, at the scale of the piece detector."""
    scale = CLOSE_PX_PER_MM / px_per_mm(plane, centre_px)
    half = CROP_PX / scale / 2
    return CropFrame(centre_px[0] - half, centre_px[1] - half, scale)
