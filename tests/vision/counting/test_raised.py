"""What stands on print, and what is printed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from models.printed.scenes import scene
from vision.counting.features import STEP
from vision.counting.raised import FEATURES, TOLD, RaisedNetwork, shipped


@pytest.fixture(scope="module")
def network() -> RaisedNetwork:
    return shipped()


def test_things_on_boards_that_were_never_seen_are_told_from_print(network: RaisedNetwork) -> None:
    found = true = both = 0
    off = []
    for seed in range(12):
        made = scene(np.random.default_rng([seed, 0x5EED]))
        seen = network.look(made.image)
        whose = made.whose[STEP // 2 :: STEP, STEP // 2 :: STEP]
        stands = seen.there > 0.5
        found, true, both = found + stands.sum(), true + (whose > 0).sum(), both + (stands & (whose > 0)).sum()
        for number in np.unique(whose[whose > 0]):
            own = (whose == number) & stands
            if own.sum() < 20:
                continue
            rows, columns = np.nonzero(made.whose == number)
            ends = np.array([columns.min(), rows.min(), columns.max(), rows.max()]) / STEP
            off.append(np.abs(np.median(seen.sides[own], axis=0) - ends).max())
    # Many of them have the board's own colours, or lie in the dark.
    assert both > 0.65 * true
    assert both > 0.8 * found
    assert np.median(off) < 1.0, "cells of two pixels"


@pytest.mark.parametrize("size", [(33, 47), (64, 64), (2, 2), (95, 30)])
def test_pictures_of_any_size_are_looked_at(network: RaisedNetwork, size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    seen = network.look(image)
    half = (size[0] // STEP, size[1] // STEP)
    assert seen.there.shape == half
    assert seen.sides.shape == (*half, 4)
    assert seen.seen.shape == (*half, TOLD + FEATURES)
    assert 0 <= seen.there.min() <= seen.there.max() <= 1


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mirrored_picture_is_seen_mirrored(network: RaisedNetwork, axis: int) -> None:
    image = scene(np.random.default_rng(0)).image
    plain, mirrored = network.look(image), network.look(np.ascontiguousarray(np.flip(image, axis)))
    assert np.allclose(np.flip(mirrored.there, axis), plain.there, atol=0.05)
    cells = plain.there.shape[axis]
    low, high = (1, 3) if axis == 0 else (0, 2)
    turned = cells - np.flip(mirrored.sides, axis)
    stands = plain.there > 0.5
    assert stands.sum() > 500
    assert np.abs(turned[stands][:, high] - plain.sides[stands][:, low]).max() < 1.0


def test_two_people_may_look_at_once(network: RaisedNetwork) -> None:
    image = scene(np.random.default_rng(3)).image
    alone = network.look(image).seen
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(seen.seen, alone) for seen in pool.map(network.look, [image] * 12))
