"""What lies on each spot of a board: nothing, or which token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM
from vision.boards.laid import LaidBoard, Layer, Mask, round_mean
from vision.reveal import colour
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
_LEAST_SEEN = 0.6
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
    layout = laid.board.layout
    scale = PX_PER_MM / _STEP
    radius, reach = _CORE * token_mm / 2 * scale, _ASIDE_MM * scale
    half = int(np.ceil(max(reach + radius, layout.spot_mm / 2 * scale))) + 1
    middles = np.round([laid.spot_px(spot) for _, spot in layout.spots()]).astype(int)
    colours = _windows(laid.colours, middles, half)
    seen = _windows(np.pad(laid.seen, 1), middles + 1, half)  # nothing is seen beyond the edge
    hidden = _windows(laid.blown, middles, half) | ~seen
    disc = round_mean(radius)
    away, allowed = _shifts(half, reach)
    means = []
    for model in models.values():
        density = np.maximum(model.log_density(colours.reshape(-1, 3)).reshape(hidden.shape), _FLOOR)
        density[hidden] = _OTHER_DENSITY
        # One spot a channel: all are filtered at once.
        mean = cv2.filter2D(density.transpose(1, 2, 0), -1, disc, borderType=cv2.BORDER_REPLICATE)
        means.append(np.where(allowed, mean.transpose(2, 0, 1) + away, -np.inf))
    best = np.stack(means, axis=1).reshape(len(middles), len(models), -1)  # (spots, kinds, places)
    empty = _emptiness(laid, middles, colours, hidden, _EMPTY_CORE * layout.spot_mm / 2 * scale)
    there = seen[:, half, half] & (seen.mean(axis=(1, 2)) >= _LEAST_SEEN)
    return tuple(
        _spot(tuple(models), places, float(emptiness), half) if visible else _unseen(models)
        for places, emptiness, visible in zip(best, empty, there, strict=True)
    )


def _unseen(models: Mapping[str, KindColours]) -> Spot:
    return Spot({**dict.fromkeys((EMPTY, *models), 0.0), OTHER: 1.0}, (0.0, 0.0), _FLOOR)


def _spot(kinds: Sequence[str], places: Layer, emptiness: float, half: int) -> Spot:
    """Judge one spot. places: (kinds, places) log density of each kind's token at each place in its window."""
    kind, place = np.unravel_index(int(np.argmax(places)), places.shape)
    row, column = divmod(int(place), 2 * half + 1)
    aside = ((column - half) * _STEP / PX_PER_MM, (half - row) * _STEP / PX_PER_MM)
    scores = dict(zip(kinds, places.max(axis=1).tolist(), strict=True))
    scores[EMPTY] = emptiness
    scores[OTHER] = _OTHER_DENSITY + np.log(_PRIOR_OTHER) / _INDEPENDENT
    highest = max(scores.values())
    weights = {name: float(np.exp(_INDEPENDENT * (score - highest))) for name, score in scores.items()}
    total = sum(weights.values())
    chances = {name: weight / total for name, weight in weights.items()}
    return Spot(chances, aside, float(places[kind, place]))


def _emptiness(
    laid: LaidBoard, middles: NDArray[np.int64], colours: Colours, hidden: Mask, radius: float
) -> NDArray[np.float32]:
    """Give the mean log density of each spot's pixels under its own print, which may lie a pixel off."""
    disc = round_mean(radius) > 0
    reach, middle = disc.shape[0] // 2, hidden.shape[1] // 2
    inner = (slice(None), *(slice(middle - reach, middle + reach + 1),) * 2)
    there, unseen = colours[inner], hidden[inner]
    depth = float(np.log(_PRINT).sum()) + 2.757
    means = []
    for shift in np.ndindex(3, 3):
        print_ = _windows(laid.own, middles + np.array(shift) - 1, reach)
        density = np.maximum(-0.5 * colour.squared(there - print_, _PRINT) - depth, _FLOOR)
        density[unseen] = _OTHER_DENSITY
        means.append(density[:, disc].mean(axis=1))
    return np.asarray(np.max(means, axis=0), np.float32)


def _windows(layer: _Any, middles: NDArray[np.int64], half: int) -> _Any:
    """Cut a window round each middle (n, 2) out of a layer, every so many px: (n, 2·half + 1, 2·half + 1, …).

    What lies outside repeats the layer's edge.
    """
    steps = np.arange(-half, half + 1) * _STEP
    columns = np.clip(middles[:, :1] + steps, 0, layer.shape[1] - 1)
    rows = np.clip(middles[:, 1:] + steps, 0, layer.shape[0] - 1)
    cut: _Any = layer[rows[:, :, None], columns[:, None, :]]
    return cut


@lru_cache(maxsize=8)
def _shifts(half: int, reach: float) -> tuple[Layer, NDArray[np.bool_]]:
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    away = np.hypot(rows, columns)
    return (-0.5 / _INDEPENDENT * (away * _STEP / PX_PER_MM / _ASKEW_MM) ** 2).astype(np.float32), away <= reach
