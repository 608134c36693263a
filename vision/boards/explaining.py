"""Explain a patch by things of known shapes: of all ways to lay them, the one that agrees with the most pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.laid import Layer

_KEPT = 10
"""So many of the best ways are followed for each sum."""
_MOST_LAID = 40


def peaks(gain: Layer, least: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the rows and columns where a layer is as high as all round."""
    soft = cv2.GaussianBlur(gain, (0, 0), 0.7)
    highest = (soft >= cv2.dilate(soft, np.ones((3, 3), np.uint8))) & (gain > least)
    rows, columns = np.nonzero(highest)
    return rows, columns


def ways(
    values: NDArray[np.int64], gains: NDArray[np.float64], lost: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]]:
    """Follow the best ways to lay things: which are laid (ways, n), what they count, and how much they explain.

    values: what each thing counts, (n); gains: what it explains on its own; lost: (n, n), what is lost of that
    where two lie together. The most explaining few ways to each sum are followed.
    """
    laid = np.zeros((1, len(values)), np.bool_)
    points, scores = np.zeros(1, np.int64), np.zeros(1)
    for number, (value, gain) in enumerate(zip(values, gains, strict=True)):
        more = gain - laid @ lost[:, number]
        good = (more > 0) & (laid.sum(axis=1) < _MOST_LAID)
        added = laid[good].copy()
        added[:, number] = True
        laid = np.concatenate([laid, added])
        points = np.concatenate([points, points[good] + value])
        scores = np.concatenate([scores, scores[good] + more[good]])
        # Ways to one sum by more and by fewer things are kept apart: many small things that large ones hide would
        # crowd out the few small ones that lie beside these.
        kinds = points * (_MOST_LAID + 1) + laid.sum(axis=1)
        order = np.lexsort((-scores, kinds))
        _, first = np.unique(kinds[order], return_index=True)
        rank = np.arange(len(order)) - np.repeat(first, np.diff([*first, len(order)]))
        kept = order[rank < _KEPT]
        laid, points, scores = laid[kept], points[kept], scores[kept]
    return laid, points, scores


def chances_of(values: NDArray[np.int64], scores: NDArray[np.float64], sharpness: float) -> dict[int, float]:
    """Give the chance of each sum: the best way to it explains less than the best of all by so much."""
    best = float(scores.max())
    chances = {
        int(number): float(np.exp(sharpness * (scores[values == number].max() - best)))
        for number in np.unique(values)
    }
    every = sum(chances.values())
    return {number: chance / every for number, chance in chances.items()}
