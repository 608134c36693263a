"""Games of the bots at the simulated table, from the pictures of its camera to the journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.profile import TableProfile
from companion.adapters.master.bots.simulated_players import BOTS
from companion.director.pre_enrolled_pieces import GROUND
from companion.games.master.moves import Shift, Stay, Walk
from companion.games.master.rules.setup import MasterSetup
from companion.session import Played, Session
from companion.table import Readers, ReadingSchedule
from companion.table.reading.readers_from_profile import readers_for
from tests.companion.director.rehearsal import Rehearsal, Room
from vision.cameras.simulated import Renderer
from vision.games.master.simulated_components import LOOK

_SEED = 4


def room(readers: Readers | None = None) -> Room:
    profile = TableProfile(len(BOTS.seats), game="master")
    renderer = Renderer(replace(LOOK, ground=GROUND), {}, game="master")
    made = readers_for(profile) if readers is None else readers
    return Room(renderer, profile, made, BOTS, MasterSetup(), BOTS.seats)


@pytest.fixture
def unread(tmp_path: Path) -> Iterator[Rehearsal]:
    """A table whose pictures nobody reads."""
    nobody = Readers(None, None, seat_of=lambda point, seating: 0, calibrated=False)
    rehearsal = Rehearsal(room(nobody), tmp_path / "games", _SEED, speed=8.0, fps=4.0)
    rehearsal.start(3)
    yield rehearsal
    rehearsal.close()


def test_a_turn_that_is_not_read_is_entered_by_hand_as_it_was_shown(unread: Rehearsal) -> None:
    unread.until(lambda: unread.director.shown is not None)
    shown = unread.director.shown
    assert shown is not None
    assert isinstance(shown.moves[0], Shift)
    unread.until(lambda: unread.director.tally.hands.shown == 1)
    assert unread.director.tally.hands.unread == 1
    assert unread.director.truth[-len(shown.moves) :] == shown.moves
    assert tuple(step.move for step in unread.game.steps) == unread.director.truth


def test_a_single_step_ends_with_the_turn(unread: Rehearsal) -> None:
    unread.director.step()
    unread.until(lambda: not unread.director.view.running)
    assert unread.director.tally.hands.shown == 1


def test_another_turn_than_the_one_shown_is_undone_and_corrected(unread: Rehearsal) -> None:
    unread.until(lambda: unread.director.shown is not None)
    shown = unread.director.shown
    assert shown is not None
    shift, *_ = shown.moves
    wrong = next(
        move
        for move in BOTS.game.legal_moves(unread.game.state, shift.player)
        if isinstance(move, Shift) and move.arrow != shift.arrow
    )
    unread.table.play(wrong, unread.game.number, "camera")
    unread.table.play(Stay(shift.player), unread.game.number, "camera")
    unread.until(lambda: unread.director.tally.hands.shown == 1)
    assert unread.director.tally.hands.corrections == 1
    assert tuple(step.move for step in unread.game.steps) == unread.director.truth
    assert shift in unread.director.truth


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_turns_are_read_from_the_pictures_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.master.adapter.secrets.randbelow", lambda limit: _SEED)
    turns = 4
    rehearsal = Rehearsal(
        room(), tmp_path / "games", _SEED, speed=8.0, fps=4.0, schedule=ReadingSchedule(rest_pictures=2)
    )
    rehearsal.start(3)
    rehearsal.until(lambda: rehearsal.director.tally.hands.shown == turns, frames=600)
    tally, truth = rehearsal.director.tally.hands, rehearsal.director.truth
    with capsys.disabled():
        print(f"\nseed {_SEED}: {rehearsal.frames} frames, {tally}")
    assert (tally.corrections, tally.unread) == (0, 0)
    assert tally.answers <= turns // 2
    assert [step.move for step in rehearsal.game.steps] == list(truth)
    rehearsal.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        read = [
            entry
            for entry in journal.entries
            if isinstance(entry, Played) and isinstance(entry.move, (Shift, Walk, Stay))
        ]
        assert {entry.source for entry in read} == {"camera"}
        assert sum(entry.evidence for entry in read) == turns
