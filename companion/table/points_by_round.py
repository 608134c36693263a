"""Computes the game points of all seats, round by round. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import OVER, Game, Step
from companion.session.entries import M
from companion.session.timeline import S
from companion.table.views import RoundPoints


def points_at_start(record: Game[S, M, Any], steps: Sequence[Step[S, M]], state: S) -> tuple[int, ...]:
    """Return each seat's points before the first move. state: the present one, used where no move was made."""
    return _points(record, steps[0].before if steps else state)


def points_by_round(record: Game[S, M, Any], steps: Sequence[Step[S, M]], state: S) -> tuple[RoundPoints, ...]:
    """Return each seat's points at the end of every finished round, and the present points in an unfinished one.

    What is counted once the game is over changes the points of its last round.
    """
    rounds: dict[int, RoundPoints] = {}
    for step in steps:
        before, after = record.stage(step.before), record.stage(step.after)
        if after.phase == OVER or after.round > before.round:
            number = min(before.round, after.round)
            rounds[number] = RoundPoints(number, _points(record, step.after))
    stage = record.stage(state)
    if stage.phase != OVER:
        rounds[stage.round] = RoundPoints(stage.round, _points(record, state), over=False)
    return tuple(rounds.values())


def _points(record: Game[S, M, Any], state: S) -> tuple[int, ...]:
    """Return the points by seat as if the game ended in this state."""
    return tuple(score.total for score in record.final_scores(state))
