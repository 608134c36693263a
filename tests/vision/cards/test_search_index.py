from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.standin_deck import STANDIN
from vision.cards.search_index import PX_PER_MM, CardIndex, normalised_picture, on_dark, rigid_motion, soften


@pytest.fixture(scope="module")
def index() -> CardIndex:
    deck = deck_from_art(STANDIN)
    few = dict(list(deck.cards.items())[:6])
    return CardIndex.of(replace(deck, cards=few))


def _bits(count: int, seed: int = 1) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (count, 32), dtype=np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 512, 1300])
def test_the_nearest_feature_is_the_one_that_counting_bits_finds(index: CardIndex, count: int) -> None:
    seen = _bits(count)
    seen[::3] = index.features.descriptors[np.arange(len(seen[::3])) % len(index.owners)]  # some are just alike
    counted, first = cv2.batchDistance(seen, index.features.descriptors, cv2.CV_32S, normType=cv2.NORM_HAMMING, K=1)
    nearest, distances = index.nearest(seen)
    assert np.array_equal(nearest, first[:, 0])
    assert np.array_equal(distances, counted[:, 0])


def test_nothing_is_near_where_nothing_is_seen(index: CardIndex) -> None:
    nearest, distances = index.nearest(_bits(0))
    assert nearest.shape == distances.shape == (0,)


@pytest.mark.parametrize("off", [(2.0, -1.5, 3.0), (-2.5, 0.0, -5.0), (0.0, 3.0, 0.0)])
def test_a_look_taken_aside_tells_how_far_it_is_off(index: CardIndex, off: tuple[float, float, float]) -> None:
    for number, card in enumerate(index.cards):
        small = cv2.resize(on_dark(card.picture), None, fx=PX_PER_MM / 4, fy=PX_PER_MM / 4)
        across, down = (small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2
        lies = np.array([[PX_PER_MM, 0, across], [0, PX_PER_MM, down], [0, 0, 1]])
        soft, there = soften(np.asarray(small, np.uint8), PX_PER_MM), lies @ rigid_motion(*off)
        for _ in range(3):
            lacking = index.pictures[number] - normalised_picture(soft, there, card.size_mm)
            there = there @ rigid_motion(*(index.displacement_matrices[number] @ lacking).tolist())
        away = np.linalg.inv(lies) @ there
        assert np.hypot(away[0, 2], away[1, 2]) < 0.5
        assert abs(np.degrees(np.arctan2(away[1, 0], away[0, 0]))) < 0.6


def test_only_what_is_clear_of_a_picture_shows_the_dark_ground() -> None:
    picture = np.full((2, 3, 4), 200, np.uint8)
    picture[..., 3] = [[255, 0, 51], [255, 255, 255]]
    assert on_dark(picture)[0, :, 0].tolist() == [200, 60, 88]
    assert (on_dark(picture)[1] == 200).all()
    assert (picture[..., :3] == 200).all()
