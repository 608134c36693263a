"""Colour model of one hand's skin. A held piece is surrounded by skin; a print on the table is not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from vision.cameras.frame import Image
from vision.colour import Colours, of_light
from vision.detector import CLOSE_PX_PER_MM
from vision.kind_colours import KindColours, model_in_same_light, outside_boxes
from vision.readings import Box

_PALM_RADIUS_PX = 25.0 * CLOSE_PX_PER_MM
"""Radius around the centre of a hand that contains little but skin and pieces, px of the crop."""
_SAMPLE_STEP = 7
"""Sampling step over the palm's pixels."""
_MIN_SAMPLES = 60
"""Minimum number of sampled pixels for a skin model."""
_OUTLIER_PERCENT = 2.0
"""Percentile of the samples' log density that sets the threshold of skin."""
_DENSITY_MARGIN = 0.5
"""Margin of the threshold below that percentile, nats."""
_RIM_PX = 8.0
"""Width of the rim around a box, px of the crop."""
_MIN_RIM_PIXELS = 12
"""Minimum number of visible pixels of a rim to measure its skin share."""


@dataclass(frozen=True, slots=True)
class Skin:
    """Colour model of one hand's skin."""

    colours: KindColours
    """Colour model."""
    least: float
    """Minimum log density of a skin pixel."""

    def rim_shares(self, crop: Colours, boxes: Sequence[Box], others: Sequence[Sequence[Box]]) -> list[float]:
        """Return the share (0..1) of skin pixels in the rim around each box; 1 if too little of the rim is visible.

        crop: colours of the hand's crop, (height, width, 3). boxes: px of the crop. others: for each box, the boxes
        whose pixels are left out of its rim.
        """
        rims = [_rim(crop, box, hidden) for box, hidden in zip(boxes, others, strict=True)]
        # The rims are small and many: evaluate all at once.
        skin = self.colours.log_density(np.concatenate([np.zeros((0, 3), np.float32), *rims])) > self.least
        parts = np.split(skin, np.cumsum([len(rim) for rim in rims]))
        return [float(part.mean()) if len(part) > _MIN_RIM_PIXELS else 1.0 for part in parts[: len(rims)]]


def _rim(crop: Colours, box: Box, others: Sequence[Box]) -> Colours:
    """Return the colours (n, 3) of the elliptical rim around a box, without pixels in the boxes `others`."""
    x, y, width, height = box
    middle_x, middle_y = x + width / 2, y + height / 2
    far_x, far_y = width / 2 + _RIM_PX, height / 2 + _RIM_PX
    top, left = max(0, int(middle_y - far_y)), max(0, int(middle_x - far_x))
    window = crop[top : int(middle_y + far_y) + 2, left : int(middle_x + far_x) + 2]
    rows, columns = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
    off_x, off_y = np.abs(columns - middle_x), np.abs(rows - middle_y)
    rim = ((off_x / far_x) ** 2 + (off_y / far_y) ** 2 <= 1.0) & ((off_x > width / 2) | (off_y > height / 2))
    for other_x, other_y, other_width, other_height in others:
        first, last = max(0, math.ceil(other_y) - top), math.floor(other_y + other_height) - top
        start, end = max(0, math.ceil(other_x) - left), math.floor(other_x + other_width) - left
        rim[first : max(0, last + 1), start : max(0, end + 1)] = False
    return np.asarray(window[rim], np.float32)


def learn_skin(
    crop: Image, light: NDArray[np.float64], middle: tuple[float, float], boxes: Sequence[Box]
) -> Skin | None:
    """Fit a skin model to the palm's pixels outside the boxes of pieces; None if too few are visible.

    crop: BGR. light: gains (b, g, r) to the light of enrolment. middle: centre of the hand, px of the crop. boxes:
    px of the crop.
    """
    x, y = middle
    # A window around the palm: the whole crop takes ten times as long.
    top, left = (max(0, int(at - _PALM_RADIUS_PX)) for at in (y, x))
    window = crop[top : max(0, int(y + _PALM_RADIUS_PX) + 2), left : max(0, int(x + _PALM_RADIUS_PX) + 2)]
    rows, columns = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
    near = (columns - x) ** 2 + (rows - y) ** 2 < _PALM_RADIUS_PX**2
    free = outside_boxes(crop, boxes)[top : top + window.shape[0], left : left + window.shape[1]]
    chosen = window[free & near][::_SAMPLE_STEP]
    if len(chosen) < _MIN_SAMPLES:
        return None
    seen = linear(chosen[None])[0] * light.astype(np.float32)
    colours = model_in_same_light(seen)
    return Skin(
        colours, float(np.percentile(colours.log_density(of_light(seen)), _OUTLIER_PERCENT)) - _DENSITY_MARGIN
    )
