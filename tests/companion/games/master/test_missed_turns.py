"""What players missed equals the best pair of turns, and what they gained adds up to their scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.game import Step
from companion.games.master.adviser.missed_turns import missed_turns, played_turns
from companion.games.master.adviser.turn_search import best_pair, best_turn, turn_moves
from companion.games.master.components import WAND_POINTS, WANDS
from companion.games.master.moves import Move, Shift, Stay, UseWand
from companion.games.master.rules.engine import apply
from companion.games.master.scoring import final_scores
from companion.games.master.state import MasterState
from tests.companion.games.master.bot_games import bot_game
from tests.companion.games.master.mazes import random_position

NAMES = ("Ada", "Bruno", "Chie", "Davi")


@pytest.fixture(scope="module", name="game")
def _game() -> list[Step[MasterState, Move]]:
    return bot_game(3, ("novice", "expert", "novice"), noted=False)


def test_what_all_turns_gained_adds_up_to_the_scores(game: list[Step[MasterState, Move]]) -> None:
    totals = [WAND_POINTS * WANDS] * 3
    for turn in played_turns(game):
        totals[turn.seat] += turn.gained
    assert totals == [score.total for score in final_scores(game[-1].after)]


def test_each_turn_is_counted_once_with_the_extra_turn_of_a_wand(game: list[Step[MasterState, Move]]) -> None:
    turns = list(played_turns(game))
    first_shifts = [step for step in game if isinstance(step.move, Shift) and not step.before.extra]
    assert [turn.number for turn in turns] == [step.number for step in first_shifts]
    assert any(isinstance(step.move, UseWand) for step in game)
    assert len({turn.number for turn in turns}) == len(turns)


def test_a_missed_turn_is_the_best_that_the_rules_allow(game: list[Step[MasterState, Move]]) -> None:
    before = {turn.number: turn for turn in played_turns(game)}
    missed = missed_turns(game, NAMES)
    assert missed
    for one in missed:
        played_turn = before[one.number]
        best = best_pair(played_turn.before, one.seat)
        assert one.better == best
        assert one.lost == best.gain - played_turn.gained >= 1
        assert one.line.startswith(NAMES[one.seat])
    listed = {one.number for one in missed}
    for turn in before.values():
        if turn.number not in listed:
            assert best_pair(turn.before, turn.seat).gain <= turn.gained


def test_only_turns_that_lose_enough_are_listed(game: list[Step[MasterState, Move]]) -> None:
    every = missed_turns(game, NAMES)
    assert missed_turns(game, NAMES, least=8) == tuple(one for one in every if one.lost >= 8)


def test_of_chained_wands_only_those_too_many_are_called_unneeded() -> None:
    """Two turns with a wand take two tokens; the player took the same ones with another turn and wand between."""
    state = replace(random_position(1), chained_wands=True)
    seat = state.mover
    steps: list[Step[MasterState, Move]] = []

    def play(*moves: Move) -> MasterState:
        for move in moves:
            before = steps[-1].after if steps else state
            steps.append(Step(len(steps) + 2, move, before, apply(before, move)))
        return steps[-1].after

    better = best_pair(state, seat)
    assert len(better.turns) == len(better.taken) == 2
    between = play(*turn_moves(state, seat, better.turns[0]), UseWand(seat))
    last = play(*turn_moves(between, seat, best_turn(between, seat).turns[0])[:1], Stay(seat), UseWand(seat))
    play(*turn_moves(last, seat, best_turn(last, seat).turns[0]))
    (missed,) = missed_turns(steps, NAMES)
    assert missed.lost == WAND_POINTS
    assert "and needed only one wand: 3 points more." in missed.line


def test_a_game_without_moves_has_nothing_missed() -> None:
    assert missed_turns([], NAMES) == ()
