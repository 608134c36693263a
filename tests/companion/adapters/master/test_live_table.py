"""A running table whose readings a test lays: from the board at the start over turns and faults to the journal."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.master.adapter import ADAPTER
from companion.adapters.master.turns.table_faults import Fault, fault_line
from companion.games.master.components import START
from companion.games.master.maze import ROTATIONS, letters
from companion.games.master.moves import LayBoard
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.table.views import Refused
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader, one_picture
from tests.companion.adapters.master.live_maze import NAMES, SEATS, LiveMaze, turn, two_shifts, watch_a_shift
from vision.cameras.frame import Frame


def test_the_laid_board_is_read_and_entered(live: LiveMaze) -> None:
    live.watch(2.0)
    assert live.table.view.camera.message == "There is no board in the picture."
    assert live.state.phase == "board"
    truth = new_game(("red", "brown"), MasterSetup(7))
    live.lay(LaidTable.of(truth))
    live.watch(5.0)
    assert live.state.phase == "shift"
    assert live.state.tokens == truth.tokens
    assert live.state.wizards == (START["red"], START["brown"])
    assert isinstance(live.table.view.game and live.table.view.game.steps[0].move, LayBoard)
    assert live.table.evidence(live.number) is not None


def test_a_fault_is_shown_with_its_places_until_the_table_is_corrected(begun: LiveMaze) -> None:
    before = begun.state
    place = next(place for place in range(49) if place != before.wizards[0])
    begun.lay(LaidTable.of(before).with_wizard("red", place))
    begun.watch(4.0)
    camera = begun.table.view.camera
    fault = Fault("no_shift", place, 0, back=before.wizards[0])
    assert camera.message == fault_line(fault, NAMES)
    assert set(camera.where) == {place, before.wizards[0]}
    assert begun.state == before
    begun.lay(LaidTable.of(before))
    begun.watch(4.0)
    assert begun.table.view.camera.message == ""
    assert begun.table.view.camera.where == ()


@pytest.mark.slow
def test_a_question_about_a_fault_goes_away_when_the_table_is_corrected(begun: LiveMaze) -> None:
    before = begun.state
    shift, _ = turn(before)
    after = apply(before, shift)
    brown = next(place for place in range(49) if place != after.wizards[1] and after.token_at(place) is None)
    begun.lay(LaidTable.of(after).with_wizard("brown", brown))
    begun.watch(4.0)
    assert begun.questions == [fault_line(Fault("out_of_turn", brown, 1, back=after.wizards[1]), NAMES)]
    assert begun.state == before
    begun.lay(LaidTable.of(before))
    begun.watch(4.0)
    assert begun.table.view.proposal is None
    begun.lay(LaidTable.of(after))
    begun.watch(5.0)
    assert begun.state == after


def test_a_turn_that_was_undone_is_asked_about_only_while_it_lies_there(begun: LiveMaze) -> None:
    before, other = watch_a_shift(begun, 5.0)
    begun.table.undo(begun.number)
    begun.watch(2.0)
    proposal = begun.table.view.proposal
    assert proposal is not None
    assert (proposal.certain, proposal.held) == (True, True)
    begun.lay(LaidTable.of(before))
    begun.watch(2.0)
    assert begun.table.view.proposal is None
    begun.lay(LaidTable.of(other))
    begun.watch(5.0)
    assert begun.state == other


def test_what_is_laid_during_a_pause_replaces_what_was_read_before_it(begun: LiveMaze) -> None:
    _, other = watch_a_shift(begun, 1.0)
    begun.table.pause(True)
    begun.lay(LaidTable.of(other))
    begun.table.pause(False)
    begun.watch(6.0)
    assert begun.state == other


def test_a_proposal_that_a_person_stopped_waits_for_the_answer(begun: LiveMaze) -> None:
    _, other = watch_a_shift(begun, 1.0)
    proposal = begun.table.view.proposal
    assert proposal is not None
    begun.table.proposals.hold(proposal.id, begun.number)
    begun.lay(LaidTable.of(other))
    begun.watch(5.0)
    assert begun.table.view.proposal == replace(proposal, held=True, due=False, seconds_left=0.0)


def test_a_dismissed_turn_is_not_offered_again_until_the_table_changes(begun: LiveMaze) -> None:
    before = begun.state
    wrong, _ = two_shifts(before)
    begun.lay(LaidTable.of(apply(before, wrong)))
    begun.watch(1.0)
    proposal = begun.table.view.proposal
    assert proposal is not None
    begun.table.proposals.dismiss(proposal.id, begun.number)
    begun.watch(15.0)
    assert begun.table.view.proposal is None
    assert begun.state == before
    begun.lay(LaidTable.of(before))
    begun.watch(2.0)
    begun.lay(LaidTable.of(apply(before, wrong)))
    begun.watch(5.0)
    assert begun.state == apply(before, wrong)


def test_a_question_follows_the_faults_on_the_table(begun: LiveMaze) -> None:
    before = begun.state
    after = apply(before, two_shifts(before)[0])
    assert after.maze is not None
    right = LaidTable.of(after)
    turned = {
        place: next(one for one in ROTATIONS[after.maze.tile(place)] if one != after.maze.tile(place))
        for place in (8, 36, 40)
    }
    for wrong in ({8, 40}, {40}, {36}):
        table = right
        for place in wrong:
            table = table.with_tile(place, turned[place])
        begun.lay(table)
        begun.watch(4.0)
        proposal = begun.table.view.proposal
        assert proposal is not None
        assert {place for doubt in proposal.questions[0].doubts for place in doubt.where} == wrong


def test_one_tap_overrules_a_fault_whose_places_are_marked(begun: LiveMaze) -> None:
    before = begun.state
    shift, _ = turn(before)
    after = apply(before, shift)
    brown = next(place for place in range(49) if place != after.wizards[1] and after.token_at(place) is None)
    begun.lay(LaidTable.of(after).with_wizard("brown", brown))
    begun.watch(4.0)
    proposal = begun.table.view.proposal
    assert proposal is not None
    assert set(proposal.questions[0].doubts[0].where) == {brown, after.wizards[1]}
    begun.table.proposals.accept(proposal.id, [0], begun.number)
    assert begun.state == after


@pytest.mark.slow
def test_a_tile_that_is_read_wrongly_is_stated_and_the_reading_goes_on(begun: LiveMaze) -> None:
    before = begun.state
    shift, walk = turn(before)
    after = apply(apply(before, shift), walk)
    assert after.maze is not None
    place, right = 8, letters(after.maze.tile(8))
    thing = {"type": "tile", "place": place, "openings": right}
    other = next(one for one in ROTATIONS[after.maze.tile(place)] if letters(one) != right)
    begun.lay(LaidTable.of(after).with_tile(place, other))
    begun.watch(3.0)
    begun.table.proposals.state_thing(thing, begun.number)
    proposal = begun.table.view.proposal
    assert proposal is not None
    assert proposal.questions[0].choices[0].moves == (shift, walk)
    for wrong in ({"type": "hedge"}, {**thing, "place": 0}, None):
        with pytest.raises(Refused):
            begun.table.proposals.state_thing(wrong, begun.number)
    with pytest.raises(Refused):
        begun.table.proposals.state_thing(thing, begun.number - 1)
    assert begun.table.view.proposal == proposal
    begun.watch(5.0)
    assert begun.state == after


@pytest.mark.parametrize("state", ["covered", "half_pushed", "no_board"])
def test_a_board_that_cannot_be_read_leaves_the_game_as_it_was(begun: LiveMaze, state: str) -> None:
    before = begun.number
    begun.lay(one_picture(state, "A line is pushed in only halfway."))
    begun.watch(4.0)
    assert begun.table.view.camera.message == "A line is pushed in only halfway."
    assert begun.number == before


def test_a_game_by_hand_reads_nothing_and_begins_with_a_board(tmp_path: Path) -> None:
    live = LiveMaze(tmp_path)
    live.table.start_game(SEATS, "hand")
    assert live.state.phase == "shift"
    live.lay(LaidTable.of(new_game(("red", "brown"), MasterSetup(9))))
    live.watch(4.0)
    assert live.number == 1
    live.table.close()


def test_a_camera_that_moves_or_a_lamp_that_is_switched_on_stops_no_reading(begun: LiveMaze) -> None:
    state = begun.state
    shift, walk = turn(state)
    begun.reader.table = LaidTable.of(apply(apply(state, shift), walk))
    reader = begun.reader
    for number in range(80):
        begun.clock.advance(1 / 8)
        rng = np.random.default_rng(number)
        image = np.full((180, 320, 3), 190, np.uint8)
        cv2.rectangle(image, (30, 60), (160, 175), (60, 110, 200), -1)
        noisy = np.clip(image + rng.integers(-2, 3, image.shape), 0, 255).astype(np.uint8)
        begun.table.process_frame(Frame(noisy, 10_000 + number, begun.clock()))
        begun.table.tick()
    assert reader is begun.reader
    assert begun.state == apply(apply(state, shift), walk)


def test_a_picture_that_is_too_dark_is_named(begun: LiveMaze) -> None:
    for number in range(40):
        begun.clock.advance(1 / 8)
        noise = np.random.default_rng(number).integers(0, 3, (180, 320, 3))
        begun.table.process_frame(Frame(noise.astype(np.uint8), 20_000 + number, begun.clock()))
        begun.table.tick()
    assert begun.table.view.camera.message == "It is too dark for the camera. Switch a light on."


def test_a_reading_of_another_print_is_drawn_over_the_picture() -> None:
    table = LaidTable.of(new_game(("red", "brown"), MasterSetup(3)))
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
    doubtful = replace(reading.tiles[8], doubtful=True, box=(10.0, 10.0, 20.0, 20.0))
    corners = ((5.0, 5.0), (95.0, 5.0), (95.0, 95.0), (5.0, 95.0))
    drawn = np.zeros((100, 100, 3), np.uint8)
    ADAPTER.draw_at_rest(
        drawn, replace(reading, corners=corners, tiles=(*reading.tiles[:8], doubtful, *reading.tiles[9:]))
    )
    assert drawn[5, 50].any()
    assert drawn[10, 20].any()
