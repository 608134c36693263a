"""Frame reader and table with readers that find what the test lays on the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import ProfileError
from companion.adapters.wicked.bots.choices import hidden_deal
from companion.games.wicked.standin_deck import STANDIN
from companion.table import FrameReader, Loop, Readers, ReadingSchedule, SavedGames, Table
from companion.table.reading.frame_reader import ReadingRequest
from companion.table.running_game import RunningGame
from companion.table.views import SeatView
from tests.companion.director.rehearsal import Clock, Room
from tests.companion.table.playing import game_of
from tests.companion.table.reading.placed import Placed, PlacedCards, reader_for
from tests.vision.cameras.grabbing import ScriptedCamera
from tests.waiting import eventually
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import Grabber, GrabStatus
from vision.cameras.simulated.scene import Scene
from vision.readings import CardReading, Expectation, HandReading

SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
OPEN = HandReading(0, "open", {}, 0.9, False, (0.0, 0.0, 1.0, 1.0))


def picture(*arms: int, shade: int = 60) -> Image:
    """Draw a plain table, of a shade of grey, with arms that reach in from below, at these columns."""
    image = np.full((180, 320, 3), 60, np.uint8)
    image[80:110, 140:180] = shade
    for column in arms:
        image[120:, column : column + 30] = 200
    return image


def test_what_reaches_in_but_is_no_hand_does_not_end_all_reading_after_a_reveal() -> None:
    placed = Placed(hands=(OPEN,))
    frame_reader = reader_for(placed)
    searching = ReadingRequest(("game", 3), "hands", Expectation(seats=3))
    now = 0.0

    def shown(image: Image, frames: int = 8) -> str:
        nonlocal now
        for _ in range(frames):
            now += 0.1
            state = frame_reader.process(Frame(image, 0, now), searching).motion.state
        return state

    assert shown(picture()) == "watching"
    assert shown(picture(100)) == "still"
    frame_reader.hands_entered()
    assert shown(picture(100)) == "shown"
    placed.hands = ()
    assert shown(picture(250)) == "watching"  # a cup now stands where the picture ends
    placed.hands = (OPEN,)
    assert shown(picture(100, 250)) == "still"


def test_the_pictures_of_one_rest_are_numbered_for_the_reader() -> None:
    placed = Placed(hands=(OPEN,))
    frame_reader, searching = reader_for(placed), ReadingRequest(("game", 3), "hands", Expectation(seats=3))
    for tenth in range(40):
        # The hands come at 0.8 s, shift at 2.4 s and rest again.
        image = picture() if tenth < 8 else picture(100) if tenth < 24 else picture(170)
        frame_reader.process(Frame(image, 0, tenth / 10), searching)
    assert placed.numbers == [0, 1, 2, 3, 4] * 2


@dataclass
class ReaderSession:
    """A table of three to whom these oracle cards are dealt, and the time."""

    table: Table
    clock: Clock
    placed: Placed

    @property
    def game(self) -> RunningGame:
        return game_of(self.table)

    def look(self, frames: int = 8, image: Image | None = None) -> None:
        for _ in range(frames):
            self.clock.advance(0.1)
            self.table.process_frame(Frame(picture() if image is None else image, 0, self.clock()))
            self.table.tick()


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[ReaderSession]:
    clock, placed = Clock(), Placed()
    table = Table(SavedGames(tmp_path), STANDIN, clock=clock)
    table.set_reader(reader_for(placed))
    table.update_camera_status(GrabStatus("running"))
    table.start_game(SEATS)
    session = ReaderSession(table, clock, placed)
    dealt = hidden_deal(session.game.state, "a seed")
    placed.cards = tuple(
        CardReading(card, 0.99, ((seat * 100.0 + 50, 1.0),) * 4)
        for kind in (dealt.great, dealt.small)
        for seat, cards in enumerate(kind)
        for card in cards
    )
    yield session
    table.close()


def test_a_reading_that_ends_after_the_pause_began_is_not_taken(session: ReaderSession) -> None:
    session.placed.meanwhile = lambda: session.table.pause(True)
    session.look(4)
    session.placed.meanwhile = lambda: None
    session.look(100)
    assert session.game.number == 1
    session.table.pause(False)
    session.look(100)
    assert session.game.state.phase == "lay"


def test_a_reading_that_ends_after_the_frame_reader_was_replaced_is_discarded(session: ReaderSession) -> None:
    session.placed.meanwhile = lambda: session.table.set_reader(None, "another camera")
    session.look(8)
    assert session.table.view.proposal is None
    assert session.table.view.camera.state == "hindered"


def test_a_proposal_of_another_camera_does_not_wait(session: ReaderSession) -> None:
    session.look(12)
    assert session.table.view.proposal is not None
    session.table.set_reader(None, "another camera")
    assert session.table.view.proposal is None
    session.table.set_reader(reader_for(session.placed))
    session.look(100)
    assert session.game.state.phase == "lay"


def test_cards_that_change_unseen_during_the_countdown_are_read_again(session: ReaderSession) -> None:
    session.look(12)
    proposal = session.table.view.proposal
    assert proposal is not None
    first, *others = session.placed.cards
    last = others.pop()
    # Two great oracle cards change places, of which the picture shows nothing.
    session.placed.cards = (replace(first, card=last.card), *others, replace(last, card=first.card))
    session.look(24)
    assert session.game.number == 1
    other = session.table.view.proposal
    assert "The table changed before the reading was entered, so it was read again." in session.table.view.notices
    assert other is None or other.id != proposal.id


def test_a_certain_proposal_waits_while_no_picture_comes(session: ReaderSession) -> None:
    session.look(12)
    assert session.table.view.proposal is not None
    for _ in range(100):
        session.clock.advance(0.1)
        session.table.tick()
    assert session.game.number == 1
    session.look(2)
    assert session.game.state.phase == "lay"


def test_what_was_taken_back_is_not_taken_again_by_itself(session: ReaderSession) -> None:
    session.look(60)
    assert session.game.number == 2
    session.table.undo(2)
    session.look(200)
    assert session.game.number == 3
    proposal = session.table.view.proposal
    assert proposal is not None
    assert (proposal.certain, proposal.held) == (True, True)
    session.table.proposals.accept(proposal.id, (0,), 3)
    assert session.game.state.phase == "lay"


def test_a_question_about_cards_goes_with_the_cards(session: ReaderSession) -> None:
    session.look(60)
    session.table.undo(2)
    session.look(20)
    assert session.table.view.proposal is not None
    session.placed.cards = ()
    session.look(20, picture(shade=200))
    assert session.table.view.proposal is None
    assert session.game.number == 3


def test_a_question_about_dealt_cards_names_the_player(session: ReaderSession) -> None:
    session.placed.cards = session.placed.cards[1:]
    session.look()
    assert session.table.view.camera.message.startswith("Ada: 1 great oracle card recognised")


def fails() -> None:
    raise RuntimeError("a fault of the reader")


def is_unfit() -> None:
    raise ProfileError("The picture and the empty table's picture differ in size: calibrate again.")


@pytest.mark.parametrize(
    ("meanwhile", "line"),
    [
        (is_unfit, "The picture and the empty table's picture differ in size: calibrate again."),
        (fails, "A picture could not be read. Enter by hand what the camera missed."),
    ],
)
def test_pictures_that_cannot_be_read_hinder_until_one_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, meanwhile: Callable[[], None], line: str
) -> None:
    camera = ScriptedCamera(picture())
    table = Table(SavedGames(tmp_path), STANDIN)
    placed = Placed(meanwhile=meanwhile)
    table.set_reader(reader_for(placed))
    table.start_game(SEATS)
    loop = Loop(table, Grabber(camera.open))

    def shows(state: str, line: str) -> bool:
        camera.allowed.release()
        return (table.view.camera.state, table.view.camera.message) == (state, line)

    with caplog.at_level(logging.CRITICAL):
        loop.start()
        eventually(lambda: shows("hindered", line))
        placed.meanwhile = lambda: None
        eventually(lambda: shows("watching", ""))
    camera.torn.set()
    loop.close()
    table.close()


def test_a_picture_of_another_size_than_calibrated_is_refused_at_once(room: Room) -> None:
    frame_reader = FrameReader(room.readers)
    idle = ReadingRequest(("game", 3), None, Expectation(seats=3))
    image = room.renderer.render(Scene(3), 0)
    with pytest.raises(ProfileError, match="640×360 px, but this table was calibrated at 1280×720"):
        frame_reader.process(Frame(np.asarray(cv2.resize(image, (640, 360)), np.uint8), 0, 0.0), idle)
    frame_reader.process(Frame(np.ascontiguousarray(np.rot90(image)), 1, 0.1), idle)
    assert frame_reader.process(Frame(image, 2, 0.2), idle).health.fit


def test_a_game_without_hands_reads_what_lies_at_rest_and_waits_for_no_hand() -> None:
    placed = Placed(cards=(CardReading("C01", 0.9, ((0.0, 0.0),) * 4),))
    readers = Readers(None, PlacedCards(placed), lambda point, _: 0)
    frame_reader = FrameReader(readers, ReadingSchedule(rest_pictures=1))
    laid = ReadingRequest(("game", 3), "at_rest", Expectation(seats=3), hint="the whole table")
    results = [frame_reader.process(Frame(picture(), 0, tenth / 10), laid) for tenth in range(20)]
    read = [reading for result in results for reading in result.at_rest]
    assert [reading.cards for reading in read[:1]] == [placed.cards]
    hands = replace(laid, wanted="hands")
    assert all(not frame_reader.process(Frame(picture(100), 0, 2 + tenth / 10), hands).hands for tenth in range(20))


def test_the_first_readings_are_reported_if_they_can_lead_to_an_answer_that_needs_no_more() -> None:
    placed = Placed(cards=(CardReading("C01", 0.9, ((0.0, 0.0),) * 4),))
    readers = Readers(None, PlacedCards(placed), lambda point, _: 0)
    request = ReadingRequest(("game", 3), "at_rest", Expectation(seats=3))
    cases = ((False, False, [5]), (True, False, [1, 2, 3, 4, 5]), (True, True, [1]))
    for first_pictures, enough, reported in cases:
        frame_reader = FrameReader(readers, ReadingSchedule(rest_pictures=5))
        results = []
        for tenth in range(20):
            frame = Frame(picture(), 0, tenth / 10)
            results.append(frame_reader.process(frame, replace(request, first_pictures=first_pictures)))
            if enough and results[-1].at_rest:
                frame_reader.skip_further_pictures()
        assert [len(result.at_rest) for result in results if result.at_rest] == reported
        assert [result.complete for result in results if result.at_rest] == [count == 5 for count in reported]
