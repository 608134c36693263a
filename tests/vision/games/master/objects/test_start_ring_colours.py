"""Tests of measuring start rings, and of whether a wizard stands on its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.evaluation.maze.board_object_accuracy import homographies
from models.evaluation.maze.random_positions import MazePosition, random_position
from models.evaluation.maze.synthetic_pictures import picture
from vision.games.master.objects.board_objects import read_board_objects
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.start_ring_colours import filled_rings, ring_colours
from vision.games.master.objects.top_views import view_of
from vision.games.master.readings import STARTS


def position(wizards: dict[str, int | None]) -> MazePosition:
    """A position with these wizards."""
    return replace(random_position(np.random.default_rng(1)), wizards=wizards)


@pytest.mark.parametrize(("look", "tilt"), [("hedge", 5.0), ("stone", 35.0)])
def test_a_ring_is_filled_where_its_wizard_stands(look: str, tilt: float) -> None:
    seed = 31
    off = [place for place in range(49) if place % 2 and place // 7 % 2][:4]
    ratios = []
    for places in (list(STARTS.values()), off):
        wizards: dict[str, int | None] = dict(zip(STARTS, places, strict=True))
        image, truth = picture(seed, look, "day", tilt=tilt, position=position(wizards))
        field, _, turns = homographies(truth, seed)
        view = view_of(image, field)
        rings = ring_colours(view)[turns]
        assert [turned_place(place, turns) for place in rings.places] == list(STARTS.values())
        ratios.append(dict(zip(STARTS, filled_rings(view, rings), strict=True)))
    standing, empty = ratios
    assert standing["red"] > 2.0
    assert standing["blue"] > 2.0
    assert all(standing[colour] > empty[colour] for colour in STARTS)
    assert max(empty.values()) < 0.5


@pytest.mark.parametrize(("look", "seed"), [("junk", 40), ("hedge", 43), ("night", 47), ("standin", 51)])
def test_wizards_on_their_own_rings_are_found_from_straight_above(look: str, seed: int) -> None:
    image, truth = picture(seed, look, "day", tilt=4.0, position=position(dict(STARTS)))
    field, spare, turns = homographies(truth, seed)
    found = read_board_objects(image, field, spare).wizards
    assert {one.colour: turned_place(one.place, turns) for one in found if one.place is not None} == dict(STARTS)
