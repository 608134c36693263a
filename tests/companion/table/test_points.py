"""Points round by round, in games of any kind."""

from __future__ import annotations

import random

import pytest

from companion.games.game import OVER
from companion.table.points import points_at_start, points_by_round
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


@pytest.mark.parametrize("id", IDS)
def test_the_chart_begins_with_what_the_first_state_is_worth(id: str, seed: int) -> None:
    sample = SAMPLES[id]
    steps = steps_of(sample.game, random_game(sample, random.Random(seed)))
    first, last = steps[0].before, steps[-1].after
    points = tuple(score.total for score in sample.game.final_scores(first))
    assert points_at_start(sample.game, steps, last) == points_at_start(sample.game, (), first) == points
