"""Print segmentation: objects raised above a printed board, and the print itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from models.print_segmentation.scenes import scene
from vision.counting.pixel_features import STEP
from vision.counting.print_segmentation import FEATURES, OUTPUTS, PrintSegmentationNetwork, shipped_network


@pytest.fixture(scope="module")
def network() -> PrintSegmentationNetwork:
    return shipped_network()


@pytest.mark.parametrize("scenes", [5, pytest.param(12, marks=pytest.mark.slow)])
def test_things_on_boards_that_were_never_seen_are_told_from_print(
    network: PrintSegmentationNetwork, scenes: int
) -> None:
    found = true = both = 0
    off = []
    for seed in range(scenes):
        made = scene(np.random.default_rng([seed, 0x5EED]))
        seen = network.segment(made.image)
        whose = made.whose[STEP // 2 :: STEP, STEP // 2 :: STEP]
        stands = seen.presence > 0.5
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
def test_pictures_of_any_size_are_looked_at(network: PrintSegmentationNetwork, size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    seen = network.segment(image)
    half = (size[0] // STEP, size[1] // STEP)
    assert seen.presence.shape == half
    assert seen.sides.shape == (*half, 4)
    assert seen.outputs.shape == (*half, OUTPUTS + FEATURES)
    assert 0 <= seen.presence.min() <= seen.presence.max() <= 1


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mirrored_picture_is_seen_mirrored(network: PrintSegmentationNetwork, axis: int) -> None:
    image = scene(np.random.default_rng(0)).image
    plain, mirrored = network.segment(image), network.segment(np.ascontiguousarray(np.flip(image, axis)))
    assert np.allclose(np.flip(mirrored.presence, axis), plain.presence, atol=0.05)
    cells = plain.presence.shape[axis]
    low, high = (1, 3) if axis == 0 else (0, 2)
    turned = cells - np.flip(mirrored.sides, axis)
    stands = plain.presence > 0.5
    assert stands.sum() > 500
    assert np.abs(turned[stands][:, high] - plain.sides[stands][:, low]).max() < 1.0


@pytest.mark.slow
def test_two_people_may_look_at_once(network: PrintSegmentationNetwork) -> None:
    image = scene(np.random.default_rng(3)).image
    alone = network.segment(image).outputs
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(seen.outputs, alone) for seen in pool.map(network.segment, [image] * 4))
