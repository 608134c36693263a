"""Commands at a table without a camera: played by hand, refused where they must be, journaled before published."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from calibration.seats import Seating
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul, Hand, Lay, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Session
from companion.table import SavedGames, Table
from companion.table.views import Refused, SeatView, TableView
from tests.companion.table.playing import SEATS, game_of
from tests.refusals import refused
from tests.waiting import LONGEST_WAIT, eventually


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    yield table
    table.close()


def to_search(table: Table, seed: int = 1) -> random.Random:
    """Deal and lay by hand, so that the first corridor is searched."""
    rng = random.Random(seed)
    for _ in range(2):
        game = game_of(table)
        table.play(random_move(game.state, rng), game.number)
    return rng


def test_a_whole_game_can_be_played_by_hand_without_any_camera(table: Table) -> None:
    table.start_game(SEATS)
    rng = random.Random(5)
    while game_of(table).state.phase != "over":
        game = game_of(table)
        table.play(random_move(game.state, rng), game.number)
    game = game_of(table)
    assert {score.place for score in game.scores} >= {1}
    assert len(game.history) == game.number - 1
    assert table.view.camera.state == "preparing"


def test_a_stale_command_is_refused_and_changes_nothing(table: Table) -> None:
    table.start_game(SEATS)
    to_search(table)
    before = table.view
    game = game_of(table)
    move = Reveal((Hand(1), Hand(), Hand()))
    with refused("stale"):
        table.play(move, game.number - 1)
    with refused("stale"):
        table.undo(game.number + 1)
    with refused("stale"):
        table.proposals.accept("nothing", (0,), game.number)
    assert table.view == before


def test_an_illegal_move_is_refused_with_its_reason(table: Table) -> None:
    table.start_game(SEATS)
    to_search(table)
    game = game_of(table)
    with refused("illegal") as caught:
        table.play(Reveal((Hand(99), Hand(), Hand())), game.number)
    assert str(caught.value) == "Ada cannot reveal 99 search pieces: only six left this round."
    assert game_of(table).number == game.number


def test_commands_without_a_game_are_not_for_now(table: Table) -> None:
    with refused("not_now"):
        table.play(Lay(("C01",)), 0)
    with refused("not_now"):
        table.options(0)
    with refused("not_now"):
        table.resume_game("20200101-000000-1")
    with refused("not_now"):
        table.resume_game("../../etc/passwd")


@pytest.mark.parametrize(
    "seats",
    [
        SEATS[:2],
        (*SEATS[:2], SeatView("Chie", "green")),
        (*SEATS[:2], SeatView("  ", "red")),
        (*SEATS[:2], SeatView("ada", "red")),
        (*SEATS[:2], SeatView("x" * 21, "red")),
        (*SEATS[:2], SeatView("Chie\u202eadA", "red")),
        (*SEATS[:2], SeatView("\u2800\u200d", "red")),
    ],
    ids=["too few", "same colour", "no name", "same name", "name too long", "reversed name", "blank name"],
)
def test_players_who_cannot_play_together_are_refused(table: Table, seats: tuple[SeatView, ...]) -> None:
    with refused("bad_request"):
        table.start_game(seats)
    assert table.view.game is None


@pytest.mark.parametrize(
    "name",
    ["\u0645\u06cc\u200c\u0646\u0627", "\U0001f468\u200d\U0001f469", "\U0001f3f4\U000e0067\U000e007f"],
    ids=["Persian", "family", "flag"],
)
def test_a_name_may_join_characters_as_its_script_does(table: Table, name: str) -> None:
    table.start_game((*SEATS[:2], SeatView(name, "red")))
    assert game_of(table).seats[2].name == name


def test_undo_and_revision_move_the_game_on_in_the_journal(table: Table) -> None:
    table.start_game(SEATS)
    to_search(table)
    game = game_of(table)
    table.play(Reveal((Hand(2), Hand(1), Hand())), game.number)
    revealed = game_of(table)
    table.revise(revealed.history[-1].number, Reveal((Hand(3), Hand(1), Hand())), revealed.number)
    outcome = game_of(table).state.outcome
    assert outcome is not None
    assert outcome.hands[0] == Hand(3)
    table.undo(game_of(table).number)
    table.undo(game_of(table).number)
    assert game_of(table).state == game.state
    assert game_of(table).number == game.number + 4


def test_a_player_takes_the_own_choice_back_while_another_goes_on(table: Table) -> None:
    table.start_game(SEATS)
    rng = to_search(table, seed=2)
    while (state := game_of(table).state).phase != "soul" or state.round < 2:
        table.play(random_move(state, rng), game_of(table).number)
    before = game_of(table).state
    for seat in (0, 1):
        table.play(FinishSoul(seat), game_of(table).number)
    mine, other = game_of(table).history[-2:]
    assert (mine.player, other.player) == (0, 1)
    table.undo(game_of(table).number, mine.number)
    after = game_of(table).state
    assert after.players[0] == before.players[0]
    assert after.players[1].finished
    with refused("not_now"):
        table.undo(game_of(table).number, mine.number)


def test_what_was_published_is_in_the_journal_and_the_last_game_is_resumed(table: Table, tmp_path: Path) -> None:
    table.start_game(SEATS)
    to_search(table)
    game = game_of(table)
    with Session.open(tmp_path / "games" / f"{game.id}.journal", read_only=True) as journal:
        assert (journal.number, journal.state) == (game.number, game.state)
    table.close()
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert game_of(again) == game
    assert any("goes on" in line for line in again.view.notices)
    assert [saved.id for saved in again.games()] == [game.id]
    again.close()


def test_no_older_game_goes_on_in_place_of_one_that_a_newer_companion_saved(table: Table, tmp_path: Path) -> None:
    table.start_game(SEATS)
    older = game_of(table).id
    table.start_game(SEATS)
    newest = tmp_path / "games" / f"{game_of(table).id}.journal"
    table.close()
    with closing(sqlite3.connect(newest)) as connection:
        connection.execute("PRAGMA user_version = 4")
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert again.view.game is None
    assert older in [saved.id for saved in again.games()]
    assert any(line.startswith(newest.name) and "newer companion" in line for line in again.view.notices)
    again.close()


def test_a_finished_game_is_not_resumed_by_itself(table: Table, tmp_path: Path) -> None:
    table.start_game(SEATS)
    rng = random.Random(2)
    while game_of(table).state.phase != "over":
        table.play(random_move(game_of(table).state, rng), game_of(table).number)
    table.close()
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert again.view.game is None
    assert again.games()[0].stage.phase == "over"
    again.close()


def test_subscribers_hear_of_changes_and_a_slow_one_does_not_hold_the_table_up(table: Table) -> None:
    heard: list[TableView] = []
    arrived, block = threading.Event(), threading.Event()

    def slow(view: TableView) -> None:
        heard.append(view)
        arrived.set()
        block.wait(LONGEST_WAIT)

    unsubscribe = table.subscribe(slow)
    table.start_game(SEATS)
    assert arrived.wait(LONGEST_WAIT)
    to_search(table)
    newest = table.view
    assert game_of(table).state.phase == "search"
    block.set()
    eventually(lambda: heard[-1] == newest)
    unsubscribe()
    later: list[TableView] = []
    unsubscribe = table.subscribe(later.append)
    table.pause(True)
    eventually(lambda: later and later[-1] != newest)
    unsubscribe()
    assert heard[-1] == newest


def test_options_are_described_in_words_and_are_what_the_rules_allow(table: Table) -> None:
    table.start_game(SEATS)
    rng = to_search(table)
    while game_of(table).state.phase != "soul":
        table.play(random_move(game_of(table).state, rng), game_of(table).number)
    options = table.options(1)
    assert options
    assert all(option.text and "player" in dir(option.move) for option in options)
    table.play(options[0].move, game_of(table).number)
    with refused("bad_request"):
        table.options(7)


def test_many_taps_at_once_make_one_move(table: Table) -> None:
    table.start_game(SEATS)
    to_search(table)
    game = game_of(table)
    move = Reveal((Hand(1), Hand(1), Hand()))
    results: list[str] = []

    def tap() -> None:
        try:
            table.play(move, game.number)
            results.append("played")
        except Refused as refusal:
            results.append(refusal.code)

    threads = [threading.Thread(target=tap) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["played"] + ["stale"] * 7
    assert game_of(table).number == game.number + 1


def test_where_people_sit_is_published_to_screens_and_outlives_the_game(table: Table) -> None:
    table.start_game(SEATS)
    assert (0.0, 120.0, 240.0) in table.view.seatings
    side_by_side = Seating((320.0, 40.0, 180.0))
    table.seating.set_seating(side_by_side)
    version = table.view.version
    table.seating.set_seating(side_by_side)
    assert table.view.version == version, "what is so already changes nothing"
    table.start_game(SEATS)
    assert side_by_side.angles in table.view.seatings
    table.seating.set_seating(Seating.even(3))
    assert table.seating.known == ()


def damage(journal: Path) -> None:
    """Put a byte into the text of a journal's tables that no text can have."""
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(journal.read_bytes())
    data[data.index(b"CREATE TABLE entry") + 3] = 0xAA
    journal.write_bytes(bytes(data))


def test_one_damaged_old_game_is_named_and_everything_else_works(table: Table, tmp_path: Path) -> None:
    table.start_game(SEATS)
    old = game_of(table).id
    table.start_game(SEATS)
    new = game_of(table).id
    table.close()
    damage(tmp_path / "games" / f"{old}.journal")
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert game_of(again).id == new
    assert [game.id for game in again.past.games()] == [new]
    assert any(line.startswith(f"{old}.journal") and "damaged" in line for line in again.view.notices)
    with refused("not_now"):
        again.past.game(old)
    again.close()


def test_the_game_that_was_open_goes_on_whatever_the_clock_said(table: Table, tmp_path: Path) -> None:
    table.start_game(SEATS)
    first = game_of(table).id
    table.start_game(SEATS)
    table.resume_game(first)
    table.close()
    later = time.time() + 1e6
    for journal in (tmp_path / "games").glob("*.journal"):
        if first not in journal.name:
            os.utime(journal, (later, later))
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert game_of(again).id == first
    again.close()


@pytest.mark.parametrize("kept_a_record", [True, False])
def test_an_imported_game_never_goes_on_by_itself(table: Table, tmp_path: Path, kept_a_record: bool) -> None:
    elsewhere = Table(SavedGames(tmp_path / "elsewhere"), STANDIN)
    elsewhere.start_game(SEATS)
    with (tmp_path / "game.zip").open("wb") as file:
        elsewhere.past.export(game_of(elsewhere).id, file)
    elsewhere.close()
    table.start_game(SEATS)
    own = game_of(table).id
    table.close()
    if not kept_a_record:
        (tmp_path / "games" / "last-opened").unlink()
    Table(SavedGames(tmp_path / "games"), STANDIN).past.import_game(tmp_path / "game.zip")
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_unfinished()
    assert game_of(again).id == own
    again.close()
