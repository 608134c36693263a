"""The adviser against plain exhaustive search by the engine's own moves."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from companion.games.wicked import WickedState, apply, final_scores
from companion.games.wicked.adviser import EARLIER_ROUND, LAST_ROUND, Valuation, advise
from companion.games.wicked.adviser.best_board import find_best_board
from companion.games.wicked.adviser.packed_board import SoulPhase
from companion.games.wicked.adviser.upper_bound import Bound
from companion.games.wicked.adviser.valuation import BoardEvaluator
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.adviser.exhaustive import reachable_boards, small_positions, unordered
from tests.companion.games.wicked.scenarios import board, deck_with, play, rows, soul_phase, tokens

Position = tuple[WickedState, dict[WickedPlayer, int]]
BOTH = pytest.mark.parametrize("valuation", [LAST_ROUND, EARLIER_ROUND], ids=["last", "earlier"])


@pytest.fixture(
    name="positions", scope="module", params=[(30, 20), pytest.param((170, 21), marks=pytest.mark.slow)]
)
def _positions(request: pytest.FixtureRequest) -> list[Position]:
    count, seed = request.param
    return list(small_positions(count, seed, most=80))


def compared(player: WickedPlayer, state: WickedState) -> tuple[int, ...]:
    """What final scores are compared by, in order (W16)."""
    score = final_scores(replace(state, players=(player, *state.players[1:])))[0]
    return score.total, score.great, score.high, score.middle, score.low, -score.impurity_left


@pytest.mark.parametrize("few", [10_000, 0], ids=["tried", "promised"])
def test_in_the_last_round_nothing_reachable_scores_better(few: int, positions: list[Position]) -> None:
    for number, (state, boards) in enumerate(positions):
        phase = SoulPhase(state.players[0], state.deck)
        found = find_best_board(phase, BoardEvaluator(phase, LAST_ROUND), few)
        reached = phase.unpack(found.path[-1])

        assert found.proved, number
        assert compared(reached, state) == max(compared(player, state) for player in boards), number


@BOTH
def test_both_ways_to_search_find_the_same_worth(valuation: Valuation, positions: list[Position]) -> None:
    for number, (state, boards) in enumerate(positions):
        phase = SoulPhase(state.players[0], state.deck)
        evaluator = BoardEvaluator(phase, valuation)
        highest = max(evaluator.value(phase.pack(player)) for player in boards)

        assert find_best_board(phase, evaluator, few=10_000).value == highest, number
        assert find_best_board(phase, evaluator, few=0).value == highest, number


@BOTH
def test_a_bound_is_never_below_what_is_reachable(valuation: Valuation, positions: list[Position]) -> None:
    for number, (state, boards) in enumerate(positions):
        phase = SoulPhase(state.players[0], state.deck)
        evaluator = BoardEvaluator(phase, valuation)
        bound = Bound(evaluator)
        for player in random.Random(number).sample(list(boards), min(4, len(boards))):
            further = reachable_boards(replace(state, players=(player, *state.players[1:])))
            assert further is not None
            assert bound(phase.pack(player)) >= max(evaluator.value(phase.pack(one)) for one in further), number


def test_the_moves_lead_to_the_board_that_is_promised_and_no_fewer_lead_to_as_much(
    positions: list[Position],
) -> None:
    for number, (state, boards) in enumerate(positions):
        last = replace(state, round=4)
        advice = advise(last, 0)
        after = play(last, *advice.moves)

        assert advice.exact, number
        assert unordered(after.players[0]) == unordered(advice.player), number
        assert advice.points_now == final_scores(last)[0].total, number
        assert advice.points == final_scores(after)[0].total, number
        if advice.shortest:
            highest = max(compared(player, state) for player in boards)
            fewest = min(depth for player, depth in boards.items() if compared(player, state) == highest)
            assert len(advice.moves) == fewest, number


def test_moves_that_were_promised_and_not_tried_lead_there_too_and_none_of_them_is_idle(
    positions: list[Position],
) -> None:
    for number, (state, _) in enumerate(positions):
        phase = SoulPhase(state.players[0], state.deck)
        evaluator = BoardEvaluator(phase, LAST_ROUND)
        way = find_best_board(phase, evaluator, few=0).path
        moves = [phase.action(here, after, 0) for here, after in pairwise(way)]

        after = play(state, *moves).players[0]
        assert unordered(after) == unordered(phase.unpack(way[-1])), number


def test_a_step_is_what_the_engine_makes_of_a_board(positions: list[Position]) -> None:
    for number, (state, boards) in enumerate(positions):
        phase = SoulPhase(state.players[0], state.deck)
        for player in random.Random(number).sample(list(boards), min(3, len(boards))):
            here = phase.pack(player)
            alone = replace(state, players=(player, *state.players[1:]))
            one_step = {unordered(phase.unpack(after)) for after in phase.steps(here)} - {player}
            moves = [phase.action(here, after, 0) for after in phase.steps(here)]

            assert unordered(phase.unpack(here)) == player
            assert {unordered(apply(alone, move).players[0]) for move in moves} - {player} == one_step
            further = reachable_boards(alone)
            assert further is not None
            assert one_step == {other for other, depth in further.items() if depth == 1}, number


def test_the_worked_example_of_the_soul_phase_is_found() -> None:
    """E2: promotions, a recoloured token, a small oracle and a great one are worth 19."""
    state = soul_phase(
        board("yggbbb", promotion=1, colour_change=1, great=("G01",), small=("S01",)),
    )
    advice = advise(replace(state, round=4), 0)

    assert advice.exact
    assert advice.points_now == 6
    assert advice.points >= 19


def test_the_last_round_is_played_for_points_alone_and_an_earlier_one_for_what_may_come() -> None:
    state = soul_phase(board("rr/rr/", great=("G01",)))

    assert rows(advise(replace(state, round=4), 0).player) == "/r/r"
    assert advise(state, 0).points <= advise(replace(state, round=4), 0).points


def test_ties_are_broken_as_the_scores_are_compared() -> None:
    """W16: two low tokens are worth as much as the middle one that they make, but more middle tokens win a tie."""
    state = replace(soul_phase(board("rr")), round=4)

    assert rows(advise(state, 0).player) == "/r/"


def test_there_is_nothing_to_advise_once_finished() -> None:
    state = soul_phase(board("rr/rr/r"))
    after = apply(state, FinishSoul(0))

    assert advise(after, 0).moves == ()
    assert advise(after, 0).points == advise(state, 0).points_now


def test_advice_is_refused_outside_the_soul_phase_and_for_boards_that_no_game_has() -> None:
    state = soul_phase(board("rr"))
    with pytest.raises(ValueError, match="soul phase only"):
        advise(replace(state, phase="search"), 0)
    for player, reason in (
        (board("rrrrrrr"), "more tokens than spots"),
        (board("", low=replace(tokens("rr"), green=-1)), "more tokens than spots"),
        (board("rr", promotion=9), "more than eight spells"),
        (board("rr", great=("G01", "G02", "G03", "G04", "G05")), "more than four open oracles"),
    ):
        with pytest.raises(ValueError, match=reason):
            advise(soul_phase(player), 0)


def test_oracles_that_give_more_tokens_than_can_lie_anywhere_are_refused() -> None:
    deck = deck_with(small={"S01": ((("low", "red"),), ("white",) * 16)})
    with pytest.raises(ValueError, match="give so many tokens"):
        advise(soul_phase(board("rr", small=("S01",)), deck), 0)


def test_a_valuation_that_takes_a_higher_token_for_less_is_refused() -> None:
    with pytest.raises(ValueError, match="must not be worth less"):
        Valuation(token=(3, 2, 5), great=5, small=2, given_back=1)


def test_a_board_with_too_many_choices_gets_a_good_way_that_is_not_called_exact() -> None:
    full = board("rrgbby/rgby/rgb", promotion=3, colour_change=3, small=("S01", "S05"), great=("G01", "G07"))
    state = replace(soul_phase(full), round=4)
    phase = SoulPhase(full, state.deck)
    found = find_best_board(phase, BoardEvaluator(phase, LAST_ROUND), most=200)
    after = play(state, *(phase.action(here, then, 0) for here, then in pairwise(found.path))).players[0]

    assert not found.proved
    assert not found.shortest
    assert unordered(after) == unordered(phase.unpack(found.path[-1]))
    assert final_scores(replace(state, players=(after, *state.players[1:])))[0].total >= 50
