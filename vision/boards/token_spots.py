"""Read each token spot of a board: which token lies on it, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import PX_PER_MM
from vision import colour
from vision.boards.rectified import Layer, Mask, RectifiedBoard, disc_kernel
from vision.colour import Colours
from vision.kind_colours import KindColours

EMPTY, OTHER = "empty", "other"
"""Keys of `SpotContents.chances` for an empty spot and for an unknown object."""

_STEP_PX = 2
"""Sampling step, px; a token is still a dozen samples wide."""
_CORE = 0.66
"""Share of a token's radius that is evaluated: its rim is blurred."""
_EMPTY_CORE = 0.72
"""Share of a spot's radius that is evaluated."""
_MAX_OFFSET_MM = 4.5
"""Maximum apparent offset of a token from its spot's centre: it may be placed askew, and lies higher than the
print."""
_FLOOR = -6.0
"""Minimum log density of a pixel."""
_OTHER_DENSITY = -3.2
"""Log density per pixel of anything that is neither a known token nor the print."""
_EFFECTIVE_PIXELS = 8.0
"""Number of independent pixels that the correlated pixels of a token amount to."""
_PRIOR_OTHER = 0.02
"""Prior probability of an unknown object."""
_OFFSET_SPREAD_MM = 2.2
"""Standard deviation of a token's offset."""
_MIN_VISIBLE_SHARE = 0.6
"""Minimum visible share of a spot's window."""
_Any = TypeVar("_Any", Layer, Mask)
_PRINT = np.array([0.30, 0.11, 0.10], np.float32)
"""Standard deviation of a print pixel in intensity and the two hue channels."""


@dataclass(frozen=True, slots=True)
class SpotContents:
    """Estimated contents of one token spot."""

    chances: Mapping[str, float]
    """Probability of each token kind, of EMPTY and of OTHER."""
    aside: tuple[float, float]
    """Offset of its token from the spot's centre, mm right and up; of no meaning for an empty spot."""

    @property
    def likeliest(self) -> str:
        """Most probable content."""
        return max(self.chances, key=lambda name: self.chances[name])


def read_spots(
    laid: RectifiedBoard, models: Mapping[str, KindColours], token_mm: float
) -> tuple[SpotContents, ...]:
    """Return the contents of each token spot of a board, in the order of `BoardLayout.spots`.

    models: colour model of each kind of token. token_mm: diameter of a token.
    """
    layout = laid.board.layout
    scale = PX_PER_MM / _STEP_PX
    radius, reach = _CORE * token_mm / 2 * scale, _MAX_OFFSET_MM * scale
    half = int(np.ceil(max(reach + radius, layout.spot_mm / 2 * scale))) + 1
    middles = np.round([laid.spot_px(spot) for _, spot in layout.spots()]).astype(int)
    colours = _windows(laid.colours, middles, half)
    seen = _windows(np.pad(laid.seen, 1), middles + 1, half)  # outside the picture nothing is visible
    hidden = _windows(laid.blown, middles, half) | ~seen
    disc = disc_kernel(radius)
    away, allowed = _offset_prior(half, reach)
    means = []
    for model in models.values():
        density = np.maximum(model.log_density(colours.reshape(-1, 3)).reshape(hidden.shape), _FLOOR)
        density[hidden] = _OTHER_DENSITY
        # One spot per channel: all are filtered at once.
        mean = cv2.filter2D(density.transpose(1, 2, 0), -1, disc, borderType=cv2.BORDER_REPLICATE)
        means.append(np.where(allowed, mean.transpose(2, 0, 1) + away, -np.inf))
    best = np.stack(means, axis=1).reshape(len(middles), len(models), -1)  # (spots, kinds, places)
    empty = _print_densities(laid, middles, colours, hidden, _EMPTY_CORE * layout.spot_mm / 2 * scale)
    there = seen[:, half, half] & (seen.mean(axis=(1, 2)) >= _MIN_VISIBLE_SHARE)
    return tuple(
        _spot(tuple(models), places, float(emptiness), half) if visible else _unseen(models)
        for places, emptiness, visible in zip(best, empty, there, strict=True)
    )


def _unseen(models: Mapping[str, KindColours]) -> SpotContents:
    """Return the contents of a spot out of view: surely OTHER."""
    return SpotContents({**dict.fromkeys((EMPTY, *models), 0.0), OTHER: 1.0}, (0.0, 0.0))


def _spot(kinds: Sequence[str], places: Layer, emptiness: float, half: int) -> SpotContents:
    """Return one spot's contents.

    places: log density of each kind's token at each offset from the spot's centre, (kinds, offsets). emptiness: log
    density of the bare print. half: largest offset, samples.
    """
    row, column = divmod(int(np.argmax(places)) % places.shape[1], 2 * half + 1)
    aside = ((column - half) * _STEP_PX / PX_PER_MM, (half - row) * _STEP_PX / PX_PER_MM)
    scores = dict(zip(kinds, places.max(axis=1).tolist(), strict=True))
    scores[EMPTY] = emptiness
    scores[OTHER] = _OTHER_DENSITY + np.log(_PRIOR_OTHER) / _EFFECTIVE_PIXELS
    highest = max(scores.values())
    weights = {name: float(np.exp(_EFFECTIVE_PIXELS * (score - highest))) for name, score in scores.items()}
    total = sum(weights.values())
    chances = {name: weight / total for name, weight in weights.items()}
    return SpotContents(chances, aside)


def _print_densities(
    laid: RectifiedBoard, middles: NDArray[np.int64], colours: Colours, hidden: Mask, radius: float
) -> NDArray[np.float32]:
    """Return the mean log density of each spot's pixels under its bare enrolled print, (spots,).

    middles: centres of the spots, px. colours, hidden: windows around them. radius: of the evaluated disc, samples.
    """
    disc = disc_kernel(radius) > 0
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
    """Return subsampled square windows of a layer around centres (n, 2) in px, (n, 2·half + 1, 2·half + 1, …).

    half: samples from a centre to the edge of its window. Outside the layer its edge is repeated.
    """
    steps = np.arange(-half, half + 1) * _STEP_PX
    columns = np.clip(middles[:, :1] + steps, 0, layer.shape[1] - 1)
    rows = np.clip(middles[:, 1:] + steps, 0, layer.shape[0] - 1)
    cut: _Any = layer[rows[:, :, None], columns[:, None, :]]
    return cut


@lru_cache(maxsize=8)
def _offset_prior(half: int, reach: float) -> tuple[Layer, NDArray[np.bool_]]:
    """Return the log prior per pixel of each offset of a token, and which offsets are at most `reach` samples.

    Both are (2·half + 1, 2·half + 1), with offset 0 in the middle.
    """
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    away = np.hypot(rows, columns)
    return (-0.5 / _EFFECTIVE_PIXELS * (away * _STEP_PX / PX_PER_MM / _OFFSET_SPREAD_MM) ** 2).astype(
        np.float32
    ), away <= reach
