"""Points round by round, and what everybody did."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from companion.games.wicked.scoring.chronicle import (
    Chronicle,
    PlayerStatistics,
    RevealGain,
    RoundPoints,
    Transition,
    chronicle,
)

from companion.games.wicked import apply, final_scores, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Hand
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import State
from companion.games.wicked.text.notation import read_move
from tests.companion.games.wicked.scenarios import board, search_phase, soul_phase


def told(state: State, *moves: str) -> Chronicle:
    """Play moves and tell the game."""
    turns: list[Transition] = []
    for line in moves:
        move = read_move(line)
        turns.append((state, move, apply(state, move)))
        state = turns[-1][2]
    return chronicle(turns, state)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_has_four_rounds_and_ends_with_the_final_scores(seed: int) -> None:
    rng = random.Random(seed)
    state = new_game(3, STANDIN, seed=seed)
    turns: list[Transition] = []
    while state.phase != "over":
        move = random_move(state, rng)
        turns.append((state, move, apply(state, move)))
        state = turns[-1][2]
    rounds = chronicle(turns, state).rounds
    assert [(one.round, one.over) for one in rounds] == [(1, True), (2, True), (3, True), (4, True)]
    assert rounds[-1].points == tuple(score.total for score in final_scores(state))
    second = next(before for before, _, _ in turns if before.round == 2)
    assert rounds[0].points == tuple(score.total for score in final_scores(second))


def test_the_round_that_is_played_counts_as_it_stands() -> None:
    state = soul_phase(board("rr/g/"))
    assert told(state, "0 promote red low").rounds == (RoundPoints(1, (4, 0, 0), over=False),)


def test_a_game_that_has_just_begun_has_no_deeds() -> None:
    assert chronicle((), new_game(3, STANDIN)) == Chronicle(
        (RoundPoints(1, (0, 0, 0), over=False),), (PlayerStatistics(), PlayerStatistics(), PlayerStatistics())
    )


def test_ranks_and_the_best_reveal_are_counted_less_the_impurity_that_came_with_them() -> None:
    state = search_phase("C01", "C02")  # C01: promotion over green, C02: colour change over red, in the stand-in
    deeds = told(state, "reveal 3s 2 0w", "reveal 1 0 2").deeds
    first, last = STANDIN.corridor("C01"), STANDIN.corridor("C02")
    spells = sum(element in ("promotion", "colour_change") for element in (*first.upper, *first.lower))
    halves = len(first.upper) + len(first.lower)
    assert deeds[0].firsts == 1
    assert deeds[0].seconds == 1
    assert deeds[0].best == RevealGain(1, 1, Hand(3, 0, 1), halves - spells + 1, spells, 1)
    assert deeds[1].best is not None
    assert deeds[1].best.worth == len(first.lower) + 1 - 1
    assert deeds[2].firsts == 1
    assert deeds[2].best is not None
    assert (deeds[2].best.corridor, deeds[2].best.impurity) == (2, 0)
    assert len(last.upper) + len(last.lower) == deeds[2].best.worth


def test_promotions_count_in_whatever_way_they_come() -> None:
    state = soul_phase(board("rrb/rg/", promotion=2, small=("S01",)))
    deeds = told(
        state,
        "0 small S01 lift green middle",
        "0 promote red low",
        "0 promotion blue low",
    ).deeds
    assert [one.promotions for one in deeds] == [3, 0, 0]


def test_a_spell_that_is_spent_for_nothing_is_no_promotion() -> None:
    state = soul_phase(replace(board(""), promotion=1))
    assert told(state, "0 promotion nothing").deeds[0].promotions == 0
