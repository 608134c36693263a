"""What one hand's own skin looks like, learned from the hand itself."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reveal.colour import Colours
from vision.reveal.foreground import Mask
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM

_PALM_RADIUS_MM = 42.0
_LEAST_SPREAD = np.array([0.10, 0.035, 0.028], np.float32)
"""Noise and the mottling of any skin, in units of Colours."""
_SHADE_SPREAD = (0.13, 0.30)
"""How far light and shade move skin along its own line of shades, natural logarithm."""


@dataclass(frozen=True, slots=True)
class Skin:
    """One hand's skin: mean colour, its slope of hue over intensity, spread across that line."""

    mean: Colours
    slope: Colours
    spread: Colours

    def log_density(self, colours: Colours) -> NDArray[np.float32]:
        """Logarithm of how densely skin of this hand fills colour space there; colours (n, 3) gives (n)."""
        off = colours[:, 0] - self.mean[0]
        bounded = np.clip(off, -0.9, 0.5)
        across = colours[:, 1:] - self.mean[1:] - bounded[:, None] * self.slope
        distance = (off / self.spread[0]) ** 2 + ((across / self.spread[1:]) ** 2).sum(axis=1)
        return np.asarray(-0.5 * distance - np.log(self.spread).sum() - 2.757, np.float32)


def learn_skin(colours: Colours, mask: Mask) -> Skin | None:
    """Learn a hand's skin from its patch, colours (height, width, 3); None where too little of it is seen.

    Pieces may cover up to some two fifths of the palm: what is far from the median is left out again and again.
    """
    seen = cv2.erode(mask, np.ones((5, 5), np.uint8))
    disc = np.zeros_like(mask)
    centre = (round(PATCH_PALM[0]), round(PATCH_PALM[1]))
    cv2.circle(disc, centre, round(_PALM_RADIUS_MM * PATCH_PX_PER_MM), 255, -1)
    pixels = colours[(seen & disc) > 0][::4]
    if len(pixels) < 300:
        return None
    mean = np.median(pixels, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(pixels - mean), axis=0), _LEAST_SPREAD)
    slope = np.zeros(2, np.float32)
    for _ in range(4):
        off = pixels[:, 0] - mean[0]
        across = pixels[:, 1:] - mean[1:] - off[:, None] * slope
        near = (np.abs(off) < 2.2 * spread[0]) & (np.abs(across) < 2.5 * spread[1:]).all(axis=1)
        if near.sum() < 150:
            break
        kept = pixels[near]
        mean = kept.mean(axis=0)
        off = kept[:, 0] - mean[0]
        slope = np.clip((off[:, None] * (kept[:, 1:] - mean[1:])).mean(0) / (np.mean(off**2) + 0.004), -0.4, 0.4)
        across = kept[:, 1:] - mean[1:] - off[:, None] * slope
        # What was cut off made the rest look narrower than skin is.
        spread = np.maximum(1.2 * np.array([off.std(), *across.std(axis=0)]), _LEAST_SPREAD)
    spread[0] = np.clip(1.3 * spread[0], *_SHADE_SPREAD)
    return Skin(mean.astype(np.float32), slope.astype(np.float32), spread.astype(np.float32))
