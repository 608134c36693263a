"""A fast test whether the picture may show a second board: large regions beside the first one in its colours."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.field.colour_shares import colour_bins, histogram
from vision.games.master.field.lattice import Corners
from vision.games.master.readings import SIZE

_LONG_SIDE: Final = 160
"""Longer side of the scaled picture, px."""
_AWAY: Final = 1.0
"""Width of the rim round the field that is left out, in tiles."""
_WINDOW: Final = 3.0
"""Side of the window in which colours are counted, in tiles; the spare fills little of it."""
_MIN_HEAT: Final = 0.42
"""Least mean share of the field's colours in the window.

At most 0.32 beside a single board, 0.59 to 0.95 on a second one, in rendered pictures of looks that are not held
out.
"""


def may_show_another(image: Image, field: Corners) -> bool:
    """Return whether a second board may lie beside a field."""
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    bins = colour_bins(np.asarray(small, np.uint8))
    drawn = np.zeros(bins.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(field * scale).astype(np.int32), 1.0)
    inside = drawn > 0
    if not inside.any() or inside.all():
        return False
    tile = float(np.sqrt(inside.sum())) / SIZE
    near = cv2.dilate(drawn, np.ones((3, 3), np.uint8), iterations=max(1, round(_AWAY * tile))) > 0
    field_share, other_share = histogram(bins[inside]), histogram(bins[~inside])
    likely = (field_share / (field_share + other_share)).reshape(-1)[bins] * ~near
    window = (max(1, round(_WINDOW * tile)),) * 2
    heat = cv2.blur(likely.astype(np.float32), window, borderType=cv2.BORDER_CONSTANT)
    return float(heat.max()) > _MIN_HEAT
