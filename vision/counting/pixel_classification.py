"""Per-pixel classification of a table picture: bare table, each enrolled kind, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import LightField, linear
from calibration.pieces.plain_ground import surroundings
from calibration.plane import Image
from vision import colour
from vision.colour import Colours
from vision.exposure_change import exposure
from vision.kind_colours import KindColours

Layer = NDArray[np.float32]
"""One float per pixel, (height, width), or several."""
Light = NDArray[np.float32]
"""Linear BGR, (height, width, 3)."""

MIN_LOG_DENSITY = float(np.log(0.02 * 0.25))
"""Log density of unknown objects (coins, prints, sleeves) at every colour. Also the lower bound of a pixel's log
density under a kind, so that a reflection does not rule that kind out."""
_PRIOR_PIECE = 0.06
"""Prior probability that a pixel is a piece."""
_LIGHT_SPREAD = 0.06
"""Minimum standard deviation of the table's intensity; that of a grained table is measured."""
_HUE_SPREAD = 0.025
"""Minimum standard deviation of the table's hue; that of a grained table is measured."""
_DEEPEST_SHADOW = 0.5
"""Depth of the deepest shadow, intensity."""
_SHADOW_DEPTHS = (0.3, 1.0)
"""Range of shadow depths (intensity) in which the tint is measured."""
_TINT_SPREAD = 0.12
"""Maximum deviation of a shadow's colour from the blue-red axis."""
_TINTS = np.linspace(-0.6, 0.6, 16)
"""Bins of the tint histogram; tints beyond belong to another object."""
_TINT_EVIDENCE = 1.5
"""Minimum ratio of pixels of a shadow tint to untinted shadow pixels for the tint to be accepted."""
_MIN_SHADOW_PX = 150
"""Minimum number of pixels in that comparison."""
_MIN_SHADOW_LIGHT = 0.25
"""Minimum share of its light that shadowed ground keeps."""
_MAX_SHADOW_LIGHT = 1.1
"""Maximum brightness of ground relative to its surroundings."""
_MAX_SPREAD = np.array([0.18, 0.105, 0.105])
"""Upper bound of the measured standard deviations of the table: on a mottled table they would absorb every piece.
"""
_NO_TABLE = -30.0
"""Log density of bare table at pixels that are known to be covered."""
_MIN_CERTAIN_TABLE = 3.5
"""Log density under bare table above which a pixel is not compared with any kind: saves nine tenths of the time."""


@dataclass(frozen=True, slots=True)
class KindMap:
    """Per-pixel classification of a picture."""

    kinds: tuple[str, ...]
    """Kinds in the order of the layers."""
    colours: Colours
    """Colours in the light of enrolment, (height, width, 3)."""
    densities: Layer
    """Log density under each kind or under anything else, whichever is larger, (kinds, height, width)."""
    posterior: Layer
    """Probability of each kind, (kinds, height, width); the remainder to 1 is bare table or an unknown object."""
    table: Layer
    """Probability of bare table, (height, width)."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Where a picture differs from the empty table."""

    new: NDArray[np.bool_]
    """Pixels at which the picture differs from the empty table, (height, width)."""
    known: NDArray[np.bool_]
    """Pixels for which the empty table is known, (height, width)."""

    def may_hold(self, x: float, y: float) -> bool:
        """Return whether an object may lie at a pixel (x, y): it changed, or the empty table is unknown there."""
        rows, columns = (slice(max(0, round(at) - 1), max(0, round(at)) + 2) for at in (y, x))
        return bool((self.new | ~self.known)[rows, columns].any())


def light_on(image: Image, empty: Image | None, reference: tuple[float, float, float]) -> LightField:
    """Return the light field that converts a picture's colours to the light of enrolment.

    empty: picture of the empty table from the same position, so that objects do not bias the result; None if there
    is none. reference: mean colour of the table at calibration, linear BGR.
    """
    if empty is None:
        return LightField.of(image, reference, balanced=True)
    field = LightField.of(empty, reference, balanced=True)
    b, g, r = exposure(empty, image)
    blue, green, red = field.balance
    return LightField(field.gain, (float(b) * blue, float(g) * green, float(r) * red))


def map_kinds(
    image: Image,
    light: LightField,
    empty: Image | None,
    models: Mapping[str, KindColours],
    px_per_mm: float,
    changes: Changes | None = None,
) -> KindMap:
    """Classify each pixel of a BGR picture as bare table, a kind of piece, or an unknown object.

    light: see `light_on`. empty: picture of the empty table with the same shape; without it, the table is estimated
    from the surroundings of each pixel. models: colour model of each kind. changes: where the picture differs from
    the empty table; where that table is known, unchanged pixels are then table and changed ones are not. px_per_mm:
    scale at the picture's centre.
    """
    lit = _in_enrolment_light(image, light)
    colours = _smooth(colour.of_light(lit))
    around = surroundings(image, px_per_mm)
    grounds = [around] if empty is None or changes is not None else [empty, around]
    table = _table_density(lit, colours, grounds, light)
    if changes is not None:
        table[changes.known] = _MIN_CERTAIN_TABLE
        table[changes.new] = _NO_TABLE
    kinds = tuple(models)
    perhaps = table < _MIN_CERTAIN_TABLE
    pixels = np.ascontiguousarray(colours[perhaps])
    densities = np.full((len(kinds), *table.shape), MIN_LOG_DENSITY, np.float32)
    posterior = np.zeros((len(kinds), *table.shape), np.float32)
    bare = np.ones(table.shape, np.float32)
    if len(pixels):
        own = np.stack([models[kind].log_density(pixels) for kind in kinds])
        share = float(np.log(_PRIOR_PIECE / max(1, len(kinds))))
        ground = (table[perhaps] + np.log(1 - _PRIOR_PIECE))[None]
        scores = np.concatenate([own + share, ground, np.full(ground.shape, MIN_LOG_DENSITY)])
        scores -= scores.max(axis=0)
        chances = np.exp(scores)
        chances /= chances.sum(axis=0)
        densities[:, perhaps] = np.maximum(own, MIN_LOG_DENSITY)
        posterior[:, perhaps] = chances[: len(kinds)]
        bare[perhaps] = chances[len(kinds)]
    return KindMap(kinds, colours, densities, posterior, bare)


def _table_density(lit: Light, colours: Colours, grounds: Sequence[Image], light: LightField) -> Layer:
    """Return each pixel's log density under the bare table, for the best of several pictures of the bare table."""
    smooth = np.asarray(cv2.blur(lit, (3, 3)), np.float32)
    below = (np.asarray(cv2.blur(_in_enrolment_light(ground, light), (3, 3)), np.float32) for ground in grounds)
    return np.asarray(np.maximum.reduce([_ground_density(colours, smooth, ground) for ground in below]), np.float32)


def _in_enrolment_light(image: Image, light: LightField) -> Light:
    """Return a picture's linear light, corrected to the light of enrolment."""
    return np.asarray(linear(image) * light.gain[..., None] * np.array(light.balance, np.float32), np.float32)


def _smooth(colours: Colours) -> Colours:
    """Return the mean colours over 3 × 3 pixels."""
    return np.asarray(cv2.blur(colours, (3, 3)), np.float32)


def _ground_density(colours: Colours, lit: Light, ground: Light) -> Layer:
    """Return each pixel's log density under the bare table, lit or in shadow, (height, width).

    lit, ground: linear light of the picture and of the bare table. A table in shadow has less light, and near black
    also less chroma.
    """
    share = np.clip((lit.sum(axis=2) + 1e-3) / (ground.sum(axis=2) + 1e-3), _MIN_SHADOW_LIGHT, _MAX_SHADOW_LIGHT)
    bright, shaded = colour.of_light(ground), colour.of_light(ground * share[..., None])
    depth = colours[..., 0] - bright[..., 0]
    spread = 1.4826 * np.median(np.abs((colours - bright)[::3, ::3]), axis=(0, 1))
    off = colours - shaded
    tint = _shadow_tint(depth, off)
    tinted = off[..., 1] - tint * depth
    least = np.array([_LIGHT_SPREAD, _HUE_SPREAD, _HUE_SPREAD])
    one, two, three = np.clip(1.3 * spread, least, _MAX_SPREAD)
    blue_red = np.minimum(off[..., 1] ** 2, tinted**2)
    distance = (off[..., 0] / one) ** 2 + blue_red / two**2 + (off[..., 2] / three) ** 2
    # Prior: half of all ground is fully lit, the rest uniform down to the deepest shadow.
    depth = np.log(0.5 * np.exp(-0.5 * (depth / one) ** 2) / (2.5 * one) + 0.5 / (_DEEPEST_SHADOW + 2.5 * one))
    return np.asarray(depth - 0.5 * distance - np.log(6.28 * two * three), np.float32)


def _shadow_tint(depth: Layer, off: Colours) -> float:
    """Return the tint of shadows: change towards blue or red per unit of depth, 0 for neutral shadows.

    Under a warm lamp in a cold room, shadows are blue. The most frequent tint of the darkened table is returned.
    depth: intensity relative to the lit table, below 0 in a shadow. off: colours relative to a neutral shadow.
    """
    dark = (depth < -_SHADOW_DEPTHS[0]) & (depth > -_SHADOW_DEPTHS[1]) & (np.abs(off[..., 2]) < _TINT_SPREAD)
    tints = off[..., 1][dark] / depth[dark]
    counts, edges = np.histogram(tints, _TINTS)
    smooth = np.convolve(counts, np.ones(3), "same")
    best, neutral = int(smooth.argmax()), len(counts) // 2
    if smooth[best] < _TINT_EVIDENCE * max(smooth[neutral], _MIN_SHADOW_PX):
        return 0.0
    return float((edges[best] + edges[best + 1]) / 2)
