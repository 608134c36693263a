"""The end of a game at the simulated table, from the pictures of its camera to the scoring.

`test_demonstration` reads the beginning, where all tokens lie; nobody is at a screen in either.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.profile import TableProfile
from companion.adapters.master.bots.choices import noted_formula, turn_moves
from companion.adapters.master.bots.simulated_players import BOTS
from companion.director.pre_enrolled_pieces import GROUND
from companion.games.master.game import MASTER
from companion.games.master.moves import CountHoldings, Move, Shift, UseWand, Walk
from companion.games.master.rules.setup import MasterSetup
from companion.session import Played, Session
from companion.table import ReadingSchedule
from companion.table.reading.readers_from_profile import readers_for
from tests.companion.director.rehearsal import Rehearsal, Room
from vision.cameras.simulated import Renderer
from vision.games.master.simulated_components import LOOK

_SEED = 4
_TOKENS_LEFT = 7
"""Tokens on the board when the camera begins to read: a third of them."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_last_third_of_a_game_is_read_from_frames_to_its_scoring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.master.adapter.secrets.randbelow", lambda limit: _SEED)
    profile = TableProfile(len(BOTS.seats), game="master")
    renderer = Renderer(replace(LOOK, ground=GROUND), {}, game="master")
    room = Room(renderer, profile, readers_for(profile), BOTS, MasterSetup(), BOTS.seats)
    schedule = ReadingSchedule(rest_pictures=2)
    rehearsal = Rehearsal(room, tmp_path / "games", _SEED, speed=8.0, fps=4.0, schedule=schedule)
    rehearsal.start(len(BOTS.seats))
    entered = play_until_few_tokens_are_left(rehearsal)
    rehearsal.until(lambda: rehearsal.game.state.phase == "over")
    over = rehearsal.game
    # Then the camera counts the tokens before the players.
    rehearsal.until(lambda: rehearsal.game.state.counted, frames=60)
    game, tally, truth = rehearsal.game, rehearsal.director.tally.hands, rehearsal.director.truth
    with capsys.disabled():
        print(f"\nseed {_SEED}: {rehearsal.frames} frames, {tally}")
    assert tally.shown == sum(isinstance(move, Shift) for move in truth)
    assert (tally.corrections, tally.unread) == (0, 0)
    assert tally.answers <= tally.shown // 8
    assert tally.shown >= _TOKENS_LEFT
    assert [step.move for step in over.steps] == [*entered, *truth]
    assert all(place < 0 for place in over.state.tokens)
    count = game.steps[-1].move
    assert isinstance(count, CountHoldings)
    assert count.tokens == tuple(player.tokens for player in over.state.players)
    assert game.scores == over.scores == MASTER.final_scores(over.state)
    assert all(len(score.lines) == 3 for score in game.scores)
    rehearsal.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        assert journal.state == game.state
        read = [
            entry
            for entry in journal.entries
            if isinstance(entry, Played) and isinstance(entry.move, (Shift, Walk, UseWand, CountHoldings))
        ][sum(isinstance(move, (Shift, Walk, UseWand)) for move in entered) :]
        assert {entry.source for entry in read} == {"camera"}


def play_until_few_tokens_are_left(rehearsal: Rehearsal) -> list[Move]:
    """Enter whole turns as the bots make them; return all moves."""
    rng = random.Random(_SEED)
    while sum(place >= 0 for place in rehearsal.game.state.tokens) > _TOKENS_LEFT:
        state = rehearsal.game.state
        if state.players[state.mover].formula is None:
            moves: tuple[Move, ...] = (noted_formula(state, state.mover, rng),)
        else:
            moves = turn_moves(state, rng)
        for move in moves:
            rehearsal.table.play(move, rehearsal.game.number, "bot")
    return [step.move for step in rehearsal.game.steps]
