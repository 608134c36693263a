"""Compares two games that a viewer must not distinguish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.game import Viewer
from tests.games.samples import Played, Sample, steps_of

NAMES = ("Ada", "Bruno", "Chie", "Dora", "Emil")


def differences(sample: Sample, played: Played, viewer: Viewer) -> tuple[int, list[str]]:
    """Play a game beside its twin until a viewer may distinguish them.

    Return the number of compared states that do differ, and a line for each thing in which a viewer can see that.
    """
    record = sample.game
    twin = sample.twin(played, viewer)
    compared, found = 0, []
    states, others = [played[0]], [twin[0]]
    for move, other in zip(played[1], twin[1], strict=True):
        states.append(record.apply(states[-1], move))
        others.append(record.apply(others[-1], other))
        if sample.apart(states[-1]):
            break
    steps = steps_of(record, (played[0], played[1][: len(states) - 1]))
    twins = steps_of(record, (twin[0], twin[1][: len(states) - 1]))
    for place, (state, other) in enumerate(zip(states, others, strict=True)):
        if sample.apart(state):
            break
        compared += state != other
        mine = _published(sample, state, steps[:place], viewer)
        theirs = _published(sample, other, twins[:place], viewer)
        for (name, one), (_, two) in zip(mine, theirs, strict=False):
            if one != two:
                found.append(f"after {place} moves: {name} {one!r:.80}, {two!r:.80}")
    return compared, found


def _published(sample: Sample, state: Any, steps: list[Any], viewer: Viewer) -> Iterator[tuple[str, object]]:
    """Yield everything that leaves the companion at this state, with its name."""
    record = sample.game
    names = NAMES[: len(record.final_scores(state))]
    yield "view", record.view(state, viewer)
    yield "to_move", record.to_move(state)
    yield "stage", record.stage(state)
    yield "final_scores", record.final_scores(state)
    if viewer is not None:
        yield "legal_moves", record.legal_moves(state, viewer)
    for step in steps:
        visible = record.evidence_visible(step, state, viewer)
        yield "evidence_visible", visible
        yield "describe", record.describe(step, state, names, viewer)
        if visible:
            yield "evidence", step.move
