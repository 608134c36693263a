"""How many pieces of one kind touch in a patch, told by its size and outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.samples import PieceSamples
from vision.reveal.colour import of_lab, of_light
from vision.reveal.kinds import KindColours

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]

MOST_TOUCHING = 12
"""A patch of more pieces than this is a pile that cannot be counted."""
_RIM = 0.4
_STANDING, _STANDING_AREA = 0.15, 0.62
"""Pieces of which one in seven stands on its edge, and what it then covers."""
_USUALLY = 1.08
"""So much of a taught piece's area do pieces usually cover where they are counted: a shadow's rim is added."""
_ENLARGED = np.exp(np.linspace(np.log(0.45), np.log(2.5), 25)) * _USUALLY
_VARIES = 0.3
"""How much that varies from kind to kind and table to table (natural logarithm)."""
_UNKNOWN, _KNOWN = 0.12, 0.08
"""What adds to the spread of the taught pieces, as a share: where that is unknown, and where it is known."""
_ANYTHING = 0.02
"""How densely anything else spreads over sizes, a share of so many things being something else."""
_TOGETHER = 0.93
"""Touching pieces hide a little of each other and of their shadows."""
_FEWER = np.log([1.0, 0.2, 0.1, 0.07, 0.05, 0.04, 0.03, 0.03, 0.02, 0.02, 0.02, 0.02])


@dataclass(frozen=True, slots=True)
class Measure:
    """What one piece of a kind measures: area in mm² and its spread, longer side in mm, share of its hull.

    typical: mean log density of the enrolled colours themselves. print: the colours of a printed kind, of which a
    piece shows all; None for paint, of which some may lie in the light and none in the shade.
    """

    area: float
    spread: float
    longer: float
    solidity: float
    typical: float
    print: KindColours | None = None


def measure(samples: PieceSamples, colours: KindColours, *, printed: bool = False) -> Measure:
    """Sum up what pieces of a kind measure, and how its colours look."""
    typical = float(colours.log_density(of_light(of_lab(samples.pixels))).mean())
    areas = np.array([specimen.area_mm2 for specimen in samples.specimens])
    area = float(np.median(areas))
    solidity = [_solidity(np.ascontiguousarray(specimen.crop[..., 3])) for specimen in samples.specimens]
    known = [value for value in solidity if value > 0]
    spread = float(np.clip(np.std(areas) / area, 0.12, 0.25)) if len(areas) > 2 else 0.2
    solid = float(np.median(known)) if known else 0.85
    return Measure(area, spread, samples.size_mm[0], solid, typical, colours if printed else None)


@dataclass(frozen=True, slots=True)
class Outline:
    """A patch beside one piece as it was taught: share of its area and longer side, how much less solid."""

    share: float
    longer: float
    gaps: float


def outline(mask: Mask, own: Measure, local: float) -> Outline:
    """Hold a patch against one piece of a kind. local: px/mm."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (_, sides, _) = cv2.minAreaRect(max(contours, key=len))
    share = area_px(mask) / local**2 / own.area
    return Outline(share, (max(sides) + 1) / local / own.longer, _solidity(mask) - own.solidity)


def number_in(patch: Outline, spread: float) -> tuple[tuple[float, ...], float]:
    """Give the probability of each number of pieces from 1, and how well the best fits (log density)."""
    (fits,) = _fits(patch, spread + _UNKNOWN, np.array([_USUALLY]))
    chances = np.exp(fits - fits.max())
    return tuple(map(float, chances / chances.sum())), float(fits.max())


def numbers_in(patches: Sequence[Outline], spread: float) -> tuple[tuple[tuple[float, ...], float], ...]:
    """Give the probabilities of `number_in` for all patches of a kind in one picture: they look equally enlarged.

    A dark piece loses its rim to its shadow, a light one gains it; how much, the patches themselves tell, unless
    all of them were pairs. With each: how likely its size is such pieces' and not something else's.
    """
    if not patches:
        return ()
    fits = np.exp(np.stack([_fits(patch, spread + _KNOWN, _ENLARGED) for patch in patches], axis=1))
    odds = np.log(fits.sum(axis=2)).sum(axis=1) - 0.5 * (np.log(_ENLARGED / _USUALLY) / _VARIES) ** 2
    weights = np.exp(odds - odds.max())
    weights /= weights.sum()
    each = np.tensordot(weights, fits, axes=1)
    total = each.sum(axis=1)
    own = total / (total + _ANYTHING)
    return tuple(
        (tuple(map(float, fit / whole)), float(sure)) for fit, whole, sure in zip(each, total, own, strict=True)
    )


def _fits(patch: Outline, spread: float, enlarged: Floats) -> Floats:
    """Give how well each number of pieces from 1 fits (log density) where they look so much larger than taught.

    enlarged: (n); gives (n, MOST_TOUCHING).
    """
    share, longer = patch.share / enlarged[:, None], patch.longer / np.maximum(1.0, np.sqrt(enlarged / _USUALLY))
    # Some stand, some hide a little of each other; but two side by side are far longer than one.
    numbers = np.arange(1.0, MOST_TOUCHING + 1, dtype=np.float64)
    area = _normal(share, numbers * _TOGETHER, (spread - 0.04) * np.sqrt(numbers))
    shape = np.repeat((-0.5 * (np.minimum(0.0, longer - 1.6) / 0.13) ** 2 - 0.7)[:, None], MOST_TOUCHING, axis=1)
    lone = share[:, 0]
    area[:, 0] = (1 - _STANDING) * _normal(lone, 1.0, spread) + _STANDING * _normal(lone, _STANDING_AREA, 0.13)
    shape[:, 0] = -0.5 * (np.maximum(0.0, longer - 1.3) / 0.15) ** 2 - 0.5 * (min(0.0, patch.gaps) / 0.1) ** 2
    return np.asarray(np.log(area + 1e-9) + shape + _FEWER, np.float64)


def area_px(mask: Mask) -> float:
    """Give a mask's area in pixels: those of its rim are only half covered."""
    core = cv2.erode(np.pad(mask, 1), np.ones((3, 3), np.uint8))
    whole, inner = int(np.count_nonzero(mask)), int(np.count_nonzero(core))
    return whole - _RIM * (whole - inner)


def _normal(value: Floats, mean: Floats | float, spread: Floats | float) -> Floats:
    return np.asarray(np.exp(-0.5 * ((value - mean) / spread) ** 2) / (2.507 * spread), np.float64)


def _solidity(mask: Mask) -> float:
    contours, _ = cv2.findContours((mask > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return 0.0
    hull = cv2.convexHull(max(contours, key=len))
    filled = np.zeros(mask.shape[:2], np.uint8)
    cv2.fillConvexPoly(filled, np.asarray(hull, np.int32), 1)
    return float(np.count_nonzero(mask)) / max(1, int(np.count_nonzero(filled)))
