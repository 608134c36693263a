"""Boards read beside the game: souls taken at once or by themselves, asked about, and compared with the journal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.seats import Seating
from companion.games.wicked import apply
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import DealOracles, FinishSoul, NameOracle
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import Tokens
from companion.table import SavedGames, Table
from tests.companion.adapters.wicked.board_readings import doubting
from tests.companion.adapters.wicked.board_readings import table as lying
from tests.companion.adapters.wicked.soul_phase import (
    SEATS,
    PlacedBoards,
    SoulPhaseSession,
    begun,
    exhausted,
    frame_reader,
    soul_phase_session,
)
from tests.companion.director.rehearsal import AtOnce, Clock
from tests.refusals import refused
from vision.games.wicked.readings import BoardsReading

READ_AGAIN = "The table changed before the reading was entered, so it was read again."


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[SoulPhaseSession]:
    session = soul_phase_session(tmp_path, AtOnce())
    yield session
    session.table.close()


def test_finished_boards_that_nobody_could_better_are_taken_by_themselves_after_a_visible_moment(
    session: SoulPhaseSession,
) -> None:
    done = exhausted(session.game.state)
    session.lay(done)
    session.look(2.0)
    view = session.proposal
    assert (view.certain, view.held, view.due, view.problems) == (True, False, True, ())
    assert 0 < view.seconds_left <= 2.5
    assert session.game.state.phase == "soul"
    session.look(3.0)
    assert session.game.state.phase == "lay"
    rows = [(player.low, player.middle, player.high) for player in session.game.state.players]
    assert rows == [(player.low, player.middle, player.high) for player in done]
    souls = [line for line in session.game.history if line.type == "finish_soul"]
    assert len(souls) == 3
    assert session.sources()[-1] == "camera"
    assert session.view.id == ""


def test_the_same_picture_is_read_once_and_another_one_anew(session: SoulPhaseSession) -> None:
    session.lay(session.game.state.players)
    session.look(6.0)
    assert session.boards.read_so_far == 1
    session.lay(session.game.state.players)
    session.look(0.8)
    assert session.boards.read_so_far == 1
    session.look(2.0)
    assert session.boards.read_so_far == 2


def test_who_stops_it_in_time_has_it_wait_and_takes_it_at_one_tap(session: SoulPhaseSession) -> None:
    session.lay(exhausted(session.game.state))
    session.look(2.0)
    session.table.proposals.hold(session.proposal.id, session.game.number)
    session.look(5.0)
    assert session.game.state.phase == "soul"
    assert session.proposal.held
    picture = session.table.proposals.picture(session.proposal.id)
    assert picture is not None
    session.accept(0, 0, 0)
    assert session.game.state.phase == "lay"
    first = next(line for line in session.game.history if line.evidence)
    assert session.table.evidence(first.number) == picture


def test_boards_that_change_unseen_during_the_countdown_are_read_again(session: SoulPhaseSession) -> None:
    done = exhausted(session.game.state)
    session.lay(done)
    session.look(2.0)
    id = session.proposal.id
    # What lies there is another board now, of which the picture shows nothing.
    session.boards.reading = lying(session.game.state.players)
    session.look(2.0)
    assert session.game.state.phase == "soul"
    assert session.proposal.id != id
    assert READ_AGAIN in session.table.view.notices


def test_finished_boards_wait_while_no_picture_comes(session: SoulPhaseSession) -> None:
    session.lay(exhausted(session.game.state))
    session.look(2.0)
    for _ in range(100):
        session.clock.advance(0.1)
        session.table.tick()
    assert session.game.state.phase == "soul"
    session.look(0.3)
    assert session.game.state.phase == "lay"


@pytest.mark.slow
def test_something_that_moves_puts_it_off(session: SoulPhaseSession) -> None:
    done = exhausted(session.game.state)
    session.lay(done)
    session.look(2.0)
    for _ in range(10):
        session.lay(done)
        session.look(0.5)
    assert session.game.state.phase == "soul"
    session.look(6.0)
    assert session.game.state.phase == "lay"


def test_boards_on_which_somebody_could_still_do_something_wait_for_a_tap(session: SoulPhaseSession) -> None:
    players = tuple(map(finish, session.game.state.players))
    session.lay(players)
    session.look(8.0)
    assert session.game.state.phase == "soul"
    assert not session.proposal.certain
    assert any(one.doubts for one in session.proposal.questions)
    with refused("bad_request"):
        session.accept(0, 0)
    with refused("bad_request"):
        session.accept(0, 0, 9)
    with refused("not_now"):
        session.accept(None, None, None)
    with refused("stale"):
        session.table.proposals.accept("another", (0, 0, 0), session.game.number)
    assert session.game.state.phase == "soul"
    session.accept(0, None, 0)
    assert session.game.waiting_for == (1,)


def test_what_is_tapped_meanwhile_is_held_against_the_same_picture(session: SoulPhaseSession) -> None:
    done = exhausted(session.game.state)
    session.lay(done)
    session.look(2.0)
    before = session.proposal
    session.table.play(before.questions[0].choices[0].moves[0], session.game.number)
    after = session.proposal
    assert session.boards.read_so_far == 1
    assert after.id != before.id
    assert after.questions[0].choices[0].moves == before.questions[0].choices[0].moves[1:]
    with refused("stale"):
        session.table.proposals.accept(before.id, (0, 0, 0), session.game.number - 1)


@pytest.mark.slow
def test_what_somebody_has_taken_back_is_not_taken_by_itself_again(session: SoulPhaseSession) -> None:
    session.lay(exhausted(session.game.state))
    session.look(6.0)
    assert session.game.state.phase == "lay"
    session.table.undo(session.game.number)
    assert session.game.state.phase == "soul"
    session.lay(exhausted(session.game.state))
    session.look(8.0)
    assert session.game.state.phase == "soul"
    assert (session.proposal.certain, session.proposal.held) == (True, True)


def test_keeping_the_journal_puts_the_reading_aside(session: SoulPhaseSession) -> None:
    session.lay(tuple(map(finish, session.game.state.players)))
    session.look(2.0)
    session.table.proposals.dismiss(session.proposal.id, session.game.number)
    session.look(3.0)
    assert (session.view.id, session.boards.read_so_far) == ("", 1)


def test_a_pause_keeps_certain_souls_from_being_taken(session: SoulPhaseSession) -> None:
    session.lay(exhausted(session.game.state))
    session.look(2.0)
    session.table.pause(True)
    session.look(5.0)
    assert session.game.state.phase == "soul"
    assert session.proposal.held


@pytest.mark.slow
def test_outside_the_soul_phase_boards_are_read_on_request_and_differences_are_shown(
    session: SoulPhaseSession,
) -> None:
    session.lay(exhausted(session.game.state))
    session.look(6.0)
    read = session.boards.read_so_far
    state = session.game.state
    assert state.phase == "lay"
    wrong = replace(state.players[0], impurity=state.players[0].impurity + 1)
    session.lay((wrong, *state.players[1:]))
    session.look(3.0)
    assert session.boards.read_so_far == read
    session.table.proposals.read_whole_table()
    assert session.view.asked
    session.look(0.3)
    assert session.boards.read_so_far == read + 1
    (difference,) = session.view.differences
    assert difference.seat == 0
    assert "impurity" in difference.text
    changes = [
        step.number for step in session.steps() if step.before.players[0].impurity != step.after.players[0].impurity
    ]
    assert difference.entry == (changes[-1] if changes else None)
    with refused("bad_request"):
        session.table.proposals.correct(session.view.id, None, session.game.number)


def test_at_the_end_the_score_by_camera_stands_beside_the_journals(session: SoulPhaseSession) -> None:
    rng = random.Random(4)
    while session.game.state.phase != "over":
        session.table.play(random_move(session.game.state, rng), session.game.number)
    players = session.game.state.players
    session.lay(players)
    session.look(2.0)
    assert [(one.seen, one.kept) for one in session.view.points] == [
        (score.total, score.total) for score in session.game.scores
    ]
    assert session.view.differences == ()
    more = replace(players[1], low=Tokens(red=6 - players[1].low.total))
    session.lay((players[0], more, players[2]))
    session.look(2.0)
    assert [one.seat for one in session.view.points if one.seen != one.kept] == [1]
    assert session.view.differences != ()


@pytest.mark.parametrize("round", [1, 4])
def test_a_soul_phase_that_was_entered_otherwise_is_taken_anew_at_one_tap(
    session: SoulPhaseSession, round: int
) -> None:
    rng = random.Random(6)
    while session.game.state.round < round or session.game.state.phase != "soul":
        session.table.play(random_move(session.game.state, rng), session.game.number)
    begun = session.game.state
    for seat in range(3):
        session.table.play(FinishSoul(seat), session.game.number)
    assert session.game.state.phase == ("lay" if round < 4 else "over")
    seen = exhausted(begun)
    session.lay(seen)
    session.look(0.5)
    session.table.proposals.read_whole_table()
    session.look(2.0)
    assert session.view.replacement
    assert session.view.differences != ()
    session.table.proposals.correct(session.view.id, None, session.game.number)
    assert session.game.state.phase == ("lay" if round < 4 else "over")
    rows = [(player.low, player.middle, player.high) for player in session.game.state.players]
    assert rows == [(player.low, player.middle, player.high) for player in seen]
    if round == 4:
        assert (session.view.replacement, session.view.differences) == (False, ())


def test_oracles_named_in_a_soul_phase_and_since_stay_when_it_is_taken_anew(tmp_path: Path) -> None:
    session = soul_phase_session(tmp_path, AtOnce(), DealOracles(((),) * 3, ((),) * 3))
    session.table.play(NameOracle(0, "G01"), session.game.number)
    begun = session.game.state
    for seat in range(3):
        session.table.play(FinishSoul(seat), session.game.number)
    session.table.play(NameOracle(1, "S01"), session.game.number)
    seen = exhausted(apply(begun, NameOracle(1, "S01")))
    session.lay(seen)
    session.look(0.5)
    session.table.proposals.read_whole_table()
    session.look(2.0)
    session.table.proposals.correct(session.view.id, None, session.game.number)
    assert session.game.state.phase == "lay"
    players = session.game.state.players
    assert [(player.great, player.small) for player in players] == [(("G01",), ()), ((), ("S01",)), ((), ())]
    assert [player.middle for player in players] == [player.middle for player in seen]
    session.table.close()


def test_nothing_is_taken_anew_where_a_board_could_not_have_come_about(session: SoulPhaseSession) -> None:
    for seat in range(3):
        session.table.play(FinishSoul(seat), session.game.number)
    players = session.game.state.players
    session.lay((replace(players[0], high=Tokens(blue=4)), *players[1:]))
    session.look(0.5)
    session.table.proposals.read_whole_table()
    session.look(2.0)
    assert session.view.differences != ()
    assert not session.view.replacement


def test_a_doubtful_spot_is_asked_about_with_its_choices(session: SoulPhaseSession) -> None:
    state = session.game.state
    sure = lying(tuple(map(finish, state.players)))
    first = sure.boards[0]
    unsure = doubting(first, "low", 5, *("red", "green", "blue", "yellow"))
    session.lay((), BoardsReading((unsure, *sure.boards[1:])))
    session.look(6.0)
    assert session.game.state.phase == "soul"
    assert not session.proposal.certain


def test_boards_that_cannot_be_read_are_reported_and_the_game_goes_on(session: SoulPhaseSession) -> None:
    session.boards.refuses = True
    session.lay(session.game.state.players)
    session.look(2.0)
    assert session.view.trouble == "The picture cannot be used."
    session.table.play(FinishSoul(0), session.game.number)
    assert session.game.waiting_for == (1, 2)


def test_a_new_game_begins_without_the_requests_and_errors_of_the_one_before(session: SoulPhaseSession) -> None:
    session.boards.refuses = True
    session.lay(session.game.state.players)
    session.look(2.0)
    session.table.proposals.read_whole_table()
    session.table.start_game(SEATS)
    assert (session.view.asked, session.view.trouble) == (False, "")
    read = session.boards.read_so_far
    session.look(2.0)
    assert session.boards.read_so_far == read


def test_boards_are_read_anew_when_another_reader_begins(session: SoulPhaseSession) -> None:
    session.lay(session.game.state.players)
    session.look(3.0)
    assert (session.boards.read_so_far, session.view.differences) == (1, ())
    wrong = PlacedBoards(lying(exhausted(session.game.state)))
    session.table.set_reader(frame_reader(wrong))
    session.look(3.0)
    assert wrong.read_so_far == 1
    assert session.proposal.certain


def test_boards_are_read_anew_when_people_change_their_places(session: SoulPhaseSession) -> None:
    session.lay(session.game.state.players)
    session.look(3.0)
    id = session.proposal.id
    session.table.seating.set_seating(Seating((0.0, 90.0, 180.0)))
    assert session.table.view.proposal is None
    session.look(3.0)
    assert session.boards.read_so_far == 2
    assert session.proposal.id != id


def test_boards_whose_reading_ends_after_the_reader_was_replaced_are_discarded(session: SoulPhaseSession) -> None:
    session.boards.meanwhile = lambda: session.table.set_reader(None, "another camera")
    session.lay(exhausted(session.game.state))
    session.look(3.0)
    assert session.boards.read_so_far == 1
    assert session.table.view.proposal is None
    with refused("not_now"):
        session.table.proposals.read_whole_table()


def test_a_table_that_knows_no_boards_offers_nothing(tmp_path: Path) -> None:
    clock = Clock()
    table = Table(SavedGames(tmp_path / "games"), STANDIN, clock=clock, work=AtOnce())
    begun(table, clock, None)
    SoulPhaseSession(table, clock, PlacedBoards(), tmp_path / "games").look(2.0)
    assert table.view.comparison is None
    with refused("not_now"):
        table.proposals.read_whole_table()
    table.close()


def test_reading_does_not_keep_frames_waiting(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as work:
        session = soul_phase_session(tmp_path, work)
        session.lay(exhausted(session.game.state))
        session.look(1.6)
        work.submit(lambda: None).result(10)
        session.look(5.0)
        work.submit(lambda: None).result(10)
        assert session.boards.read_so_far == 2  # read, and confirmed after the countdown
        assert session.game.state.phase == "lay"
        session.table.close()
