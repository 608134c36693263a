"""Scale of the picture at the height of open hands, and the placement of the crop around a hand."""

from __future__ import annotations

import numpy as np

from calibration.plane import TablePlane
from vision.detector import CLOSE_PX_PER_MM, CROP_PX
from vision.detector.cropping import CropFrame

PALM_HEIGHT_MM = 85.0
"""Assumed height of open palms above the table, mm. Players show them at about 60 to 110 mm, so sizes of pieces are
wrong by up to about 3 %."""


def px_per_mm(plane: TablePlane, at_px: tuple[float, float]) -> float:
    """Return the scale of the picture around a pixel (x, y) for things at palm height above the table, px/mm."""
    x, y = np.asarray(plane.to_table(np.array([at_px]), PALM_HEIGHT_MM))[0]
    ends = plane.to_image(np.array([[x - 25, y], [x + 25, y], [x, y - 25], [x, y + 25]]), height_mm=PALM_HEIGHT_MM)
    across, along = np.hypot(*(ends[1] - ends[0])), np.hypot(*(ends[3] - ends[2]))
    return float((across + along) / 2) / 50.0


def hand_crop(plane: TablePlane, centre_px: tuple[float, float]) -> CropFrame:
    """Return the placement of a crop around a hand, at the scale for which the piece detector is trained.

    centre_px: centre of the crop, px of the picture.
    """
    scale = CLOSE_PX_PER_MM / px_per_mm(plane, centre_px)
    half = CROP_PX / scale / 2
    return CropFrame(centre_px[0] - half, centre_px[1] - half, scale)
