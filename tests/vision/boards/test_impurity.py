"""Impurity tiles counted in maps of how likely each pixel is part of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.boards.disc_heaps import Heap, find_heaps, total_probabilities
from vision.boards.rectified import Layer

RADII = {1: 7.0, 3: 10.0}
Disc = tuple[float, float, float]
"""Middle (x, y) and radius in mm."""


def row(*values: int, y: float = 30.0, narrower: float = 0.0) -> list[Disc]:
    """Lay tiles in a row, touching."""
    discs, x = list[Disc](), 20.0
    for value in values:
        x += RADII[value]
        discs.append((x, y, RADII[value] - narrower))
        x += RADII[value]
    return discs


def chances(discs: Sequence[Disc]) -> Layer:
    """Draw a map at 1 px/mm, as soft and noisy as a camera's."""
    drawn = np.zeros((480, 640), np.uint8)
    for x, y, radius in discs:
        cv2.circle(drawn, (round(4 * x), round(4 * y)), round(4 * radius), 255, cv2.FILLED)
    soft = cv2.resize(drawn, (160, 120), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    noise = np.random.default_rng(3).normal(0, 0.05, soft.shape)
    return np.clip(cv2.GaussianBlur(soft, (0, 0), 0.8) + noise, 0, 1).astype(np.float32)


def found(discs: Sequence[Disc]) -> tuple[Heap, ...]:
    drawn = chances(discs)
    return find_heaps(drawn, RADII, 1.0)


@pytest.mark.parametrize(
    "values", [(1,), (3,), (1, 1), (3, 3), (3, 1), (1, 1, 1), (3, 3, 3), (3, 1, 1), (1, 3, 1), (3, 3, 1, 1)]
)
@pytest.mark.parametrize("narrower", [0.0, 0.8])
def test_touching_tiles_are_counted_whatever_their_rims_look_like(values: tuple[int, ...], narrower: float) -> None:
    heaps = found(row(*values, narrower=narrower))
    assert sorted(tile.value for one in heaps for tile in one.tiles) == sorted(values)
    assert all(max(one.chances.values()) > 0.9 for one in heaps)


def pressed(values: Sequence[int], bitten: int) -> Layer:
    """Draw tiles in a row that blur makes overlap; light or print hides two sides of the second one."""
    discs, x = list[Disc](), 20.0
    for value in values:
        x += 0.9 * RADII[value]
        discs.append((x, 30.0, RADII[value]))
        x += 0.9 * RADII[value]
    drawn, middle = chances(discs), discs[1][0]
    for side in (-1, 1):
        cv2.circle(drawn, (round(middle + 4 * side), 30 + 6 * side), bitten, 0.0, cv2.FILLED)
    return drawn


@pytest.mark.parametrize("values", [(3, 1, 3), (3, 1, 1, 1)])
def test_a_tile_that_its_neighbours_outshine_is_counted(values: tuple[int, ...]) -> None:
    (heap,) = find_heaps(pressed(values, 4), RADII, 1.0)
    assert sorted(tile.value for tile in heap.tiles) == sorted(values)


@pytest.mark.parametrize("values", [(3, 1, 3), (3, 1, 1, 1)])
def test_of_a_tile_half_hidden_by_light_a_bare_patch_is_left(values: tuple[int, ...]) -> None:
    (heap,) = find_heaps(pressed(values, 5), RADII, 1.0)
    assert sorted(tile.value for tile in heap.tiles) != sorted(values)
    assert heap.bare > 0.15
    (whole,) = find_heaps(pressed(values, 1), RADII, 1.0)
    assert whole.bare < 0.05


def test_two_rows_that_touch_are_one_heap() -> None:
    (heap,) = found([*row(3, 3, 1), *row(1, 1, y=47.0)])
    assert sum(tile.value for tile in heap.tiles) == 9
    assert max(heap.chances, key=lambda points: heap.chances[points]) == 9


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        ([(3, 3, 3), (3, 1)], 13),
        ([(3, 3, 3), (3, 3, 1), (1,)], 17),
        ([(3, 3, 3), (3, 3, 3), (1, 1)], 20),
        ([(3, 3, 1), (1, 1, 1), (1, 1, 1)], 13),
    ],
)
def test_a_large_heap_is_counted_in_full(rows: list[tuple[int, ...]], points: int) -> None:
    discs, y = list[Disc](), 20.0
    for values in rows:
        y += RADII[values[0]]
        discs += row(*values, y=y)
        y += RADII[values[0]]
    (heap,) = found(discs)
    assert sum(tile.value for tile in heap.tiles) == points
    assert max(heap.chances, key=lambda number: heap.chances[number]) == points
    assert heap.bare < 0.3
    assert heap.worst > 0.5


def test_a_heap_at_the_edge_of_what_is_seen_is_cut() -> None:
    drawn = chances(row(3, 3))
    inside = np.ones(drawn.shape, np.bool_)
    (whole,) = find_heaps(drawn, RADII, 1.0, inside)
    assert not whole.cut
    inside[:18] = False
    (near,) = find_heaps(drawn, RADII, 1.0, inside)
    assert not near.cut
    inside[:23] = False
    (cut,) = find_heaps(drawn, RADII, 1.0, inside)
    assert cut.cut


def test_a_heap_that_lies_half_under_something_is_cut() -> None:
    drawn = chances(row(3, 3))
    free = np.ones(drawn.shape, np.bool_)
    free[:25] = False
    hidden = np.where(free, drawn, 0.0).astype(np.float32)
    (cut,) = find_heaps(hidden, RADII, 1.0, None, free)
    assert cut.cut


def test_what_is_no_disc_is_not_explained_well() -> None:
    drawn = np.zeros((120, 160), np.float32)
    drawn[40:46, 20:140] = 1.0
    (heap,) = find_heaps(drawn, RADII, 1.0)
    assert heap.agreeing < 0.55


@pytest.mark.parametrize(("share", "heaps"), [(0.1, 1), (0.3, 2), (0.4, 2)])
def test_a_part_of_a_tile_is_cut_and_a_speck_is_nothing(share: float, heaps: int) -> None:
    """Of a tile that lies aside only a part of its rim looks like one."""
    aside = (40.0, 70.0, RADII[1])
    drawn, rows = chances([*row(3, 1), aside]), np.arange(120)[:, None]
    disc = (np.arange(160) - aside[0]) ** 2 + (rows - aside[1]) ** 2 < 9.0**2
    lowest = aside[1] + RADII[1] - 2 * RADII[1] * share
    drawn[disc & (rows < lowest)] = 0.0
    first, *others = find_heaps(drawn, RADII, 1.0)
    assert sorted(tile.value for tile in first.tiles) == [1, 3]
    assert not first.cut
    assert len(others) == heaps - 1
    assert all(one.cut and not one.tiles for one in others)


def test_nothing_is_no_heap() -> None:
    assert found([]) == ()


def test_several_heaps_may_count_every_sum_of_what_each_may_count() -> None:
    (heap,) = found(row(3))
    heaps = [replace(heap, chances={3: 0.9, 2: 0.1}), replace(heap, chances={4: 0.5, 5: 0.5})]
    assert total_probabilities([]) == {0: 1.0}
    assert total_probabilities(heaps) == pytest.approx({6: 0.05, 7: 0.5, 8: 0.45})
