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
from vision.reveal.foreground import Mask
from vision.reveal.geometry import PATCH_PX_PER_MM
from vision.reveal.skin import Skin

_SHADES = np.array([0.33, 0.52, 0.8, 1.1, 1.5], np.float32)
_SHADE_WEIGHTS = np.array([0.1, 0.2, 0.3, 0.28, 0.12], np.float32)
"""How a palm's light differs from the middle of the table's: lamp nearer, turned away, in another piece's shadow."""
_KERNEL = np.array([0.12, 0.055, 0.05], np.float32)
_MEANS = 5
_PRIOR_PIECE = 0.12
_LOG_OTHER = float(np.log(0.03 * 0.25))
"""Something else in a hand: a sleeve, a ring, a sheet of paper: anywhere in colour space."""
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
        square = (at**2).sum(1)[:, None] + (self.centres**2).sum(1)[None] - 2.0 * (at @ self.centres.T)
        # The nearest kernel stands for the sum of all: a third of the time, and as good.
        total = (self.log_weights[None] - 0.5 * square).max(axis=1)
        return np.asarray(total - np.log(_KERNEL).sum() - 2.757, np.float32)


def learn_kind(samples: PieceSamples) -> KindColours:
    """Sum up a kind's enrolled pixels as a few mean colours, each under all shades."""
    light = colour.of_lab(samples.pixels)
    points = colour.of_light(light) / _KERNEL
    count = min(_MEANS, len(points))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    cv2.setRNGSeed(0)
    _, labels, _ = cv2.kmeans(
        np.ascontiguousarray(points, np.float32), count, None, criteria, 2, cv2.KMEANS_PP_CENTERS
    )
    groups = [light[labels[:, 0] == k] for k in range(count)]
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
    colours: Colours, mask: Mask, skin: Skin, models: Mapping[str, KindColours], kinds: Sequence[str]
) -> PieceMap:
    """Tell skin and the given kinds apart, pixel by pixel, within a hand's mask."""
    height, width = mask.shape
    smooth = cv2.blur(colours, (3, 3))
    rows, columns = np.nonzero(mask)
    pixels = smooth[rows, columns]
    own = skin.log_density(pixels) + np.log(1.0 - _PRIOR_PIECE)
    surely_skin = own > skin_level(skin) - 1.5
    left = ~surely_skin
    scores = [own[left], np.full(int(left.sum()), _LOG_OTHER, np.float32)]
    share = _PRIOR_PIECE / max(1, len(kinds))
    scores += [models[kind].log_density(pixels[left]) + np.log(share) for kind in kinds]
    stack = np.stack(scores)
    stack -= stack.max(axis=0)
    posterior = np.exp(stack)
    posterior /= posterior.sum(axis=0)
    is_skin = np.zeros((height, width), np.uint8)
    is_skin[rows[surely_skin], columns[surely_skin]] = 255
    is_skin[rows[left], columns[left]] = np.where(posterior[0] > 0.5, 255, 0)
    reach = round(_REACH_MM * PATCH_PX_PER_MM)
    solid = cv2.morphologyEx(is_skin, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    near = cv2.dilate(solid, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)))
    found: dict[str, NDArray[np.float32]] = {}
    for kind, row in zip(kinds, posterior[2:], strict=True):
        layer = np.zeros((height, width), np.float32)
        layer[rows[left], columns[left]] = row
        layer[near == 0] = 0.0
        found[kind] = layer
    return PieceMap(found, is_skin)


def skin_level(skin: Skin) -> float:
    """Give the log density at the heart of a hand's skin colour."""
    return float(-np.log(skin.spread).sum() - 2.757)
