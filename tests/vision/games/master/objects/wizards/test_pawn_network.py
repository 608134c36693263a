"""Tests of the network that looks at single places for wizards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.evaluation.maze.board_object_accuracy import homographies
from models.evaluation.maze.synthetic_pictures import picture
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.object_network import COLOURS
from vision.games.master.objects.start_ring_colours import ring_colours
from vision.games.master.objects.top_views import view_of
from vision.games.master.objects.wizards.pawn_network import PawnNetwork, shipped_pawn_network
from vision.games.master.readings import SIZE


@pytest.mark.parametrize("seed", [31, pytest.param(32, marks=pytest.mark.slow)])
def test_wizards_are_found_where_they_stand(seed: int) -> None:
    image, truth = picture(seed, "hedge", "day", tilt=25.0)
    field, _, turns = homographies(truth, seed)
    view = view_of(image, field)
    standing = {colour: turned_place(place, -turns) for colour, place in truth.wizards.items() if place is not None}
    looked_at = sorted({*standing.values(), 0, 6, 24, 42, 48})
    found = shipped_pawn_network().detect([view], ring_colours(view)[turns].paints, looked_at)
    assert found.shape == (SIZE**2, len(COLOURS))
    elsewhere = np.setdiff1d(np.arange(SIZE**2), looked_at)
    assert (found[elsewhere] == -np.inf).all()
    for index, colour in enumerate(COLOURS):
        if colour in standing:
            assert found[:, index].argmax() == standing[colour]
            assert found[standing[colour], index] > 0
        else:
            assert found[:, index].max() < 2


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pawns.onnx"
    file.write_bytes(b"no network")
    with pytest.raises(RuntimeError, match="install the companion again"):
        PawnNetwork(file)
