"""A board's colours in other light than it was enrolled in."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.light.light_field import linear, srgb_levels
from calibration.profile import TableProfile
from tests.vision.boards.enrolled import Room
from vision.boards.board_search import BoardSearch
from vision.boards.rectified import RectifiedBoard, inside_picture, rectify
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import BoardOnTable, Pose, Scene
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.cards_and_tiles_beside_boards import BACK, ORACLES

_POSE = Pose(20.0, -10.0, 25.0)


@pytest.fixture(scope="module")
def daylight(room: Room) -> Image:
    """A yellow board, whose frame has next to no blue, near by."""
    return room.by_hand(Scene(4, tile=False, boards=(BoardOnTable("yellow", _POSE),)), _POSE)


def lit(picture: Image, gain: float) -> Image:
    """A picture as if the lamp were so much brighter."""
    light = np.clip(linear(picture) * gain, 0.0, 1.0)
    return np.round(srgb_levels(np.asarray(light, np.float32))).astype(np.uint8)


def laid(profile: TableProfile, picture: Image) -> RectifiedBoard:
    (board,) = BoardSearch(profile, ORACLES, (BACK,)).find(picture).boards
    return rectify(picture, board.board, board.aligned)


def test_in_dim_light_paper_keeps_its_hue_up_to_the_edges(profile: TableProfile, daylight: Image) -> None:
    board = laid(profile, lit(daylight, 0.1))
    paper = (board.own[..., 0] > 5.15).astype(np.uint8)  # nearly white in its enrolled picture
    inner = cv2.erode(paper, np.ones((5, 5), np.uint8)) > 0
    hue = np.median(np.abs((board.colours - board.own)[..., 1:]), axis=2)
    height = len(hue)
    assert np.count_nonzero(inner[-height // 8 :]) > 100
    for part in (slice(0, height // 8), slice(height // 8, -height // 8), slice(-height // 8, None)):
        assert np.median(hue[part][inner[part]]) < 0.05


@pytest.mark.first_is_quick
@pytest.mark.parametrize(("colour", "gain"), [("red", 2.5), ("yellow", 2.0)])
def test_print_that_a_bright_lamp_washes_out_is_not_taken_for_a_thing(
    profile: TableProfile, room: Room, colour: str, gain: float
) -> None:
    picture = room.by_hand(Scene(4, tile=False, boards=(BoardOnTable(colour, _POSE),)), _POSE)
    (board,) = BoardReader(profile).read(lit(picture, gain)).boards
    assert not [line for line in board.whole if "between the spots" in line]


@pytest.mark.parametrize(("aside", "share"), [(0.0, 1.0), (-40.0, 0.5), (5000.0, 0.0)])
def test_what_lies_beyond_a_pictures_edge_is_not_in_sight(aside: float, share: float) -> None:
    picture = np.zeros((90, 160, 3), np.uint8)
    to_picture = np.array([[0.5, 0.0, 20.0 + aside], [0.0, 0.5, 15.0], [0.0, 0.0, 1.0]])
    seen = inside_picture(picture, to_picture, (80, 60))
    assert seen.shape == (60, 80)
    assert seen.mean() == pytest.approx(share, abs=0.02)
    assert (np.diff(seen.astype(int), axis=1) >= 0).all()  # what is beyond the left edge lies left
