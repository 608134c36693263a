"""What a viewer may not know changes nothing that the viewer gets: view, lines, scores, moves and pictures."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games.game import always
from tests.games.interference import differences
from tests.games.pebbles.game import PEBBLES, Hide
from tests.games.samples import IDS, SAMPLES, random_game

_MOST_GAMES = 100
"""Maximum number of games that are played to find twins that differ."""


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("games", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_twin_games_are_the_same_to_a_viewer_who_may_not_know_the_difference(
    id: str, games: int, seed: int
) -> None:
    sample, rng = SAMPLES[id], random.Random(seed + games)
    hides = sample.game.secrets != "none"
    differed = count = 0
    while count < games or (hides and differed < games):  # twins of short games may be the same
        count += 1
        if count > _MOST_GAMES:
            pytest.fail(
                f"{differed} states of {_MOST_GAMES} twin games of {id} differ: see Sample.twin, twin_game."
            )
        played = random_game(sample, rng)
        for viewer in (None, *range(max(sample.game.players))):
            if viewer is not None and viewer >= len(sample.game.final_scores(played[0])):
                continue
            compared, found = differences(sample, played, viewer)
            assert found == []
            differed += compared


def own_number(state: Any, seat: int) -> tuple[Any, ...]:
    """Offer a player who has hidden a number what the other one has hidden."""
    return (*PEBBLES.legal_moves(state, seat), *(() if state.hidden[1 - seat] is None else (Hide(0, 1),)))


LEAKS: dict[str, dict[str, Any]] = {
    "view": {"view": lambda state, viewer: state},
    "describe": {"describe": lambda step, now, names, viewer: PEBBLES.describe(step, now, names, step.move.player)},
    "evidence": {"evidence_visible": always},
    "final_scores": {"final_scores": lambda state: PEBBLES.final_scores(replace(state, left=0))},
    "stage": {"stage": lambda state: replace(PEBBLES.stage(state), step=state.hidden[0] or 0)},
    "legal_moves": {
        "legal_moves": lambda state, seat: PEBBLES.legal_moves(state, seat)[: state.hidden[1 - seat] or 3]
    },
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_game_that_gives_a_secret_away_is_found_out(name: str) -> None:
    honest, rng = SAMPLES[PEBBLES.id], random.Random(5)
    leaking = replace(honest, game=replace(PEBBLES, **LEAKS[name]))
    found = [
        line
        for _ in range(12)
        for viewer in (None, 0, 1)
        for line in differences(leaking, random_game(honest, rng), viewer)[1]
    ]
    assert any(f": {name}" in line for line in found)
