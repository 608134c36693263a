"""The boards' picture agrees with the positions of its spots in the data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from calibration.drawing.palette import GOLD, INK, VELLUM
from calibration.games.wicked.art import BOARD, BOARD_SPOTS, SPOT, TOKEN, board_face, rasterise

PLAYERS = ("purple", "green", "red", "black", "yellow")
SCALE = 4.0
SPOTS = [(rank, spot) for rank in ("low", "middle", "high") for spot in BOARD_SPOTS.of(rank)]


def bgr(colour: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(colour[1:]), np.uint8)[::-1].astype(int)


def test_rows_have_six_five_and_four_spots_the_high_ones_uppermost() -> None:
    assert [len(BOARD_SPOTS.of(rank)) for rank in ("low", "middle", "high")] == [6, 5, 4]
    assert BOARD_SPOTS.low[0][1] < BOARD_SPOTS.middle[0][1] < BOARD_SPOTS.high[0][1]


def test_tokens_on_all_spots_touch_neither_each_other_nor_the_spell_spaces() -> None:
    for (_, a), (_, b) in itertools.combinations(SPOTS, 2):
        assert math.dist(a, b) > TOKEN + 2
    for space in (BOARD_SPOTS.promotion, BOARD_SPOTS.colour_change):
        assert abs(space.x) + space.width / 2 < BOARD[0] / 2
        assert abs(space.y) + space.height / 2 < BOARD[1] / 2
        for _, (x, y) in SPOTS:
            dx = max(abs(x - space.x) - space.width / 2, 0)
            dy = max(abs(y - space.y) - space.height / 2, 0)
            assert math.hypot(dx, dy) > SPOT / 2


@pytest.mark.parametrize("colour", PLAYERS)
def test_the_picture_has_wells_and_spaces_where_the_data_say(colour: str) -> None:
    face = rasterise(board_face(colour), SCALE)
    assert face.shape == (round(BOARD[1] * SCALE), round(BOARD[0] * SCALE), 4)

    def at(x: float, y: float) -> np.ndarray:
        return face[round((BOARD[1] / 2 - y) * SCALE), round((x + BOARD[0] / 2) * SCALE), :3].astype(int)

    for turn in range(0, 360, 30):
        ux, uy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        for _, (x, y) in SPOTS:
            assert abs(at(x + 8.2 * ux, y + 8.2 * uy) - bgr(INK)).max() < 12
            assert abs(at(x + 9.4 * ux, y + 9.4 * uy) - bgr(GOLD)).max() < 12
    for space in (BOARD_SPOTS.promotion, BOARD_SPOTS.colour_change):
        for u, v in ((0, 0), (0.4, 0.35), (0.4, -0.35), (-0.4, 0.38)):
            assert abs(at(space.x + u * space.width, space.y + v * space.height) - bgr(VELLUM)).max() < 12


def test_boards_of_different_players_differ() -> None:
    assert len({board_face(colour) for colour in PLAYERS}) == 5
