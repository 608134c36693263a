"""Open-set decision: whether an object is of the enrolled kind that it resembles most, or of no enrolled kind.

Each kind is modelled by its specimens: mean colour under the light changes of one table (more or less light,
specular reflection, ground colour at a blurred rim), spread of hue, area, length and shape. The distances from the
kind, also relative to the distances between its own specimens, give the probability of membership.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import PieceSamples
from vision import colour
from vision.colour import Colours
from vision.counting.mlp_ensemble import Classifier, Rows

Floats = NDArray[np.float64]
"""Array of floats."""
Light = NDArray[np.float32]
"""Linear BGR, (..., 3)."""

_SHADES = np.exp(np.linspace(np.log(0.3), np.log(2.2), 13))
"""Brightness factors."""
_GLINTS = np.array([0.0, 0.015, 0.04, 0.08, 0.15, 0.25])
"""White light from specular reflection, linear 0..1."""
_GROUND_SHARES = np.array([0.0, 0.15, 0.3])
"""Shares of ground in a piece's colour."""
_SHADE_SPREAD = 0.3
"""Standard deviation of a piece's brightness, natural logarithm."""
_GLINT_SPREAD = 0.08
"""Standard deviation of specular reflection, linear light."""
_GROUND_SPREAD = 0.2
"""Standard deviation of the share of ground in a piece's colour."""
_INTENSITY_SPREAD = 0.08
"""Residual standard deviation of intensity, in units of `vision.colour`."""
_HUE_SPREAD = 0.025
"""Residual standard deviation of a grey object's hue, same units."""
_HUE_SHARE = 0.1
"""Residual standard deviation of a hue, as a share of itself."""
_MIN_OWN_DISTANCE = 0.8
"""Minimum distance assumed between the specimens of a kind, standard deviations."""
_MAX_DISTANCE = 8.0
"""Upper bound of colour distances, standard deviations."""
_MAX_UNLIKE = 7.0
"""Upper bound of `PatchMeasures.unlike`, nats per pixel."""
_MAX_LOG = 1.2
"""Upper bound of the absolute log ratio of areas and lengths."""


CLASSIFIER_FILE = Path(__file__).parent / "open_set.npz"
"""Weights of the shipped classifier."""
_MIN_PROBABILITY = 1e-6
"""Lower bound of a probability under a logarithm."""


@dataclass(frozen=True, eq=False)
class KindModel:
    """Model of one kind from its own specimens."""

    variants: Colours
    """Mean colour of each specimen under each simulated light change, (specimens · changes, 3)."""
    penalties: Floats
    """Penalty of each variant's light change, in squared standard deviations."""
    own_distance: float
    """Typical colour distance between specimens, at least `_MIN_OWN_DISTANCE`."""
    hue_spread: float
    """Median spread of hue within a specimen."""
    area_mm2: float
    """Median area."""
    length_mm: float
    """Median length."""
    shapes: Floats
    """Elongation and dispersion of each specimen (`shape_of`), (specimens, 2)."""
    intensity: float
    """Intensity of the mean colour of all specimens."""
    chroma: float
    """Chroma of that mean colour."""
    printed: bool
    """Whether the kind is printed in several colours."""

    def distance(self, pixels: Colours) -> float:
        """Return the distance of an object's mean colour from the nearest specimen, in standard deviations.

        pixels: (n, 3) colours in the light of enrolment. Means of linear light are invariant to blur.
        """
        return _nearest_distance(self.variants, self.penalties, _mean_colour(pixels))


@dataclass(frozen=True, slots=True)
class PatchMeasures:
    """Measures of a patch of pixels that was counted as `count` pieces of one kind."""

    pixels: Colours
    """Colours of its inside in the light of enrolment, (n, 3)."""
    area_mm2: float
    """Area."""
    length_mm: float
    """Length."""
    count: int
    """Number of pieces."""
    unlike: float
    """Deficit of its colours' log likelihood against the kind's own, nats per pixel."""
    less_solid: float
    """Deficit of its solidity (share of the convex hull) against the kind's."""
    shape: tuple[float, float]
    """Elongation and dispersion of its mask (`shape_of`)."""
    runner_up: float
    """Probability of the second most probable enrolled kind."""


def shape_of(mask: NDArray[np.uint8]) -> tuple[float, float]:
    """Return a mask's elongation (0: as long as wide) and dispersion (0: a disc), invariant to rotation."""
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
    """Return the model of a kind from its enrolled specimens.

    ground: linear BGR of the bare table at enrolment. printed: whether the kind has a print of several colours.
    """
    lit = [np.maximum(colour.light_of_lab(one.pixels), 0.0) for one in samples.specimens]
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
        _nearest_distance(
            np.delete(variants, number, axis=0).reshape(-1, 3), np.tile(penalties, len(means) - 1), own[number]
        )
        for number in range(len(means) if len(means) > 1 else 0)
    ]
    spreads = [_hue_spread(colour.of_light(one)) for one in lit]
    overall = colour.of_light(np.concatenate(lit).mean(axis=0)[None])[0]
    return KindModel(
        variants.reshape(-1, 3),
        np.tile(penalties, len(means)),
        max(_MIN_OWN_DISTANCE, float(np.sqrt(np.mean(np.square(apart)))) if apart else 0.0),
        float(np.median(spreads)),
        samples.area_mm2,
        samples.size_mm[0],
        np.array([shape_of((one.crop[..., 3] > 127).astype(np.uint8)) for one in samples.specimens]),
        float(overall[0]),
        float(np.linalg.norm(overall[1:])),
        printed,
    )


def membership(patch: PatchMeasures, kind: KindModel) -> float:
    """Return the probability that a patch shows pieces of this kind, not an object of no enrolled kind."""
    return float(shipped_classifier()(membership_features(patch, kind)[None])[0, 1])


def membership_features(patch: PatchMeasures, kind: KindModel) -> Rows:
    """Return the input of the classifier: a patch's measures relative to a kind's, and the kind's own, (20,)."""
    distance = min(kind.distance(patch.pixels), _MAX_DISTANCE * 2)
    scaled = min(distance / kind.own_distance, _MAX_DISTANCE * 2)
    area = float(np.clip(np.log(patch.area_mm2 / patch.count / kind.area_mm2), -_MAX_LOG, _MAX_LOG))
    length = float(np.clip(np.log(patch.length_mm / kind.length_mm), -_MAX_LOG, _MAX_LOG))
    spread = _hue_spread(patch.pixels) - kind.hue_spread
    unlike = float(np.clip(patch.unlike, 0.0, _MAX_UNLIKE))
    several = float(patch.count > 1)
    elongated, spread_out = np.abs(kind.shapes - patch.shape)[_nearest_shape(kind.shapes, patch.shape)]
    return np.array([
        min(distance, _MAX_DISTANCE), min(scaled, _MAX_DISTANCE), unlike,
        max(0.0, area), max(0.0, -area), max(0.0, length) * (1 - several), max(0.0, -length),
        max(0.0, spread), max(0.0, -spread),
        max(0.0, patch.less_solid), max(0.0, -patch.less_solid) * (1 - several),
        float(elongated) * (1 - several), float(spread_out) * (1 - several), several,
        kind.intensity, kind.chroma, kind.own_distance, kind.hue_spread, float(kind.printed),
        float(np.log(patch.runner_up + _MIN_PROBABILITY)),
    ], np.float32)  # fmt: skip # one group of features per line


@cache
def shipped_classifier() -> Classifier:
    """Load the shipped open-set classifier; its file is written by `python -m models.fitting.open_set`.

    Its input is `membership_features`, its classes are "no enrolled kind" and "this kind".
    """
    with np.load(CLASSIFIER_FILE, allow_pickle=False) as parts:
        members = [
            tuple(parts[f"{number}_{layer}"] for layer in range(4)) for number in range(int(parts["members"]))
        ]
        return Classifier(parts["middle"], parts["spread"], tuple((a, b, c, d) for a, b, c, d in members))


def _nearest_shape(shapes: Floats, shape: tuple[float, float]) -> int:
    """Return the index of the most similar shape. shapes: elongation and dispersion, (n, 2)."""
    return int(np.abs(shapes - shape).sum(axis=1).argmin())


def _mean_colour(pixels: Colours) -> Colours:
    """Return the colour of the mean linear light of pixels, (3,)."""
    return np.asarray(colour.of_light(colour.to_light(pixels).mean(axis=0)[None])[0], np.float32)


def _nearest_distance(variants: Colours, penalties: Floats, own: Colours) -> float:
    """Return the distance of a colour from the nearest variant, in standard deviations; see `KindModel`."""
    apart = variants - own
    spread = _HUE_SPREAD + _HUE_SHARE * np.linalg.norm(variants[:, 1:], axis=1)
    squared = penalties + (apart[:, 0] / _INTENSITY_SPREAD) ** 2 + (apart[:, 1:] ** 2).sum(axis=1) / spread**2
    return float(np.sqrt(squared.min()))


def _hue_spread(pixels: Colours) -> float:
    """Return the standard deviation of the two hue channels together."""
    return float(np.linalg.norm(pixels[:, 1:].std(axis=0)))
