"""Points round by round, in games of any kind."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.game import OVER, round_of
from companion.games.master.components import FORMULAS
from companion.games.master.game import MASTER
from companion.games.master.moves import CountHoldings, EndGame, Move, NoteFormula, Shift, Stay, UseWand
from companion.games.master.rules.setup import MasterSetup
from companion.games.master.state import MasterState
from companion.table.points_by_round import points_at_start, points_by_round
from companion.table.views import RoundPoints
from tests.games.samples import IDS, SAMPLES, random_game, steps_of


@pytest.mark.parametrize("id", IDS)
def test_a_whole_game_has_all_rounds_and_ends_with_the_final_scores(id: str, seed: int) -> None:
    sample = SAMPLES[id]
    steps = steps_of(sample.game, random_game(sample, random.Random(seed)))
    last = steps[-1].after
    rounds = points_by_round(sample.game, steps, last)
    assert [(one.round, one.over) for one in rounds] == [
        (number, True) for number in range(1, sample.game.stage(last).round + 1)
    ]
    assert rounds[-1].points == tuple(score.total for score in sample.game.final_scores(last))


@pytest.mark.parametrize("id", IDS)
def test_the_round_that_is_played_counts_as_it_stands(id: str, seed: int) -> None:
    sample = SAMPLES[id]
    steps = steps_of(sample.game, random_game(sample, random.Random(seed)))[:-1]
    now = steps[-1].after
    assert sample.game.stage(now).phase != OVER
    points = tuple(score.total for score in sample.game.final_scores(now))
    assert points_by_round(sample.game, steps, now)[-1] == RoundPoints(
        sample.game.stage(now).round, points, over=False
    )


def test_an_extra_turn_counts_in_the_round_that_it_prolongs() -> None:
    def staying(state: MasterState) -> list[Move]:
        shift = next(move for move in MASTER.legal_moves(state, state.mover) if isinstance(move, Shift))
        return [shift, Stay(state.mover)]

    start = state = MASTER.new_game(("red", "brown"), MasterSetup(4))
    moves: list[Move] = []
    rounds = []
    for more in (staying, staying, lambda _: [UseWand(1)], staying):
        for move in more(state):
            moves.append(move)
            state = MASTER.apply(state, move)
        charted = points_by_round(MASTER, steps_of(MASTER, (start, moves)), state)
        rounds.append([(one.round, one.points, one.over) for one in charted])
    assert rounds == [
        [(1, (9, 9), False)],
        [(1, (9, 9), False)],
        [(1, (9, 6), False)],
        [(1, (9, 6), True), (2, (9, 6), False)],
    ]


def test_an_agreed_end_after_a_whole_round_adds_no_round() -> None:
    start = MASTER.new_game(("red", "brown"), MasterSetup(4))
    for wands in (1, 0):
        begun = replace(start, players=tuple(replace(player, wands=wands) for player in start.players))
        moves: list[Move] = []
        state = begun
        for _ in range(4):
            shift = next(move for move in MASTER.legal_moves(state, state.mover) if isinstance(move, Shift))
            moves += [shift, Stay(state.mover)]
            state = MASTER.apply(MASTER.apply(state, shift), moves[-1])
        moves.append(EndGame())
        steps = steps_of(MASTER, (begun, moves))
        charted = points_by_round(MASTER, steps, steps[-1].after)
        assert [(one.round, one.over) for one in charted] == [(1, True), (2, False)]
        moves += [NoteFormula(0, FORMULAS[0]), NoteFormula(1, FORMULAS[1])]
        steps = steps_of(MASTER, (begun, moves))
        charted = points_by_round(MASTER, steps, steps[-1].after)
        assert [(one.round, one.over) for one in charted] == [(1, True), (2, True)]
        assert MASTER.stage(steps[-1].after).round == 2
        assert [round_of(MASTER, step) for step in steps] == [1] * 4 + [2] * 7


def test_a_formula_card_noted_between_two_rounds_belongs_to_the_first() -> None:
    def next_shift(state: MasterState) -> Move:
        return next(move for move in MASTER.legal_moves(state, state.mover) if isinstance(move, Shift))

    start = MASTER.new_game(("red", "brown"), MasterSetup(4))
    start = state = replace(start, players=tuple(replace(player, wands=0) for player in start.players))
    turns: list[Move] = []
    for _ in range(2):
        turns += [next_shift(state), Stay(state.mover)]
        state = steps_of(MASTER, (start, turns))[-1].after
    for more, rounds in (([EndGame()], [1]), ([next_shift(state), EndGame()], [2, 2])):
        moves: list[Move] = [*turns, NoteFormula(0, FORMULAS[0]), *more, NoteFormula(1, FORMULAS[1])]
        steps = steps_of(MASTER, (start, moves))
        assert [round_of(MASTER, step) for step in steps] == [1, 1, 1, 1, 1, *rounds, rounds[-1]]


def test_tokens_counted_after_the_game_change_the_points_of_its_last_round() -> None:
    start = MASTER.new_game(("red", "brown"), MasterSetup(1))
    shift = next(move for move in MASTER.legal_moves(start, 0) if isinstance(move, Shift))
    moves: list[Move] = [NoteFormula(0, FORMULAS[0]), NoteFormula(1, FORMULAS[1]), shift, Stay(0), EndGame()]
    steps = steps_of(MASTER, (start, [*moves, CountHoldings(((), ()), (2, 3))]))
    assert points_by_round(MASTER, steps[:-1], steps[-1].before) == (RoundPoints(1, (9, 9)),)
    assert points_by_round(MASTER, steps, steps[-1].after) == (RoundPoints(1, (6, 9)),)


@pytest.mark.parametrize("id", IDS)
def test_the_chart_begins_with_what_the_first_state_is_worth(id: str, seed: int) -> None:
    sample = SAMPLES[id]
    steps = steps_of(sample.game, random_game(sample, random.Random(seed)))
    first, last = steps[0].before, steps[-1].after
    points = tuple(score.total for score in sample.game.final_scores(first))
    assert points_at_start(sample.game, steps, last) == points_at_start(sample.game, (), first) == points
