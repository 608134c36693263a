"""What lies on each spot of a board: nothing, or which token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM
from vision.boards.laid import LaidBoard, Layer, Mask, round_mean
from vision.reveal.colour import Colours
from vision.reveal.kinds import KindColours

EMPTY, OTHER = "empty", "other"

_STEP = 2
"""Every so many pixels are looked at: a token is a dozen of them wide still."""
_CORE, _EMPTY_CORE = 0.66, 0.72
"""Shares of a token's, and of a spot's, radius that are looked at: rims are blurred."""
_ASIDE_MM = 4.5
"""How far from its spot's middle a token may seem to lie: put down askew, and higher than the print."""
_FLOOR = -6.0
_OTHER_DENSITY = -3.2
"""Log density a pixel under anything that is neither a known token nor the print."""
_INDEPENDENT = 8.0
"""The pixels of a token say as much as so many that have nothing to do with each other."""
_PRIOR_OTHER = 0.02
_ASKEW_MM = 2.2
_Any = TypeVar("_Any", Layer, Mask)
_PRINT = np.array([0.30, 0.11, 0.10], np.float32)
"""How far print may be off in intensity and hue, as the standard deviation of one pixel."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What one spot shows: chances by token kind, of EMPTY and OTHER; where its token lies, mm from the middle."""

    chances: Mapping[str, float]
    aside: tuple[float, float]
    density: float

    @property
    def likeliest(self) -> str:
        """The likeliest answer."""
        return max(self.chances, key=lambda name: self.chances[name])


def read_spots(laid: LaidBoard, models: Mapping[str, KindColours], token_mm: float) -> tuple[Spot, ...]:
    """Read every spot, in the layout's order. models: the tokens' by kind; token_mm: a token's diameter."""
    return tuple(_read(laid, spot, models, token_mm) for _, spot in laid.board.layout.spots())


def _read(laid: LaidBoard, spot: tuple[float, float], models: Mapping[str, KindColours], token_mm: float) -> Spot:
    scale = PX_PER_MM / _STEP
    radius, reach = _CORE * token_mm / 2 * scale, _ASIDE_MM * scale
    half = int(np.ceil(max(reach + radius, laid.board.layout.spot_mm / 2 * scale))) + 1
    u, v = (round(value) for value in laid.spot_px(spot))
    colours, own = (_window(layer, u, v, half * _STEP) for layer in (laid.colours, laid.own))
    seen, blown = (_window(mask, u, v, half * _STEP)[::_STEP, ::_STEP] for mask in (laid.seen, laid.blown))
    if not seen[half, half] or seen.mean() < 0.6:
        return Spot({**dict.fromkeys((EMPTY, *models), 0.0), OTHER: 1.0}, (0.0, 0.0), _FLOOR)
    hidden = blown | ~seen
    disc = round_mean(radius)
    away, allowed = _shifts(half, reach)
    scores: dict[str, float] = {}
    best, aside = -np.inf, (0.0, 0.0)
    for kind, density in _densities(colours[::_STEP, ::_STEP], models).items():
        density[hidden] = _OTHER_DENSITY
        mean = cv2.filter2D(np.maximum(density, _FLOOR), -1, disc, borderType=cv2.BORDER_REPLICATE) + away
        mean[~allowed] = -np.inf
        row, column = np.unravel_index(int(np.argmax(mean)), mean.shape)
        scores[kind] = float(mean[row, column])
        if scores[kind] > best:
            best = scores[kind]
            aside = ((int(column) - half) / scale, -(int(row) - half) / scale)
    scores[EMPTY] = _emptiness(colours, own, hidden, _EMPTY_CORE * laid.board.layout.spot_mm / 2 * scale)
    scores[OTHER] = _OTHER_DENSITY + np.log(_PRIOR_OTHER) / _INDEPENDENT
    highest = max(scores.values())
    weights = {name: float(np.exp(_INDEPENDENT * (score - highest))) for name, score in scores.items()}
    total = sum(weights.values())
    return Spot({name: weight / total for name, weight in weights.items()}, aside, best)


def _densities(colours: Colours, models: Mapping[str, KindColours]) -> dict[str, Layer]:
    pixels = colours.reshape(-1, 3)
    return {kind: model.log_density(pixels).reshape(colours.shape[:2]) for kind, model in models.items()}


def _emptiness(colours: Colours, own: Colours, hidden: NDArray[np.bool_], radius: float) -> float:
    """Give the mean log density of a spot's pixels under its own print, which may lie a pixel off."""
    disc = round_mean(radius) > 0
    half = disc.shape[0] // 2 * _STEP
    middle = colours.shape[0] // 2
    there = colours[middle - half : middle + half + 1 : _STEP, middle - half : middle + half + 1 : _STEP]
    unseen = hidden[(middle - half) // _STEP : (middle + half) // _STEP + 1,
                    (middle - half) // _STEP : (middle + half) // _STEP + 1]  # fmt: skip
    best = -np.inf
    for row in (middle - 1, middle, middle + 1):
        for column in (middle - 1, middle, middle + 1):
            print_ = own[row - half : row + half + 1 : _STEP, column - half : column + half + 1 : _STEP]
            off = ((there - print_) / _PRINT) ** 2
            density = np.maximum(-0.5 * off.sum(axis=2) - float(np.log(_PRINT).sum()) - 2.757, _FLOOR)
            density[unseen] = _OTHER_DENSITY
            best = max(best, float(density[disc].mean()))
    return best


def _window(layer: _Any, u: int, v: int, half: int) -> _Any:
    """Cut a square window out of a layer; what lies outside repeats its edge, or is False."""
    height, width = layer.shape[:2]
    rows, columns = np.arange(v - half, v + half + 1), np.arange(u - half, u + half + 1)
    cut = layer[np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)[None]]
    if layer.dtype == np.bool_:
        cut = cut & ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None]
    return cut


@lru_cache(maxsize=8)
def _shifts(half: int, reach: float) -> tuple[Layer, NDArray[np.bool_]]:
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    away = np.hypot(rows, columns)
    return (-0.5 / _INDEPENDENT * (away * _STEP / PX_PER_MM / _ASKEW_MM) ** 2).astype(np.float32), away <= reach
