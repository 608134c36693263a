"""Quadrilaterals of areas whose colours are rare along the picture's rim: a board on any table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.field.colour_histograms import colour_bins, histogram
from vision.games.master.field.quadrilaterals.outline_fitting import area_quads
from vision.games.master.field.rectification import Corners

_LONG_SIDE: Final = 320
"""Longer side of the scaled picture, px."""
_RIM: Final = 0.1
"""Width of the rim, as a fraction of the picture's width or height."""
_BLURS: Final = (2.0, 4.0)
"""Standard deviations of the blurs of the map of contrast to the rim, px of the scaled picture."""
_THRESHOLDS: Final = (0.35, 0.5, 0.65)
"""Thresholds of that map, 0..1: how much more frequent a colour is inside than along the rim."""
_MOST: Final = 3
"""Maximum number of areas for each blur and threshold."""


def border_contrast_quads(image: Image) -> list[Corners]:
    """Return quadrilaterals around areas whose colours are rare along a BGR picture's border: px, clockwise."""
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    bins = colour_bins(np.asarray(small, np.uint8))
    high, wide = (round(_RIM * side) for side in bins.shape)
    rim = np.ones(bins.shape, bool)
    rim[high:-high, wide:-wide] = False
    outer, inner = histogram(bins[rim]), histogram(bins[~rim])
    foreign = (inner / (inner + outer)).reshape(-1)[bins].astype(np.float32)
    found = list[Corners]()
    for blur in _BLURS:
        soft = cv2.GaussianBlur(foreign, (0, 0), blur)
        for threshold in _THRESHOLDS:
            mask = (soft > threshold).astype(np.uint8)
            found += [quad / scale for quad in area_quads(mask, _MOST)]
    return found
