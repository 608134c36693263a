"""Sides that are read in a turned field come back to their places."""

from __future__ import annotations

import numpy as np
import pytest

from vision.games.master.field.lattice import OPEN
from vision.games.master.field.tiles.tile_sides import restored
from vision.games.master.objects.orientation import turned_openings, turned_place


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_logits_of_a_turned_field_come_back_to_their_sides(quarters: int) -> None:
    logits = np.random.default_rng(quarters).normal(size=(49, 4))
    turned = np.zeros((49, 4))
    for place in range(49):
        for side, letter in enumerate("TRBL"):
            there = "TRBL".index(turned_openings(letter, quarters))
            turned[turned_place(place, quarters), there] = logits[place, side]
    assert restored(turned, quarters) == pytest.approx(logits)


def test_the_fixed_tiles_are_the_same_after_quarter_turns() -> None:
    for quarters in (1, 2, 3):
        assert np.array_equal(restored(OPEN.astype(float), quarters), OPEN)
