"""Points of all seats, round by round. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import OVER, Game, Step
from companion.session.entries import M
from companion.session.timeline import S
from companion.table.views import RoundPoints


def points_at_start(record: Game[S, M, Any], steps: Sequence[Step[S, M]], state: S) -> tuple[int, ...]:
    """Return the points before the first step; those of the state where there is none."""
    return _points(record, steps[0].before if steps else state)


def points_by_round(record: Game[S, M, Any], steps: Sequence[Step[S, M]], state: S) -> tuple[RoundPoints, ...]:
    """Return the points after each round, and as they are in the unfinished round."""
    rounds = []
    for step in steps:
        before, after = record.stage(step.before), record.stage(step.after)
        if after.round != before.round or after.phase == OVER:
            rounds.append(RoundPoints(before.round, _points(record, step.after)))
    stage = record.stage(state)
    if stage.phase != OVER:
        rounds.append(RoundPoints(stage.round, _points(record, state), over=False))
    return tuple(rounds)


def _points(record: Game[S, M, Any], state: S) -> tuple[int, ...]:
    return tuple(score.total for score in record.final_scores(state))
