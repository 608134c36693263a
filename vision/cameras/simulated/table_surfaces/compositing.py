"""Paste flat pictures, such as newspapers or clutter, onto a table top."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Image, as_floats, as_image
from vision.cameras.simulated.table_surfaces.textures import SPAN_MM

_SHADOW = 0.4
"""Darkness of a picture's soft shadow, 0..1."""


def paste_rotated(top: Image, sheet: Image, at: tuple[float, float], angle: float, mm_per_px: float) -> None:
    """Composite a picture (BGRA) with its soft shadow onto a table top in place.

    top: 1 px/mm. at: centre of the picture, mm right of and below the centre of the table top. angle: degrees
    clockwise. mm_per_px: scale of the picture.
    """
    height, width = sheet.shape[:2]
    turn = np.radians(angle)
    cos, sin = np.cos(turn) * mm_per_px, np.sin(turn) * mm_per_px
    matrix = np.array([[cos, -sin, SPAN_MM[0] / 2 + at[0]], [sin, cos, SPAN_MM[1] / 2 + at[1]]])
    matrix[:, 2] -= matrix[:, :2] @ [width / 2, height / 2]
    corners = as_floats([[0, 0], [width, 0], [width, height], [0, height]]) @ matrix[:, :2].T + matrix[:, 2]
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 8, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 8, SPAN_MM)
    if np.any(high - low < 4):
        return
    matrix[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    flags = cv2.INTER_AREA if mm_per_px < 0.8 else cv2.INTER_LINEAR
    warped = cv2.warpAffine(sheet, matrix, size, flags=flags)
    part = top[low[1] : high[1], low[0] : high[0]]
    cover = as_image(warped[..., 3])
    rim = 255 - cv2.convertScaleAbs(cv2.blur(cv2.blur(cover, (7, 7)), (7, 7)), alpha=_SHADOW)
    part[:] = cv2.multiply(part, cv2.cvtColor(as_image(rim), cv2.COLOR_GRAY2BGR), scale=1 / 255.0)
    keep = cv2.cvtColor(as_image(255 - cover), cv2.COLOR_GRAY2BGR)
    weight = cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR)
    under = cv2.multiply(part, keep, scale=1 / 255.0)
    part[:] = cv2.add(under, cv2.multiply(as_image(warped[..., :3]), weight, scale=1 / 255.0))
