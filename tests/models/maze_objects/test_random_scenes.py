"""Tests of the random boards on which the network is trained."""

from __future__ import annotations

import numpy as np
import pytest

from models.maze_objects.random_boards import start_places
from models.maze_objects.random_scenes import DISC, PAWN, RINGS, WIZARDS, Example, random_example
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.object_network import INPUT_PX
from vision.games.master.readings import SIZE, STARTS


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [random_example(np.random.default_rng(seed)) for seed in range(6)]


def test_the_same_seed_draws_the_same_board(examples: list[Example]) -> None:
    again = random_example(np.random.default_rng(3))
    assert np.array_equal(again.image, examples[3].image)
    assert np.array_equal(again.present, examples[3].present)


def test_rings_are_where_a_turned_board_has_them() -> None:
    for turns in range(4):
        places = start_places(turns)
        assert {colour: turned_place(place, -turns) for colour, place in places.items()} == dict(STARTS)


def test_each_ring_is_there_once_and_each_wizard_at_most_once(examples: list[Example]) -> None:
    for one in examples:
        assert one.image.shape == (INPUT_PX, INPUT_PX, 3)
        assert one.present[RINGS].sum(axis=(1, 2)).tolist() == [1, 1, 1, 1]
        assert one.present[WIZARDS].sum(axis=(1, 2)).max() <= 1


def test_each_wizard_is_a_pawn(examples: list[Example]) -> None:
    wizards = np.array([one.present[WIZARDS].max(axis=0) for one in examples])
    pawns = np.array([one.present[PAWN] for one in examples])
    assert wizards.any()
    assert (pawns >= wizards).all()


def test_discs_lie_near_the_middle_of_their_tile(examples: list[Example]) -> None:
    for one in examples:
        there = one.present[DISC] > 0
        assert np.abs(one.discs[:2, there]).max(initial=0.0) < 0.4
        assert not one.discs[:, ~there].any()
        assert there.shape == (SIZE, SIZE)
