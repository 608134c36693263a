"""Random textures: what walls, paths, boards and tables of unknown printings may look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.float32]
"""Grey values, mean about 0, standard deviation about 1; shape (SIDE, SIDE)."""
Colour = NDArray[np.float32]
"""BGR, 0..1."""
SIDE: Final = 640
"""Side of a texture, px."""


def noise(rng: np.random.Generator) -> Texture:
    """Return cloudy noise of one to four octaves."""
    coarse = int(2 ** rng.uniform(1, 7))
    total = np.zeros((SIDE, SIDE), np.float32)
    for octave in range(rng.integers(1, 5)):
        cells = min(SIDE, coarse * 2**octave)
        grid = rng.standard_normal((cells, cells)).astype(np.float32)
        total += 0.6**octave * cv2.resize(grid, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    return total


def heap(rng: np.random.Generator) -> Texture:
    """Return overlapping shapes, each in one grey and sometimes outlined, like leaves or rubble."""
    total = np.zeros((SIDE, SIDE), np.float32)
    size, lines = 2 ** rng.uniform(2, 5), rng.random() < 0.5
    shape, long = rng.integers(3), rng.uniform(1, 4)
    count = int(min(6000, 1.5 * (SIDE / size) ** 2))
    where = rng.uniform(0, SIDE, (count, 2)).astype(int)
    grey, turn = rng.normal(0, 1, count), rng.uniform(0, 180, count)
    for (x, y), value, angle in zip(where.tolist(), grey.tolist(), turn.tolist(), strict=True):
        half = size * rng.uniform(0.5, 1.2) / 2
        if shape == 0:
            axes = (int(half * long) + 1, int(half) + 1)
            cv2.ellipse(total, (x, y), axes, angle, 0, 360, value, -1)
            if lines:
                cv2.ellipse(total, (x, y), axes, angle, 0, 360, -1.5, 1)
        else:
            sides = 4 if shape == 1 else int(rng.integers(3, 8))
            at = np.radians(angle + 360 * np.arange(sides) / sides)
            points = np.c_[x + half * long * np.cos(at), y + half * np.sin(at)].astype(np.int32)
            cv2.fillConvexPoly(total, points, value)
            if lines:
                cv2.polylines(total, [points], True, -1.5, 1)
    return total


def bricks(rng: np.random.Generator) -> Texture:
    """Return bricks, cobbles or planks in bond with joints."""
    wide, high = int(rng.integers(10, 70)), int(rng.integers(5, 30))
    joint, shift = int(rng.integers(1, 4)), rng.choice([0, 0.5, 0.33])
    total = np.full((SIDE, SIDE), rng.choice([-2.0, 2.0]), np.float32)
    for row, y in enumerate(range(0, SIDE, high)):
        for x in range(-int(wide * shift) * (row % 2), SIDE, wide):
            value = float(rng.normal(0, 0.6))
            cv2.rectangle(total, (x + joint, y + joint), (x + wide - 1, y + high - 1), value, -1)
    if rng.random() < 0.5:
        total = np.ascontiguousarray(total.T)
    return total + 0.3 * noise(rng)


def cells(rng: np.random.Generator) -> Texture:
    """Return irregular stones with joints (Voronoi cells)."""
    count = int(2 ** rng.uniform(6, 10))
    small = SIDE // 2
    seeds = np.ones((small, small), np.uint8)
    seeds[tuple(rng.integers(0, small, (2, count)))] = 0
    distance, label = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    values = rng.normal(0, 0.7, count + 2).astype(np.float32)
    grey = values[np.minimum(label, count + 1)]
    rounded = distance / max(1e-3, float(distance.mean()))
    grey -= rng.uniform(0, 1) * rounded.astype(np.float32)
    return np.asarray(cv2.resize(grey, (SIDE, SIDE)), np.float32)


def strokes(rng: np.random.Generator) -> Texture:
    """Return many short strokes in similar directions, like grass, wood grain or hatching."""
    total = np.zeros((SIDE, SIDE), np.float32)
    length, main, spread = rng.uniform(4, 120), rng.uniform(0, np.pi), rng.choice([0.05, 0.4, 3.0])
    for _ in range(int(np.clip(90000 / length, 800, 5000))):
        x, y = rng.uniform(0, SIDE, 2)
        angle = main + rng.normal(0, spread)
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        cv2.line(total, (int(x), int(y)), end, float(rng.normal(0, 1.5)), int(rng.integers(1, 4)))
    return total


def flat(rng: np.random.Generator) -> Texture:
    """Return faint noise, like paint or print of one colour."""
    return 0.15 * rng.standard_normal((SIDE, SIDE)).astype(np.float32)


_KINDS: Final[tuple[Callable[[np.random.Generator], Texture], ...]] = (noise, heap, bricks, cells, strokes, flat)


def random_texture(rng: np.random.Generator) -> Texture:
    """Return a random texture of one or two kinds, normalised to mean 0 and standard deviation 1 at most."""
    found = _KINDS[rng.integers(len(_KINDS))](rng)
    if rng.random() < 0.25:
        found = found + _KINDS[rng.integers(len(_KINDS))](rng)
    deviation = float(found.std())
    return np.asarray((found - found.mean()) / max(deviation, 0.15), np.float32)


def random_colour(rng: np.random.Generator) -> Colour:
    """Return a random colour; greys, browns and greens are most frequent."""
    kind = rng.random()
    if kind < 0.35:
        hsv = (rng.uniform(0, 180), rng.uniform(0, 60), rng.uniform(20, 250))
    elif kind < 0.65:
        hsv = (rng.uniform(5, 28), rng.uniform(30, 200), rng.uniform(30, 245))
    elif kind < 0.8:
        hsv = (rng.uniform(32, 85), rng.uniform(40, 230), rng.uniform(20, 220))
    else:
        hsv = (rng.uniform(0, 180), rng.uniform(30, 240), rng.uniform(20, 250))
    pixel = np.array([[hsv]], np.float32).astype(np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255, np.float32)


def coloured_texture(pattern: Texture, rng: np.random.Generator, base: Colour) -> NDArray[np.float32]:
    """Return a texture in colours around a base colour, with random contrast. Shape (SIDE, SIDE, 3), BGR, 0..1.

    pattern: grey texture.
    """
    strength = float(rng.choice([0.03, 0.08, 0.15, 0.25]) * rng.uniform(0.6, 1.3))
    tint = 1 + 0.4 * rng.normal(0, 1, 3).astype(np.float32) * rng.random()
    painted = base + strength * pattern[..., None] * tint * (0.3 + base.mean())
    return np.asarray(np.clip(painted, 0, 1), np.float32)


class TextureBank:
    """Textures that are drawn once and used again in random crops, rotations and colours."""

    def __init__(self, seed: int, count: int) -> None:
        """Draw `count` random textures."""
        rng = np.random.default_rng([seed, 77])
        self._textures = [random_texture(rng) for _ in range(count)]

    def painted(self, rng: np.random.Generator, side: int, base: Colour | None = None) -> NDArray[np.float32]:
        """Return a random part of a random texture in colour. Shape (side, side, 3), BGR, 0..1.

        side: px. base: main colour; None: a random one.
        """
        pattern = np.rot90(self._textures[rng.integers(len(self._textures))], int(rng.integers(4)))
        zoom = float(2 ** rng.uniform(-1, 1))
        taken = int(np.clip(side / zoom, 32, SIDE))
        x, y = rng.integers(0, SIDE - taken + 1, 2)
        crop = np.ascontiguousarray(pattern[y : y + taken, x : x + taken])
        method = cv2.INTER_AREA if taken > side else cv2.INTER_LINEAR
        crop = np.asarray(cv2.resize(crop, (side, side), interpolation=method), np.float32)
        return coloured_texture(crop, rng, random_colour(rng) if base is None else base)
