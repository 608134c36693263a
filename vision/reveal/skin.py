"""Whether what was found lies on the hand: round a held piece there is skin, round a card's gem there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from vision.cameras.frame import Image
from vision.detector import CLOSE_PX_PER_MM
from vision.readings import Box
from vision.reveal.colour import Colours, of_light
from vision.reveal.kinds import KindColours, free_of, under_own_shades

_PALM_PX = 25.0 * CLOSE_PX_PER_MM
"""So far round the middle of a hand there is hardly anything but skin and what lies on it."""
_EVERY, _FEWEST = 7, 60
"""Every so many pixels of it are learned from; fewer than the second are not enough."""
_ODD_PERCENT, _SLACK = 2.0, 0.5
"""What is as likely as all but so many of them is skin, and a little less likely, too (log)."""
_ROUND_PX, _FEW_ROUND = 8.0, 12
"""How wide the rim round a box is, and how many pixels of it have to be seen to say anything."""


@dataclass(frozen=True, slots=True)
class Skin:
    """What one hand's skin looks like in its crop, and how likely (log density) it is at least."""

    colours: KindColours
    least: float

    def round_about(self, crop: Colours, boxes: Sequence[Box], others: Sequence[Sequence[Box]]) -> list[float]:
        """Give how much (0..1) of the rim of each box in a crop is skin; what lies in its `others` is left out.

        1 where too little of a rim is in sight.
        """
        rims = [_rim(crop, box, hidden) for box, hidden in zip(boxes, others, strict=True)]
        # All rims at once: they are small, and there are many.
        skin = self.colours.log_density(np.concatenate([np.zeros((0, 3), np.float32), *rims])) > self.least
        parts = np.split(skin, np.cumsum([len(rim) for rim in rims]))
        return [float(part.mean()) if len(part) > _FEW_ROUND else 1.0 for part in parts[: len(rims)]]


def _rim(crop: Colours, box: Box, others: Sequence[Box]) -> Colours:
    """Give what is seen round a box and not in others, (n, 3)."""
    x, y, width, height = box
    middle_x, middle_y = x + width / 2, y + height / 2
    far_x, far_y = width / 2 + _ROUND_PX, height / 2 + _ROUND_PX
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
    """Learn a hand's skin from what lies round its middle (px of the crop), beside these boxes.

    None where next to nothing of it is in sight.
    """
    x, y = middle
    # Learned from a window: all of the crop would take ten times as long.
    top, left = (max(0, int(at - _PALM_PX)) for at in (y, x))
    window = crop[top : max(0, int(y + _PALM_PX) + 2), left : max(0, int(x + _PALM_PX) + 2)]
    rows, columns = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
    near = (columns - x) ** 2 + (rows - y) ** 2 < _PALM_PX**2
    free = free_of(crop, boxes)[top : top + window.shape[0], left : left + window.shape[1]]
    chosen = window[free & near][::_EVERY]
    if len(chosen) < _FEWEST:
        return None
    seen = linear(chosen[None])[0] * light.astype(np.float32)
    colours = under_own_shades(seen)
    return Skin(colours, float(np.percentile(colours.log_density(of_light(seen)), _ODD_PERCENT)) - _SLACK)
