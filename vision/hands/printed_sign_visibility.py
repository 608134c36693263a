"""Detect partly hidden signs by small patches of their print, in colours that no painted piece or skin has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.kind_colours import NO_PIECE, KindColours, likeliest_painted_kind
from vision.painted_and_printed_kinds import is_printed
from vision.readings import Box

_MARGIN_PX = 3
"""Margin around a box in which the print of a sign under the piece is searched, px of the crop."""
_MIN_PRINT_EVIDENCE = 3.0
"""Minimum log likelihood ratio of a print pixel, sign against everything else in the hand."""
_UNKNOWN_LOG_DENSITY = -4.0
"""Log density that print has to exceed: that of an unknown colour."""
_CLEAR_PRINT_PX = 150.0
"""Area of a print patch with visibility 1, px of the crop (60 mm²); smaller ones score by their logarithm."""


def sign_print_visibility(
    crop: Colours, boxes: Sequence[Box], kinds: Sequence[Mapping[str, float]], models: Mapping[str, KindColours]
) -> list[dict[str, float]]:
    """Return, for each box in a hand's crop, how much of each sign's print is visible there, 0..1 by sign.

    crop: log-opponent colours, (height, width, 3). boxes: px of the crop. kinds: for each box, the log likelihood
    by kind. models: colour model of each kind, and of NO_PIECE.
    """
    searched = np.zeros(crop.shape[:2], np.bool_)
    for box in boxes:
        searched[_window(box)] = True
    pixels = crop[searched]
    signs = [kind for kind in models if is_printed(kind)]
    seen = {sign: _print_patches(sign, kinds, pixels, searched, models) for sign in signs}
    return [{sign: _visibility(patches, box) for sign, patches in seen.items()} for box in boxes]


def _print_patches(
    sign: str,
    kinds: Sequence[Mapping[str, float]],
    pixels: Colours,
    searched: NDArray[np.bool_],
    models: Mapping[str, KindColours],
) -> NDArray[np.int32]:
    """Return, for each pixel, the area (px) of the connected patch of the sign's print around it, (height, width).

    The area is 0 outside of patches. kinds, models: see `sign_print_visibility`. searched: mask of the pixels to
    search, (height, width). pixels: their colours, (n, 3).
    """
    clear = models[sign].log_density(pixels) - _MIN_PRINT_EVIDENCE
    maybe = np.flatnonzero(clear > _UNKNOWN_LOG_DENSITY)
    for other in _other_kinds(sign, kinds, models):
        maybe = maybe[clear[maybe] > models[other].log_density(pixels[maybe])]
    patches = np.zeros(searched.shape, np.int32)
    if not len(maybe):
        return patches
    print_ = np.zeros(len(pixels), np.uint8)
    print_[maybe] = 1
    whole = np.zeros(searched.shape, np.uint8)
    whole[searched] = print_
    whole = np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    # Print is small and mostly absent: label its bounding rectangle only.
    x, y, width, height = cv2.boundingRect(whole)
    there = (slice(y, y + height), slice(x, x + width))
    if width and height:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(whole[there])
        areas = stats[:, cv2.CC_STAT_AREA].copy()
        areas[0] = 0
        patches[there] = areas[labels]
    return patches


def _other_kinds(sign: str, kinds: Sequence[Mapping[str, float]], models: Mapping[str, KindColours]) -> list[str]:
    """Return the kinds to compare a sign with: likeliest painted piece, other signs in boxes, and NO_PIECE.

    kinds: for each box, the log likelihood by kind.
    """
    painted_kind = likeliest_painted_kind(kinds)
    whole = {max(of, key=lambda kind: of[kind]) for of in kinds if of}
    named = [painted_kind] if painted_kind else []
    named += [kind for kind in models if kind in whole and is_printed(kind) and kind != sign]
    return [*named, NO_PIECE] if NO_PIECE in models else named


def _window(box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a box with a margin."""
    x, y, width, height = box
    rows = slice(max(0, int(y) - _MARGIN_PX), max(0, int(y + height) + _MARGIN_PX + 1))
    return rows, slice(max(0, int(x) - _MARGIN_PX), max(0, int(x + width) + _MARGIN_PX + 1))


def _visibility(patches: NDArray[np.int32], box: Box) -> float:
    """Return the visibility (0..1) of a sign's print in a box. patches: areas from `_print_patches`."""
    return min(1.0, math.log1p(float(patches[_window(box)].max(initial=0))) / math.log1p(_CLEAR_PRINT_PX))
