"""Open-set decision: whether a thing fits the enrolled kind that it resembles most, or none of the enrolled kinds.

Each kind is modelled by its specimens: mean colour under changes of light that one table can bring (more or less
light, a glint, some of the ground's colour at a blurred rim), spread of hue, area, length and shape. How far a
thing is from its kind in these, also scaled by how far the kind's own specimens are from each other, gives the
probability that it is of that kind and not of one that nobody enrolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.samples import PieceSamples
from vision.count_learner import Classifier, Rows
from vision.reveal import colour
from vision.reveal.colour import Colours

Floats = NDArray[np.float64]
Light = NDArray[np.float32]
"""Linear BGR, (..., 3)."""

_SHADES = np.exp(np.linspace(np.log(0.3), np.log(2.2), 13))
_GLINTS = np.array([0.0, 0.015, 0.04, 0.08, 0.15, 0.25])
_GROUND_SHARES = np.array([0.0, 0.15, 0.3])
_SHADE_SPREAD, _GLINT_SPREAD, _GROUND_SPREAD = 0.3, 0.08, 0.2
"""Standard deviations of a piece's shade (natural logarithm), of the white it mirrors (linear light), and of the
share of ground in its colour."""
_INTENSITY_SPREAD, _HUE_SPREAD, _HUE_SHARE = 0.08, 0.025, 0.1
"""What the light changes above leave unexplained, in `vision.reveal.colour`'s units: of intensity, of a grey
thing's hue, and of a hue as a share of itself."""
_LEAST_OWN_DISTANCE = 0.8
"""A kind whose specimens are more alike than this is compared as if they were not."""
_MOST_DISTANCE, _MOST_UNLIKE, _MOST_LOG = 8.0, 7.0, 1.2
"""Measures beyond these say no more than these."""


FIT_FILE = Path(__file__).parent / "count_open_set.npz"
_LEAST_CHANCE = 1e-6


@dataclass(frozen=True, eq=False)
class KindModel:
    """What one kind's own specimens look like.

    variants: (specimens × light changes, 3) mean colours; penalties: how unlikely each light change is, squared
    standard deviations; own_distance: typical colour distance between specimens, at least `_LEAST_OWN_DISTANCE`;
    hue_spread: median spread of hue within a specimen; area_mm2 and length_mm: medians; shapes: (specimens, 2)
    `shape_of` their masks; intensity and chroma: of the mean colour of all specimens; printed: of many colours.
    """

    variants: Colours
    penalties: Floats
    own_distance: float
    hue_spread: float
    area_mm2: float
    length_mm: float
    shapes: Floats
    intensity: float
    chroma: float
    printed: bool

    def distance(self, pixels: Colours) -> float:
        """Return the distance of a thing's mean colour from the nearest specimen, in standard deviations.

        pixels: (n, 3) colours in the light of enrolment. Means of linear light do not change with blur.
        """
        return _nearest(self.variants, self.penalties, _mean_colour(pixels))


@dataclass(frozen=True, slots=True)
class PatchMeasures:
    """What was measured of a patch that was taken for `count` pieces of a kind.

    pixels: (n, 3) colours of its inside in the light of enrolment; unlike: how much less likely they are than the
    kind's own (natural logarithm a pixel); less_solid: how much less of its hull it fills than the kind's do;
    shape: `shape_of` its mask; runner_up: probability of the next likely enrolled kind.
    """

    pixels: Colours
    area_mm2: float
    length_mm: float
    count: int
    unlike: float
    less_solid: float
    shape: tuple[float, float]
    runner_up: float


def shape_of(mask: NDArray[np.uint8]) -> tuple[float, float]:
    """Return a mask's elongation (0: as long as wide) and spread (0: a disc), whichever way it is turned."""
    moments = cv2.moments(mask, binaryImage=True)
    area = moments["m00"]
    if area < 1:
        return 0.0, 0.0
    # A pixel is a square, not a point.
    across, down = moments["mu20"] / area + 1 / 12, moments["mu02"] / area + 1 / 12
    total = across + down
    return (
        float(np.hypot(across - down, 2 * moments["mu11"] / area) / total),
        float(np.log(2 * np.pi * total / area)),
    )


def model_kind(samples: PieceSamples, ground: tuple[float, float, float], *, printed: bool) -> KindModel:
    """Model a kind by its specimens. ground: linear BGR of the table in the light of enrolment."""
    lit = [np.maximum(colour.of_lab(one.pixels), 0.0) for one in samples.specimens]
    means = np.array([one.mean(axis=0) for one in lit], np.float32)
    shades, glints, shares = (
        grid.reshape(-1) for grid in np.meshgrid(_SHADES, _GLINTS, _GROUND_SHARES, indexing="ij")
    )
    penalties = (
        (np.log(shades) / _SHADE_SPREAD) ** 2 + (glints / _GLINT_SPREAD) ** 2 + (shares / _GROUND_SPREAD) ** 2
    )
    mixed = (1 - shares)[:, None] * means[:, None] + shares[:, None] * np.array(ground)
    variants = colour.of_light((shades[:, None] * mixed + glints[:, None]).astype(np.float32))
    own = colour.of_light(means)
    apart = [
        _nearest(
            np.delete(variants, number, axis=0).reshape(-1, 3), np.tile(penalties, len(means) - 1), own[number]
        )
        for number in range(len(means) if len(means) > 1 else 0)
    ]
    spreads = [_hue_spread(colour.of_light(one)) for one in lit]
    overall = colour.of_light(np.concatenate(lit).mean(axis=0)[None])[0]
    return KindModel(
        variants.reshape(-1, 3),
        np.tile(penalties, len(means)),
        max(_LEAST_OWN_DISTANCE, float(np.sqrt(np.mean(np.square(apart)))) if apart else 0.0),
        float(np.median(spreads)),
        samples.area_mm2,
        samples.size_mm[0],
        np.array([shape_of((one.crop[..., 3] > 127).astype(np.uint8)) for one in samples.specimens]),
        float(overall[0]),
        float(np.linalg.norm(overall[1:])),
        printed,
    )


def membership(patch: PatchMeasures, kind: KindModel) -> float:
    """Return the probability that a patch is of a kind, and of none that was never enrolled."""
    return float(fitted()(features(patch, kind)[None])[0, 1])


def features(patch: PatchMeasures, kind: KindModel) -> Rows:
    """Return how far a patch is from a kind in every respect, and what sort of kind that is, (20)."""
    distance = min(kind.distance(patch.pixels), _MOST_DISTANCE * 2)
    scaled = min(distance / kind.own_distance, _MOST_DISTANCE * 2)
    area = float(np.clip(np.log(patch.area_mm2 / patch.count / kind.area_mm2), -_MOST_LOG, _MOST_LOG))
    length = float(np.clip(np.log(patch.length_mm / kind.length_mm), -_MOST_LOG, _MOST_LOG))
    spread = _hue_spread(patch.pixels) - kind.hue_spread
    unlike = float(np.clip(patch.unlike, 0.0, _MOST_UNLIKE))
    several = float(patch.count > 1)
    elongated, spread_out = np.abs(kind.shapes - patch.shape)[_nearest_shape(kind.shapes, patch.shape)]
    return np.array([
        min(distance, _MOST_DISTANCE), min(scaled, _MOST_DISTANCE), unlike,
        max(0.0, area), max(0.0, -area), max(0.0, length) * (1 - several), max(0.0, -length),
        max(0.0, spread), max(0.0, -spread),
        max(0.0, patch.less_solid), max(0.0, -patch.less_solid) * (1 - several),
        float(elongated) * (1 - several), float(spread_out) * (1 - several), several,
        kind.intensity, kind.chroma, kind.own_distance, kind.hue_spread, float(kind.printed),
        float(np.log(patch.runner_up + _LEAST_CHANCE)),
    ], np.float32)  # fmt: skip


@cache
def fitted() -> Classifier:
    """Return the shipped classifier of `features`: of no enrolled kind, or of this one.

    `python -m models.evaluation.fit_open_set` writes it.
    """
    with np.load(FIT_FILE, allow_pickle=False) as parts:
        members = [
            tuple(parts[f"{number}_{layer}"] for layer in range(4)) for number in range(int(parts["members"]))
        ]
        return Classifier(parts["middle"], parts["spread"], tuple((a, b, c, d) for a, b, c, d in members))


def _nearest_shape(shapes: Floats, shape: tuple[float, float]) -> int:
    return int(np.abs(shapes - shape).sum(axis=1).argmin())


def _mean_colour(pixels: Colours) -> Colours:
    return np.asarray(colour.of_light(colour.to_light(pixels).mean(axis=0)[None])[0], np.float32)


def _nearest(variants: Colours, penalties: Floats, own: Colours) -> float:
    apart = variants - own
    spread = _HUE_SPREAD + _HUE_SHARE * np.linalg.norm(variants[:, 1:], axis=1)
    squared = penalties + (apart[:, 0] / _INTENSITY_SPREAD) ** 2 + (apart[:, 1:] ** 2).sum(axis=1) / spread**2
    return float(np.sqrt(squared.min()))


def _hue_spread(pixels: Colours) -> float:
    return float(np.linalg.norm(pixels[:, 1:].std(axis=0)))
