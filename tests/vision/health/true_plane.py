"""The table plane of a rendered look, free of calibration error."""

from __future__ import annotations

import cv2

from calibration.plane import TablePlane
from vision.cameras.simulated import Look
from vision.cameras.simulated.camera_projection import HEIGHT, WIDTH, CameraProjection


def plane_of(look: Look) -> TablePlane:
    """Return the plane that a perfect calibration would find."""
    view = CameraProjection(look)
    rotation = cv2.Rodrigues(view.rotation)[0].reshape(3)
    shift = -view.rotation @ view.position
    return TablePlane(
        (WIDTH, HEIGHT),
        float(view.matrix[0, 0]),
        (float(rotation[0]), float(rotation[1]), float(rotation[2])),
        (float(shift[0]), float(shift[1]), float(shift[2])),
        distortion=(look.k1, look.k2, 0.0, 0.0),
    )
