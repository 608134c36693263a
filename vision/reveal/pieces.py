"""Which pixels of a hand are pieces, and of which kind.

The inside of this module may be replaced by a trained detector: what the rest needs is `PieceMap`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.samples import PieceSamples
from vision.reveal import colour
from vision.reveal.colour import Colours
from vision.reveal.foreground import Mask, deep_in, within
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM
from vision.reveal.skin import Skin

_SHADES = np.array([0.33, 0.52, 0.8, 1.1, 1.5], np.float32)
_SHADE_WEIGHTS = np.array([0.1, 0.2, 0.3, 0.28, 0.12], np.float32)
"""How a palm's light differs from the middle of the table's: lamp nearer, turned away, in a piece's shadow."""
_KERNEL = np.array([0.12, 0.055, 0.05], np.float32)
_MEANS = 5
_PRIOR_PIECE, _PRIOR_TABLE = 0.15, 0.25
_RIM_MM = 7.0
"""So far inside a hand's outline the table can still be seen, where the outline was drawn too wide."""
_LOG_OTHER = float(np.log(0.03 * 0.25))
"""Something else in a hand: a sleeve, a ring, a sheet of paper: anywhere in colour space."""
_BEYOND_MM, _PALM_MM = 12.0, 58.0
"""A dark piece on the palm's edge may have been taken for shadow: so far outside the outline it is looked for."""
_REACH_MM = 15.0
"""A piece lies on skin or on a piece that does."""


@dataclass(frozen=True, slots=True)
class KindColours:
    """What a kind looks like under all shades: kernels (n, 3) divided by the kernel's width, and log weights."""

    centres: Colours
    log_weights: NDArray[np.float32]

    def log_density(self, colours: Colours) -> NDArray[np.float32]:
        """Logarithm of the kind's density; colours (n, 3) gives (n)."""
        at = colours / _KERNEL
        # The nearest kernel stands for the sum of all: a third of the time, and as good.
        near = self.centres @ at.T + (self.log_weights - 0.5 * (self.centres**2).sum(axis=1))[:, None]
        total = near.max(axis=0) - 0.5 * (at[:, 0] ** 2 + at[:, 1] ** 2 + at[:, 2] ** 2)
        return np.asarray(total - np.log(_KERNEL).sum() - 2.757, np.float32)


def learn_kind(samples: PieceSamples) -> KindColours:
    """Sum up a kind's enrolled pixels as a few mean colours, each under all shades."""
    light = colour.of_lab(samples.pixels)
    points = np.ascontiguousarray(colour.of_light(light) / _KERNEL, np.float32)
    count = min(_MEANS, len(points))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    cv2.setRNGSeed(0)
    start = np.zeros((len(points), 1), np.int32)
    _, labels, _ = cv2.kmeans(points, count, start, criteria, 2, cv2.KMEANS_PP_CENTERS)
    groups = [light[np.asarray(labels)[:, 0] == k] for k in range(count)]
    groups = [group for group in groups if len(group)]
    means = np.array([group.mean(axis=0) for group in groups], np.float32)
    share = np.array([len(group) for group in groups], np.float32) / len(light)
    centres = colour.shaded(means, _SHADES).reshape(-1, 3) / _KERNEL
    weights = (share[:, None] * _SHADE_WEIGHTS[None]).reshape(-1)
    return KindColours(centres.astype(np.float32), np.log(weights).astype(np.float32))


@dataclass(frozen=True, slots=True)
class PieceMap:
    """Pieces of one hand in its level patch: by kind the probability of each pixel, float32 0..1, and skin."""

    kinds: Mapping[str, NDArray[np.float32]]
    skin: Mask


def map_pieces(
    colours: Colours,
    table: Colours,
    mask: Mask,
    skin: Skin,
    models: Mapping[str, KindColours],
    kinds: Sequence[str],
) -> PieceMap:
    """Tell skin, table and the given kinds apart, pixel by pixel, within a hand's mask.

    colours, table: the patch with the hand and without it, (height, width, 3).
    """
    height, width = mask.shape
    smooth = np.asarray(cv2.blur(colours, (3, 3)), np.float32)
    around = within(mask, _BEYOND_MM * PATCH_PX_PER_MM) & (_palm(mask.shape) > 0)
    rows, columns = np.nonzero((mask > 0) | around)
    pixels = smooth[rows, columns]
    own = skin.log_density(pixels, skin.level[rows, columns]) + np.log(1.0 - _PRIOR_PIECE)
    surely_skin = own > skin.heart - 2.0
    left = ~surely_skin
    rows_left, columns_left, pixels_left = rows[left], columns[left], pixels[left]
    rim = ~deep_in(mask, _RIM_MM * PATCH_PX_PER_MM)[rows_left, columns_left]
    outside = mask[rows_left, columns_left] == 0
    ground = _table_log_density(pixels_left, table[rows_left, columns_left])
    ground += np.where(outside, np.log(1.0 - _PRIOR_PIECE), np.log(_PRIOR_TABLE))
    scores = [own[left], np.where(rim, ground, -50.0), np.full(len(rim), _LOG_OTHER, np.float32)]
    share = _PRIOR_PIECE / max(1, len(kinds))
    scores += [models[kind].log_density(pixels_left) + np.log(share) for kind in kinds]
    stack = np.stack(scores)
    stack -= stack.max(axis=0)
    posterior = np.exp(stack)
    posterior /= posterior.sum(axis=0)
    is_skin = np.zeros((height, width), np.uint8)
    is_skin[rows[surely_skin], columns[surely_skin]] = 255
    is_skin[rows_left, columns_left] = np.where(posterior[0] > 0.5, 255, 0)
    solid = cv2.morphologyEx(is_skin, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    near = within(np.asarray(solid, np.uint8), _REACH_MM * PATCH_PX_PER_MM)
    found: dict[str, NDArray[np.float32]] = {}
    for kind, row in zip(kinds, posterior[3:], strict=True):
        layer = np.zeros((height, width), np.float32)
        layer[rows_left, columns_left] = row
        layer[~near] = 0.0
        found[kind] = layer
    return PieceMap(found, is_skin)


def _table_log_density(colours: Colours, table: Colours) -> NDArray[np.float32]:
    """Logarithm of how densely the table under light or shadow fills colour space; (n, 3) each gives (n)."""
    off = colours - table
    light = np.clip(off[:, 0], -0.7, 0.05)
    distance = ((off[:, 0] - light) / 0.08) ** 2 + (off[:, 1] / 0.05) ** 2 + (off[:, 2] / 0.045) ** 2
    # Spread evenly over all shades of shadow.
    return np.asarray(-0.5 * distance - np.log(0.75 * 0.05 * 0.045 * 6.28), np.float32)


def _palm(shape: tuple[int, ...]) -> Mask:
    palm = np.zeros(shape, np.uint8)
    centre = (round(PATCH_PALM[0]), round(PATCH_PALM[1]))
    cv2.circle(palm, centre, round(_PALM_MM * PATCH_PX_PER_MM), 255, -1)
    return palm
