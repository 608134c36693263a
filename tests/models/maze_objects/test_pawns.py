"""Tests of the crops on which the network for pawns is trained."""

from __future__ import annotations

import numpy as np

from models.maze_objects.pawns import board_pawns
from vision.games.master.objects.pawn_network import CHANNELS, CROP_PX


def test_the_same_board_gives_the_same_crops_with_and_without_pawns() -> None:
    first, again = board_pawns(1), board_pawns(1)
    assert np.array_equal(first.crop, again.crop)
    assert first.crop.shape == (len(first.present), CHANNELS, CROP_PX, CROP_PX)
    assert set(first.present.tolist()) == {0, 1}
