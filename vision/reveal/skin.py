"""What one hand's own skin looks like, learned from the hand itself."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

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
_STEP = 3


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
        distance = ((colours[:, 0] - level) / self.spread[0]) ** 2
        for k in (1, 2):
            across = colours[:, k] - self.mean[k] - bounded * self.slope[k - 1]
            distance += (across / self.spread[k]) ** 2
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
        off, one, other = _off(pixels, mean, slope)
        near = (np.abs(off) < 2.2 * spread[0]) & (np.abs(one) < 2.5 * spread[1]) & (np.abs(other) < 2.5 * spread[2])
        if near.sum() < 150:
            break
        kept = pixels[near]
        mean = kept.mean(axis=0)
        light = kept[:, 0] - mean[0]
        slope = np.clip(light @ (kept[:, 1:] - mean[1:]) / (light @ light + 0.004 * len(kept)), -0.4, 0.4)
        # What was cut off made the rest look narrower than skin is.
        spread = np.maximum(1.2 * np.array([each.std() for each in _off(kept, mean, slope)]), _LEAST_SPREAD)
    level = _level(colours, mask, mean, slope, spread)
    light = (colours[..., 0] - level)[inside]
    spread[0] = np.clip(1.3 * 1.4826 * np.median(np.abs(light)), *_SHADE_SPREAD)
    return Skin(mean.astype(np.float32), slope.astype(np.float32), spread.astype(np.float32), level)


def _off(colours: Colours, mean: Colours, slope: Colours) -> tuple[Layer, Layer, Layer]:
    """How far colours (..., 3) are from skin: in intensity, and across its line of shades."""
    off = colours[..., 0] - mean[0]
    return off, colours[..., 1] - mean[1] - off * slope[0], colours[..., 2] - mean[2] - off * slope[1]


def _level(colours: Colours, mask: Mask, mean: Colours, slope: Colours, spread: Colours) -> Layer:
    """Smooth the intensity of what is surely skin; where there is little of it, the mean counts."""
    coarse = np.asarray(colours[::_STEP, ::_STEP], np.float32)
    off, one, other = _off(coarse, mean.astype(np.float32), slope.astype(np.float32))
    bound = 2.0 * spread.astype(np.float32)
    sure = (np.abs(off) < bound[0]) & (np.abs(one) < bound[1]) & (np.abs(other) < bound[2])
    sure &= mask[::_STEP, ::_STEP] > 0
    size = round(_SURROUNDINGS_MM * PATCH_PX_PER_MM / _STEP) | 1
    # Twice a box is nearly a bell: no edges in the level.
    total, share = (
        cv2.blur(cv2.blur(layer, (size, size)), (size // 2, size // 2))
        for layer in (np.where(sure, off, np.float32(0)), sure.astype(np.float32))
    )
    level = total / (share + 0.03) + np.float32(mean[0])
    return np.asarray(cv2.resize(level, mask.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
