"""A whole game with no hardware: from camera frames to final scoring, soul phases included."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.wicked.game import WICKED
from companion.session import Played, Session
from companion.table import ReadingSchedule
from tests.companion.director.rehearsal import Rehearsal, Room, in_order


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_whole_three_player_game_is_read_from_frames_to_its_scoring(
    plain_room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = 1
    rehearsal = Rehearsal(
        plain_room,
        tmp_path / "games",
        seed,
        speed=12.0,
        fps=4.0,
        schedule=ReadingSchedule(hand_pictures=3, rest_pictures=2),
    )
    rehearsal.start(3)
    rehearsal.until(lambda: rehearsal.game.state.phase == "over" and rehearsal.director.concurrent.phases == 4)
    game, tally, souls = rehearsal.game, rehearsal.director.tally, rehearsal.director.concurrent
    with capsys.disabled():
        print(f"\nseed {seed}: {rehearsal.frames} frames, {tally}, {souls.answers} soul phases asked about")
    assert tally.hands.shown == 16
    assert tally.things.shown == 5
    assert in_order(game.state) == in_order(rehearsal.true_state)
    hands = tally.hands
    assert hands.answers + hands.corrections + hands.unread < hands.shown
    assert game.scores == WICKED.final_scores(rehearsal.true_state)
    # Nobody has tapped anything of a soul phase, and at the end the boards have the journal's score.
    assert (souls.corrections, souls.unread) == (0, 0)
    rehearsal.until(lambda: bool(rehearsal.boards.points), frames=40)
    assert [(one.seen, one.kept) for one in rehearsal.boards.points] == [
        (score.total, score.total) for score in game.scores
    ]
    assert rehearsal.boards.differences == ()
    rehearsal.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        assert journal.state == game.state
        entries = [entry for entry in journal.entries if isinstance(entry, Played)]
        processed = [entry for entry in entries if WICKED.concurrent_owner(entry.move) is not None]
        assert len(processed) > 40
        assert {entry.source for entry in processed} == {"camera"}
        assert sum(entry.evidence for entry in processed) == 4
