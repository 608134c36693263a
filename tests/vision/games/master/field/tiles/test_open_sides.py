"""Sides that are read in a turned field come back to their places."""

from __future__ import annotations

import numpy as np
import pytest

from vision.games.master.field.rectification import OPEN
from vision.games.master.field.tiles.open_sides import turned_back
from vision.games.master.objects.board_orientation import turned_openings, turned_place


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_logits_of_a_turned_field_come_back_to_their_sides(quarters: int) -> None:
    logits = np.random.default_rng(quarters).normal(size=(49, 4))
    turned = np.zeros((49, 4))
    for place in range(49):
        for side, letter in enumerate("TRBL"):
            there = "TRBL".index(turned_openings(letter, quarters))
            turned[turned_place(place, quarters), there] = logits[place, side]
    assert turned_back(turned, quarters) == pytest.approx(logits)


def test_the_fixed_tiles_are_the_same_after_quarter_turns() -> None:
    for quarters in (1, 2, 3):
        assert np.array_equal(turned_back(OPEN.astype(float), quarters), OPEN)
