"""Impurity tiles beside a board: discs of two sizes that lie in rows and touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.laid import Layer, Mask

_LEAST_COVER, _SURE_COVER = 0.8, 0.9
"""Share of a tile's disc that must look like a tile."""
_LEAST_RIM, _SURE_RIM, _MOST_BEYOND = 0.7, 0.82, 0.6
"""Share of the ring between a small tile's edge and a large one's that a large tile fills."""
_LEANING = 0.08
"""Mean difference of log densities from which colours say for certain what a tile counts."""
_LEAST_FRESH = 0.62
"""Share of a disc that no other tile has taken already: tiles may lie on each other's rims."""
_MOST_TILES = 40
_RIMS = (0.66, 0.74, 0.82, 0.9, 0.98, 1.06)
"""Shares of an enrolled tile's radius that may be seen as the tile."""
_LEAST_AGREEING, _SURE_AGREEING = 0.68, 0.8
_PAD = 4
_LEAST_TILE, _LEFT_OVER = 0.8, 0.55
"""What is left and as large as this share of the smallest tile was not counted: to be looked at."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: what it counts, its middle and radius in px of the map, how surely it is one."""

    value: int
    middle: tuple[int, int]
    radius: float
    confidence: float


def find_tiles(chances: Layer, leaning: Layer, radii: dict[int, float]) -> tuple[tuple[Tile, ...], bool]:
    """Find tiles in a map of how likely each pixel is part of one. radii: px by what a tile counts.

    leaning: by how much each pixel looks more like a tile that counts most than like one that counts least. Also
    tells whether something is left that looks like a part of a tile.
    """
    there = (chances > 0.5).astype(np.uint8)
    smallest = np.pi * (_RIMS[0] * min(radii.values())) ** 2
    count, labels, stats, _ = cv2.connectedComponentsWithStats(there)
    heaps: list[_Heap] = []
    for label in range(1, count):
        left, top, width, height, pixels = (int(value) for value in stats[label])
        if pixels >= _LEAST_TILE * smallest and len(heaps) < _MOST_TILES:
            own = labels[top : top + height, left : left + width] == label
            lean = leaning[top : top + height, left : left + width]
            heaps.append(_Heap(np.pad(own, _PAD).astype(np.float32), np.pad(lean, _PAD), left - _PAD, top - _PAD))
    if not heaps:
        return (), False
    # How much of a tile's dark rim is seen as its own differs from light to light: what fits all heaps best counts.
    tries = [_fitted(heaps, {value: rim * radius for value, radius in radii.items()}) for rim in _RIMS]
    tiles, agreeing, over = max(tries, key=lambda tried: tried[1])
    sure = _share(agreeing, _LEAST_AGREEING, _SURE_AGREEING)
    return tuple(replace(tile, confidence=min(tile.confidence, 0.8 + 0.199 * sure)) for tile in tiles), over


@dataclass(frozen=True, eq=False)
class _Heap:
    """Touching tiles as a mask, how its pixels lean, and where in the map its first pixel lies."""

    mask: Layer
    leaning: Layer
    left: int
    top: int


def _fitted(heaps: Sequence[_Heap], radii: dict[int, float]) -> tuple[tuple[Tile, ...], float, bool]:
    """Find all heaps' tiles: the tiles, which share of masks and discs agrees, and whether a part is left over."""
    tiles: list[Tile] = []
    both = either = 0.0
    over = False
    for heap in heaps:
        found, rest = _in_heap(heap.mask, heap.leaning, radii, heap.left, heap.top)
        discs = np.zeros(heap.mask.shape, np.uint8)
        for tile in found:
            middle = (tile.middle[0] - heap.left, tile.middle[1] - heap.top)
            cv2.circle(discs, middle, round(tile.radius), 1, cv2.FILLED)
        tiles += found
        both += float(np.count_nonzero((discs > 0) & (heap.mask > 0)))
        either += float(np.count_nonzero((discs > 0) | (heap.mask > 0)))
        over |= rest > _LEFT_OVER * np.pi * min(radii.values()) ** 2
        over |= not found
    return tuple(tiles), both / either, over


def _in_heap(whole: Layer, leaning: Layer, radii: dict[int, float], left: int, top: int) -> tuple[list[Tile], int]:
    """Find the tiles of a mask of touching ones, largest first, and the pixels that are left in one piece."""
    rest = whole.copy()
    tiles: list[Tile] = []
    order = sorted(radii.items(), key=lambda pair: -pair[1])
    lean = cv2.filter2D(leaning * whole, -1, _disc(order[-1][1] - 1.0), borderType=cv2.BORDER_CONSTANT)
    for number, (value, radius) in enumerate(order):
        disc, ring = _disc(radius - 0.6), _ring(radius + 0.8, radius + 2.4)
        cover = cv2.filter2D(whole, -1, disc, borderType=cv2.BORDER_CONSTANT)
        around = cv2.filter2D(whole, -1, ring, borderType=cv2.BORDER_CONSTANT)
        # A larger tile is told from a smaller one with neighbours by what lies between the two radii.
        inner = order[number + 1][1] if number + 1 < len(order) else None
        rim = whole if inner is None else cv2.filter2D(
            whole, -1, _ring(min(inner + 0.5, radius - 1.2), radius - 0.2), borderType=cv2.BORDER_CONSTANT
        )  # fmt: skip
        outer = order[number - 1][1] if number > 0 else None
        beyond = None if outer is None else cv2.filter2D(
            whole, -1, _ring(min(radius + 0.5, outer - 1.2), outer - 0.2), borderType=cv2.BORDER_CONSTANT
        )  # fmt: skip
        while len(tiles) < _MOST_TILES:
            fresh = cv2.filter2D(rest, -1, disc, borderType=cv2.BORDER_CONSTANT)
            score = cover + 0.5 * fresh - 0.35 * around
            score[(cover < _LEAST_COVER) | (fresh < _LEAST_FRESH)] = -np.inf
            if inner is not None:
                score[(rim < _LEAST_RIM) | (lean < 0)] = -np.inf
            row, column = np.unravel_index(int(np.argmax(score)), score.shape)
            if not np.isfinite(score[row, column]):
                break
            sure = _share(float(cover[row, column]), _LEAST_COVER, _SURE_COVER)
            if inner is not None:
                sure = min(sure, _share(float(rim[row, column]), _LEAST_RIM, _SURE_RIM))
            # The kinds' colours and the radius must say the same.
            if len(order) > 1:
                way = 1.0 if inner is not None else -1.0
                sure = min(sure, _share(way * float(lean[row, column]), -_LEANING / 2, _LEANING))
            if beyond is not None:
                sure = min(sure, _share(1 - float(beyond[row, column]), 1 - _LEAST_RIM, 1 - _MOST_BEYOND))
            tiles.append(Tile(value, (int(column) + left, int(row) + top), radius, 0.7 + 0.299 * sure))
            cv2.circle(rest, (int(column), int(row)), round(radius + 1.2), 0.0, cv2.FILLED)
    opened = cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    return tiles, max((int(stats[k][cv2.CC_STAT_AREA]) for k in range(1, count)), default=0)


@lru_cache(maxsize=8)
def _disc(radius: float) -> Layer:
    half = int(np.ceil(radius)) + 1
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    disc = np.clip(radius + 0.5 - np.hypot(rows, columns), 0, 1).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)


def _share(value: float, least: float, most: float) -> float:
    """Tell how far a value is from the least to the most, 0 to 1."""
    return min(1.0, max(0.0, (value - least) / (most - least)))


@lru_cache(maxsize=16)
def _ring(inner: float, outer: float) -> Layer:
    half = int(np.ceil(outer)) + 1
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    away = np.hypot(rows, columns)
    ring = (np.clip(outer + 0.5 - away, 0, 1) * np.clip(away - inner + 0.5, 0, 1)).astype(np.float32)
    return np.asarray(ring / ring.sum(), np.float32)


def free_of(shape: tuple[int, int], quads: list[NDArray[np.float64]]) -> Mask:
    """Tell where none of some quadrilaterals (4, 2) in px lies."""
    mask = np.ones(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    return mask > 0
