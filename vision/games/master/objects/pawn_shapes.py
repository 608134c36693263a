"""Compares the pixels of each paint with the outline of a standing pawn on each tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.games.master.objects.views import MARGIN, TILE_PX, FieldView

_STEP: Final = 2
"""Px of the view per px of a paint's mask."""
_SPREADS: Final = np.array([0.45, 0.13, 0.1], np.float32)
"""Standard deviations of a pawn's log-opponent colour about its ring's: it has lit and shaded sides."""
_SHADE: Final = -0.15
"""Mean of its intensity about its ring's."""
_SHADED_SPREADS: Final = np.array([0.2, 0.13, 0.1], np.float32)
"""Standard deviations of the colour of its shaded sides."""
_SHADED: Final = -0.4
"""Mean of their intensity: flat prints in the same paint, such as white paths, are brighter."""
_COMMON: Final = 0.5
"""Density of a colour on the board at which its weight is halved."""
_LOWEST: Final = np.array([2.4, -2.0, -1.5], np.float32)
"""Lowest log-opponent colour that is counted."""
_BINS: Final = np.array([0.15, 0.06, 0.06], np.float32)
"""Widths of the bins in which colours are counted."""
_MOST_BINS: Final = np.array([24, 64, 50])
"""Number of bins."""
_RING_WIDTH: Final = 0.08
"""Half the width of a ring that is left out, in tiles."""
_HEIGHTS: Final = (0.05, 0.2, 0.35, 0.5)
"""Heights at which a pawn's outline is sampled, in tiles."""
_BODY: Final = (0.16, 0.13, 0.11, 0.09)
"""Radius of the outline at these heights, in tiles."""
_OUTSIDE: Final = 0.33
"""Distance from the foot at which a pawn's surroundings are sampled, in tiles."""
_SHIFTS: Final = (-0.24, -0.12, 0.0, 0.12, 0.24)
"""Offsets of a foot from its tile's middle that are tried, in tiles."""


def pawn_scores(
    view: FieldView, paints: Colours, hidden: NDArray[np.float64], own_rings: Sequence[tuple[float, float, float]]
) -> NDArray[np.float64]:
    """Return how much more of each paint is inside a pawn's outline than around it, (tiles², 4, 3), -1..1.

    Last axis: of all pixels alike, of those whose colour is rare on the board, and of shaded ones.

    paints: log-opponent colours, (4, 3). hidden: circles (n, 3) of discs, px of the view, whose faces are no pawns.
    own_rings: centre and radius of the ring of each paint, px of the view.
    """
    half = cv2.resize(view.colours, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA)
    small = np.asarray(half, np.float32)
    usual = _density(small)
    alike = np.stack([_similarity(small, paint, _SHADE, _SPREADS) for paint in paints], axis=-1)
    shaded = np.stack([_similarity(small, paint, _SHADED, _SHADED_SPREADS) for paint in paints], axis=-1)
    masks = np.concatenate([alike, alike / (1 + usual / _COMMON)[..., None], shaded], axis=-1)
    rows, columns = (np.indices(masks.shape[:2]) + 0.5) * _STEP - 0.5
    for x, y, radius in hidden:
        masks[np.hypot(columns - x, rows - y) <= radius] = 0
    for index, (x, y, radius) in enumerate(own_rings):
        masks[np.abs(np.hypot(columns - x, rows - y) - radius) <= _RING_WIDTH * TILE_PX, index :: len(paints)] = 0
    tiles = np.arange(view.tiles) + 0.5
    y, x, dy, dx = np.meshgrid(tiles, tiles, _SHIFTS, _SHIFTS, indexing="ij")
    feet = np.stack([x + dx, y + dy], axis=-1)
    camera = np.array(view.camera[:2])
    angle = np.arange(8) * (np.pi / 4)
    compass = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    inside = []
    for height, radius in zip(_HEIGHTS, _BODY, strict=True):
        middle = camera + (feet - camera) * (view.camera[2] / max(1.0, view.camera[2] - height))
        inside += [middle, *(middle + 0.75 * radius * way for way in compass[::2])]
    lean = feet - camera
    lean = lean / np.maximum(np.linalg.norm(lean, axis=-1, keepdims=True), 1e-6)
    outside = [feet + _OUTSIDE * way for way in compass]
    # Behind the foot, the pawn itself is seen: only what lies before it and beside it counts.
    behind = np.stack([(lean @ way) for way in compass]) > 0.5
    steep = np.hypot(*(feet - camera).transpose(4, 0, 1, 2, 3)) / view.camera[2] > 0.15
    weights = 1.0 - (behind & steep)
    within = np.mean([_sampled(masks, points) for points in inside], axis=0)
    around = np.stack([_sampled(masks, points) for points in outside])
    around = (around * weights[..., None]).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)[..., None]
    scores = within - around
    best = scores.max(axis=(2, 3)).reshape(view.tiles**2, 3, len(paints))
    return np.asarray(best.transpose(0, 2, 1), np.float64)


def _density(colours: Colours) -> NDArray[np.float32]:
    """Return how common each pixel's colour is on the board, as a density in colour space, (height, width)."""
    edge = MARGIN * TILE_PX // _STEP
    bins = np.clip((colours - _LOWEST) / _BINS, 0, _MOST_BINS - 1).astype(np.intp)
    shape = tuple(_MOST_BINS)
    index = np.ravel_multi_index(tuple(bins.transpose(2, 0, 1)), shape)
    inner = index[edge:-edge, edge:-edge].ravel()
    counts = np.bincount(inner, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
    for axis in range(3):
        counts = (np.roll(counts, 1, axis) + 2 * counts + np.roll(counts, -1, axis)) / 4
    return np.asarray((counts / (len(inner) * np.prod(_BINS))).ravel()[index], np.float32)


def _similarity(
    colours: Colours, paint: NDArray[np.float32], shade: float, spreads: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how well each pixel agrees with a paint, 0..1, (height, width). shade: intensity about the paint's."""
    away = (colours - paint - np.array([shade, 0, 0], np.float32)) / spreads
    return np.asarray(np.exp(-0.5 * np.einsum("yxc,yxc->yx", away, away)), np.float32)


def _sampled(masks: NDArray[np.float32], points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return masks (height, width, n) at points (..., 2) in tiles, (..., n)."""
    pixels = ((points + MARGIN) * (TILE_PX / _STEP) - 0.5).round().astype(np.intp)
    height, width = masks.shape[:2]
    x, y = np.clip(pixels[..., 0], 0, width - 1), np.clip(pixels[..., 1], 0, height - 1)
    return np.asarray(masks[y, x], np.float32)
