"""Quadrilaterals of closed outlines in the edge image: the outer edge of the board, or the rim of its field."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.field.quadrilaterals.outline_fitting import fitted_quads, is_sound
from vision.games.master.field.rectification import Corners

_LONG_SIDE: Final = 480
"""Longer side of the scaled picture, px."""
_SENSITIVITIES: Final = (0.5, 1.0, 1.8)
"""Thresholds of edges that are tried, as multiples of the 90th percentile of the gradient."""
_AREAS: Final = (0.02, 0.95)
"""Smallest and largest area of a quadrilateral, as a fraction of the picture."""
_MIN_SIDE_PX: Final = 40.0
"""Shortest side of a quadrilateral, px of the scaled picture."""
_SAME_PX: Final = 6.0
"""Largest distance of corresponding corners of two quadrilaterals that count as one, px of the scaled picture."""
_MOST: Final = 16
"""Maximum number of quadrilaterals."""


def outline_quads(image: Image) -> list[Corners]:
    """Return quadrilaterals of closed outlines in a BGR picture: corners in px, clockwise; largest first."""
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
        if is_sound(quad, _MIN_SIDE_PX) and all(np.abs(quad - other).max() > _SAME_PX for other in kept):
            kept.append(quad)
    return [quad / scale for quad in kept[:_MOST]]


def _quadrilaterals(edges: Image) -> list[tuple[float, Corners]]:
    """Return area and corners, in px, of the outlines in an edge image that nearly are quadrilaterals."""
    least, most = (fraction * edges.size for fraction in _AREAS)
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    # The box of an outline is cheaper than its hull, and rules out nearly all.
    boxes = map(cv2.boundingRect, contours)
    wide = [contour for contour, (_, _, w, h) in zip(contours, boxes, strict=True) if w * h > least]
    large = [contour for contour in wide if least < cv2.contourArea(cv2.convexHull(contour)) < most]
    return [
        (float(cv2.contourArea(quad.astype(np.float32))), quad)
        for contour in large
        for quad in fitted_quads(np.asarray(contour))
    ]
