"""Log odds of a pawn by place: a small network on a crop along the direction in which pawns lean.

It was trained on random boards in random hues (`models/maze_objects`), so that it detects the shape of a pawn,
whatever its colour and that of the board.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.detector.network import loaded
from vision.games.master.objects.views import MARGIN, TILE_PX, FieldView

WEIGHTS: Final = Path(__file__).parent / "pawns.onnx"
"""Weights of the network, ONNX."""
CROP_PX: Final = 40
"""Side of a crop, px."""
CHANNELS: Final = 5
"""Planes of a crop: log-opponent colour against the board's median (3), how common the colour is on the board, and
the lean of upright things."""
_SIDE: Final = 1.8
"""Side of a crop, in tiles."""
_BEFORE: Final = 0.6
"""Part of it that lies between the tile's middle and the camera, in tiles."""
_STEP: Final = 2
"""Px of the view per px of the planes of which crops are taken."""
_BOARD_SPREADS: Final = np.array([1.0, 0.5, 0.5], np.float32)
"""Deviations from the board's median that count as 1 in a crop."""
_LIMIT: Final = 4.0
"""Bound of a crop's values."""
_LOWEST: Final = np.array([2.4, -2.0, -1.5], np.float32)
"""Lowest log-opponent colour that is counted."""
_BINS: Final = np.array([0.15, 0.06, 0.06], np.float32)
"""Widths of the bins in which colours are counted."""
_MOST_BINS: Final = (24, 64, 50)
"""Number of bins."""
_RARE: Final = 0.05
"""Density of a colour that is as rare as one that does not occur."""

Layer = NDArray[np.float32]
"""Array of floats."""


class PawnNetwork:
    """The network for any number of crops."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        self._compiled: Any = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def log_odds(self, view: FieldView) -> NDArray[np.float64]:
        """Return the log odds that a pawn stands on each place of a view, (tiles²,)."""
        found = self._compiled.create_infer_request().infer(pawn_crops(view))[0]
        return np.asarray(found, np.float64)[:, 0]


@cache
def shipped_pawn_network() -> PawnNetwork:
    """Load the shipped network; later calls return the same one."""
    return PawnNetwork()


def pawn_crops(view: FieldView) -> Layer:
    """Return the network's input for each place of a view, (tiles², CHANNELS, CROP_PX, CROP_PX).

    Rows of a crop run along the lean of upright things, from the camera outwards.
    """
    half = cv2.resize(view.colours, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA)
    small = np.asarray(half, np.float32)
    edge = MARGIN * TILE_PX // _STEP
    median = np.median(small[edge:-edge, edge:-edge].reshape(-1, 3), axis=0).astype(np.float32)
    common = np.log(_density(small, edge) + _RARE)
    points, lean = _grid(view)
    shown = _sampled(np.dstack([(small - median) / _BOARD_SPREADS, common]), points)
    crops = np.empty((len(points), CHANNELS, CROP_PX, CROP_PX), np.float32)
    crops[:, :4] = shown.transpose(0, 3, 1, 2)
    crops[:, 4] = lean[:, None, None]
    return np.clip(crops, -_LIMIT, _LIMIT, out=crops)


def _grid(view: FieldView) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the points of each place's crop, (tiles², CROP_PX, CROP_PX, 2), in tiles, and its lean, (tiles²,)."""
    tiles = np.arange(view.tiles) + 0.5
    middles = np.stack(np.meshgrid(tiles, tiles), axis=-1).reshape(-1, 2)
    away = middles - view.camera[:2]
    distance = np.linalg.norm(away, axis=1)
    along = away / np.maximum(distance, 1e-6)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    steps = (np.arange(CROP_PX) + 0.5) * (_SIDE / CROP_PX)
    rows, columns = steps - _BEFORE, steps - _SIDE / 2
    points = (
        middles[:, None, None]
        + rows[:, None, None] * along[:, None, None]
        + columns[:, None] * across[:, None, None]
    )
    return points.astype(np.float32), (distance / max(1.0, view.camera[2])).astype(np.float32)


def _sampled(planes: Layer, points: NDArray[np.float32]) -> Layer:
    """Return planes (height, width, n) at points (..., 2) in tiles, (..., n)."""
    pixels = (points + MARGIN) * (TILE_PX / _STEP) - 0.5
    flat = pixels.reshape(-1, CROP_PX, 2)
    taken = cv2.remap(
        np.ascontiguousarray(planes, np.float32),
        np.ascontiguousarray(flat[..., 0]),
        np.ascontiguousarray(flat[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(taken, np.float32).reshape(*points.shape[:-1], -1)


def _density(colours: Colours, edge: int) -> NDArray[np.float32]:
    """Return how common each pixel's colour is on the board, as a density in colour space, (height, width)."""
    bins = np.clip((colours - _LOWEST) / _BINS, 0, np.array(_MOST_BINS) - 1).astype(np.intp)
    index = np.ravel_multi_index(tuple(bins.transpose(2, 0, 1)), _MOST_BINS)
    inner = index[edge:-edge, edge:-edge].ravel()
    counts = np.bincount(inner, minlength=int(np.prod(_MOST_BINS))).reshape(_MOST_BINS).astype(np.float64)
    for axis in range(3):
        counts = (np.roll(counts, 1, axis) + 2 * counts + np.roll(counts, -1, axis)) / 4
    return np.asarray((counts / (len(inner) * np.prod(_BINS))).ravel()[index], np.float32)
