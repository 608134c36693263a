"""Tests of the board's orientation."""

from __future__ import annotations

import numpy as np
import pytest

from vision.games.master.objects.board_orientation import turn_probabilities, turned_openings, turned_place
from vision.games.master.readings import FIXED, SIZE, STARTS


def test_a_quarter_turn_moves_the_corner_clockwise() -> None:
    assert [turned_place(0, turns) for turns in range(5)] == [0, 6, 48, 42, 0]


def test_the_fixed_tiles_are_the_same_after_a_quarter_turn() -> None:
    assert {turned_place(place, 1): turned_openings(of, 1) for place, of in FIXED.items()} == dict(FIXED)


def rings(turns: int, strength: float = 4.0) -> np.ndarray:
    """Return log odds of the rings of a board that quarter turns bring into its own frame."""
    odds = np.full((SIZE, SIZE, 4), -strength, np.float32)
    for colour, start in enumerate(STARTS.values()):
        odds[divmod(turned_place(start, -turns), SIZE)][colour] = strength
    return odds


@pytest.mark.parametrize("turns", range(4))
def test_rings_show_the_orientation(turns: int) -> None:
    probabilities = turn_probabilities(rings(turns))
    assert int(np.argmax(probabilities)) == turns
    assert probabilities[turns] > 0.99


def test_one_visible_ring_suffices_with_its_colour() -> None:
    odds = rings(2)
    odds[..., 1:] = -4.0
    assert turn_probabilities(odds)[2] > 0.9
    assert turn_probabilities(odds, costs=(12.0, 12.0, 6.0, 12.0))[2] > 0.98


def test_no_ring_shows_no_orientation() -> None:
    assert turn_probabilities(np.full((SIZE, SIZE, 4), -4.0, np.float32)) == pytest.approx((0.25,) * 4)
