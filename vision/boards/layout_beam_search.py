"""Beam search for the layout of overlapping objects of known shape that explains most pixels of a patch."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.rectified import Layer

_BEAM_WIDTH = 10
"""Number of best layouts kept per sum and number of objects."""
_MAX_LAID = 40
"""Maximum number of objects in a layout."""


def local_maxima(gain: Layer, least: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and columns of the local maxima of a layer (height, width) that exceed `least`."""
    soft = cv2.GaussianBlur(gain, (0, 0), 0.7)
    highest = (soft >= cv2.dilate(soft, np.ones((3, 3), np.uint8))) & (gain > least)
    rows, columns = np.nonzero(highest)
    return rows, columns


def best_layouts(
    values: NDArray[np.int64], gains: NDArray[np.float64], lost: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]]:
    """Return the best layouts of candidate objects: which objects each contains, its sum of points, and its score.

    The mask is (layouts, n), sums and scores (layouts,); a score is the evidence that the layout explains. values:
    points of each candidate, (n). gains: evidence that each explains alone, (n). lost: evidence lost by the overlap
    of each pair, (n, n). A beam search keeps the best layouts of each sum of points.
    """
    laid = np.zeros((1, len(values)), np.bool_)
    points, scores = np.zeros(1, np.int64), np.zeros(1)
    for number, (value, gain) in enumerate(zip(values, gains, strict=True)):
        more = gain - laid @ lost[:, number]
        good = (more > 0) & (laid.sum(axis=1) < _MAX_LAID)
        added = laid[good].copy()
        added[:, number] = True
        laid = np.concatenate([laid, added])
        points = np.concatenate([points, points[good] + value])
        scores = np.concatenate([scores, scores[good] + more[good]])
        # Layouts of one sum with more and with fewer objects are kept apart: otherwise many small objects hidden by
        # large ones would displace the few small ones beside them.
        kinds = points * (_MAX_LAID + 1) + laid.sum(axis=1)
        order = np.lexsort((-scores, kinds))
        _, first = np.unique(kinds[order], return_index=True)
        rank = np.arange(len(order)) - np.repeat(first, np.diff([*first, len(order)]))
        kept = order[rank < _BEAM_WIDTH]
        laid, points, scores = laid[kept], points[kept], scores[kept]
    return laid, points, scores


def sum_probabilities(values: NDArray[np.int64], scores: NDArray[np.float64], sharpness: float) -> dict[int, float]:
    """Return the probability of each sum of points, from the score of its best layout.

    values: sum of points of each layout. scores: see `best_layouts`. sharpness: log likelihood per unit of score.
    """
    best = float(scores.max())
    chances = {
        int(number): float(np.exp(sharpness * (scores[values == number].max() - best)))
        for number in np.unique(values)
    }
    every = sum(chances.values())
    return {number: chance / every for number, chance in chances.items()}
