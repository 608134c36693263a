"""Boards read beside the game: souls taken at once or by themselves, asked about, and compared with the journal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import Tokens
from companion.table import SavedGames, Table
from tests.companion.adapters.wicked.board_readings import doubting
from tests.companion.adapters.wicked.board_readings import table as lying
from tests.companion.adapters.wicked.soul_phase import (
    Evening,
    PlacedBoards,
    begun,
    evening_with,
    exhausted,
    refused,
)
from tests.companion.director.rehearsal import AtOnce, Clock
from vision.games.wicked.readings import BoardsReading

READ_AGAIN = "The table changed before the reading was entered, so it was read again."


@pytest.fixture(name="evening")
def _evening(tmp_path: Path) -> Iterator[Evening]:
    evening = evening_with(tmp_path, AtOnce())
    yield evening
    evening.table.close()


def test_finished_boards_that_nobody_could_better_are_taken_by_themselves_after_a_visible_moment(
    evening: Evening,
) -> None:
    done = exhausted(evening.game.state)
    evening.lay(done)
    evening.look(2.0)
    view = evening.proposal
    assert (view.certain, view.held, view.due, view.problems) == (True, False, True, ())
    assert 0 < view.seconds_left <= 2.5
    assert evening.game.state.phase == "soul"
    evening.look(3.0)
    assert evening.game.state.phase == "lay"
    rows = [(player.low, player.middle, player.high) for player in evening.game.state.players]
    assert rows == [(player.low, player.middle, player.high) for player in done]
    souls = [line for line in evening.game.history if line.type == "finish_soul"]
    assert len(souls) == 3
    assert evening.sources()[-1] == "camera"
    assert evening.view.id == ""


def test_the_same_picture_is_read_once_and_another_one_anew(evening: Evening) -> None:
    evening.lay(evening.game.state.players)
    evening.look(6.0)
    assert evening.boards.read_so_far == 1
    evening.lay(evening.game.state.players)
    evening.look(0.8)
    assert evening.boards.read_so_far == 1
    evening.look(2.0)
    assert evening.boards.read_so_far == 2


def test_who_stops_it_in_time_has_it_wait_and_takes_it_at_one_tap(evening: Evening) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(2.0)
    evening.table.proposals.hold(evening.proposal.id, evening.game.number)
    evening.look(5.0)
    assert evening.game.state.phase == "soul"
    assert evening.proposal.held
    picture = evening.table.proposals.picture(evening.proposal.id)
    assert picture is not None
    evening.accept(0, 0, 0)
    assert evening.game.state.phase == "lay"
    first = next(line for line in evening.game.history if line.evidence)
    assert evening.table.evidence(first.number) == picture


def test_boards_that_change_unseen_during_the_countdown_are_read_again(evening: Evening) -> None:
    done = exhausted(evening.game.state)
    evening.lay(done)
    evening.look(2.0)
    id = evening.proposal.id
    # What lies there is another board now, of which the picture shows nothing.
    evening.boards.reading = lying(evening.game.state.players)
    evening.look(2.0)
    assert evening.game.state.phase == "soul"
    assert evening.proposal.id != id
    assert READ_AGAIN in evening.table.view.notices


def test_finished_boards_wait_while_no_picture_comes(evening: Evening) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(2.0)
    for _ in range(100):
        evening.clock.advance(0.1)
        evening.table.tick()
    assert evening.game.state.phase == "soul"
    evening.look(0.3)
    assert evening.game.state.phase == "lay"


def test_something_that_moves_puts_it_off(evening: Evening) -> None:
    done = exhausted(evening.game.state)
    evening.lay(done)
    evening.look(2.0)
    for _ in range(10):
        evening.lay(done)
        evening.look(0.5)
    assert evening.game.state.phase == "soul"
    evening.look(6.0)
    assert evening.game.state.phase == "lay"


def test_boards_on_which_somebody_could_still_do_something_wait_for_a_tap(evening: Evening) -> None:
    players = tuple(map(finish, evening.game.state.players))
    evening.lay(players)
    evening.look(8.0)
    assert evening.game.state.phase == "soul"
    assert not evening.proposal.certain
    assert any(one.doubts for one in evening.proposal.questions)
    with refused("bad_request"):
        evening.accept(0, 0)
    with refused("bad_request"):
        evening.accept(0, 0, 9)
    with refused("not_now"):
        evening.accept(None, None, None)
    with refused("stale"):
        evening.table.proposals.accept("another", (0, 0, 0), evening.game.number)
    assert evening.game.state.phase == "soul"
    evening.accept(0, None, 0)
    assert evening.game.waiting_for == (1,)


def test_what_is_tapped_meanwhile_is_held_against_the_same_picture(evening: Evening) -> None:
    done = exhausted(evening.game.state)
    evening.lay(done)
    evening.look(2.0)
    before = evening.proposal
    evening.table.play(before.questions[0].choices[0].moves[0], evening.game.number)
    after = evening.proposal
    assert evening.boards.read_so_far == 1
    assert after.id != before.id
    assert after.questions[0].choices[0].moves == before.questions[0].choices[0].moves[1:]
    with refused("stale"):
        evening.table.proposals.accept(before.id, (0, 0, 0), evening.game.number - 1)


def test_what_somebody_has_taken_back_is_not_taken_by_itself_again(evening: Evening) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(6.0)
    assert evening.game.state.phase == "lay"
    evening.table.undo(evening.game.number)
    assert evening.game.state.phase == "soul"
    evening.lay(exhausted(evening.game.state))
    evening.look(8.0)
    assert evening.game.state.phase == "soul"
    assert (evening.proposal.certain, evening.proposal.held) == (True, True)


def test_keeping_the_journal_puts_the_reading_aside(evening: Evening) -> None:
    evening.lay(tuple(map(finish, evening.game.state.players)))
    evening.look(2.0)
    evening.table.proposals.dismiss(evening.proposal.id, evening.game.number)
    evening.look(3.0)
    assert (evening.view.id, evening.boards.read_so_far) == ("", 1)


def test_a_pause_keeps_certain_souls_from_being_taken(evening: Evening) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(2.0)
    evening.table.pause(True)
    evening.look(5.0)
    assert evening.game.state.phase == "soul"
    assert evening.proposal.held


def test_outside_the_soul_phase_boards_are_read_when_somebody_asks_and_differences_are_told(
    evening: Evening,
) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(6.0)
    read = evening.boards.read_so_far
    state = evening.game.state
    assert state.phase == "lay"
    wrong = replace(state.players[0], impurity=state.players[0].impurity + 1)
    evening.lay((wrong, *state.players[1:]))
    evening.look(3.0)
    assert evening.boards.read_so_far == read
    evening.table.proposals.read_whole_table()
    assert evening.view.asked
    evening.look(0.3)
    assert evening.boards.read_so_far == read + 1
    (difference,) = evening.view.differences
    assert difference.seat == 0
    assert "impurity" in difference.text
    changes = [
        step.number for step in evening.steps() if step.before.players[0].impurity != step.after.players[0].impurity
    ]
    assert difference.entry == (changes[-1] if changes else None)
    with refused("bad_request"):
        evening.table.proposals.correct(evening.view.id, None, evening.game.number)


def test_at_the_end_the_score_by_camera_stands_beside_the_journals(evening: Evening) -> None:
    rng = random.Random(4)
    while evening.game.state.phase != "over":
        evening.table.play(random_move(evening.game.state, rng), evening.game.number)
    players = evening.game.state.players
    evening.lay(players)
    evening.look(2.0)
    assert [(one.seen, one.kept) for one in evening.view.points] == [
        (score.total, score.total) for score in evening.game.scores
    ]
    assert evening.view.differences == ()
    more = replace(players[1], low=Tokens(red=6 - players[1].low.total))
    evening.lay((players[0], more, players[2]))
    evening.look(2.0)
    assert [one.seat for one in evening.view.points if one.seen != one.kept] == [1]
    assert evening.view.differences != ()


@pytest.mark.parametrize("round", [1, 4])
def test_a_soul_phase_that_was_entered_otherwise_is_taken_anew_at_one_tap(evening: Evening, round: int) -> None:
    rng = random.Random(6)
    while evening.game.state.round < round or evening.game.state.phase != "soul":
        evening.table.play(random_move(evening.game.state, rng), evening.game.number)
    begun = evening.game.state
    for seat in range(3):
        evening.table.play(FinishSoul(seat), evening.game.number)
    assert evening.game.state.phase == ("lay" if round < 4 else "over")
    seen = exhausted(begun)
    evening.lay(seen)
    evening.look(0.5)
    evening.table.proposals.read_whole_table()
    evening.look(2.0)
    assert evening.view.replacement
    assert evening.view.differences != ()
    evening.table.proposals.correct(evening.view.id, None, evening.game.number)
    assert evening.game.state.phase == ("lay" if round < 4 else "over")
    rows = [(player.low, player.middle, player.high) for player in evening.game.state.players]
    assert rows == [(player.low, player.middle, player.high) for player in seen]
    if round == 4:
        assert (evening.view.replacement, evening.view.differences) == (False, ())


def test_nothing_is_taken_anew_where_a_board_could_not_have_come_about(evening: Evening) -> None:
    for seat in range(3):
        evening.table.play(FinishSoul(seat), evening.game.number)
    players = evening.game.state.players
    evening.lay((replace(players[0], high=Tokens(blue=4)), *players[1:]))
    evening.look(0.5)
    evening.table.proposals.read_whole_table()
    evening.look(2.0)
    assert evening.view.differences != ()
    assert not evening.view.replacement


def test_a_doubtful_spot_is_asked_about_with_its_choices(evening: Evening) -> None:
    state = evening.game.state
    sure = lying(tuple(map(finish, state.players)))
    first = sure.boards[0]
    unsure = doubting(first, "low", 5, *("red", "green", "blue", "yellow"))
    evening.lay((), BoardsReading((unsure, *sure.boards[1:])))
    evening.look(6.0)
    assert evening.game.state.phase == "soul"
    assert not evening.proposal.certain


def test_boards_that_cannot_be_read_are_told_and_the_game_goes_on(evening: Evening) -> None:
    evening.boards.refuses = True
    evening.lay(evening.game.state.players)
    evening.look(2.0)
    assert evening.view.trouble == "The picture cannot be used."
    evening.table.play(FinishSoul(0), evening.game.number)
    assert evening.game.waiting_for == (1, 2)


def test_a_table_that_knows_no_boards_offers_nothing(tmp_path: Path) -> None:
    clock = Clock()
    table = Table(SavedGames(tmp_path / "games"), STANDIN, clock=clock, work=AtOnce())
    begun(table, clock, None)
    Evening(table, clock, PlacedBoards(), tmp_path / "games").look(2.0)
    assert table.view.comparison is None
    with refused("not_now"):
        table.proposals.read_whole_table()
    table.close()


def test_reading_does_not_keep_frames_waiting(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as work:
        evening = evening_with(tmp_path, work)
        evening.lay(exhausted(evening.game.state))
        evening.look(1.6)
        work.submit(lambda: None).result(10)
        evening.look(5.0)
        work.submit(lambda: None).result(10)
        assert evening.boards.read_so_far == 2  # read, and confirmed after the countdown
        assert evening.game.state.phase == "lay"
        evening.table.close()
