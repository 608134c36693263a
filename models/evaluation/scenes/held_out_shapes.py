"""Random shapes and prints of pieces for evaluation, generated differently from those of training."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.wicked.components import PLAYER_COLOURS
from vision.cameras.frame import Image
from vision.cameras.simulated.array_types import Floats, as_floats
from vision.games.wicked.simulated_piece_shapes import solid

Outline = tuple[tuple[float, float], ...]

_SIMPLE_OUTLINES: tuple[Outline, ...] = (
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),  # cube
    ((-1, -1), (1, -1), (1, 0.2), (0, 1), (-1, 0.2)),  # house
    ((-0.3, -1), (0.3, -1), (0.3, -0.4), (1, -0.4), (0, 1), (-1, -0.4), (-0.3, -0.4)),  # tree
    ((-1, -0.6), (-0.6, -1), (0.6, -1), (1, -0.6), (0.5, -0.5), (0.2, 1), (0, -0.4), (-0.7, 0.2),
     (-0.6, -0.5)),  # ship
    ((-0.9, -1), (-0.15, -1), (0, -0.6), (0.15, -1), (0.9, -1), (0.45, -0.1), (1, 0.05), (1, 0.35), (0.35, 0.45),
     (0.3, 0.9), (0, 1), (-0.3, 0.9), (-0.35, 0.45), (-1, 0.35), (-1, 0.05), (-0.45, -0.1)),  # little man
    ((-1, -0.3), (-0.7, -0.7), (0.5, -0.6), (1, -1), (0.85, 0), (1, 1), (0.5, 0.6), (-0.7, 0.5)),  # fish
)  # fmt: skip # a table of outlines
"""Outlines of simple figures; x and y in -1..1."""
_PRINT_PX = 72
"""Side of a printed face, px."""


def silhouette(rng: np.random.Generator, across_mm: float) -> Outline:
    """Return the random outline of a piece: a distorted animal of the stand-in set, or a distorted simple shape.

    across_mm: longer side of its bounding box. Points are in mm from the middle of that box.
    """
    if rng.random() < 0.5:
        animal = str(rng.choice(PLAYER_COLOURS))
        points = as_floats(solid(f"search:{animal}").outline)
    else:
        points = _with_cut_corners(as_floats(_SIMPLE_OUTLINES[int(rng.integers(len(_SIMPLE_OUTLINES)))]))
    return _scaled(_distorted(points / float(np.abs(points).max()), rng), across_mm)


def print_of(rng: np.random.Generator) -> Image:
    """Return a random printed face of a disc (BGRA): a mark on a background of another colour."""
    size = _PRINT_PX
    face = np.zeros((size, size, 4), np.uint8)
    ground = rng.integers(30, 240, 3)
    mark = (ground.astype(int) + 128 + rng.integers(-40, 41, 3)) % 256
    face[:] = (*(int(v) for v in ground), 255)
    ink = (*(float(v) for v in mark), 255.0)
    chance = rng.random()
    middle = (size // 2, size // 2)
    if chance < 0.4:
        cv2.circle(face, middle, round(size * float(rng.uniform(0.18, 0.34))), ink, int(rng.choice([-1, 6])))
    elif chance < 0.7:
        points = np.round(as_floats(silhouette(rng, size * 0.6)) * (1, -1) + size / 2).astype(np.int32)
        cv2.fillPoly(face, [points], ink, cv2.LINE_AA)
    else:
        cv2.putText(
            face,
            str(rng.choice(list("AMSWX8"))),
            (size // 4, size * 3 // 4),
            cv2.FONT_HERSHEY_DUPLEX,
            size / 34,
            ink,
            4,
            cv2.LINE_AA,
        )
    return face


def _with_cut_corners(points: Floats) -> Floats:
    """Return a polygon (N, 2) with every corner cut off: (2 N, 2)."""
    following = np.roll(points, -1, axis=0)
    cut = np.stack([0.85 * points + 0.15 * following, 0.15 * points + 0.85 * following], axis=1)
    return as_floats(cut.reshape(-1, 2))


def _distorted(points: Floats, rng: np.random.Generator) -> Floats:
    """Return a polygon distorted at random: wider at one end, sheared, stretched, and perhaps mirrored."""
    x, y = points.T
    wide, lean = 1 + float(rng.normal(0, 0.14)) * y, float(rng.normal(0, 0.15))
    mirrored = 1.0 if rng.random() < 0.5 else -1.0
    return as_floats(np.c_[mirrored * x * wide + lean * y, y * float(rng.uniform(0.8, 1.15))])


def _scaled(points: Floats, across_mm: float) -> Outline:
    """Return a polygon scaled until its bounding box's longer side is `across_mm`, and centred."""
    low, high = points.min(axis=0), points.max(axis=0)
    scaled = (points - (low + high) / 2) * (across_mm / float((high - low).max()))
    return tuple((float(x), float(y)) for x, y in scaled)
