"""What is new in a picture against the same table without hands, shadows left out.

A shadow keeps the table's hue and grain and only takes brightness away; skin on wood can look much alike, so
small fitted networks weigh hue, brightness, grain and edges of each pixel that has changed at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.reveal.network import Network, load_network

Mask = NDArray[np.uint8]
"""0 outside, 255 inside, shape (height, width)."""
Layer = NDArray[np.float32]
Where = NDArray[np.bool_]

FOREGROUND_FEATURES = (
    "brightness", "blue_red", "green_other", "hue", "near_brightness", "near_hue", "grain", "table_grain",
    "shared_grain", "edge", "light", "own_blue_red", "own_green_other", "table_light", "table_blue_red",
    "table_green_other",
)  # fmt: skip
_OWN = ("brightness", "hue", "grain", "table_grain", "edge", "light")
NEIGHBOUR_FEATURES = (
    "alone", "alone_5", "there_5", "alone_11", "there_11", "alone_21", "there_21", "alone_41", "there_41", *_OWN
)  # fmt: skip
_DARK_OFFSET = 12.0
"""Grey levels added before the logarithm: what is nearly black has no hue to speak of, only noise."""
_LOG = np.log(np.arange(256, dtype=np.float32) + _DARK_OFFSET).astype(np.float32)
_MIX = np.array([[1 / 3, 1 / 3, 1 / 3], [0.7071, 0.0, -0.7071], [-0.4082, 0.8165, -0.4082]], np.float32)
_CHANGED_LIGHT = 0.07
_CHANGED_HUE = 0.05
_GRAIN_PX = (5, 5)
_SQUARE = np.ones((5, 5), np.uint8)
_PERHAPS, _SURELY, _SURE_PX = 0.35, 0.6, 60


@cache
def foreground_network() -> Network:
    """Give the network that tells things from shadows."""
    return load_network("foreground", FOREGROUND_FEATURES)


@cache
def neighbour_network() -> Network:
    """Give the network that looks again at what the first one made of each pixel's neighbours."""
    return load_network("neighbours", NEIGHBOUR_FEATURES)


@dataclass(frozen=True, slots=True)
class Ground:
    """The table without hands, ready to be compared with: colours (height, width, 3), grain, grain's strength."""

    colours: Layer
    grain: Layer
    strength: Layer


def ground_of(background: Image) -> Ground:
    """Prepare a small BGR picture of the table without hands."""
    colours = np.asarray(cv2.transform(cv2.LUT(cv2.blur(background, (3, 3)), _LOG), _MIX), np.float32)
    light = cv2.extractChannel(colours, 0)
    grain = light - cv2.blur(light, _GRAIN_PX)
    strength = cv2.sqrt(cv2.blur(grain * grain, _GRAIN_PX))
    return Ground(colours, np.asarray(grain, np.float32), np.asarray(strength, np.float32))


def foreground(image: Image, ground: Ground) -> Mask:
    """Mark what is in a small BGR picture and was not on the table; shadows do not count.

    Fitted on pictures of a third of 1280×720. The overall gain between the pictures (the camera's automatic
    exposure and white balance) is taken out first. Returns a mask of the same shape.
    """
    chance = cv2.blur(thing_chance(*changes(image, ground)), (3, 3))
    count, labels = cv2.connectedComponents((chance > _PERHAPS).astype(np.uint8))
    # What may be skin belongs to the hand whose surer pixels it touches.
    surest = np.bincount(labels[chance > _SURELY], minlength=count) >= _SURE_PX
    surest[0] = False
    return np.asarray(surest[labels].astype(np.uint8) * 255)


def thing_chance(changed: NDArray[np.bool_], rows: Layer) -> Layer:
    """Give each pixel's probability to be a thing and no shadow, in two rounds: alone, then with neighbours."""
    alone = np.zeros(changed.shape, np.float32)
    alone[changed] = foreground_network().probabilities(rows)[:, 1]
    chance = np.zeros(changed.shape, np.float32)
    chance[changed] = neighbour_network().probabilities(with_neighbours(changed, rows, alone))[:, 1]
    return chance


def with_neighbours(changed: NDArray[np.bool_], rows: Layer, alone: Layer) -> Layer:
    """Give NEIGHBOUR_FEATURES of each changed pixel from what the first round made of the pixels around it."""
    there = changed.astype(np.float32)
    columns: list[NDArray[Any]] = [alone[changed]]
    for size in (5, 11, 21, 41):
        columns.append(cv2.blur(alone, (size, size))[changed])
        columns.append(cv2.blur(there, (size, size))[changed])
    own = [FOREGROUND_FEATURES.index(name) for name in _OWN]
    return np.concatenate([np.stack(columns, axis=1), rows[:, own]], axis=1)


def changes(image: Image, ground: Ground) -> tuple[NDArray[np.bool_], Layer]:
    """Give where anything has changed, (height, width), and FOREGROUND_FEATURES of each such pixel."""
    now = np.asarray(cv2.transform(cv2.LUT(cv2.blur(image, (3, 3)), _LOG), _MIX), np.float32)
    table = ground.colours
    gain = np.median((now[::6, ::6] - table[::6, ::6]).reshape(-1, 3), axis=0)
    ratio = now - table - gain.astype(np.float32)
    light, one, other = cv2.split(ratio)
    hue = cv2.magnitude(one, other)
    near_light, near_hue = cv2.blur(light, _GRAIN_PX), cv2.blur(hue, _GRAIN_PX)
    changed = (near_light * near_light > _CHANGED_LIGHT**2) | (near_hue > _CHANGED_HUE)
    fine = light - near_light
    layers = (
        ratio, hue, near_light, near_hue, cv2.sqrt(cv2.blur(fine * fine, _GRAIN_PX)), ground.strength,
        cv2.blur(fine * ground.grain, _GRAIN_PX) * 100, cv2.morphologyEx(light, cv2.MORPH_GRADIENT, _SQUARE),
        now, table,
    )  # fmt: skip
    return changed, np.asarray(cv2.merge(layers)[changed], np.float32)


def within(mask: Mask, radius: float) -> Where:
    """Grow a mask by a disc: what lies no farther than `radius` px from it. Large discs cost no more."""
    return np.asarray(cv2.distanceTransform((mask == 0).astype(np.uint8), cv2.DIST_L2, 3) <= radius)


def deep_in(mask: Mask, radius: float) -> Where:
    """Shrink a mask by a disc: what lies farther than `radius` px inside it."""
    return np.asarray(cv2.distanceTransform((mask > 0).astype(np.uint8), cv2.DIST_L2, 3) > radius)
