"""A whole game with no hardware: from camera frames to final scoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.wicked import final_scores
from companion.session import Session
from companion.table import Diligence
from tests.companion.director.rehearsal import Rehearsal, Room


@pytest.mark.timeout(600)
def test_a_whole_three_player_game_is_read_from_frames_to_its_scoring(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = 1
    rehearsal = Rehearsal(
        room, tmp_path / "games", seed, speed=12.0, diligence=Diligence(reveal_pictures=3, card_pictures=2)
    )
    rehearsal.start(3)
    rehearsal.until(lambda: rehearsal.game.state.phase == "over")
    game, tally = rehearsal.game, rehearsal.director.tally
    with capsys.disabled():
        print(f"\nseed {seed}: {rehearsal.frames} frames, {tally}")
    assert tally.reveals == 16
    assert tally.layings == 5
    assert game.state == rehearsal.true_state
    assert tally.answers + tally.corrections + tally.unread < tally.reveals
    assert game.scores == final_scores(rehearsal.true_state)
    rehearsal.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        assert journal.state == game.state
