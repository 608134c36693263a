"""What one hand's own skin looks like, learned from the hand itself."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reveal.colour import Colours
from vision.reveal.foreground import Layer, Mask
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM

_WRIST_MM = 55.0
"""From the middle of the palm to where a sleeve may begin."""
_LEAST_SPREAD = np.array([0.10, 0.035, 0.028], np.float32)
"""Noise and the mottling of any skin, in units of Colours."""
_SHADE_SPREAD = (0.11, 0.20)
"""How far creases and edges move skin along its own line of shades, natural logarithm."""
_SURROUNDINGS_MM = 36.0


@dataclass(frozen=True, slots=True)
class Skin:
    """One hand's skin: mean colour, its slope of hue over intensity, spread, and its intensity around each pixel.

    level: (height, width), the skin's own light and shade without what lies on it.
    """

    mean: Colours
    slope: Colours
    spread: Colours
    level: Layer

    def log_density(self, colours: Colours, level: Layer) -> Layer:
        """Logarithm of how densely skin fills colour space there; colours (n, 3) and their levels (n) give (n)."""
        bounded = np.clip(colours[:, 0] - self.mean[0], -0.9, 0.5)
        across = colours[:, 1:] - self.mean[1:] - bounded[:, None] * self.slope
        distance = ((colours[:, 0] - level) / self.spread[0]) ** 2 + ((across / self.spread[1:]) ** 2).sum(axis=1)
        return np.asarray(-0.5 * distance + self.heart, np.float32)

    @property
    def heart(self) -> float:
        """The log density at the heart of the skin's colour."""
        return float(-np.log(self.spread).sum() - 2.757)


def learn_skin(colours: Colours, mask: Mask) -> Skin | None:
    """Learn a hand's skin from its patch, colours (height, width, 3); None where too little of it is seen.

    Pieces may cover much of the palm, so fingers count too, and what is far from the median is left out.
    """
    inside = cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0
    inside[round(PATCH_PALM[1] + _WRIST_MM * PATCH_PX_PER_MM) :] = False
    pixels = colours[inside][::6]
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
    level = _level(colours, mask, np.asarray(mean, np.float64), slope, np.asarray(spread, np.float64))
    light = colours[..., 0][inside] - level[inside]
    spread[0] = np.clip(1.3 * 1.4826 * np.median(np.abs(light)), *_SHADE_SPREAD)
    return Skin(mean.astype(np.float32), slope.astype(np.float32), spread.astype(np.float32), level)


def _level(
    colours: Colours, mask: Mask, mean: NDArray[np.float64], slope: Colours, spread: NDArray[np.float64]
) -> Layer:
    """Smooth the intensity of what is surely skin; where there is little of it, the mean counts."""
    off = colours[..., 0] - np.float32(mean[0])
    across = colours[..., 1:] - mean[1:].astype(np.float32) - off[..., None] * slope.astype(np.float32)
    sure = (np.abs(off) < 2.0 * spread[0]) & (np.abs(across) < 2.0 * spread[1:]).all(axis=2) & (mask > 0)
    weight = sure.astype(np.float32)
    size = round(_SURROUNDINGS_MM * PATCH_PX_PER_MM) | 1
    # Twice a box is nearly a bell: no edges in the level.
    total = cv2.blur(cv2.blur(np.where(sure, off, 0.0).astype(np.float32), (size, size)), (size // 2, size // 2))
    share = cv2.blur(cv2.blur(weight, (size, size)), (size // 2, size // 2))
    return np.asarray(total / (share + 0.03) + np.float32(mean[0]), np.float32)
