"""Random colours of table tops and cloths, and functions that colour and shade pictures."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Heights, Image, as_heights, as_image
from vision.cameras.simulated.table_surfaces.parameters import Bgr

MIDDLE = 128
"""Shade (0..255) at which a colour appears unchanged; other shades are brightness factors times this."""


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    """Convert a hue (0..180), saturation and value (0..255) to BGR."""
    one = np.array([[[int(hue) % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]], np.uint8)
    blue, green, red = (int(v) for v in cv2.cvtColor(one, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def paint(rng: np.random.Generator) -> Bgr:
    """Return a random colour of a cloth or lacquer: strong, pastel, white, dark, wooden or grey."""
    share, hue = rng.random(), rng.uniform(0, 180)
    if share < 0.28:
        return hsv(hue, rng.uniform(110, 240), rng.uniform(70, 235))
    if share < 0.46:
        return hsv(hue, rng.uniform(25, 110), rng.uniform(140, 250))
    if share < 0.66:
        return hsv(rng.uniform(10, 32), rng.uniform(0, 45), rng.uniform(190, 250))
    if share < 0.80:
        return hsv(hue, rng.uniform(20, 170), rng.uniform(18, 85))
    if share < 0.90:
        return wood(rng)
    return hsv(hue, rng.uniform(0, 50), rng.uniform(80, 190))


def wood(rng: np.random.Generator) -> Bgr:
    """Return a random colour of wood: from wenge to maple, rarely stained grey or white."""
    if rng.random() < 0.12:
        return hsv(rng.uniform(8, 24), rng.uniform(5, 50), rng.uniform(60, 235))
    return hsv(rng.uniform(7.5, 20), rng.uniform(70, 185), rng.uniform(45, 225))


def stone(rng: np.random.Generator) -> Bgr:
    """Return a random colour of stone: mostly grey, black or white, rarely greenish, reddish or brown."""
    if rng.random() < 0.7:
        return hsv(rng.uniform(0, 180), rng.uniform(0, 25), rng.uniform(35, 225))
    return hsv(rng.uniform(0, 100), rng.uniform(25, 90), rng.uniform(60, 190))


def unlike(rng: np.random.Generator, other: Bgr, least: int = 50) -> Bgr:
    """Return a random colour that differs from another by at least `least` levels in one channel."""
    for _ in range(12):
        drawn = paint(rng)
        if max(abs(a - b) for a, b in zip(drawn, other, strict=True)) >= least:
            return drawn
    blue, green, red = (255 - v for v in other)
    return blue, green, red


class Palette:
    """Colours for drawing a table top: the given ones in order, then random ones."""

    def __init__(self, named: tuple[Bgr, ...]) -> None:
        self._named = list(named)

    def take(self, drawn: Bgr) -> Bgr:
        """Return the next of the given colours, or `drawn`, a random colour, once all given ones are used."""
        return self._named.pop(0) if self._named else drawn


def shades(field: Heights) -> Image:
    """Convert brightness factors (height, width) to 8-bit shades, `MIDDLE` for a factor of 1."""
    return as_image(cv2.convertScaleAbs(field, alpha=MIDDLE))


def coloured(shade: Image, base: Bgr, rng: np.random.Generator, contrast: float = 1.0) -> Image:
    """Return shades as a BGR picture of one colour; darker places also differ slightly in hue at random.

    shade: 8-bit shades, (height, width). base: colour at the shade `MIDDLE`. contrast: factor of the shades'
    contrast.
    """
    levels = np.clip(1 + (np.arange(256) / MIDDLE - 1) * contrast, 0.02, None)
    bends = 1 + rng.normal(0, 0.1, 3)
    curves = np.clip(levels[:, None] ** bends * as_heights(base), 0, 255).astype(np.uint8)
    return as_image(cv2.LUT(cv2.cvtColor(shade, cv2.COLOR_GRAY2BGR), curves[None]))


def shaded(picture: Image, field: Heights) -> Image:
    """Return a picture multiplied by brightness factors (height, width)."""
    return as_image(cv2.multiply(picture, cv2.cvtColor(shades(field), cv2.COLOR_GRAY2BGR), scale=1 / MIDDLE))
