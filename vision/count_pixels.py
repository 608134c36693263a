"""Which pixels of a table are pieces, and of which kind, told by the table's own enrolled samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import LightField, linear
from calibration.plane import Image
from vision.exposure import exposure
from vision.readings import Box
from vision.reveal import colour
from vision.reveal.colour import Colours
from vision.reveal.kinds import KindColours

Layer = NDArray[np.float32]
Light = NDArray[np.float32]
"""Linear BGR, (height, width, 3)."""

_SURROUNDINGS_MM = 60.0
LEAST_DENSITY = float(np.log(0.02 * 0.25))
"""Log density of anything else, anywhere in colour space: a coin, a print, a sleeve. A glint says no more against a
kind than this."""
_PRIOR_PIECE = 0.06
_LIGHT_SPREAD, _HUE_SPREAD = 0.06, 0.025
"""The least spread of a table's own colours; a grained one's is measured."""
_DEEPEST_SHADOW = 0.5
_SHADOW_DEPTHS, _TINT_SPREAD = (0.3, 1.0), 0.12
"""Depths of shadow (intensity) that its tint is measured at, and how far it may be from blue and red alone."""
_TINTS = np.linspace(-0.6, 0.6, 16)
"""Tints beyond these are another thing's colour."""
_TINT_EVIDENCE, _LEAST_SHADOW_PX = 1.5, 150
"""A tint is believed that so many times as much ground has as keeps its hue."""
_DARKEST, _BRIGHTEST = 0.25, 1.1
"""The share of its light that ground in shadow keeps."""
_MOST_SPREAD = np.array([0.18, 0.105, 0.105])
"""A table so motley that its spread would swallow every piece is compared no more coarsely than this."""
_PATTERN_DIFFERENCE, _MOST_PATTERNED = 12.0, 0.1
"""A table of which more than this share differs so much (CIELAB) from its surroundings is not plain: wood grain
stays below 0.01, printed boards and cloths above 0.25."""
_NO_TABLE = -30.0
"""Log density of the table where it is known to be covered."""
_SURELY_TABLE = 3.5
"""Pixels of such a log density under the table are no pieces: a tenth of the time."""


@dataclass(frozen=True, slots=True)
class KindMap:
    """What each pixel may be.

    kinds: names in the order of the layers. colours: (height, width, 3) in the light of enrolment. densities:
    (kinds, height, width) log density of the pixel's colour under each kind, or under anything else where that is
    more. posterior: same shape, probability 0..1. table: (height, width) probability of bare table; what is left
    belongs to other things.
    """

    kinds: tuple[str, ...]
    colours: Colours
    densities: Layer
    posterior: Layer
    table: Layer


@dataclass(frozen=True, slots=True)
class Changes:
    """What a picture shows that the empty table does not.

    new: (height, width), where something lies; known: same shape, where the empty table is known.
    """

    new: NDArray[np.bool_]
    known: NDArray[np.bool_]

    def may_hold(self, x: float, y: float) -> bool:
        """Return whether something may lie at a place (px): it is new, or the empty table is not known there."""
        rows, columns = (slice(max(0, round(at) - 1), max(0, round(at)) + 2) for at in (y, x))
        return bool((self.new | ~self.known)[rows, columns].any())


def light_on(image: Image, empty: Image | None, reference: tuple[float, float, float]) -> LightField:
    """Give the light on a picture's table, so that colours come out as they were enrolled.

    empty: a picture of the empty table from the same place, where there is one: then what lies about now does not
    disturb. reference: the table's colour at the calibration.
    """
    if empty is None:
        return LightField.of(image, reference, balanced=True)
    field = LightField.of(empty, reference, balanced=True)
    b, g, r = exposure(empty, image)
    blue, green, red = field.balance
    return LightField(field.gain, (float(b) * blue, float(g) * green, float(r) * red))


def is_plain(image: Image, px_per_mm: float, covered: Sequence[Box] = ()) -> bool:
    """Return whether the table in a BGR picture is plain: hardly any of it differs from its surroundings.

    covered: boxes (px) of what lies on it; so much again on each side is left out.
    """
    scale = min(1.0, 1.0 / px_per_mm)
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    smooth = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)
    around = _surroundings(smooth, px_per_mm * scale)
    here, there = (cv2.cvtColor(of.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) for of in (smooth, around))
    free = np.ones(smooth.shape[:2], np.bool_)
    for x, y, width, height in covered:
        left, top = max(0, int((x - width) * scale)), max(0, int((y - height) * scale))
        free[top : int((y + 2 * height) * scale) + 1, left : int((x + 2 * width) * scale) + 1] = False
    patterned = np.linalg.norm(here - there, axis=2)[free] > _PATTERN_DIFFERENCE
    return bool(not len(patterned) or patterned.mean() < _MOST_PATTERNED)


def map_kinds(
    image: Image,
    light: LightField,
    empty: Image | None,
    models: Mapping[str, KindColours],
    px_per_mm: float,
    changes: Changes | None = None,
) -> KindMap:
    """Weigh for each pixel of a BGR picture whether it is table or a piece, and of which kind.

    empty: the table without anything as a picture of the same shape and light; its surroundings stand for what
    is under a place when there is none. changes: where something lies that the empty table does not show, if that
    has been found; all else that is known is table.
    """
    lit = _lit(image, light)
    colours = _smooth(colour.of_light(lit))
    around = _surroundings(image, px_per_mm)
    grounds = [around] if empty is None or changes is not None else [empty, around]
    table = _table_density(lit, colours, grounds, light)
    if changes is not None:
        table[changes.known] = _SURELY_TABLE
        table[changes.new] = _NO_TABLE
    kinds = tuple(models)
    perhaps = table < _SURELY_TABLE
    pixels = np.ascontiguousarray(colours[perhaps])
    densities = np.full((len(kinds), *table.shape), LEAST_DENSITY, np.float32)
    posterior = np.zeros((len(kinds), *table.shape), np.float32)
    bare = np.ones(table.shape, np.float32)
    if len(pixels):
        own = np.stack([models[kind].log_density(pixels) for kind in kinds])
        share = float(np.log(_PRIOR_PIECE / max(1, len(kinds))))
        ground = (table[perhaps] + np.log(1 - _PRIOR_PIECE))[None]
        scores = np.concatenate([own + share, ground, np.full(ground.shape, LEAST_DENSITY)])
        scores -= scores.max(axis=0)
        chances = np.exp(scores)
        chances /= chances.sum(axis=0)
        densities[:, perhaps] = np.maximum(own, LEAST_DENSITY)
        posterior[:, perhaps] = chances[: len(kinds)]
        bare[perhaps] = chances[len(kinds)]
    return KindMap(kinds, colours, densities, posterior, bare)


def _table_density(lit: Light, colours: Colours, grounds: Sequence[Image], light: LightField) -> Layer:
    smooth = np.asarray(cv2.blur(lit, (3, 3)), np.float32)
    below = (np.asarray(cv2.blur(_lit(ground, light), (3, 3)), np.float32) for ground in grounds)
    return np.asarray(np.maximum.reduce([_ground_density(colours, smooth, ground) for ground in below]), np.float32)


def _lit(image: Image, light: LightField) -> Light:
    return np.asarray(linear(image) * light.gain[..., None] * np.array(light.balance, np.float32), np.float32)


def _smooth(colours: Colours) -> Colours:
    return np.asarray(cv2.blur(colours, (3, 3)), np.float32)


def _surroundings(image: Image, px_per_mm: float) -> Image:
    """Give the table as it looks around each place: a median over a window far wider than a piece."""
    height, width = image.shape[:2]
    scale = min(1.0, 0.5 / px_per_mm)
    small = cv2.resize(
        image, (max(8, round(width * scale)), max(8, round(height * scale))), interpolation=cv2.INTER_AREA
    )
    window = max(3, round(_SURROUNDINGS_MM * px_per_mm * scale) | 1)
    return np.asarray(cv2.resize(cv2.medianBlur(small, window), (width, height)), np.uint8)


def _ground_density(colours: Colours, lit: Light, ground: Light) -> Layer:
    """Logarithm of how densely the ground under light or shadow fills colour space, (height, width).

    Ground in shadow is the ground with less light, which near black has less of a hue, too.
    """
    share = np.clip((lit.sum(axis=2) + 1e-3) / (ground.sum(axis=2) + 1e-3), _DARKEST, _BRIGHTEST)
    bright, shaded = colour.of_light(ground), colour.of_light(ground * share[..., None])
    depth = colours[..., 0] - bright[..., 0]
    spread = 1.4826 * np.median(np.abs((colours - bright)[::3, ::3]), axis=(0, 1))
    off = colours - shaded
    tint = _shadow_tint(depth, off)
    tinted = off[..., 1] - tint * depth
    least = np.array([_LIGHT_SPREAD, _HUE_SPREAD, _HUE_SPREAD])
    one, two, three = np.clip(1.3 * spread, least, _MOST_SPREAD)
    blue_red = np.minimum(off[..., 1] ** 2, tinted**2)
    distance = (off[..., 0] / one) ** 2 + blue_red / two**2 + (off[..., 2] / three) ** 2
    # Half of all ground lies in full light, the rest anywhere between that and the deepest shadow.
    depth = np.log(0.5 * np.exp(-0.5 * (depth / one) ** 2) / (2.5 * one) + 0.5 / (_DEEPEST_SHADOW + 2.5 * one))
    return np.asarray(depth - 0.5 * distance - np.log(6.28 * two * three), np.float32)


def _shadow_tint(depth: Layer, off: Colours) -> float:
    """Return how far a picture's shadows turn to blue or red for their depth; 0 where they keep the table's hue.

    Under a warm lamp in a cold room shadows are blue, and all of one picture have one tint: the one that most of
    the darkened ground has. depth: intensity against the ground in full light; off: colours against neutral shadow.
    """
    dark = (depth < -_SHADOW_DEPTHS[0]) & (depth > -_SHADOW_DEPTHS[1]) & (np.abs(off[..., 2]) < _TINT_SPREAD)
    tints = off[..., 1][dark] / depth[dark]
    counts, edges = np.histogram(tints, _TINTS)
    smooth = np.convolve(counts, np.ones(3), "same")
    best, neutral = int(smooth.argmax()), len(counts) // 2
    if smooth[best] < _TINT_EVIDENCE * max(smooth[neutral], _LEAST_SHADOW_PX):
        return 0.0
    return float((edges[best] + edges[best + 1]) / 2)
