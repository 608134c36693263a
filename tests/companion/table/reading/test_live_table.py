"""A table that looks: proposals from rendered frames, held, overtaken, and a camera that is torn off."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.wicked.bots.choices import hidden_deal, hidden_lay
from companion.adapters.wicked.bots.scenes import scene
from companion.games.wicked.moves import DealOracles
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Played, Session
from companion.table import FrameReader, Loop, SavedGames, Table
from companion.table.views import Refused
from tests.companion.director.rehearsal import PLAYERS, Rehearsal, Room
from tests.waiting import eventually
from vision.cameras.frame import Camera, CameraError, Frame
from vision.cameras.grabber import Grabber, Patience
from vision.cameras.simulated import SimulatedCamera


@pytest.fixture(name="rehearsal")
def _rehearsal(room: Room, tmp_path: Path) -> Iterator[Rehearsal]:
    rehearsal = Rehearsal(room, tmp_path / "games", seed=1)
    rehearsal.start(3)
    yield rehearsal
    rehearsal.close()


def to_proposal(rehearsal: Rehearsal) -> str:
    """Go on until the dealt oracle cards are proposed; the director then looks away."""
    rehearsal.until(lambda: rehearsal.table.view.proposal is not None, frames=60)
    rehearsal.director.run(False)
    proposal = rehearsal.table.view.proposal
    assert proposal is not None
    return proposal.id


def test_a_certain_proposal_is_taken_after_a_visible_delay(rehearsal: Rehearsal) -> None:
    to_proposal(rehearsal)
    proposal = rehearsal.table.view.proposal
    assert proposal is not None
    assert proposal.certain
    assert 2.0 < proposal.seconds_left <= 2.5
    number = rehearsal.game.number
    seen = set()
    while rehearsal.table.view.proposal is not None:
        seen.add(round(rehearsal.table.view.proposal.seconds_left, 1))
        rehearsal.frame()
    assert len(seen) >= 4
    assert rehearsal.game.number == number + 1
    assert rehearsal.game.state.phase == "lay"
    dealt = hidden_deal(rehearsal.game.state, "1 1")
    assert [set(player.great) for player in rehearsal.game.state.players] == [set(cards) for cards in dealt.great]


@pytest.mark.slow
def test_hold_stops_the_delay_until_somebody_answers(rehearsal: Rehearsal) -> None:
    id = to_proposal(rehearsal)
    number = rehearsal.game.number
    rehearsal.table.proposals.hold(id, number)
    assert rehearsal.table.view.camera.state == "needs_you"
    rehearsal.clock.advance(3600.0)
    for _ in range(5):
        rehearsal.frame()
    held = rehearsal.table.view.proposal
    assert held is not None
    assert held.held
    assert rehearsal.game.number == number
    rehearsal.table.proposals.accept(id, (0,), number)
    assert rehearsal.game.state.phase == "lay"


@pytest.mark.slow
def test_a_move_entered_by_hand_overtakes_the_proposal(rehearsal: Rehearsal) -> None:
    id = to_proposal(rehearsal)
    number = rehearsal.game.number
    rehearsal.table.play(hidden_deal(rehearsal.game.state, "another"), number)
    assert rehearsal.table.view.proposal is None
    for at in (number, number + 1):
        with pytest.raises(Refused) as caught:
            rehearsal.table.proposals.accept(id, (0,), at)
        assert caught.value.code == "stale"


@pytest.mark.slow
def test_an_amended_proposal_keeps_the_picture_and_counts_as_entered_by_hand(
    rehearsal: Rehearsal, tmp_path: Path
) -> None:
    id = to_proposal(rehearsal)
    number = rehearsal.game.number
    with pytest.raises(Refused) as caught:
        rehearsal.table.proposals.amend(id, hidden_lay(rehearsal.game.state, "x"), number)
    assert caught.value.code == "bad_request"
    rehearsal.table.proposals.amend(id, hidden_deal(rehearsal.game.state, "another"), number)
    picture = rehearsal.table.evidence(number + 1)
    assert picture is not None
    decoded = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (720, 1280, 3)
    rehearsal.table.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        entry = journal.entries[-1]
        stills = journal.stills(entry.number)
    assert isinstance(entry, Played)
    assert (entry.source, entry.evidence) == ("hand", True)
    assert list(stills) == ["frame-1"]
    frame = cv2.imdecode(np.frombuffer(stills["frame-1"], np.uint8), cv2.IMREAD_COLOR)
    assert frame is not None
    assert frame.shape == (720, 1280, 3)


@pytest.mark.slow
def test_while_paused_nothing_is_read_and_what_was_proposed_waits(rehearsal: Rehearsal) -> None:
    to_proposal(rehearsal)
    rehearsal.table.pause(True)
    rehearsal.clock.advance(60.0)
    for _ in range(5):
        rehearsal.frame()
    assert rehearsal.table.view.camera.state == "paused"
    proposal = rehearsal.table.view.proposal
    assert proposal is not None
    assert proposal.held
    rehearsal.table.pause(False)
    rehearsal.table.proposals.accept(proposal.id, (0,), rehearsal.game.number)
    assert rehearsal.game.state.phase == "lay"


@pytest.mark.slow
def test_the_preview_shows_the_newest_picture_with_what_was_read(rehearsal: Rehearsal) -> None:
    assert rehearsal.table.preview() is None
    rehearsal.frame()
    plain = rehearsal.table.preview()
    to_proposal(rehearsal)
    drawn = rehearsal.table.preview()
    assert plain is not None
    assert drawn is not None
    assert plain != drawn
    assert rehearsal.table.preview() is drawn


class Bumped:
    """Puts something between the simulated camera and the frame reader, on command."""

    def __init__(self) -> None:
        self.blurred = False
        self.nudged = False

    def __call__(self, frame: Frame) -> Frame:
        image = frame.image
        if self.nudged:
            turn = np.vstack([cv2.getRotationMatrix2D((640.0, 360.0), 0.8, 1.0), [0.0, 0.0, 1.0]])
            turn[:2, 2] += (9.0, -6.0)
            image = np.asarray(
                cv2.warpPerspective(image, turn, (1280, 720), borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        if self.blurred:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.5), np.uint8)
        return dataclasses.replace(frame, image=image)


@pytest.mark.slow
def test_a_blurred_picture_is_reported_and_not_read_and_a_moved_camera_is_found_again(
    room: Room, tmp_path: Path
) -> None:
    bumped = Bumped()
    rehearsal = Rehearsal(room, tmp_path / "games", seed=1, photograph=bumped)
    rehearsal.start(3)
    for _ in range(8):
        rehearsal.frame()
    bumped.blurred = True
    for _ in range(40):
        rehearsal.frame()
    assert rehearsal.table.view.camera.state == "hindered"
    assert rehearsal.table.view.camera.message == "The picture is blurred. Let the camera focus, or wipe its lens."
    assert rehearsal.table.view.proposal is None
    bumped.blurred, bumped.nudged = False, True
    rehearsal.until(lambda: any("moved" in line for line in rehearsal.table.view.notices), frames=40)
    to_proposal(rehearsal)
    proposal = rehearsal.table.view.proposal
    assert proposal is not None
    dealt = hidden_deal(rehearsal.game.state, "1 1")
    (best,) = proposal.questions[0].choices[0].moves
    assert isinstance(best, DealOracles)
    assert [set(cards) for cards in best.great] == [set(cards) for cards in dealt.great]
    rehearsal.close()


@pytest.mark.slow
def test_a_frozen_picture_yields_nothing_so_frames_are_all_that_is_read(room: Room, tmp_path: Path) -> None:
    first: list[Frame] = []

    def frozen(frame: Frame) -> Frame:
        first.append(frame)
        return dataclasses.replace(frame, image=first[0].image)

    rehearsal = Rehearsal(room, tmp_path / "games", seed=1, photograph=frozen)
    rehearsal.start(3)
    rehearsal.until(lambda: rehearsal.director.tally.hands.unread >= 1, frames=900)
    assert rehearsal.director.tally.things.unread == 2
    rehearsal.close()
    with Session.open(next((tmp_path / "games").glob("*.journal")), read_only=True) as journal:
        sources = {entry.source for entry in journal.entries if isinstance(entry, Played)}
    assert "camera" not in sources


def test_a_frame_carries_pixels_a_number_and_a_time_and_the_reading_side_knows_no_director() -> None:
    assert [field.name for field in dataclasses.fields(Frame)] == ["image", "number", "taken_at"]
    finished = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, companion.table.reading.live_camera, companion.referee\n"
            "print([m for m in sys.modules if m.startswith(('companion.director', 'vision.cameras.simulated'))])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout.strip() == "[]"


def test_a_camera_torn_off_in_mid_game_is_reported_and_the_game_goes_on_by_hand_until_it_is_back(
    room: Room, tmp_path: Path
) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.set_reader(FrameReader(room.readers))
    plugged = [True]
    camera = SimulatedCamera(room.renderer, fps=10.0)

    def opened() -> Camera:
        if not plugged[0]:
            raise CameraError("The camera is not there. Plug it in.")
        nonlocal camera
        camera = SimulatedCamera(room.renderer, fps=10.0)
        return camera

    loop = Loop(table, Grabber(opened, Patience(first=0.02, longest=0.05, tries=3, rarely=0.1)))
    table.start_game(PLAYERS[:3])
    loop.start()
    eventually(lambda: table.view.camera.state in ("watching", "reading"))
    plugged[0] = False
    camera.unplug()
    eventually(lambda: table.view.camera.state == "no_camera")
    assert "by hand" in table.view.camera.message
    game = table.view.game
    assert game is not None
    table.play(hidden_deal(game.state, "by hand"), game.number)
    plugged[0] = True
    eventually(lambda: table.view.camera.state in ("watching", "reading"))
    assert "The camera is back." in table.view.notices
    after = table.view.game
    assert after is not None
    assert (after.number, after.state.phase) == (game.number + 1, "lay")
    laid = hidden_lay(after.state, "by hand")
    camera.show(scene(after.state, laying=(laid, len(laid.cards))))
    eventually(lambda: table.view.proposal is not None, seconds=60.0)
    proposal = table.view.proposal
    assert proposal is not None
    assert proposal.questions[0].choices[0].moves == (laid,)
    loop.close()
    table.close()
