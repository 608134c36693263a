"""Compares the pixels of a pawn that stands on a place with each paint."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.games.master.objects.views import MARGIN, TILE_PX, FieldView

_SPREADS: Final = np.array([0.45, 0.14, 0.11], np.float32)
"""Standard deviations of a pawn's log-opponent colour about its paint's: it has lit and shaded sides."""
_SHADE: Final = -0.15
"""Mean of its intensity about its paint's."""
_HEIGHTS: Final = (0.08, 0.2, 0.35, 0.5)
"""Heights at which a pawn is sampled, in tiles."""
_AROUND: Final = np.array([[0.0, 0.0], [0.07, 0.0], [-0.07, 0.0], [0.0, 0.07]])
"""Offsets of samples from a pawn's axis, in tiles."""
_SHIFTS: Final = (-0.16, 0.0, 0.16)
"""Offsets of a foot from its tile's middle that are tried, in tiles."""
_FLOOR: Final = 0.05
"""Share of pixels alike that is noise."""


def paint_log_likelihoods(view: FieldView, paints: Colours) -> NDArray[np.float64]:
    """Return the logarithm of the share of a pawn's pixels that have each paint, (tiles², paints), 0 at most.

    It says nothing of whether a pawn stands there. paints: log-opponent colours, (n, 3).
    """
    tiles = np.arange(view.tiles) + 0.5
    y, x, dy, dx = np.meshgrid(tiles, tiles, _SHIFTS, _SHIFTS, indexing="ij")
    feet = np.stack([x + dx, y + dy], axis=-1)
    camera = np.array(view.camera[:2])
    points = []
    for height in _HEIGHTS:
        axis = camera + (feet - camera) * (view.camera[2] / max(1.0, view.camera[2] - height))
        points += [axis + offset for offset in _AROUND]
    pixels = ((np.stack(points) + MARGIN) * TILE_PX - 0.5).round().astype(np.intp)
    side = view.colours.shape[0] - 1
    columns, rows = (np.clip(pixels[..., axis], 0, side) for axis in (0, 1))
    shown = view.colours[rows, columns]
    away = (shown[..., None, :] - paints - np.array([_SHADE, 0, 0], np.float32)) / _SPREADS
    alike = np.exp(-0.5 * np.minimum((away**2).sum(axis=-1), 60.0)).mean(axis=0)
    best = alike.max(axis=(2, 3)).reshape(view.tiles**2, len(paints))
    return np.asarray(np.log(best + _FLOOR), np.float64)
