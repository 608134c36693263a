"""Boards of the simulated table lie as the engine has them, and are read so."""

from __future__ import annotations

import random

import pytest

from companion.adapters.wicked.boards.table_score import counted_of
from companion.adapters.wicked.bots.scenes import scene
from companion.games.wicked import apply, new_game
from companion.games.wicked.components import ORACLES_DEALT, PLAYER_COLOURS, RANKS
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from tests.companion.director.rehearsal import Room
from tests.companion.games.wicked.greedy_bot import greedy_move
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardExpectation

pytestmark = pytest.mark.slow


def at_the_end_of_round(round: int, players: int, seed: int) -> WickedState:
    """Play to where the first player of a soul phase has nothing left to do, without cards turned by a seed."""
    rng = random.Random(seed)
    state = new_game(PLAYER_COLOURS[:players], STANDIN)
    while not (state.round == round and state.phase == "soul" and state.players[0].finished):
        state = apply(state, greedy_move(state, rng))
    return state


@pytest.mark.parametrize(("players", "round"), [(3, 3), pytest.param(5, 2, marks=pytest.mark.slow)])
def test_boards_are_read_as_the_game_has_them(room: Room, players: int, round: int) -> None:
    state = at_the_end_of_round(round, players, seed=5)
    picture = room.renderer.render(scene(state), 1)
    reading = BoardReader(room.profile).read(
        picture, BoardExpectation(players, ORACLES_DEALT, ORACLES_DEALT, players)
    )
    assert [(board.board, board.seat) for board in reading.boards] == [
        (player.colour, seat) for seat, player in enumerate(state.players)
    ]
    for board, player in zip(reading.boards, state.players, strict=True):
        seen = counted_of(board)
        assert [getattr(seen, rank) for rank in RANKS] == [player.row(rank) for rank in RANKS]
        assert (seen.promotion, seen.colour_change) == (player.promotion, player.colour_change)
        assert set(seen.great) == {oracle.card for oracle in player.achieved_great}
        assert seen.small == len(player.achieved_small)
