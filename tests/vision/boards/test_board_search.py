from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from calibration.boards.detection import BoardFinder
from calibration.games.wicked.standin_boards import standin_boards
from calibration.profile import TableProfile
from tests.vision.boards.enrolled import LOOK, Room
from vision.boards.board_search import BoardSearch
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, Pose, Scene
from vision.games.wicked import tokens_on_oracles
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.cards_and_tiles_beside_boards import BACK, ORACLES
from vision.games.wicked.readings import BoardExpectation
from vision.games.wicked.simulated_layout import seat_place

_POSE = Pose(20.0, -10.0, 25.0)


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder.of(standin_boards())


@pytest.mark.parametrize("width", [330.0, 900.0])  # mm of table across the picture: near, and from afar
def test_a_glance_finds_a_board_where_a_close_look_does(room: Room, finder: BoardFinder, width: float) -> None:
    image = room.by_hand(Scene(4, tile=False, boards=(BoardOnTable("red", _POSE),)), _POSE, width=width)
    quick, close = finder.find(image, quickly=True), finder.find(image)
    assert quick is not None
    assert close is not None
    corners = np.c_[finder.boards[close.board].layout.corners, np.ones(4)]
    here, there = (corners @ found.homography.T for found in (quick, close))
    off = here[:, :2] / here[:, 2:] - there[:, :2] / there[:, 2:]
    assert np.abs(off).max() < 4.0  # px; aligning brings it to its place from much farther


def test_where_there_is_no_board_none_is_found(room: Room, finder: BoardFinder) -> None:
    image = room.by_hand(Scene(4, tile=False), _POSE)
    assert finder.find(image, quickly=True) is None


def test_the_first_picture_of_a_table_waits_for_nothing_that_could_be_learned_before(
    room: Room, profile: TableProfile
) -> None:
    assert profile.deck is not None
    fresh = {name: replace(board) for name, board in profile.personal_boards.items()}
    reader = BoardReader(replace(profile, personal_boards=fresh))
    place, great = seat_place(4, 0), next(card.id for card in profile.deck.cards.values() if card.kind == "great")
    cards = (CardOnTable(place.great[0], great, "great"),)
    image = room.photograph(Scene(4, tile=False, boards=(BoardOnTable("red", place.board),), cards=cards))
    only_now = AssertionError("learns only now")
    with (
        patch.object(cv2, "goodFeaturesToTrack", side_effect=only_now),
        patch.object(tokens_on_oracles, "on_dark", side_effect=only_now),
    ):
        (board,) = reader.read(image).boards
    assert board.board == "red"
    assert [card.card for card in board.great] == [great]


def test_a_board_of_other_print_is_found_beside_boards_that_look_alike(room: Room, profile: TableProfile) -> None:
    """What finds one board finds those like it; another layout, or other print, is looked for by itself."""
    red = profile.personal_boards["red"]
    rng = np.random.default_rng(8)
    print_ = cv2.resize(rng.integers(30, 226, (40, 60, 3), dtype=np.uint8), red.picture.shape[1::-1])
    strange = replace(red, id="strange", picture=np.asarray(print_, np.uint8))
    search = BoardSearch(
        replace(profile, personal_boards={**profile.personal_boards, "strange": strange}), ORACLES, (BACK,)
    )
    places = [seat_place(4, seat).board for seat in range(3)]
    faces = {**room.faces, "board:strange": np.dstack([print_, np.full(print_.shape[:2], 255, np.uint8)])}
    renderer = Renderer(LOOK, faces, room.solids)
    colours = ("green", "strange", "red")
    lying = tuple(BoardOnTable(colour, place) for colour, place in zip(colours, places, strict=True))
    seen = search.find(renderer.render(Scene(4, tile=False, boards=lying), 0))
    assert sorted(board.board.id for board in seen.boards) == sorted(colours)


def test_a_board_that_does_not_have_its_size_on_the_table_is_in_a_phones_picture(
    room: Room, profile: TableProfile
) -> None:
    image = room.photograph(Scene(4, tile=False, boards=(BoardOnTable("red", seat_place(4, 0).board),)))
    search = BoardSearch(profile, ORACLES, (BACK,))
    on_table = search.find(image)
    assert on_table.plane is not None
    # So stretched its print still is found on the table's own plane.
    stretched = np.array([1.0, 1.3])
    middle = on_table.boards[0].corners.mean(axis=0)
    matrix = np.column_stack([np.diag(stretched), middle * (1 - stretched)])
    seen = search.find(np.asarray(cv2.warpAffine(image, matrix, image.shape[1::-1]), np.uint8))
    assert [board.board.id for board in seen.boards] == ["red"]
    assert seen.plane is None


def test_a_board_in_dim_light_is_found_where_one_is_missing(room: Room, profile: TableProfile) -> None:
    boards = tuple(BoardOnTable(colour, seat_place(4, seat).board) for seat, colour in ((0, "red"), (2, "green")))
    image = room.photograph(Scene(4, tile=False, boards=boards))
    middle = image.shape[0] // 2
    dim = np.random.default_rng(3).normal(image[:middle] * 0.18, 1.0)
    image[:middle] = np.clip(np.round(dim), 0, 255).astype(np.uint8)
    reader = BoardReader(profile)
    assert [board.board for board in reader.read(image, BoardExpectation()).boards] == ["red"]
    assert {board.board for board in reader.read(image, BoardExpectation(seats=2)).boards} == {"red", "green"}
