"""Random table tops: plain, textured, or with regular patterns such as checks, stripes and ornaments."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_sides.random_textures import TextureBank, random_colour

Picture = NDArray[np.float32]
"""BGR, 0..1, shape (height, width, 3)."""
_SIDE: Final = 512
"""Side of a pattern, which is repeated over the table, px."""


def random_table_top(
    bank: TextureBank, rng: np.random.Generator, size: tuple[int, int], camera: NDArray[np.float64]
) -> Picture:
    """Return a picture of a random table top, as a camera shows it.

    size: width and height, px. camera: homography from the table, where half the side of the field is 1, to px.
    """
    kind = rng.random()
    width, height = size
    if kind < 0.2:
        return np.broadcast_to(random_colour(rng), (height, width, 3)).copy()
    if kind < 0.45:
        return np.ascontiguousarray(bank.painted(rng, width)[:height])
    flat = bank.painted(rng, _SIDE) if kind < 0.55 else _regular_pattern(bank, rng)
    reach = rng.uniform(1.5, 6)  # width of one repeat of the picture, in half fields
    angle = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(angle) * reach / _SIDE, np.sin(angle) * reach / _SIDE
    placed = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    shown = cv2.warpPerspective(flat, camera @ placed, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.asarray(shown, np.float32)


def _regular_pattern(bank: TextureBank, rng: np.random.Generator) -> Picture:
    """Return a random regular pattern that can be repeated. Shape (_SIDE, _SIDE, 3), BGR, 0..1."""
    repeats = int(rng.choice([2, 4, 8, 16]))
    side = _SIDE // repeats
    motif = np.broadcast_to(random_colour(rng), (side, side, 3)).copy()
    kind = rng.integers(4)
    if kind == 0:  # checks
        half = side // 2
        motif[:half, half:] = motif[half:, :half] = random_colour(rng)
    elif kind == 1:  # stripes and plaid
        for _ in range(rng.integers(1, 4)):
            start, width = rng.uniform(0, 0.8), rng.uniform(0.05, 0.5)
            stripe = np.s_[int(start * side) : int((start + width) * side) + 1]
            tint, share = random_colour(rng), rng.uniform(0.4, 1)
            motif[stripe] = (1 - share) * motif[stripe] + share * tint
            if rng.random() < 0.5:
                motif[:, stripe] = (1 - share) * motif[:, stripe] + share * tint
    elif kind == 2:  # tiles with joints
        joint = max(1, int(side * rng.uniform(0.02, 0.12)))
        motif[:joint] = motif[:, :joint] = random_colour(rng)
    else:  # ornaments, often mirrored
        for _ in range(rng.integers(2, 7)):
            x, y = (rng.uniform(0, side, 2)).astype(int).tolist()
            axes = (int(side * rng.uniform(0.05, 0.35)) + 1, int(side * rng.uniform(0.03, 0.2)) + 1)
            turn, tint = rng.uniform(0, 180), random_colour(rng).tolist()
            cv2.ellipse(motif, (x, y), axes, turn, 0, 360, tint, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
        if rng.random() < 0.6:
            motif = np.maximum(motif, motif[:, ::-1])
            motif = np.minimum(motif, motif[::-1])
    whole = np.tile(motif, (repeats, repeats, 1))
    grain = bank.painted(rng, _SIDE, np.full(3, 0.5, np.float32)) * 2
    return np.clip(whole * (0.6 + 0.4 * grain), 0, 1).astype(np.float32)
