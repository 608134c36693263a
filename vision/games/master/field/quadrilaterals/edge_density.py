"""Quadrilaterals of areas with dense edges: a maze has many, a table of the same colours has few."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.field.quadrilaterals.outline_fitting import area_quads
from vision.games.master.field.rectification import Corners

_LONG_SIDE: Final = 320
"""Longer side of the scaled picture, px."""
_BLURS: Final = (4.0, 8.0)
"""Blurs of the map of edges, px: about the width of a path and of a tile."""
_BUSIEST: Final = (70.0, 80.0, 87.0)
"""Percentiles of the edge map that are tried as the threshold of a dense area."""
_STRONGEST: Final = 98.0
"""Percentile at which gradients are clipped, so that glare does not outweigh paths."""
_MOST: Final = 2
"""Maximum number of areas for each blur and threshold."""


def edge_density_quads(image: Image) -> list[Corners]:
    """Return quadrilaterals of the areas with the densest edges in a BGR picture: corners in px, clockwise."""
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    # Logarithms: edges in the shade count as much as those in the light.
    light = np.log(cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float32) + 8.0)
    across, down = (cv2.Sobel(light, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    gradient = np.sqrt(across**2 + down**2).max(axis=2)
    gradient = np.minimum(gradient, np.float32(np.percentile(gradient, _STRONGEST)))
    found = list[Corners]()
    for blur in _BLURS:
        soft = cv2.GaussianBlur(gradient, (0, 0), blur)
        for threshold in np.percentile(soft, _BUSIEST):
            mask = (soft > threshold).astype(np.uint8)
            found += [quad / scale for quad in area_quads(mask, _MOST)]
    return found
