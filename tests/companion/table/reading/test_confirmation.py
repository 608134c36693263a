"""What is entered is what rests on the table when it is entered, and not what was read some seconds before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.wicked.moves import Hand, Reveal
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from companion.table.reading.proposal_confirmation import confirmation_verdict
from companion.table.waiting_proposal import WaitingProposal
from tests.companion.director.rehearsal import Room
from tests.companion.table.reading.scripted import ScriptedTable, hand
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import HandOnTable

ADA, BRUNO, CHIE = hand(0, 2, 3), hand(1, 1, 1005), hand(2, 1, 2007)
READ_AGAIN = "The table changed before the reading was entered, so it was read again."
LEFT = "The hands left before the count was checked. Is the count right?"


@pytest.fixture(name="scripted")
def _scripted(room: Room, tmp_path: Path) -> Iterator[ScriptedTable]:
    scripted = ScriptedTable(room, tmp_path / "games", players=3)
    scripted.look(1.0)
    yield scripted
    scripted.close()


def propose(scripted: ScriptedTable, *hands: HandOnTable) -> None:
    scripted.show(*hands)
    assert scripted.until(lambda: scripted.proposal is not None)
    assert scripted.proposal is not None
    assert scripted.proposal.certain


def test_an_unchanged_reveal_is_entered_right_after_the_countdown(scripted: ScriptedTable) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    scripted.look(2.25)
    assert scripted.entered is None
    scripted.look(0.5)
    assert scripted.entered == (2, 1, 1)
    assert scripted.table.view.notices == ()


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        (hand(2, 2, 2007), (2, 1, 2)),  # one piece more
        (hand(2, 3, 2007), (2, 1, 3)),
        (hand(2, 0, 2007), (2, 1, 0)),
        (hand(0, 1, 3), (1, 1, 1)),  # one piece less
    ],
)
def test_a_hand_that_changes_during_the_countdown_and_rests_is_read_again(
    scripted: ScriptedTable, changed: HandOnTable, counts: tuple[int, ...]
) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    scripted.look(0.5)
    scripted.show(*(changed if changed.seat == each.seat else each for each in (ADA, BRUNO, CHIE)))
    assert scripted.until(lambda: scripted.entered is not None)
    assert scripted.entered == counts
    assert READ_AGAIN in scripted.table.view.notices


def test_pictures_that_were_taken_before_the_countdown_ended_confirm_nothing(scripted: ScriptedTable) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    scripted.lag = 4.0
    scripted.look(6.25)
    assert scripted.entered is None
    scripted.look(0.5)
    assert scripted.entered == (2, 1, 1)


@pytest.mark.slow
def test_nothing_is_entered_while_a_hand_moves(scripted: ScriptedTable) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    for step in range(48):
        scripted.show(ADA, BRUNO, replace(CHIE, drift=(20.0 * (step % 2), 0.0, 0.0)))
        scripted.frame()
    assert scripted.entered is None
    assert scripted.proposal is not None
    scripted.show(ADA, BRUNO, CHIE)
    assert scripted.until(lambda: scripted.entered is not None, seconds=2.0)
    assert scripted.entered == (2, 1, 1)


def test_hands_that_have_left_unchecked_are_asked_about(scripted: ScriptedTable) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    scripted.show()
    scripted.look(4.0)
    assert scripted.entered is None
    assert scripted.proposal is not None
    assert [doubt.question for doubt in scripted.proposal.questions[0].doubts] == [LEFT]
    scripted.table.proposals.accept(scripted.proposal.id, (0,), scripted.proposal.number)
    assert scripted.entered == (2, 1, 1)


@pytest.mark.slow
def test_hands_that_come_back_with_another_count_replace_the_question(scripted: ScriptedTable) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    scripted.show()
    scripted.look(4.0)
    scripted.show(ADA, BRUNO, hand(2, 2, 2007))
    assert scripted.until(lambda: scripted.entered is not None)
    assert scripted.entered == (2, 1, 2)


@pytest.mark.parametrize(
    ("counts", "certain", "complete", "period", "expected"),
    [
        (2, True, False, 4, "enter"),
        (2, True, False, 5, "wait"),  # something has moved since
        (2, False, False, 4, "wait"),  # a piece that hardly shows leaves a doubt at least
        (3, True, False, 4, "wait"),
        (2, True, True, 5, "enter"),
        (2, False, True, 4, "doubt"),
        (3, True, True, 4, "replace"),
        (3, False, True, 4, "replace"),
        (None, False, True, 4, "ask"),
    ],
)
def test_a_proposal_is_entered_only_on_certain_pictures_of_what_rests(
    counts: int | None, certain: bool, complete: bool, period: int, expected: str
) -> None:
    def proposal(count: int, certain: bool) -> Proposal[Reveal]:
        doubts = () if certain else (Doubt(0, "One or two?"),)
        return Proposal((Question(None, (Choice((Reveal((Hand(search=count),)),), 0.9),), doubts),))

    pending = WaitingProposal("id", 3, proposal(2, True), due=0.0, kind="hands", period=4)
    fresh = None if counts is None else proposal(counts, certain)
    assert confirmation_verdict(pending, fresh, period, complete=complete) == expected


def blurred(image: Image, _: int) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 3.0), np.uint8)


def grey(image: Image, _: int) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("photograph", [blurred, grey])
def test_nothing_is_entered_while_the_camera_is_not_fit(
    scripted: ScriptedTable, photograph: Callable[[Image, int], Image]
) -> None:
    propose(scripted, ADA, BRUNO, CHIE)
    well, scripted.photograph = scripted.photograph, photograph
    scripted.look(5.0)
    assert scripted.entered is None
    scripted.photograph = well
    assert scripted.until(lambda: scripted.entered is not None)
    assert scripted.entered == (2, 1, 1)


@pytest.mark.slow
def test_a_stream_that_is_stuck_confirms_nothing(scripted: ScriptedTable) -> None:
    scripted.look(1.5)
    propose(scripted, ADA, BRUNO, CHIE)
    stuck: list[Image] = []

    def repeat(image: Image, _: int) -> Image:
        stuck.append(image)
        return stuck[0]

    well, scripted.photograph = scripted.photograph, repeat
    scripted.look(5.5)
    assert scripted.entered is None
    assert scripted.table.view.camera.state == "hindered"
    assert "same picture" in scripted.table.view.camera.message
    scripted.photograph = well
    assert scripted.until(lambda: scripted.entered is not None, seconds=2.0)


@pytest.mark.slow
def test_a_camera_that_has_lost_its_colours_is_not_learned_as_the_table(scripted: ScriptedTable) -> None:
    well, scripted.photograph = scripted.photograph, grey
    scripted.look(14.0)
    assert scripted.table.view.camera.state == "hindered"
    assert "colours" in scripted.table.view.camera.message
    scripted.show(ADA, BRUNO, CHIE)
    scripted.look(4.0)
    assert scripted.proposal is None
    scripted.photograph = well
    assert scripted.until(lambda: scripted.entered is not None)
    assert scripted.entered == (2, 1, 1)


def test_a_camera_without_colours_at_the_start_is_named(room: Room, tmp_path: Path) -> None:
    scripted = ScriptedTable(room, tmp_path / "games", players=3)
    scripted.photograph = grey
    scripted.show(ADA, BRUNO, CHIE)
    scripted.look(3.0)
    assert "colours" in scripted.table.view.camera.message
    assert scripted.proposal is None
    scripted.close()


def is_read_in_flicker(scripted: ScriptedTable, height: float) -> bool:
    """Flicker by a share of the light, and return whether the camera's message names it and a reveal is entered."""

    def flicker(image: Image, number: int) -> Image:
        rows = np.arange(image.shape[0]) / image.shape[0]
        gain = 1.0 + height * np.sin(2.0 * np.pi * 3.3 * rows + 2.1 * number)
        return np.clip(image * gain[:, None, None], 0, 255).astype(np.uint8)

    scripted.photograph = flicker
    scripted.look(3.0)
    assert "flickers" in scripted.table.view.camera.message
    propose(scripted, ADA, BRUNO, CHIE)
    return scripted.until(lambda: scripted.entered == (2, 1, 1))


@pytest.mark.slow
def test_lamp_flicker_is_named_and_reading_goes_on(scripted: ScriptedTable) -> None:
    assert is_read_in_flicker(scripted, 0.04)


@pytest.mark.slow
def test_on_plain_wood_reading_goes_on_in_strong_flicker_too(plain_room: Room, tmp_path: Path) -> None:
    scripted = ScriptedTable(plain_room, tmp_path / "games", players=3)
    scripted.look(1.0)
    assert is_read_in_flicker(scripted, 0.12)
    scripted.close()
