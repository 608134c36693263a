"""Count touching pieces of one kind in a patch by the patch's area, length and outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import PieceSamples
from vision.colour import light_of_lab, of_light
from vision.kind_colours import KindColours

Mask = NDArray[np.uint8]
"""Non-zero where the patch is, (height, width)."""
Floats = NDArray[np.float64]
"""Array of floats."""

MAX_TOUCHING = 12
"""Maximum number of pieces of a patch that can be counted; more are a pile."""
_RIM_SHARE = 0.4
"""Uncovered share of a pixel on a mask's rim."""
_STANDING = 0.15
"""Share of pieces that stand on their edge."""
_STANDING_AREA = 0.62
"""Area of a piece on its edge, as a share of one that lies flat."""
_TYPICAL_ENLARGEMENT = 1.08
"""Typical area of a counted piece relative to an enrolled one: the rim of its shadow is included."""
_ENLARGEMENTS = np.exp(np.linspace(np.log(0.45), np.log(2.5), 25)) * _TYPICAL_ENLARGEMENT
"""Candidate enlargements of the area."""
_ENLARGEMENT_SPREAD = 0.3
"""Standard deviation of the log enlargement over kinds and tables."""
_UNKNOWN_SPREAD = 0.12
"""Standard deviation added to that of the enrolled areas (relative) while the enlargement is unknown."""
_KNOWN_SPREAD = 0.08
"""Standard deviation added to it once the enlargement is estimated."""
_OUTLIER_DENSITY = 0.02
"""Density of the sizes of unknown objects, times their share."""
_OVERLAP_FACTOR = 0.93
"""Area per piece of touching pieces: they cover part of each other and of their shadows."""
_LOG_PRIOR = np.log([1.0, 0.2, 0.1, 0.07, 0.05, 0.04, 0.03, 0.03, 0.02, 0.02, 0.02, 0.02])
"""Log prior (unnormalised) of 1 to 12 touching pieces."""


@dataclass(frozen=True, slots=True)
class PieceMeasures:
    """Size, outline and colours of a single piece of a kind."""

    area: float
    """Area, mm²."""
    spread: float
    """Relative standard deviation of the area."""
    longer: float
    """Longer side, mm."""
    solidity: float
    """Share of its convex hull that it fills."""
    typical: float
    """Mean log density of the enrolled colours under their own model."""
    print: KindColours | None = None
    """Colours of a printed kind, all of which each piece must show; None for a painted kind."""


def measure_kind(samples: PieceSamples, colours: KindColours, *, printed: bool = False) -> PieceMeasures:
    """Return the size, outline and colours of a kind from its enrolled specimens.

    colours: its colour model. printed: whether it is printed in several colours.
    """
    typical = float(colours.log_density(of_light(light_of_lab(samples.pixels))).mean())
    areas = np.array([specimen.area_mm2 for specimen in samples.specimens])
    area = float(np.median(areas))
    solidity = [_solidity(np.ascontiguousarray(specimen.crop[..., 3])) for specimen in samples.specimens]
    known = [value for value in solidity if value > 0]
    spread = float(np.clip(np.std(areas) / area, 0.12, 0.25)) if len(areas) > 2 else 0.2
    solid = float(np.median(known)) if known else 0.85
    return PieceMeasures(area, spread, samples.size_mm[0], solid, typical, colours if printed else None)


@dataclass(frozen=True, slots=True)
class RelativeSize:
    """Size and outline of a patch of pixels relative to one enrolled piece."""

    share: float
    """Area ratio."""
    longer: float
    """Ratio of the longer sides."""
    gaps: float
    """Deficit of solidity against the kind's."""


def relative_size(mask: Mask, own: PieceMeasures, local: float) -> RelativeSize:
    """Return the size and outline of a mask relative to one piece of a kind. local: scale at the mask, px/mm."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (_, sides, _) = cv2.minAreaRect(max(contours, key=len))
    share = area_px(mask) / local**2 / own.area
    return RelativeSize(share, (max(sides) + 1) / local / own.longer, _solidity(mask) - own.solidity)


def count_probabilities(patch: RelativeSize, spread: float) -> tuple[tuple[float, ...], float]:
    """Return the probability of each number of pieces (from 1) in a patch, and the best log likelihood.

    spread: relative standard deviation of the kind's area.
    """
    (fits,) = _count_log_likelihoods(patch, spread + _UNKNOWN_SPREAD, np.array([_TYPICAL_ENLARGEMENT]))
    chances = np.exp(fits - fits.max())
    return tuple(map(float, chances / chances.sum())), float(fits.max())


def joint_count_probabilities(
    patches: Sequence[RelativeSize], spread: float
) -> tuple[tuple[tuple[float, ...], float], ...]:
    """Return two results for each patch of one kind: how many pieces it shows, and whether it shows any.

    The first is the probability of each number of pieces from 1, the second the probability that its size is that
    of such pieces and not of an unknown object. All pieces of a kind in a picture are enlarged by the same factor,
    which is estimated: the rim of a dark piece is lost to its shadow, that of a light one gains. spread: relative
    standard deviation of the kind's area.
    """
    if not patches:
        return ()
    fits = np.exp(
        np.stack(
            [_count_log_likelihoods(patch, spread + _KNOWN_SPREAD, _ENLARGEMENTS) for patch in patches], axis=1
        )
    )
    odds = (
        np.log(fits.sum(axis=2)).sum(axis=1)
        - 0.5 * (np.log(_ENLARGEMENTS / _TYPICAL_ENLARGEMENT) / _ENLARGEMENT_SPREAD) ** 2
    )
    weights = np.exp(odds - odds.max())
    weights /= weights.sum()
    each = np.tensordot(weights, fits, axes=1)
    total = each.sum(axis=1)
    own = total / (total + _OUTLIER_DENSITY)
    return tuple(
        (tuple(map(float, fit / whole)), float(probability))
        for fit, whole, probability in zip(each, total, own, strict=True)
    )


def _count_log_likelihoods(patch: RelativeSize, spread: float, enlarged: Floats) -> Floats:
    """Return the log likelihood of each number of pieces (from 1) for each enlargement, (n, MAX_TOUCHING).

    enlarged: candidate enlargements of the area, (n).
    """
    share, longer = (
        patch.share / enlarged[:, None],
        patch.longer / np.maximum(1.0, np.sqrt(enlarged / _TYPICAL_ENLARGEMENT)),
    )
    # Some stand, some cover each other; but two side by side are much longer than one.
    numbers = np.arange(1.0, MAX_TOUCHING + 1, dtype=np.float64)
    area = _normal_density(share, numbers * _OVERLAP_FACTOR, (spread - 0.04) * np.sqrt(numbers))
    shape = np.repeat((-0.5 * (np.minimum(0.0, longer - 1.6) / 0.13) ** 2 - 0.7)[:, None], MAX_TOUCHING, axis=1)
    lone = share[:, 0]
    area[:, 0] = (1 - _STANDING) * _normal_density(lone, 1.0, spread) + _STANDING * _normal_density(
        lone, _STANDING_AREA, 0.13
    )
    shape[:, 0] = -0.5 * (np.maximum(0.0, longer - 1.3) / 0.15) ** 2 - 0.5 * (min(0.0, patch.gaps) / 0.1) ** 2
    return np.asarray(np.log(area + 1e-9) + shape + _LOG_PRIOR, np.float64)


def area_px(mask: Mask) -> float:
    """Return a mask's area in px, with rim pixels as partly covered."""
    core = cv2.erode(np.pad(mask, 1), np.ones((3, 3), np.uint8))
    whole, inner = int(np.count_nonzero(mask)), int(np.count_nonzero(core))
    return whole - _RIM_SHARE * (whole - inner)


def _normal_density(value: Floats, mean: Floats | float, spread: Floats | float) -> Floats:
    """Return the density of a normal distribution."""
    return np.asarray(np.exp(-0.5 * ((value - mean) / spread) ** 2) / (2.507 * spread), np.float64)


def _solidity(mask: Mask) -> float:
    """Return the share of its convex hull that a mask fills."""
    contours, _ = cv2.findContours((mask > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return 0.0
    hull = cv2.convexHull(max(contours, key=len))
    filled = np.zeros(mask.shape[:2], np.uint8)
    cv2.fillConvexPoly(filled, np.asarray(hull, np.int32), 1)
    return float(np.count_nonzero(mask)) / max(1, int(np.count_nonzero(filled)))
