"""Whose impurity tiles lie beside a board, and where some may lie unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.adapters.wicked.bots.scenes import offset_pose
from tests.vision.boards.enrolled import Room
from tests.vision.boards.scenes import at_seat
from vision.cameras.simulated.scene import PieceOnTable, Scene
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardExpectation, ImpurityReading
from vision.games.wicked.simulated_layout import seat_place

pytestmark = pytest.mark.slow

Spot = tuple[float, float]
"""Millimetres to the right of and above the middle of the board, which is 210 by 148 mm."""


def with_tiles(*spots: Spot) -> Scene:
    """Return the first of four seats with tiles of three points each at these places only."""
    seat, board = at_seat(0), seat_place(4, 0).board
    others = tuple(piece for piece in seat.pieces if not piece.kind.startswith("impurity:"))
    return replace(seat, pieces=(*others, *(PieceOnTable("impurity:3", offset_pose(board, *at)) for at in spots)))


def by_phone(room: Room, reader: BoardReader, scene: Scene, right: float = 0.0) -> ImpurityReading:
    """Read the impurity in a phone's picture of the board and its cards. right: mm by which it is moved."""
    aim = offset_pose(seat_place(4, 0).board, 100.0 + right, 0.0)
    image = room.by_hand(scene, replace(aim, angle=aim.angle - 8.0), tilt=0.0, width=640.0)
    (board,) = reader.read(image, BoardExpectation(None, 2, 2)).boards
    return board.impurity


@pytest.mark.parametrize("tiles", [(), ((-132.0, 0.0),)])
def test_a_picture_without_the_strip_beside_a_board_is_asked_about(
    room: Room, reader: BoardReader, tiles: Sequence[Spot]
) -> None:
    cut_off = by_phone(room, reader, with_tiles(*tiles), right=105.0)
    assert cut_off.points == 0
    assert "not in the picture" in cut_off.reason
    whole = by_phone(room, reader, with_tiles(*tiles))
    assert (whole.points, whole.reason) == (3 * len(tiles), "")


def test_tiles_that_are_seen_show_where_the_board_collects_them(room: Room, reader: BoardReader) -> None:
    seen = by_phone(room, reader, with_tiles((-40.0, 92.0), (-18.0, 92.0)), right=105.0)
    assert (seen.points, seen.reason) == (6, "")


def test_tiles_beyond_a_boards_cards_are_its_own(room: Room, reader: BoardReader) -> None:
    beyond = by_phone(room, reader, with_tiles((328.0, 20.0), (328.0, 42.0)))
    assert (beyond.points, beyond.reason) == (6, "")


@pytest.mark.parametrize(("away", "points"), [(60.0, 3), (95.0, 0)])
def test_tiles_far_from_a_lone_board_are_asked_about(
    room: Room, reader: BoardReader, away: float, points: int
) -> None:
    far = by_phone(room, reader, with_tiles((-105.0 - away, 0.0)))
    assert far.points == points
    assert "far from it" in far.reason
    assert {points, *(number for number, _ in far.alternatives)} == {0, 3}


def test_a_second_row_of_tiles_is_no_neighbours(room: Room, reader: BoardReader) -> None:
    rows = by_phone(room, reader, with_tiles((-40.0, 96.0), (-18.0, 96.0), (-40.0, 122.0)))
    assert (rows.points, rows.reason) == (9, "")


def test_tiles_on_a_table_with_all_boards_in_view_belong_to_the_nearest(room: Room, reader: BoardReader) -> None:
    image = room.photograph(with_tiles((-40.0, 130.0)))
    for seats, asked in ((1, False), (4, True)):
        (board,) = reader.read(image, BoardExpectation(seats, 2, 2)).boards
        assert (board.impurity.points, bool(board.impurity.reason)) == (3, asked)


def test_a_board_that_fills_a_picture_is_asked_about(room: Room, reader: BoardReader) -> None:
    (board,) = reader.read(room.by_hand(with_tiles(), seat_place(4, 0).board)).boards
    assert "not in the picture" in board.impurity.reason
