"""Impurity tiles beside a board: discs of two sizes that lie in rows and touch.

A heap of tile-coloured pixels is explained by discs of the enrolled sizes: of all ways to lay discs that hardly
overlap the one that agrees with the most pixels counts, and how far the best way to any other number of points
lies behind it tells how sure that is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.explaining import chances_of, peaks, ways
from vision.boards.laid import Layer, Mask

_RIMS_MM = (-0.8, -0.4, 0.0, 0.4, 0.8)
"""How much narrower than enrolled a tile's radius may be seen: its dark rim is taken for its shadow, or not."""
_MOST_HEAPS = 24
_LEAST_TILE, _SPECK = 0.45, 0.2
"""Shares of the smallest tile: heaps smaller than the first are no tile but may be a part of one, whose rest looks
like something else; those smaller than the second are specks."""
_LEAST_COVER = 0.3
"""Mean evidence, -1 to 1, of a disc that is worth trying."""
_MOST_TRIED, _MOST_ROUNDS = 40, 4
_RIM_PX = 1
"""So near to a disc its own rim may be seen."""
_EDGE_PX = 3
"""Heaps nearer than half of this to the edge of what is seen may go on beyond it: table beside a heap ends it."""
_MOST_HIDDEN = 0.15
"""Tiles of which more than this lies under or on a board or card are not surely what they seem."""
_OVERLAP = 1.5
"""How much worse pixels are that two discs share than pixels that none explains: tiles do not lie on each other."""
_SHARPNESS = 26.0
"""Natural logarithms a smallest tile's area: by so much less likely is a way that explains so much less."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: what it counts, its middle and radius in px of the map."""

    value: int
    middle: tuple[int, int]
    radius: float


@dataclass(frozen=True, slots=True)
class Heap:
    """Touching tiles: middle in px, the likeliest tiles, each number's chance, which share discs explain, 0..1.

    bare: the largest patch that no disc covers, in smallest tiles; worst: mean evidence, -1 to 1, of the disc that
    fits least; cut: it reaches the edge of what could be looked at, a tile of it lies partly under or on something,
    or all of it is less than a tile.
    """

    middle: tuple[float, float]
    tiles: tuple[Tile, ...]
    chances: Mapping[int, float]
    agreeing: float
    bare: float
    worst: float
    cut: bool


def find_heaps(
    chances: Layer,
    radii: Mapping[int, float],
    px_per_mm: float,
    inside: Mask | None = None,
    free: Mask | None = None,
) -> tuple[Heap, ...]:
    """Find tiles in a map of how likely each pixel is part of one, 0..1. radii: mm by what a tile counts.

    inside: where the map shows the table at all; free: where no board or card lies; everywhere if None.
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
    # How much of a tile's dark rim is seen as its own differs from light to light: what fits all heaps best counts,
    # but no number is surer than all that may well fit make it.
    sizes = [{value: (radius - rim) * px_per_mm for value, radius in radii.items()} for rim in _RIMS_MM]
    tries = [[_explained(patch, size) for patch in patches] for size in sizes]
    totals = np.array([sum(way.score for way in tried) for tried in tries]) / smallest
    weights = np.exp(_SHARPNESS * (totals - totals.max()))
    weights /= weights.sum()
    best = int(totals.argmax())
    least = np.pi * min(sizes[best].values()) ** 2
    chances_of_each = [_mixed([way.chances for way in tried], weights) for tried in zip(*tries, strict=True)]
    return tuple(
        _heap(patch, way, mixed, least)
        for patch, way, mixed in zip(patches, tries[best], chances_of_each, strict=True)
    )


def in_all(heaps: Sequence[Heap]) -> dict[int, float]:
    """Give the chance of each number that several heaps may count together."""
    sums = {0: 1.0}
    for heap in heaps:
        added: dict[int, float] = {}
        for (before, chance), (number, more) in itertools.product(sums.items(), heap.chances.items()):
            added[before + number] = added.get(before + number, 0.0) + chance * more
        sums = added
    return sums


def _mixed(all_chances: Sequence[Mapping[int, float]], weights: NDArray[np.float64]) -> dict[int, float]:
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
    """A heap's pixels: evidence for a tile, -1 to 1, and where in the map its first pixel lies.

    hidden: where a board or card keeps from telling what lies there; cut: it may go on beyond what is seen, or all
    that is seen is less than a tile.
    """

    evidence: Layer
    hidden: Mask
    left: int
    top: int
    cut: bool


def _patches(chances: Layer, within: Mask, hidden: Mask, smallest: float, pad: int) -> Iterator[_Patch]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats((chances > 0.5).astype(np.uint8))
    order = sorted(range(1, count), key=lambda label: -int(stats[label][cv2.CC_STAT_AREA]))
    # What a board or card hides says neither that a tile lies there nor that none does.
    evidence = np.pad(np.where(hidden, 0.0, 2 * chances - 1), pad, constant_values=-1.0).astype(np.float32)
    labels, within = np.pad(labels, pad), np.pad(within, pad, constant_values=True)
    covered = np.pad(hidden, pad)
    for label in order[:_MOST_HEAPS]:
        left, top, width, height, pixels = (int(value) for value in stats[label])
        if pixels < _SPECK * smallest:
            return
        window = (slice(top, top + height + 2 * pad), slice(left, left + width + 2 * pad))
        there = labels[window]
        own = np.where((there > 0) & (there != label), -1.0, evidence[window]).astype(np.float32)
        cut = pixels < _LEAST_TILE * smallest or bool(((there == label) & ~within[window]).any())
        yield _Patch(own, covered[window], left - pad, top - pad, cut)


def _eroded(mask: Mask, px: int) -> Mask:
    """Take from a mask what is near its edges, those of the map among them."""
    kernel = np.ones((px, px), np.uint8)
    return np.asarray(cv2.erode(mask.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0)


@dataclass(frozen=True, slots=True)
class _Way:
    """The best way to lay discs on a heap: how far what they explain exceeds what they leave, px, the discs, the
    chance of each number, and which share they explain, 0..1."""

    score: float
    tiles: tuple[Tile, ...]
    chances: Mapping[int, float]
    agreeing: float


def _explained(patch: _Patch, radii: Mapping[int, float]) -> _Way:
    """Lay the discs that explain a heap best. radii: px by what a tile counts."""
    discs = _Discs.of(patch, radii)
    for _ in range(_MOST_ROUNDS):
        tried = discs
        laid, points, scores = ways(tried.values, tried.gains, tried.lost)
        best = int(scores.argmax())
        discs = tried.with_beside(patch, laid[best])
        if discs is tried:
            break
    lacking = float(np.maximum(patch.evidence, 0).sum())
    smallest = np.pi * min(radii.values()) ** 2
    tiles = tuple(
        Tile(int(value), (int(x) + patch.left, int(y) + patch.top), radii[int(value)])
        for value, (x, y) in zip(tried.values[laid[best]], tried.middles[laid[best]], strict=True)
    )
    explained = float(scores[best])
    agreeing = max(0.0, explained / max(lacking, 1.0))
    return _Way(2 * explained - lacking, tiles, chances_of(points, scores / smallest, _SHARPNESS), agreeing)


def _heap(patch: _Patch, way: _Way, chances: Mapping[int, float], smallest: float) -> Heap:
    """Tell of a heap how well the best way to lay discs on it fits. smallest: a tile's area, px."""
    rows, columns = np.nonzero(patch.evidence > 0)
    middle = (float(columns.mean()) + patch.left, float(rows.mean()) + patch.top)
    bare, worst, hidden = _fit(patch, way.tiles)
    cut = patch.cut or hidden > _MOST_HIDDEN
    return Heap(middle, way.tiles, chances, way.agreeing, bare / smallest, worst, cut)


def _fit(patch: _Patch, tiles: Sequence[Tile]) -> tuple[float, float, float]:
    """Tell how badly discs fit a heap.

    Gives the area, px, of the largest patch that no disc covers, rims aside, the mean evidence of the disc that
    fits least, and how much of the disc that is hidden most is so.
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
class _Discs:
    """Discs worth trying: what each counts (n), its middle in px (n, 2), what it explains (n), and what is lost of
    that where another lies there, too (n, n).

    radii: px by value; explained: what a disc of a value would explain at every pixel.
    """

    radii: Mapping[int, float]
    explained: Mapping[int, Layer]
    values: NDArray[np.int64]
    middles: NDArray[np.int64]
    gains: NDArray[np.float64]
    lost: NDArray[np.float64]

    @classmethod
    def of(cls, patch: _Patch, radii: Mapping[int, float]) -> _Discs:
        """Find the discs that explain more than any near them."""
        ordered = sorted(radii.items(), reverse=True)
        explained = {value: _filtered(patch.evidence, radius) for value, radius in ordered}
        found = [(value, *_peaks(explained[value], radius)) for value, radius in ordered]
        return cls._at(radii, explained, found)

    def with_beside(self, patch: _Patch, laid: NDArray[np.bool_]) -> _Discs:
        """Add the discs that explain most of what some laid ones leave; itself, if they leave no whole disc.

        Where tiles touch, what a disc explains on its own often grows towards a neighbour: no peak tells of it.
        """
        left = patch.evidence.copy()
        rows, columns = np.mgrid[: left.shape[0], : left.shape[1]]
        for value, (x, y) in zip(self.values[laid], self.middles[laid], strict=True):
            left[(columns - x) ** 2 + (rows - y) ** 2 <= self.radii[int(value)] ** 2] = -_OVERLAP
        if np.maximum(left, 0).sum() < _LEAST_COVER * np.pi * min(self.radii.values()) ** 2:
            return self
        beside = [(value, *_peaks(_filtered(left, radius), radius)) for value, radius in self.radii.items()]
        known = [(value, *self.middles[self.values == value].T[::-1]) for value in self.radii]
        more = self._at(self.radii, self.explained, [*known, *beside])
        return more if len(more.values) > len(self.values) else self

    @classmethod
    def _at(
        cls,
        radii: Mapping[int, float],
        explained: Mapping[int, Layer],
        found: Sequence[tuple[int, NDArray[np.int64], NDArray[np.int64]]],
    ) -> _Discs:
        """Take discs of these values at these rows and columns, the larger ones first."""
        places = {
            (value, int(x), int(y)) for value, rows, columns in found for x, y in zip(columns, rows, strict=True)
        }
        gain = {(value, x, y): float(explained[value][y, x]) for value, x, y in places}
        chosen = sorted(places, key=lambda place: (-place[0], -gain[place], place))
        table = np.array(chosen, np.int64).reshape(-1, 3)
        values, at = table[:, 0], table[:, 1:]
        sizes = np.array([radii[int(value)] for value in values])
        apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
        shared = _lens(apart, np.minimum(sizes[:, None], sizes[None]), np.maximum(sizes[:, None], sizes[None]))
        np.fill_diagonal(shared, 0.0)
        gains = np.array([gain[place] for place in chosen])
        return cls(radii, explained, values, at, gains, (1 + _OVERLAP) * shared)


def _filtered(evidence: Layer, radius: float) -> Layer:
    disc = _disc(round(radius, 1))
    return np.asarray(cv2.filter2D(evidence, -1, disc, borderType=cv2.BORDER_CONSTANT), np.float32)


def _peaks(gain: Layer, radius: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the rows and columns where a disc explains more than near by, no more of them than are tried."""
    rows, columns = peaks(gain, _LEAST_COVER * float(_disc(round(radius, 1)).sum()))
    first = np.argsort(-gain[rows, columns])[:_MOST_TRIED]
    return rows[first], columns[first]


def _lens(
    apart: NDArray[np.float64], small: NDArray[np.float64], large: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the area that two discs share, by how far apart their middles are."""
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
def _disc(radius: float) -> Layer:
    half = int(np.ceil(radius)) + 1
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    return np.asarray(np.clip(radius + 0.5 - np.hypot(rows, columns), 0, 1), np.float32)


def free_of(shape: tuple[int, int], quads: Sequence[NDArray[np.float64]]) -> Mask:
    """Tell where none of some quadrilaterals (4, 2) in px lies."""
    mask = np.ones(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    return mask > 0
