"""Count disc-shaped tiles beside a board: touching discs of several sizes that lie in rows.

A heap of tile-coloured pixels is explained by discs of the enrolled sizes: the layout with little overlap that
agrees with the most pixels is chosen. The deficit of the best layout of every other sum gives the probability.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.layout_beam_search import best_layouts, local_maxima, sum_probabilities
from vision.boards.rectified import Layer, Mask

_RIMS_MM = (-0.8, -0.4, 0.0, 0.4, 0.8)
"""Candidate reductions of the enrolled radius, mm: a tile's dark rim may be classified as its shadow."""
_MAX_HEAPS = 24
"""Maximum number of heaps, largest first."""
_MIN_TILE = 0.45
"""Minimum area of a heap, in smallest tiles; a smaller one may be a part of a tile and needs confirmation."""
_MIN_SPECK = 0.2
"""Minimum area of a heap that is no speck, in smallest tiles."""
_MIN_COVER = 0.3
"""Minimum mean evidence (-1 to 1) of a disc to be tried."""
_MAX_TRIED = 40
"""Maximum number of discs of each size."""
_MAX_ITERATIONS = 4
"""Maximum number of iterations that add discs."""
_RIM_PX = 1
"""Width of the rim of a heap that discs may leave uncovered, px."""
_EDGE_PX = 3
"""Diameter (px) of the erosion of the visible table: a heap that leaves the eroded area may continue out of view.
"""
_MAX_HIDDEN = 0.15
"""Maximum share of a tile hidden by a board or card that needs no confirmation."""
_OVERLAP_PENALTY = 1.5
"""Penalty of pixels shared by two discs, relative to unexplained pixels: tiles do not overlap."""
_SHARPNESS = 26.0
"""Log likelihood gained by explaining the area of one smallest tile."""


@dataclass(frozen=True, slots=True)
class HeapTile:
    """One detected tile."""

    value: int
    """Points."""
    middle: tuple[int, int]
    """Centre, px of the map."""
    radius: float
    """Radius, px of the map."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Group of touching tiles, with the layout of discs that fits it best."""

    middle: tuple[float, float]
    """Centre, px of the map."""
    tiles: tuple[HeapTile, ...]
    """Tiles of the best layout."""
    chances: Mapping[int, float]
    """Probability of each sum of points."""
    agreeing: float
    """Share of the heap's pixels that the discs cover, 0..1."""
    bare: float
    """Area of the largest patch that no disc covers, in areas of the smallest tile."""
    worst: float
    """Mean evidence (-1: surely no tile, 1: surely a tile) over the pixels of the worst disc."""
    cut: bool
    """Whether it may continue out of view, is partly hidden, or is smaller than a tile."""


def find_heaps(
    chances: Layer,
    radii: Mapping[int, float],
    px_per_mm: float,
    inside: Mask | None = None,
    free: Mask | None = None,
) -> tuple[Heap, ...]:
    """Return the heaps of touching tiles in a probability map, with the likely sums of their points.

    chances: each pixel's probability to be part of a tile, (height, width). radii: radius of a tile in mm, by its
    points. inside: pixels that show the table. free: pixels where no board or card lies. None: all pixels.
    """
    everywhere = np.ones(chances.shape, np.bool_)
    within = _eroded(everywhere if inside is None else inside, _EDGE_PX)
    hidden = np.zeros(chances.shape, np.bool_) if free is None else ~free
    smallest, pad = (
        np.pi * (min(radii.values()) * px_per_mm) ** 2,
        int(np.ceil(max(radii.values()) * px_per_mm)) + 3,
    )
    patches = list(_patches(chances, within, hidden, smallest, pad))
    if not patches:
        return ()
    # The visible part of a tile's dark rim depends on the light: the reduction that fits all heaps best is used,
    # but all plausible ones contribute to the probabilities.
    sizes = [{value: (radius - rim) * px_per_mm for value, radius in radii.items()} for rim in _RIMS_MM]
    tries = [[_best_layout(patch, size) for patch in patches] for size in sizes]
    totals = np.array([sum(layout.score for layout in tried) for tried in tries]) / smallest
    weights = np.exp(_SHARPNESS * (totals - totals.max()))
    weights /= weights.sum()
    best = int(totals.argmax())
    least = np.pi * min(sizes[best].values()) ** 2
    chances_of_each = [
        _averaged([layout.chances for layout in tried], weights) for tried in zip(*tries, strict=True)
    ]
    return tuple(
        _heap(patch, layout, mixed, least)
        for patch, layout, mixed in zip(patches, tries[best], chances_of_each, strict=True)
    )


def total_probabilities(heaps: Sequence[Heap]) -> dict[int, float]:
    """Return the probability of each total of points over several heaps."""
    sums = {0: 1.0}
    for heap in heaps:
        added: dict[int, float] = {}
        for (before, chance), (number, more) in itertools.product(sums.items(), heap.chances.items()):
            added[before + number] = added.get(before + number, 0.0) + chance * more
        sums = added
    return sums


def _averaged(all_chances: Sequence[Mapping[int, float]], weights: NDArray[np.float64]) -> dict[int, float]:
    """Return the weighted mean of several distributions over the sum of points."""
    numbers = sorted({number for chances in all_chances for number in chances})
    mixed = {
        number: sum(
            float(weight) * chances.get(number, 0.0) for chances, weight in zip(all_chances, weights, strict=True)
        )
        for number in numbers
    }
    return {number: chance for number, chance in mixed.items() if chance > 1e-4}


@dataclass(frozen=True, eq=False)
class _Patch:
    """Rectangular part of the map around one heap."""

    evidence: Layer
    """Evidence for a tile at each pixel, -1 to 1."""
    hidden: Mask
    """Where a board or card hides the table."""
    left: int
    """Column of the part's left edge in the map."""
    top: int
    """Row of the part's top edge in the map."""
    cut: bool
    """Whether it may continue out of view, or is smaller than a tile."""


def _patches(chances: Layer, within: Mask, hidden: Mask, smallest: float, pad: int) -> Iterator[_Patch]:
    """Yield the part of a probability map around each heap, largest heap first.

    within: pixels away from the edge of the visible table. hidden: pixels covered by a board or card. smallest:
    area of the smallest tile, px. pad: margin around a heap, px.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats((chances > 0.5).astype(np.uint8))
    order = sorted(range(1, count), key=lambda label: -int(stats[label][cv2.CC_STAT_AREA]))
    # Hidden pixels are evidence neither for nor against a tile.
    evidence = np.pad(np.where(hidden, 0.0, 2 * chances - 1), pad, constant_values=-1.0).astype(np.float32)
    labels, within = np.pad(labels, pad), np.pad(within, pad, constant_values=True)
    covered = np.pad(hidden, pad)
    for label in order[:_MAX_HEAPS]:
        left, top, width, height, pixels = (int(value) for value in stats[label])
        if pixels < _MIN_SPECK * smallest:
            return
        window = (slice(top, top + height + 2 * pad), slice(left, left + width + 2 * pad))
        there = labels[window]
        own = np.where((there > 0) & (there != label), -1.0, evidence[window]).astype(np.float32)
        cut = pixels < _MIN_TILE * smallest or bool(((there == label) & ~within[window]).any())
        yield _Patch(own, covered[window], left - pad, top - pad, cut)


def _eroded(mask: Mask, px: int) -> Mask:
    """Return a mask without the pixels near its edges and the map's. px: diameter of the erosion."""
    kernel = np.ones((px, px), np.uint8)
    return np.asarray(cv2.erode(mask.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The best layout of discs on a heap."""

    score: float
    """Explained minus unexplained evidence."""
    tiles: tuple[HeapTile, ...]
    """Discs."""
    chances: Mapping[int, float]
    """Probability of each sum of points."""
    agreeing: float
    """Explained share of the evidence for tiles, 0..1."""


def _best_layout(patch: _Patch, radii: Mapping[int, float]) -> _Layout:
    """Return the layout of discs that explains a heap best. radii: radius of a disc in px, by its points."""
    discs = _CandidateDiscs.of(patch, radii)
    for _ in range(_MAX_ITERATIONS):
        tried = discs
        laid, points, scores = best_layouts(tried.values, tried.gains, tried.lost)
        best = int(scores.argmax())
        discs = tried.with_neighbours(patch, laid[best])
        if discs is tried:
            break
    lacking = float(np.maximum(patch.evidence, 0).sum())
    smallest = np.pi * min(radii.values()) ** 2
    tiles = tuple(
        HeapTile(int(value), (int(x) + patch.left, int(y) + patch.top), radii[int(value)])
        for value, (x, y) in zip(tried.values[laid[best]], tried.middles[laid[best]], strict=True)
    )
    explained = float(scores[best])
    agreeing = max(0.0, explained / max(lacking, 1.0))
    return _Layout(
        2 * explained - lacking, tiles, sum_probabilities(points, scores / smallest, _SHARPNESS), agreeing
    )


def _heap(patch: _Patch, layout: _Layout, chances: Mapping[int, float], smallest: float) -> Heap:
    """Return a heap with the fit of its best layout.

    chances: probability of each sum of points. smallest: area of the smallest tile, px.
    """
    rows, columns = np.nonzero(patch.evidence > 0)
    middle = (float(columns.mean()) + patch.left, float(rows.mean()) + patch.top)
    bare, worst, hidden = _measured_fit(patch, layout.tiles)
    cut = patch.cut or hidden > _MAX_HIDDEN
    return Heap(middle, layout.tiles, chances, layout.agreeing, bare / smallest, worst, cut)


def _measured_fit(patch: _Patch, tiles: Sequence[HeapTile]) -> tuple[float, float, float]:
    """Return three measures of how well discs fit a heap.

    They are the area (px) of the largest uncovered patch, rims excluded; the mean evidence of the worst disc; and
    the largest share of a disc that is hidden by a board or card.
    """
    rows, columns = np.mgrid[: patch.evidence.shape[0], : patch.evidence.shape[1]]
    covered, worst, hidden = np.zeros(patch.evidence.shape, np.bool_), 1.0, 0.0
    bare = (patch.evidence > 0).astype(np.uint8)
    for tile in tiles:
        x, y = tile.middle[0] - patch.left, tile.middle[1] - patch.top
        away = np.hypot(columns - x, rows - y)
        disc = away <= tile.radius
        bare[away <= tile.radius + _RIM_PX] = 0
        fresh = disc & ~covered
        worst = min(worst, float(patch.evidence[fresh].sum()) / np.count_nonzero(disc))
        hidden = max(hidden, float(patch.hidden[disc].mean()))
        covered |= disc
    stats = cv2.connectedComponentsWithStats(cv2.morphologyEx(bare, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))[2]
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)), worst, hidden


@dataclass(frozen=True, eq=False)
class _CandidateDiscs:
    """Candidate discs of a beam search."""

    radii: Mapping[int, float]
    """Radius by points, px."""
    explained: Mapping[int, Layer]
    """Evidence that a disc centred at each pixel would explain, by points."""
    values: NDArray[np.int64]
    """Points of each disc, (n)."""
    middles: NDArray[np.int64]
    """Centres, px, (n, 2)."""
    gains: NDArray[np.float64]
    """Evidence that each disc explains alone, (n)."""
    lost: NDArray[np.float64]
    """Evidence lost by the overlap of each pair, (n, n)."""

    @classmethod
    def of(cls, patch: _Patch, radii: Mapping[int, float]) -> _CandidateDiscs:
        """Return candidate discs centred at the local maxima of the evidence that they explain."""
        ordered = sorted(radii.items(), reverse=True)
        explained = {value: _disc_sums(patch.evidence, radius) for value, radius in ordered}
        found = [(value, *_best_centres(explained[value], radius)) for value, radius in ordered]
        return cls._from_centres(radii, explained, found)

    def with_neighbours(self, patch: _Patch, laid: NDArray[np.bool_]) -> _CandidateDiscs:
        """Return these candidates and further ones at maxima of the evidence that a layout leaves unexplained.

        laid: mask (n) of the candidates in that layout. Returns self if there are no further ones. Where tiles
        touch, the evidence that a disc explains grows towards its neighbour, so that it has no local maximum of its
        own.
        """
        left = patch.evidence.copy()
        rows, columns = np.mgrid[: left.shape[0], : left.shape[1]]
        for value, (x, y) in zip(self.values[laid], self.middles[laid], strict=True):
            left[(columns - x) ** 2 + (rows - y) ** 2 <= self.radii[int(value)] ** 2] = -_OVERLAP_PENALTY
        if np.maximum(left, 0).sum() < _MIN_COVER * np.pi * min(self.radii.values()) ** 2:
            return self
        beside = [(value, *_best_centres(_disc_sums(left, radius), radius)) for value, radius in self.radii.items()]
        known = [(value, *self.middles[self.values == value].T[::-1]) for value in self.radii]
        more = self._from_centres(self.radii, self.explained, [*known, *beside])
        return more if len(more.values) > len(self.values) else self

    @classmethod
    def _from_centres(
        cls,
        radii: Mapping[int, float],
        explained: Mapping[int, Layer],
        found: Sequence[tuple[int, NDArray[np.int64], NDArray[np.int64]]],
    ) -> _CandidateDiscs:
        """Return the candidate discs at these centres, larger discs first.

        found: for each size of disc its points, and the rows and columns of its centres.
        """
        places = {
            (value, int(x), int(y)) for value, rows, columns in found for x, y in zip(columns, rows, strict=True)
        }
        gain = {(value, x, y): float(explained[value][y, x]) for value, x, y in places}
        chosen = sorted(places, key=lambda place: (-place[0], -gain[place], place))
        table = np.array(chosen, np.int64).reshape(-1, 3)
        values, at = table[:, 0], table[:, 1:]
        sizes = np.array([radii[int(value)] for value in values])
        apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
        shared = _shared_areas(
            apart, np.minimum(sizes[:, None], sizes[None]), np.maximum(sizes[:, None], sizes[None])
        )
        np.fill_diagonal(shared, 0.0)
        gains = np.array([gain[place] for place in chosen])
        return cls(radii, explained, values, at, gains, (1 + _OVERLAP_PENALTY) * shared)


def _disc_sums(evidence: Layer, radius: float) -> Layer:
    """Return the sum of the evidence under a disc of this radius (px) centred at each pixel."""
    disc = _disc_weights(round(radius, 1))
    return np.asarray(cv2.filter2D(evidence, -1, disc, borderType=cv2.BORDER_CONSTANT), np.float32)


def _best_centres(gain: Layer, radius: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and columns at which discs of this radius (px) explain most, at most `_MAX_TRIED`.

    gain: evidence that a disc centred at each pixel explains.
    """
    rows, columns = local_maxima(gain, _MIN_COVER * float(_disc_weights(round(radius, 1)).sum()))
    first = np.argsort(-gain[rows, columns])[:_MAX_TRIED]
    return rows[first], columns[first]


def _shared_areas(
    apart: NDArray[np.float64], small: NDArray[np.float64], large: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the area shared by each pair of discs.

    apart: distance of their centres. small, large: smaller and larger radius of each pair.
    """
    near = np.clip(apart, large - small + 1e-6, large + small)
    one = (near**2 + small**2 - large**2) / (2 * near * small)
    other = (near**2 + large**2 - small**2) / (2 * near * large)
    kite = np.maximum(
        0.0, (-near + small + large) * (near + small - large) * (near - small + large) * (near + small + large)
    )
    return np.asarray(
        small**2 * np.arccos(np.clip(one, -1, 1))
        + large**2 * np.arccos(np.clip(other, -1, 1))
        - 0.5 * np.sqrt(kite)
    )


@lru_cache(maxsize=16)
def _disc_weights(radius: float) -> Layer:
    """Return a disc of this radius (px) as weights 0..1 with a smooth rim, (side, side)."""
    half = int(np.ceil(radius)) + 1
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    return np.asarray(np.clip(radius + 0.5 - np.hypot(rows, columns), 0, 1), np.float32)


def outside_quads(shape: tuple[int, int], quads: Sequence[NDArray[np.float64]]) -> Mask:
    """Return a mask (height, width) of the pixels outside quadrilaterals, each (4, 2) in px."""
    mask = np.ones(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    return mask > 0
