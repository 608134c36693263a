"""Detect boxes of single pieces in a probability map of a kind.

Each box of a probable size and position is described by a grid of five by five cells, the outer ones beside it. A
classifier trained on boxes drawn by people returns how well it fits one whole piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.pixel_features import STEP, Layer
from vision.counting.small_networks import Classifier, Rows, TrainingConfig, train_ensemble
from vision.readings import Box

Floats = NDArray[np.float64]
"""Array of floats."""
_CELLS = 5
"""Number of cells of the grid in each direction."""
_EDGES = np.array([-5 / 6, -0.5, -1 / 6, 1 / 6, 0.5, 5 / 6])
"""Edges of the grid's cells relative to the box's centre, in box sides."""
_SCALES = (0.82, 1.0, 1.22)
"""Scale factors of the box shapes: pieces nearer to the camera are larger, and boxes are drawn loosely."""
_MAX_SHAPES = 10
"""Maximum number of box shapes."""
_MIN_PROBABILITY = 0.2
"""Minimum smoothed probability of the kind at a candidate position."""
_MAX_WINDOWS = 3000
"""Maximum number of boxes that are refined."""
_MAX_PLACES = 12_000
"""Maximum number of candidate positions; bounds the time where a whole table has a kind's colour."""
_BATCH_WINDOWS = 20_000
"""Number of boxes classified in one step; bounds the memory."""
_POOR_OVERLAP = 0.25
"""Overlap with a true box at which the target fit is 0."""
_GOOD_OVERLAP = 0.65
"""Overlap with a true box at which the target fit is 1."""
_MAX_OVERLAP = 0.25
"""Maximum overlap of two pieces in non-maximum suppression."""
_MIN_WEIGHT = np.float32(1e-4)
"""Weight added everywhere, against division by zero."""


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps of a picture, (height, width)."""

    own: Layer
    """Probability of a piece of the kind."""
    others: Layer
    """Highest probability of another kind."""
    raised: Layer
    """Probability of a raised object."""
    sides: Layer
    """Left, top, right and bottom side of the object at each place, cells, (height, width, 4)."""

    def summed(self) -> IntegralMaps:
        """Return the integral images of all maps.

        Sides are weighted by the probability of a raised piece of the kind.
        """
        weight = self.own * self.raised + _MIN_WEIGHT
        weighed = [np.ascontiguousarray(self.sides[..., side]) * weight for side in range(4)]
        likely = [_integral(layer) for layer in (self.own, self.others, self.raised)]
        return IntegralMaps(likely, _integral(weight), [_integral(layer) for layer in weighed])


@dataclass(frozen=True, eq=False)
class IntegralMaps:
    """Integral images of the maps."""

    likely: Sequence[Floats]
    """Of own, others and raised."""
    weight: Floats
    """Of the weight of the sides."""
    sides: Sequence[Floats]
    """Of the four sides, each times the weight."""


@dataclass(frozen=True, eq=False)
class CandidateBoxes:
    """Candidate boxes by centre and size, arrays of shape (n), in cells of the map."""

    x: Floats
    """Centre."""
    y: Floats
    """Centre."""
    width: Floats
    """Size."""
    height: Floats
    """Size."""

    def __len__(self) -> int:
        return len(self.x)

    def corners(self) -> Floats:
        """Return left, top, width and height of each box, (n, 4)."""
        return np.stack([self.x - self.width / 2, self.y - self.height / 2, self.width, self.height], axis=1)

    def take(self, chosen: NDArray[np.intp]) -> CandidateBoxes:
        """Return the selected boxes."""
        return CandidateBoxes(self.x[chosen], self.y[chosen], self.width[chosen], self.height[chosen])


@dataclass(frozen=True, eq=False)
class BoxModel:
    """Trained detector of boxes that contain one whole piece."""

    shapes: Floats
    """Typical box sizes, (n, 2) in cells."""
    classifier: Classifier
    """Classifier of box features."""

    @property
    def usual_area(self) -> float:
        """Median area of a piece's box, cells."""
        return float(np.median(self.shapes.prod(axis=1)))

    def find(self, maps: Maps, least: float) -> list[tuple[Box, float]]:
        """Return the boxes (px) of a kind's pieces with a fit of at least `least`, each with its fit, 0..1."""
        summed = maps.summed()
        windows = candidates(maps.own, self.shapes)
        if not len(windows):
            return []
        fit = np.concatenate(
            [
                self.classifier(_box_features(summed, windows.take(some)))[:, 1]
                for some in np.array_split(np.arange(len(windows)), -(-len(windows) // _BATCH_WINDOWS))
            ]
        )
        best = np.argsort(-fit)[:_MAX_WINDOWS]
        best = best[fit[best] > 0.7 * least]
        windows, fit = windows.take(best), fit[best]
        windows, fit = _suppressed(windows, fit, 0.7 * least, 0.5)
        rng = np.random.default_rng(0)
        for spread in (0.12, 0.06):
            windows, fit = self._refined(summed, windows, fit, spread, rng)
        windows, fit = _suppressed(windows, fit, least, _MAX_OVERLAP)
        boxes = STEP * windows.corners()
        return [
            ((float(x), float(y), float(w), float(h)), float(s)) for (x, y, w, h), s in zip(boxes, fit, strict=True)
        ]

    def _refined(
        self, summed: IntegralMaps, windows: CandidateBoxes, fit: Rows, spread: float, rng: np.random.Generator
    ) -> tuple[CandidateBoxes, Rows]:
        """Return boxes shifted and scaled to improve their fit by random search, with the new fits."""
        if not len(windows):
            return windows, fit
        tried = jittered(windows, rng, 24, spread, spread)
        fits = self.classifier(_box_features(summed, tried))[:, 1].reshape(len(windows), -1)
        best = fits.argmax(axis=1) + np.arange(len(windows)) * fits.shape[1]
        better = np.asarray(fits.max(axis=1) > fit)
        kept = [
            np.where(better, new, old)
            for new, old in zip(
                (tried.x[best], tried.y[best], tried.width[best], tried.height[best]),
                (windows.x, windows.y, windows.width, windows.height),
                strict=True,
            )
        ]
        return CandidateBoxes(*kept), np.maximum(fits.max(axis=1), fit)


def typical_sizes(boxes: Sequence[Box]) -> Floats:
    """Return a few representative sizes (width, height in cells) of these boxes (px), (n, 2)."""
    sizes = np.log(np.maximum(np.array([box[2:] for box in boxes], np.float32) / STEP, 3.0))
    if len(sizes) <= _MAX_SHAPES:
        return np.asarray(np.exp(sizes), np.float64)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    cv2.setRNGSeed(1)
    start = np.zeros((len(sizes), 1), np.int32)
    _, _, centres = cv2.kmeans(sizes, _MAX_SHAPES, start, criteria, 3, cv2.KMEANS_PP_CENTERS)
    return np.asarray(np.exp(centres), np.float64)


def candidates(own: Layer, shapes: Floats) -> CandidateBoxes:
    """Return boxes of all shapes at the most probable positions of a kind, at most `_MAX_PLACES`."""
    near = cv2.GaussianBlur(np.ascontiguousarray(own), (0, 0), 1.5)[::2, ::2]
    rows, columns = np.nonzero(near > _MIN_PROBABILITY)
    if len(rows) > _MAX_PLACES:
        likeliest = np.argpartition(-near[rows, columns], _MAX_PLACES)[:_MAX_PLACES]
        rows, columns = rows[likeliest], columns[likeliest]
    sizes = np.concatenate([shapes * scale for scale in _SCALES])
    tall = np.tile(sizes, (len(rows), 1))
    return CandidateBoxes(
        np.repeat(2.0 * columns + 0.5, len(sizes)), np.repeat(2.0 * rows + 0.5, len(sizes)), tall[:, 0], tall[:, 1]
    )


def jittered(
    windows: CandidateBoxes, rng: np.random.Generator, number: int, place: float, size: float
) -> CandidateBoxes:
    """Return `number` randomly shifted and scaled copies of each box.

    place, size: standard deviations of shift and log scale.
    """
    x, y, width, height = (np.repeat(v, number) for v in (windows.x, windows.y, windows.width, windows.height))
    n = len(x)
    moved = x + place * width * rng.normal(0, 1, n), y + place * height * rng.normal(0, 1, n)
    return CandidateBoxes(*moved, width * np.exp(rng.normal(0, size, n)), height * np.exp(rng.normal(0, size, n)))


def training_samples(
    maps: Maps, true: Sequence[Box], shapes: Floats, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Return training samples: features of boxes around the true ones (px) and elsewhere, and targets, (n, 2)."""
    x, y, width, height = np.array(true, np.float64).reshape(-1, 4).T / STEP
    around = jittered(CandidateBoxes(x + width / 2, y + height / 2, width, height), rng, 20, 0.15, 0.18)
    likely = candidates(maps.own, shapes)
    summed = maps.summed()
    overlap = _best_overlap(likely, true)
    some = [
        rng.permutation(np.flatnonzero(which))[:number]
        for which, number in ((overlap < _POOR_OVERLAP, 2500), (overlap >= _POOR_OVERLAP, 1200))
    ]
    seen, wanted = [], []
    for windows in (around, likely.take(np.concatenate(some))):
        fit = np.clip((_best_overlap(windows, true) - _POOR_OVERLAP) / (_GOOD_OVERLAP - _POOR_OVERLAP), 0.0, 1.0)
        seen.append(_box_features(summed, windows))
        wanted.append(np.stack([1 - fit, fit], axis=1).astype(np.float32))
    return np.concatenate(seen), np.concatenate(wanted)


def train_box_model(shapes: Floats, seen: Rows, wanted: Rows) -> BoxModel:
    """Train the box model. shapes: typical sizes. seen, wanted: as returned by `training_samples`."""
    # Two boards have few pieces: noise prevents overfitting.
    return BoxModel(
        shapes, train_ensemble(seen, wanted, TrainingConfig(hidden=48, epochs=10, noise=0.3, dropout=0.2))
    )


def _best_overlap(windows: CandidateBoxes, true: Sequence[Box]) -> Floats:
    best = np.zeros(len(windows))
    left, top, width, height = windows.corners().T
    for box in true:
        x, y, w, h = (value / STEP for value in box)
        wide = np.minimum(left + width, x + w) - np.maximum(left, x)
        high = np.minimum(top + height, y + h) - np.maximum(top, y)
        common = np.maximum(wide, 0.0) * np.maximum(high, 0.0)
        best = np.maximum(best, common / (width * height + w * h - common))
    return best


def _suppressed(windows: CandidateBoxes, fit: Rows, least: float, most: float) -> tuple[CandidateBoxes, Rows]:
    if not len(windows):
        return windows, fit
    kept = cv2.dnn.NMSBoxes(windows.corners().tolist(), fit.tolist(), least, most)
    chosen = np.asarray(kept, np.intp).reshape(-1)
    return windows.take(chosen), fit[chosen]


def _integral(layer: Layer) -> Floats:
    return np.asarray(cv2.integral(np.ascontiguousarray(layer), sdepth=cv2.CV_64F), np.float64)


def _box_features(summed: IntegralMaps, windows: CandidateBoxes) -> Rows:
    """Return each box's features: means of each map over a grid of cells, and their aggregates."""
    x = windows.x[:, None] + windows.width[:, None] * _EDGES
    y = windows.y[:, None] + windows.height[:, None] * _EDGES
    area = np.diff(y, axis=1)[:, :, None] * np.diff(x, axis=1)[:, None, :]
    grids = [
        np.diff(np.diff(_between(own, x[:, None, :], y[:, :, None]), axis=1), axis=2) / area
        for own in summed.likely
    ]
    own, inner = grids[0], grids[0][:, 1:-1, 1:-1]
    ring = (own.sum(axis=(1, 2)) - inner.sum(axis=(1, 2))) / (_CELLS**2 - (_CELLS - 2) ** 2)
    sums = [
        inner.mean(axis=(1, 2)),
        ring,
        inner.max(axis=(1, 2)),
        own[:, 1:-1, 0].max(axis=1),
        own[:, 1:-1, -1].max(axis=1),
        own[:, 0, 1:-1].max(axis=1),
        own[:, -1, 1:-1].max(axis=1),
        np.log(windows.width),
        np.log(windows.height),
        own[:, 2, 2],
        own[:, [1, 2, 3], [1, 2, 3]].min(axis=1),
        own[:, [1, 2, 3], [3, 2, 1]].min(axis=1),
    ]
    sums += _side_offsets(summed, windows)
    cells = [grid.reshape(len(windows), -1) for grid in grids]
    return np.concatenate([*cells, np.stack(sums, axis=1)], axis=1).astype(np.float32)


def _side_offsets(summed: IntegralMaps, windows: CandidateBoxes) -> list[Floats]:
    """Return the offsets of each box's sides from the predicted sides of the object in it, as shares of the box."""
    corners = windows.corners()
    left, top = corners[:, 0], corners[:, 1]
    x = np.stack([left, left + windows.width], axis=1)[:, None, :]
    y = np.stack([top, top + windows.height], axis=1)[:, :, None]
    weight, *weighed = (
        np.diff(np.diff(_between(own, x, y), axis=1), axis=2)[:, 0, 0] for own in (summed.weight, *summed.sides)
    )
    there = [side / np.maximum(weight, 1e-3) for side in weighed]
    ends = (left, top, left + windows.width, top + windows.height)
    long = (windows.width, windows.height) * 2
    return [np.clip((a - b) / side, -2, 2) for a, b, side in zip(there, ends, long, strict=True)]


def _between(summed: Floats, x: Floats, y: Floats) -> Floats:
    """Return an integral image sampled bilinearly at fractional positions."""
    height, width = summed.shape
    x, y = np.broadcast_arrays(np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001))
    column, row = x.astype(np.int64), y.astype(np.int64)
    right, down = x - column, y - row
    above = summed[row, column] * (1 - right) + summed[row, column + 1] * right
    below = summed[row + 1, column] * (1 - right) + summed[row + 1, column + 1] * right
    return np.asarray(above * (1 - down) + below * down, np.float64)
