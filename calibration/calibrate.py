"""From one picture of the calibration sheet to the table plane, and whether pieces can be counted with it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from calibration import sheet
from calibration.errors import SheetError
from calibration.findings import Findings, findings_of
from calibration.plane import Image, TablePlane, fit_plane

MOST_ERROR_PX = 1.5


@dataclass(frozen=True)
class Calibration:
    """The table plane found from one picture, with the picture and what it told."""

    plane: TablePlane
    seats: int
    findings: Findings
    image: Image


def calibrate(image: Image, seats: int, fov_deg: float | None = None) -> Calibration:
    """Find the table plane from one BGR picture of the sheet.

    fov_deg: the camera's horizontal field of view where it is known. Raises SheetError with one plain line
    when there is no sheet, too little of it is seen, or it does not fit a plane within 1.5 px.
    """
    found = sheet.find(image)
    size = (int(image.shape[1]), int(image.shape[0]))
    try:
        fit = fit_plane(found.image_px, found.table_mm, size, fov_deg)
    except (ValueError, cv2.error) as error:
        raise SheetError(
            "The sheet's corners fit no camera above the table: lay the sheet flat and take the picture again."
        ) from error
    if fit.error_px > MOST_ERROR_PX:
        raise SheetError(
            f"The sheet fits a flat table only to {fit.error_px:.1f} px (at most {MOST_ERROR_PX}): "
            "press it flat, hold the camera still and take the picture again."
        )
    return Calibration(fit.plane, seats, findings_of(image, fit, len(found.image_px)), image)
