"""Signs that hide under other pieces: a bit of print between them that is neither wood nor skin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Box
from vision.reveal.colour import Colours
from vision.reveal.kinds import REST, KindColours, likeliest_wood

_ROUND_PX = 3
"""A sign shows beside what lies on it, not farther away than this."""
_CLEARLY, _ANYTHING = 3.0, -4.0
"""Print is what is so much likelier a sign's than any other thing's here, or than something's unknown (log)."""
_PLAIN_PX = 150.0
"""So many pixels of print in one patch (60 mm²) could not be plainer; fewer say less, by their logarithm."""


def glimpse_signs(
    crop: Colours, boxes: Sequence[Box], kinds: Sequence[Mapping[str, float]], models: Mapping[str, KindColours]
) -> list[dict[str, float]]:
    """Tell how plainly (0..1) a bit of each sign's print shows at or round each piece in a crop (height, width, 3).

    kinds: the log likelihood of each kind for what lies in each box; models: how each kind looks, and REST.
    """
    looked_at = np.zeros(crop.shape[:2], np.bool_)
    for box in boxes:
        looked_at[_window(box)] = True
    pixels = crop[looked_at]
    signs = [kind for kind in models if kind.startswith("sign:")]
    seen = {sign: _print(sign, kinds, pixels, looked_at, models) for sign in signs}
    return [{sign: _largest(patches, box) for sign, patches in seen.items()} for box in boxes]


def _print(
    sign: str,
    kinds: Sequence[Mapping[str, float]],
    pixels: Colours,
    looked_at: NDArray[np.bool_],
    models: Mapping[str, KindColours],
) -> NDArray[np.int32]:
    """Give for each pixel of a crop how many pixels of the sign's print hang together there, (height, width).

    pixels: those of the crop that are looked at, (n, 3).
    """
    clear = models[sign].log_density(pixels) - _CLEARLY
    maybe = np.flatnonzero(clear > _ANYTHING)
    for other in _others(sign, kinds, models):
        maybe = maybe[clear[maybe] > models[other].log_density(pixels[maybe])]
    patches = np.zeros(looked_at.shape, np.int32)
    if not len(maybe):
        return patches
    print_ = np.zeros(len(pixels), np.uint8)
    print_[maybe] = 1
    whole = np.zeros(looked_at.shape, np.uint8)
    whole[looked_at] = print_
    whole = np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    # Print is small, and mostly there is none: only where it is its patches are told apart.
    x, y, width, height = cv2.boundingRect(whole)
    there = (slice(y, y + height), slice(x, x + width))
    if width and height:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(whole[there])
        areas = stats[:, cv2.CC_STAT_AREA].copy()
        areas[0] = 0
        patches[there] = areas[labels]
    return patches


def _others(sign: str, kinds: Sequence[Mapping[str, float]], models: Mapping[str, KindColours]) -> list[str]:
    """Name what else shows in a hand: the likeliest wood, the rest, and what other signs lie there as a whole."""
    wood = likeliest_wood(kinds)
    whole = {max(of, key=lambda kind: of[kind]) for of in kinds if of}
    named = [wood] if wood else []
    named += [kind for kind in models if kind in whole and kind.startswith("sign:") and kind != sign]
    return [*named, REST] if REST in models else named


def _window(box: Box) -> tuple[slice, slice]:
    x, y, width, height = box
    rows = slice(max(0, int(y) - _ROUND_PX), max(0, int(y + height) + _ROUND_PX + 1))
    return rows, slice(max(0, int(x) - _ROUND_PX), max(0, int(x + width) + _ROUND_PX + 1))


def _largest(patches: NDArray[np.int32], box: Box) -> float:
    """Tell how plainly print shows at a box, 0 (none) to 1."""
    return min(1.0, math.log1p(float(patches[_window(box)].max(initial=0))) / math.log1p(_PLAIN_PX))
