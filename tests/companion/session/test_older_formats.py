"""Games that older companions wrote: read, gone on with and exported, with every entry left as it was written."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Change, DamagedJournal, Revised, Seat, Session, Stage, Supplied, Undone
from companion.session.archive import read_archive, write_archive
from companion.session.journal import Journal, Row
from companion.table.history.saved_games import SavedGames

FOLDER = Path(__file__).parents[2] / "golden"
LINES = (FOLDER / "wicked-format-2.jsonl").read_text(encoding="utf-8").splitlines()
"""A whole game that a companion of format 2 wrote, with undone, corrected and supplied entries."""
TOTALS = (23, 31, 31)
"""The scores that the same companion computed."""


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    """Store the game as its companion did."""
    path = tmp_path / "old.journal"
    Journal.create(path, [Row(line) for line in LINES]).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    return path


def test_a_whole_game_of_format_2_leads_where_it_led(path: Path) -> None:
    with Session.open(path, read_only=True) as session:
        assert session.game is WICKED
        assert session.started.setup == WickedSetup(STANDIN, 1)
        assert session.seats == (Seat("Ada", "purple"), Seat("Bo", "green"), Seat("Cy", "red"))
        assert [score.total for score in WICKED.final_scores(session.state)] == list(TOTALS)
        assert {type(entry) for entry in session.entries} > {Undone, Supplied, Revised}
        assert session.entries[2].stage == Stage("gain", 1, 1)


def test_a_game_whose_rounds_another_version_counted_differently_is_opened(tmp_path: Path) -> None:
    path, last = tmp_path / "counted.journal", LINES[-1].replace('"round":4', '"round":5')
    assert last != LINES[-1]
    Journal.create(path, [Row(line) for line in (*LINES[:-1], last)]).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with Session.open(path, read_only=True) as session:
        assert [score.total for score in WICKED.final_scores(session.state)] == list(TOTALS)


def test_a_game_that_leads_to_another_phase_than_when_it_was_played_is_refused(tmp_path: Path) -> None:
    path, last = tmp_path / "led-elsewhere.journal", LINES[-1].replace('"phase":"over"', '"phase":"soul"')
    assert last != LINES[-1]
    Journal.create(path, [Row(line) for line in (*LINES[:-1], last)]).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with pytest.raises(DamagedJournal, match="leads to another state"):
        Session.open(path, read_only=True)


def test_its_summary_is_read_from_its_first_and_last_entry(path: Path) -> None:
    seen = Session.peek(path)
    assert (seen.game, seen.number, seen.stage) == ("wicked", len(LINES), Stage("over", 4, 4))
    assert [seat.figure for seat in seen.seats] == ["purple", "green", "red"]


def test_new_entries_follow_the_old_ones_in_the_present_form(path: Path) -> None:
    with Session.open(path) as session:
        reveal = next(step for step in session.steps if isinstance(step.move, Reveal))
        session.undo()
        session.correct(session.what_if([Change(reveal.number, reveal.move)]).revision)
        bodies = session.bodies()
    assert list(bodies[: len(LINES)]) == LINES
    assert '"step":4' in bodies[len(LINES)]
    with Session.open(path, read_only=True) as again:
        assert again.number == len(LINES) + 2
        assert again.state == session.state


def test_an_export_has_the_entries_as_they_were_written_and_comes_back_so(path: Path, tmp_path: Path) -> None:
    first, second = io.BytesIO(), io.BytesIO()
    with Session.open(path, read_only=True) as session:
        write_archive(session, first)
    elsewhere = SavedGames(tmp_path / "elsewhere")
    with elsewhere.open(elsewhere.import_game(read_archive(first))) as there:
        write_archive(there, second)
        assert there.entries == session.entries
    assert second.getvalue() == first.getvalue()
    with zipfile.ZipFile(second) as archive:
        assert archive.read("journal.jsonl").decode().splitlines() == LINES


def test_an_archive_of_format_1_keeps_its_journal_word_for_word(tmp_path: Path) -> None:
    file = FOLDER / "wicked-3-players.game.zip"
    with zipfile.ZipFile(file) as archive:
        lines = archive.read("journal.jsonl")
        assert b'"format": 1' in archive.read("meta.json")
    saved = SavedGames(tmp_path / "games")
    again = io.BytesIO()
    with saved.open(saved.import_game(read_archive(file))) as session:
        assert session.game is WICKED
        write_archive(session, again)
    with zipfile.ZipFile(again) as archive:
        assert archive.read("journal.jsonl") == lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"corridor":1', '"corridor":"1"'),
        ('"colour":"green"', '"colour":7'),
        ('"seats":[', '"seats":{"a":['[:-1] + "7,"),
    ],
    ids=["stage", "colour", "seats"],
)
def test_an_old_entry_with_a_wrong_value_is_refused_like_a_new_one(tmp_path: Path, old: str, new: str) -> None:
    broken = tmp_path / "broken.journal"
    Journal.create(broken, [Row(line.replace(old, new, 1)) for line in LINES]).close()
    with pytest.raises(DamagedJournal, match="is damaged: an entry cannot be read"):
        Session.open(broken)
