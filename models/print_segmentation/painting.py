"""Illustrated grounds: fields, woods and hills with painted light and shadow."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.arrays import Floats, Image

Layer = NDArray[np.float32]


def noise(rng: np.random.Generator, side: int, decay: float, cells: Iterable[tuple[int, int]]) -> Layer:
    """Return fractal noise, (side, side). decay: factor per octave. cells: rows and columns of each octave."""
    whole = np.zeros((side, side), np.float32)
    for octave, size in enumerate(cells):
        rough = rng.standard_normal(size).astype(np.float32)
        whole += cv2.resize(rough, (side, side), interpolation=cv2.INTER_CUBIC) * decay**octave
    return whole


def clouds(rng: np.random.Generator, side: int, coarsest: float, decay: float, octaves: int) -> Layer:
    """Return fractal noise, (side, side), with mean 0 and deviation 1. coarsest: size of its largest spots, px."""
    stretch = float(np.exp(rng.normal(0, 0.5)))
    even = [side / coarsest * 2**octave for octave in range(octaves)]
    rows, columns = ([max(2, min(side, round(of * by))) for of in even] for by in (stretch, 1 / stretch))
    whole = noise(rng, side, decay, zip(rows, columns, strict=True))
    return np.asarray((whole - whole.mean()) / (whole.std() + 1e-6), np.float32)


def painting(rng: np.random.Generator, side: int) -> Image:
    """Draw a square (BGR) of a random landscape: one or two colours on a shaded relief, with strokes or tufts."""
    height = _flowing(rng, clouds(rng, side, float(rng.uniform(40, 200)), float(rng.uniform(0.5, 0.85)), 6))
    turn = float(rng.uniform(0, 2 * np.pi))
    across, down = (
        np.asarray(cv2.Sobel(height, cv2.CV_32F, *way, scale=0.125), np.float32) for way in ((1, 0), (0, 1))
    )
    relief = np.cos(turn) * across + np.sin(turn) * down
    relief = np.clip(relief / (relief.std() + 1e-6), -2.5, 2.5)
    fine = clouds(rng, side, float(rng.uniform(3, 9)), 0.6, 2)
    level = height * float(rng.uniform(0.0, 0.8)) + relief * float(rng.uniform(0.1, 0.8))
    level = level + fine * float(rng.uniform(0.05, 0.5))
    palette = _ramp(rng)
    art = shaded(palette, np.asarray(level.astype(np.float32) * float(rng.uniform(0.1, 0.24)) + 0.5, np.float32))
    for what in (_strokes, _tufts, _rows):
        if rng.random() < 0.35:
            what(rng, art, across, down)
    return art


def _flowing(rng: np.random.Generator, noise: Layer) -> Layer:
    """Return noise displaced by other noise, as in grass and rock; sometimes with ridges."""
    side = len(noise)
    y, x = np.indices(noise.shape, np.float32)
    bent = float(rng.uniform(0, 25))
    by = [clouds(rng, side, float(rng.uniform(50, 250)), 0.5, 3) * bent for _ in range(2)]
    moved = cv2.remap(noise, x + by[0], y + by[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if rng.random() < 0.3:
        moved = 1 - 2 * np.abs(moved)
    return np.asarray(moved, np.float32)


def _ramp(rng: np.random.Generator) -> Layer:
    """Draw a random palette from dark to light, (shades, 3) BGR: mostly one colour with a slight hue shift."""
    shades = int(rng.integers(3, 7))
    hue, saturation = float(rng.uniform(0, 180)), float(rng.uniform(20, 235))
    hues = hue + np.linspace(0, float(rng.normal(0, 14)), shades) + rng.normal(0, 4, shades)
    if rng.random() < 0.25:
        hues[int(rng.integers(shades))] += float(rng.uniform(30, 150))
    dark, light = float(rng.uniform(15, 110)), float(rng.uniform(110, 255))
    values = np.linspace(dark, light, shades) + rng.normal(0, 10, shades)
    strong = saturation * np.linspace(1.1, float(rng.uniform(0.4, 1.1)), shades)
    hsv = np.stack([hues % 180, np.clip(strong, 0, 255), np.clip(values, 0, 255)], axis=-1).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv[None], cv2.COLOR_HSV2BGR)[0], np.float32)


def shaded(palette: Layer, level: Layer, stepped: bool = False) -> Image:
    """Map values 0..1 to colours of a palette (shades, 3) BGR. stepped: without interpolation."""
    place = np.clip(level, 0, 1) * (len(palette) - 1)
    low = np.minimum(place.astype(np.int64), len(palette) - 2)
    share = (place - low)[..., None]
    if stepped:
        share = np.round(share)
    return np.asarray(np.clip(palette[low] * (1 - share) + palette[low + 1] * share, 0, 255), np.uint8)


def _lit(rng: np.random.Generator, art: Image, at: Floats, by: float) -> tuple[float, ...]:
    blue, green, red = np.clip(art[int(at[1]), int(at[0])] * by + rng.normal(0, 8, 3), 0, 255).tolist()
    return blue, green, red


def _strokes(rng: np.random.Generator, art: Image, across: Layer, down: Layer) -> None:
    """Draw short strokes along or across the relief, lighter and darker than their background."""
    side, turn = len(art), float(rng.uniform(0, np.pi))
    long, wide = float(rng.uniform(3, 14)), int(rng.integers(1, 3))
    for _ in range(int(np.exp(rng.uniform(5, 7.6)))):
        at = rng.uniform(0, side - 1, 2)
        x, y = at.astype(int)
        way = turn + float(np.arctan2(down[y, x], across[y, x]))
        end = at + long * float(rng.uniform(0.5, 1.5)) * np.array([np.cos(way), np.sin(way)])
        colour = _lit(rng, art, at, float(rng.uniform(0.45, 1.6)))
        cv2.line(art, (x, y), (int(end[0]), int(end[1])), colour, wide, cv2.LINE_AA)


def _tufts(rng: np.random.Generator, art: Image, across: Layer, down: Layer) -> None:
    """Draw trees, bushes and stones: discs with a lit and a shaded side, dense in some places."""
    side, turn = len(art), float(rng.uniform(0, 2 * np.pi))
    lit = np.array([np.cos(turn), np.sin(turn)])
    size, deep = float(rng.uniform(2, 11)), float(rng.uniform(0.1, 0.6))
    crowd = rng.uniform(0, side, (int(rng.integers(3, 40)), 2))
    for _ in range(int(np.exp(rng.uniform(4, 6.8)))):
        at = np.clip(crowd[int(rng.integers(len(crowd)))] + rng.normal(0, side / 14, 2), 0, side - 1)
        own = size * float(rng.uniform(0.5, 1.4))
        base = float(rng.uniform(0.6, 1.2))
        for shift, by in ((-0.5, base * (1 - deep)), (0.0, base), (0.4, base * (1 + deep))):
            x, y = (at + shift * own * lit).tolist()
            radius = max(1, int(own * (1 if shift <= 0 else 0.5)))
            cv2.circle(art, (int(x), int(y)), radius, _lit(rng, art, at, by), -1, cv2.LINE_AA)


def _rows(rng: np.random.Generator, art: Image, across: Layer, down: Layer) -> None:
    """Draw patches of parallel lines, as furrows, sheaves, waves and planks."""
    side = len(art)
    for _ in range(int(rng.integers(5, 60))):
        at, turn = rng.uniform(0, side - 1, 2), float(rng.uniform(0, np.pi))
        along, beside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        long, apart = float(rng.uniform(10, 70)), float(rng.uniform(3, 10))
        by = float(rng.uniform(0.4, 1.5))
        for number in range(int(rng.integers(2, 9))):
            start = at + number * apart * beside + rng.normal(0, 2, 2)
            end = start + long * float(rng.uniform(0.6, 1.1)) * along + rng.normal(0, 2, 2)
            colour = _lit(rng, art, at, by * float(rng.uniform(0.85, 1.15)))
            ends = [(int(x), int(y)) for x, y in (start, end)]
            cv2.line(art, ends[0], ends[1], colour, int(rng.integers(1, max(2, int(apart * 0.6)))), cv2.LINE_AA)
