"""What each player did in a game."""

from __future__ import annotations

from dataclasses import replace

from companion.games.wicked import apply
from companion.games.wicked.moves import Hand
from companion.games.wicked.scoring.statistics import (
    PlayerStatistics,
    RevealGain,
    Transition,
    player_statistics,
)
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.notation import read_move
from tests.companion.games.wicked.scenarios import board, search_phase, soul_phase


def statistics_of(state: WickedState, *moves: str) -> tuple[PlayerStatistics, ...]:
    """Play moves; return the statistics by seat."""
    turns: list[Transition] = []
    for line in moves:
        move = read_move(line)
        turns.append((state, move, apply(state, move)))
        state = turns[-1][2]
    return player_statistics(turns, len(state.players))


def test_a_game_that_has_just_begun_has_no_statistics() -> None:
    assert player_statistics((), 3) == (PlayerStatistics(), PlayerStatistics(), PlayerStatistics())


def test_ranks_and_the_best_reveal_are_counted_less_the_impurity_that_came_with_them() -> None:
    state = search_phase("C01", "C02")  # C01: promotion over green, C02: colour change over red, in the stand-in
    deeds = statistics_of(state, "reveal 3s 2 0w", "reveal 1 0 2")
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
    deeds = statistics_of(
        state,
        "0 small S01 lift green middle",
        "0 promote red low",
        "0 promotion blue low",
    )
    assert [one.promotions for one in deeds] == [3, 0, 0]


def test_a_spell_that_is_spent_for_nothing_is_no_promotion() -> None:
    state = soul_phase(replace(board(""), promotion=1))
    assert statistics_of(state, "0 promotion nothing")[0].promotions == 0
