"""Quadrilaterals that edges enclose: the outer edge of the board, or the rim of its field."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.finding import clockwise, is_sound
from vision.games.master.lattice import UNIT, Corners, projected, to_picture
from vision.games.master.readings import SIZE

_LONG_SIDE: Final = 480
"""Longer side of the scaled picture, px."""
_SENSITIVITIES: Final = (0.5, 1.0, 1.8)
"""Edge thresholds, in units of the gradient that a tenth of the pixels exceeds."""
_AREAS: Final = (0.02, 0.95)
"""Smallest and largest area of a quadrilateral, as a fraction of the picture."""
_MIN_FILLED: Final = 0.93
"""Least fraction of the outline's hull that the quadrilateral fills."""
_SAME_PX: Final = 6.0
"""Corners nearer than this belong to the same quadrilateral, px of the scaled picture."""
_MARGINS: Final = (0.0, 0.5, 1.0)
"""Widths of the board outside the field that are tried, in tiles; the field is then moved to its tiles."""
_MOST: Final = 5
"""Number of quadrilaterals, largest first."""


def outlines(image: Image) -> list[Corners]:
    """Return fields whose board, or whose own rim, has a closed outline, px of the picture, largest first."""
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = list[tuple[float, Corners]]()
    for plane in cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)):
        soft = cv2.GaussianBlur(plane, (0, 0), 1.0)
        gradient = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
        strong = float(np.percentile(gradient, 90))
        for sensitivity in _SENSITIVITIES:
            high = max(10.0, sensitivity * strong)
            edges = cv2.dilate(cv2.Canny(soft, 0.4 * high, high), np.ones((3, 3), np.uint8))
            found += _quadrilaterals(np.asarray(edges, np.uint8))
    kept = list[Corners]()
    for _, quad in sorted(found, key=lambda pair: -pair[0]):
        if is_sound(quad, 40) and all(np.abs(quad - other).max() > _SAME_PX for other in kept):
            kept.append(quad)
    return [_field(quad, margin) / scale for quad in kept[:_MOST] for margin in _MARGINS]


def _field(board: Corners, margin: float) -> Corners:
    """Return the field of a board that is `margin` tiles wider on each side."""
    shrunk = (UNIT + margin) * SIZE / (SIZE + 2 * margin)
    return projected(shrunk, to_picture(board))


def _quadrilaterals(edges: Image) -> list[tuple[float, Corners]]:
    """Return (area, corners) of the outlines that have four corners."""
    least, most = (fraction * edges.size for fraction in _AREAS)
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = list[tuple[float, Corners]]()
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not least < area < most:
            continue
        length = cv2.arcLength(hull, True)
        for share in (0.01, 0.02, 0.035):
            rough = np.asarray(cv2.approxPolyDP(hull, share * length, True), np.float64).reshape(-1, 2)
            if len(rough) == 4:
                if cv2.contourArea(rough.astype(np.float32)) > _MIN_FILLED * area:
                    found.append((area, clockwise(rough)))
                break
    return found
