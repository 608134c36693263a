"""Detection of colours that a patterned table does not have.

On such a table the surroundings of a place do not predict the table under it, but the whole pattern's colours do.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_CELL_LAB = 3.0
"""Side of a colour cell, CIELAB units."""
_CELLS_HALF = 64
"""Number of cells on each side of zero."""
_MIN_CELL_PX = 3
"""Fewest pixels of a cell that belongs to the table."""
_SHADES = (1.0, 0.8, 0.6, 0.45, 0.33, 0.25)
"""Fractions of light under which the table's colours are also expected."""
_MIN_UNIT_LAB = 10.0
"""Smallest unit of novelty, CIELAB."""
_TABLE_QUANTILE = 0.998
"""Quantile of the bare table's own novelty that counts as one unit."""

Mask = NDArray[np.bool_]


def novelty(seen: NDArray[np.float32], bare: Mask) -> NDArray[np.float32]:
    """Return how far each pixel's colour is from all colours of the bare table, lit or in shadow: (height, width).

    The unit is chosen so that hardly a pixel of the bare table exceeds 1. seen: CIELAB (height, width, 3); bare:
    where the bare table is visible.
    """
    cells = np.round(seen / _CELL_LAB).astype(np.int64) + _CELLS_HALF
    codes = (cells[..., 0] * 2 * _CELLS_HALF + cells[..., 1]) * 2 * _CELLS_HALF + cells[..., 2]
    ground, counts = np.unique(codes[bare], return_counts=True)
    colours = _cell_colours(ground[counts >= _MIN_CELL_PX])
    light = cv2.cvtColor(colours[None], cv2.COLOR_Lab2LBGR)
    shaded = [cv2.cvtColor(light * np.float32(share), cv2.COLOR_LBGR2Lab)[0] for share in _SHADES]
    known = np.unique(np.round(np.concatenate(shaded) / _CELL_LAB), axis=0).astype(np.float32) * _CELL_LAB
    own, place = np.unique(codes, return_inverse=True)
    distances = np.concatenate([_nearest_distance(part, known) for part in np.array_split(_cell_colours(own), 64)])
    smooth = cv2.GaussianBlur(distances[place].reshape(seen.shape[:2]), (0, 0), 1.0)
    typical = float(np.quantile(smooth[bare], _TABLE_QUANTILE))
    return np.asarray(smooth / max(_MIN_UNIT_LAB, typical), np.float32)


def _cell_colours(codes: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the CIELAB colours (n, 3) in the middle of colour cells. codes: of the cells, (n,)."""
    side = 2 * _CELLS_HALF
    cells = np.stack([codes // side**2, codes // side % side, codes % side], axis=1) - _CELLS_HALF
    return (cells * _CELL_LAB).astype(np.float32)


def _nearest_distance(colours: NDArray[np.float32], known: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the distance of each colour (n, 3) from the nearest known one (m, 3)."""
    squares = (colours**2).sum(axis=1)[:, None] - 2 * colours @ known.T + (known**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares.min(axis=1), 0)), np.float32)
