from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.games.wicked.art import BOARD_SPOTS
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.scenes import offset_pose
from tests.vision.boards.enrolled import Room
from tests.vision.boards.scenes import GREAT, HANDFUL, LYING, OPEN_GREAT, SMALL, alone, at_seat
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import BoardOnTable
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardExpectation, BoardReading


def rows(board: BoardReading) -> dict[str, tuple[str, ...]]:
    return {rank: board.tokens(rank) for rank in ("low", "middle", "high")}


EXPECTED = {"low": ("red", "red", "blue"), "middle": ("green",), "high": ("yellow", "blue")}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_board_on_the_table_is_read_with_all_that_lies_beside_it(
    room: Room, reader: BoardReader, seat: int
) -> None:
    (board,) = reader.read(room.photograph(at_seat(seat)), BoardExpectation(1, 2, 2)).boards
    assert (board.board, board.seat, rows(board)) == ("purple", seat, EXPECTED)
    assert [spot.index for spot in board.spots if spot.token is not None] == [0, 2, 5, 1, 0, 3]
    assert {space.spell: space.pieces for space in board.spaces} == {"promotion": 2, "colour_change": 1}
    assert {card.card: card.achieved for card in board.great} == {GREAT.id: True, OPEN_GREAT.id: False}
    assert (board.small.achieved, board.small.open) == (1, (SMALL,))
    assert (board.impurity.points, dict(board.impurity.tiles)) == (4, {1: 1, 3: 1})
    assert board.reasons == ()
    assert board.confidence > 0.9


@pytest.mark.first_is_quick
@pytest.mark.parametrize("tilt", [-28.0, 0.0, 28.0])
def test_a_board_is_read_from_a_phone_held_above_it(room: Room, reader: BoardReader, tilt: float) -> None:
    reading = reader.read(room.by_hand(alone(), HANDFUL, tilt=tilt, width=460.0))
    (board,) = reading.boards
    assert (board.board, board.seat, rows(board), board.reasons) == ("purple", None, EXPECTED, ())


def test_a_large_picture_is_described_in_its_own_pixels(room: Room, reader: BoardReader) -> None:
    small = room.by_hand(alone(), HANDFUL)
    large = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    (one,), (other,) = reader.read(small).boards, reader.read(large).boards
    assert np.allclose(np.array(other.box), 2 * np.array(one.box), atol=6.0)
    assert rows(other) == EXPECTED


def said(reader: BoardReader, image: Image) -> BoardReading:
    """Read the purple board of a picture, which must be doubtful, each reason in one line."""
    reading = reader.read(image)
    board = next(board for board in reading.boards if board.board == "purple")
    assert board.doubtful
    assert board.confidence <= 0.5
    assert all(reason and "\n" not in reason for reason in board.reasons)
    return board


def test_a_board_half_out_of_the_picture_is_said(room: Room, reader: BoardReader) -> None:
    board = said(reader, room.by_hand(alone(), HANDFUL, tilt=0.0, aside=(95.0, -40.0)))
    assert any("not in the picture" in reason for reason in board.reasons)
    assert any(spot.reason for spot in board.spots)


def test_two_boards_that_overlap_are_said(room: Room, reader: BoardReader) -> None:
    scene = alone()
    scene = replace(scene, boards=(*scene.boards, BoardOnTable("red", offset_pose(HANDFUL, 120.0, 70.0, 8.0))))
    board = said(reader, room.by_hand(scene, HANDFUL, tilt=0.0, width=480.0, aside=(50.0, 20.0)))
    assert any("overlap" in reason or "covers" in reason for reason in board.reasons)


@pytest.mark.slow
def test_a_foreign_board_is_none(room: Room, reader: BoardReader) -> None:
    rng = np.random.default_rng(4)
    print_ = np.kron(rng.integers(40, 220, (15, 21, 3)), np.ones((30, 30, 1)))
    foreign = np.dstack([print_, np.full(print_.shape[:2], 255)]).astype(np.uint8)
    stranger = Room()
    stranger.faces = {**room.faces, "board:purple": foreign}
    reading = reader.read(stranger.by_hand(alone(), HANDFUL))
    assert reading.boards == ()
    assert "No enrolled board" in reading.problems[0]


def test_a_token_between_two_spots_is_said(room: Room, reader: BoardReader) -> None:
    between = (BOARD_SPOTS.middle[2][0] + 10.5, BOARD_SPOTS.middle[2][1])
    board = said(reader, room.by_hand(alone(*LYING, ("token:red", between)), HANDFUL))
    assert any("middle" in reason for reason in board.reasons)
    assert {spot.rank for spot in board.spots if spot.reason} == {"middle"}


def test_a_token_of_a_fifth_colour_is_said(room: Room, reader: BoardReader) -> None:
    board = said(reader, room.by_hand(alone(*LYING, ("token:violet", BOARD_SPOTS.middle[3])), HANDFUL))
    assert [(spot.rank, spot.index) for spot in board.spots if spot.reason] == [("middle", 3)]


@pytest.mark.slow
def test_glare_over_a_row_is_said(room: Room, reader: BoardReader) -> None:
    image = room.by_hand(alone(), HANDFUL, tilt=0.0)
    (clear,) = reader.read(image).boards
    boxes = np.array([spot.box for spot in clear.spots if spot.rank == "middle"])
    x, y = boxes[1:4, 0].mean() + boxes[0, 2] / 2, boxes[1:4, 1].mean() + boxes[0, 3] / 2
    down, across = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    light = 600.0 * np.exp(-(((across - x) / 90.0) ** 2) - ((down - y) / 45.0) ** 2)
    board = said(reader, np.clip(image + light[..., None], 0, 255).astype(np.uint8))
    assert any("Light is reflected" in reason for reason in board.reasons)
    assert any(spot.reason for spot in board.spots if spot.rank == "middle")


def test_two_boards_of_one_player_are_said(room: Room, reader: BoardReader) -> None:
    scene = alone()
    scene = replace(scene, boards=(*scene.boards, BoardOnTable("purple", offset_pose(HANDFUL, 0.0, 165.0, 4.0))))
    image = room.by_hand(scene, HANDFUL, tilt=0.0, width=620.0, aside=(20.0, 80.0))
    boards = reader.read(image).boards
    assert len(boards) == 2
    assert all(any("look like purple" in reason for reason in board.reasons) for board in boards)


def test_a_board_that_is_missing_on_the_table_is_said(room: Room, reader: BoardReader) -> None:
    reading = reader.read(room.photograph(at_seat(0)), BoardExpectation(4))
    assert "1 of 4 boards" in reading.problems[0]


def test_cards_out_of_the_picture_are_said(room: Room, reader: BoardReader) -> None:
    reading = reader.read(room.by_hand(alone(), HANDFUL), BoardExpectation(great=2, small=2))
    assert any("0 of 2 great" in reason for reason in reading.boards[0].reasons)


def test_a_profile_without_boards_or_tokens_says_what_to_enrol(profile: TableProfile) -> None:
    with pytest.raises(ProfileError, match="enrol board"):
        BoardReader(replace(profile, personal_boards={}))
    with pytest.raises(ProfileError, match="token:red"):
        BoardReader(replace(profile, pieces={}))
