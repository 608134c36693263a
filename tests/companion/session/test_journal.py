"""The file: only ever added to, whole or not at all, and one plain line for each way to be unusable."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_origin

import pytest
from click.testing import CliRunner

from companion.cli.replay import replay
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import (
    DamagedJournal,
    JournalError,
    LockedJournal,
    NewerJournal,
    NotAJournal,
    Session,
    UnwritableJournal,
    journal,
)
from companion.session.entries import Entry
from companion.session.journal import Journal, Row
from tests.companion.session.conftest import SEATS, NewGame

MOVE = Reveal((Hand(1), Hand(0), Hand(0)))


@pytest.fixture(name="connections")
def _connections(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], sqlite3.Connection]:
    """Return the newest open connection of this process to a file, as if its disk could be manipulated."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noting(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    def newest(path: Path) -> sqlite3.Connection:
        return next(one for one in reversed(opened) if file_of(one) == path)

    monkeypatch.setattr(sqlite3, "connect", noting)
    return newest


def file_of(connection: sqlite3.Connection) -> Path | None:
    """Return the file that a connection is open to; None once it is closed."""
    try:
        return Path(connection.execute("PRAGMA database_list").fetchone()[2])
    except sqlite3.ProgrammingError:
        return None


def closed_game(new_game: NewGame, name: str = "friday") -> Path:
    session = new_game(name)
    session.play(MOVE, evidence=b"picture")
    session.undo()
    session.close()
    return session.path


def tamper(path: Path, *statements: str) -> None:
    """Do to a journal what its triggers forbid, as a broken disk or a meddler might."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for name in ("entry_no_UPDATE", "entry_no_DELETE", "entry_in_order"):
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)


REWRITING = [
    "UPDATE entry SET body = '{}' WHERE number = 2",
    "UPDATE entry SET number = 7 WHERE number = 3",
    "DELETE FROM entry WHERE number = 3",
    "DELETE FROM entry",
    "UPDATE evidence SET picture = x'00'",
    "DELETE FROM evidence",
    "INSERT OR REPLACE INTO entry VALUES (2, '{}', '')",
    "INSERT INTO entry VALUES (9, '{}', '')",
    "INSERT OR REPLACE INTO evidence VALUES (2, x'00')",
]


def test_the_file_itself_refuses_to_be_rewritten(new_game: NewGame, subtests: pytest.Subtests) -> None:
    for number, statement in enumerate(REWRITING):
        with subtests.test(statement):
            path = closed_game(new_game, f"game-{number}")
            with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
            with Session.open(path) as session:
                assert (session.number, session.evidence(2)) == (3, b"picture")


def test_the_journal_is_written_through_to_the_disk(
    new_game: NewGame, connections: Callable[[Path], sqlite3.Connection]
) -> None:
    connection = connections(new_game().path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_closed_game_is_one_file_beside_its_lock(new_game: NewGame, tmp_path: Path) -> None:
    closed_game(new_game)
    Session.peek(tmp_path / "friday.journal")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["friday.journal", "friday.journal-lock"]


def test_a_journal_from_a_newer_companion_is_left_alone(new_game: NewGame) -> None:
    path = closed_game(new_game)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 4")
    before = path.read_bytes()
    for look in (Session.open, Session.peek):
        with pytest.raises(NewerJournal) as refusal:
            look(path)
        assert str(refusal.value) == (
            "This game was saved by a newer companion (format 4; this one reads up to 3). "
            "Update the companion; the file is unchanged."
        )
    assert path.read_bytes() == before


def made_older(path: Path) -> None:
    """Make a closed game one of format 1, as companions before this one left it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE still; PRAGMA user_version = 1;")


def test_a_game_of_an_older_companion_is_read_as_it_is_and_goes_on(new_game: NewGame) -> None:
    path = closed_game(new_game)
    made_older(path)
    before = path.read_bytes()
    assert Session.peek(path).number == 3
    with Session.open(path, read_only=True) as session:
        assert (session.number, session.stills(2)) == (3, {})
    assert path.read_bytes() == before
    with Session.open(path) as session:
        session.play(MOVE, stills={"frame-1": b"frame"})
        assert session.stills(4) == {"frame-1": b"frame"}


def test_a_game_that_is_gone_on_with_tells_an_older_companion_that_it_is_too_old(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = closed_game(new_game)
    made_older(path)
    Session.open(path).close()
    monkeypatch.setattr(journal, "FORMAT", 1)
    for look in (Session.open, Session.peek):
        with pytest.raises(NewerJournal, match=r"format 3; this one reads up to 1\). Update the companion"):
            look(path)


def test_what_entries_say_is_what_the_format_number_promises() -> None:
    """An older companion would take an entry that says anything else for damage: with it the number has to grow."""
    kinds = [get_origin(kind) or kind for kind in get_args(Entry)]
    said = {kind.__name__: [field.name for field in fields(kind)] for kind in kinds}
    for names in said.values():
        assert names[:3] == ["number", "time", "stage"]
        assert names[-1] == "type"
    assert (journal.FORMAT, {kind: names[3:-1] for kind, names in said.items()}) == (
        3,
        {
            "Started": ["game", "seats", "setup", "version"],
            "Played": ["move", "source", "evidence"],
            "Undone": ["entry"],
            "Supplied": ["after", "move"],
            "Revised": ["entry", "move", "also", "dropped", "supplied"],
        },
    )


def write_text(path: Path) -> None:
    path.write_text("shopping list\n" * 100)


def write_other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (a)")


OTHER_FILES: list[Callable[[Path], None]] = [
    Path.touch,
    Path.mkdir,
    write_text,
    write_other_database,
    lambda path: None,
]


def test_what_is_no_journal_is_called_so_and_left_alone(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, make in enumerate(OTHER_FILES):
        with subtests.test(make.__name__):
            path = tmp_path / f"other-{number}.journal"
            make(path)
            before = path.read_bytes() if path.is_file() else None
            for look in (Session.open, Session.peek, lambda path: Session.open(path, read_only=True)):
                with pytest.raises(NotAJournal, match=r"no saved game|not a saved game") as refusal:
                    look(path)
                assert "\n" not in str(refusal.value)
            assert (path.read_bytes() if path.is_file() else None) == before


DAMAGE = [
    ["UPDATE entry SET body = replace(body, '\"search\":1', '\"search\":2') WHERE number = 2"],
    ["DELETE FROM entry WHERE number = 2"],
    ["DELETE FROM entry"],
    ["UPDATE entry SET body = 'not JSON' WHERE number = 3"],
    ["DROP TABLE entry"],
]


def test_a_damaged_journal_is_refused_and_never_half_read(new_game: NewGame, subtests: pytest.Subtests) -> None:
    for number, damage in enumerate(DAMAGE):
        with subtests.test(f"{damage!r:.60}"):
            path = closed_game(new_game, f"game-{number}")
            tamper(path, *damage)
            with pytest.raises(DamagedJournal, match="is damaged") as refusal:
                Session.open(path)
            assert "\n" not in str(refusal.value)


def test_a_file_with_broken_pages_is_called_damaged(new_game: NewGame) -> None:
    path = closed_game(new_game)
    whole = bytearray(path.read_bytes())
    whole[4096:] = bytes(len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(DamagedJournal):
        Session.open(path)


def test_moves_that_the_rules_here_refuse_are_reported_by_their_entry(new_game: NewGame) -> None:
    session = new_game()
    session.play(MOVE)
    session.close()
    written = Journal.open(session.path)
    impossible = written.bodies()[1].replace('"number":2', '"number":3').replace('"search":1', '"search":6')
    written.append(Row(impossible))
    written.close()
    with pytest.raises(DamagedJournal, match=r"entry 3, written by version .*, breaks the present rules"):
        Session.open(session.path)


def test_two_companions_cannot_write_one_game_but_another_may_look_on(new_game: NewGame) -> None:
    session = new_game()
    session.play(MOVE)
    with pytest.raises(LockedJournal, match="open in another companion"):
        Session.open(session.path)
    look = "import sys; from companion.session import Session; Session.open(sys.argv[1])"
    other = subprocess.run([sys.executable, "-c", look, session.path], capture_output=True, text=True, check=False)
    assert "LockedJournal" in other.stderr
    with Session.open(session.path, read_only=True) as reader:
        assert reader.state == session.state
    session.undo()
    session.close()
    with Session.open(session.path) as again:
        assert again.number == 3


def test_what_is_open_for_reading_only_refuses_to_be_played(new_game: NewGame) -> None:
    path = closed_game(new_game)
    with Session.open(path, read_only=True) as reader, pytest.raises(UnwritableJournal, match="reading only"):
        reader.play(MOVE)


def test_a_full_disk_is_reported_and_the_move_can_be_made_again_once_there_is_room(
    new_game: NewGame, connections: Callable[[Path], sqlite3.Connection]
) -> None:
    session = new_game()
    connection = connections(session.path)
    connection.execute("PRAGMA max_page_count = 1")
    state = session.state
    with pytest.raises(UnwritableJournal, match="disk is full"):
        session.play(MOVE, evidence=bytes(100_000))
    assert (session.number, session.state) == (1, state)
    connection.execute("PRAGMA max_page_count = 1000000")
    assert session.play(MOVE, evidence=bytes(100_000)) == 2
    session.close()
    with Session.open(session.path) as again:
        assert len(again.evidence(2) or b"") == 100_000


def test_a_disk_that_may_not_be_written_is_reported(
    new_game: NewGame, connections: Callable[[Path], sqlite3.Connection]
) -> None:
    session = new_game()
    connections(session.path).execute("PRAGMA query_only = ON")
    with pytest.raises(UnwritableJournal, match="cannot be opened or written"):
        session.play(MOVE)
    assert session.number == 1


def test_a_game_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnwritableJournal, match="Check that its folder exists"):
        Session.create(tmp_path / "nowhere" / "a.journal", WICKED, SEATS, WickedSetup(STANDIN))


def test_no_game_is_created_over_another_file(new_game: NewGame) -> None:
    path = closed_game(new_game)
    before = path.read_bytes()
    with pytest.raises(UnwritableJournal, match="already exists"):
        new_game()
    assert path.read_bytes() == before


def test_a_closed_game_says_that_it_is_closed(new_game: NewGame) -> None:
    session = new_game()
    session.close()
    session.close()
    with pytest.raises(JournalError, match="is closed"):
        session.play(MOVE)


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder outside the tests' private one, which others may reach; the test takes its rights away."""
    with TemporaryDirectory() as name:
        yield Path(name)
        Path(name).chmod(0o755)


UNPRIVILEGED = """
import os, sys
from pathlib import Path

from companion.session import Session, UnwritableJournal

path = Path(sys.argv[1])


def look():
    assert Session.peek(path).number == 3
    with Session.open(path, read_only=True) as session:
        assert (session.number, session.evidence(2)) == (3, b"picture")


look()  # imports everything while the files of the program can be read
if os.geteuid() == 0:
    os.seteuid(65534)
look()
try:
    Session.open(path)
except UnwritableJournal as error:
    assert "cannot be opened or written" in str(error)
else:
    raise AssertionError("A journal on a read-only disk was opened for writing.")
"""
"""What somebody who may not write there does, in a process of its own: other threads must not change their user."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="file rights the POSIX way")
def test_a_journal_on_a_read_only_disk_can_be_looked_at_but_not_played(
    new_game: NewGame, read_only_folder: Path
) -> None:
    path = Path(shutil.copy(closed_game(new_game), read_only_folder))
    path.chmod(0o444)
    read_only_folder.chmod(0o555)
    done = subprocess.run([sys.executable, "-c", UNPRIVILEGED, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_replay_tells_every_entry_and_the_scores(new_game: NewGame) -> None:
    path = closed_game(new_game)
    result = CliRunner().invoke(replay, [str(path)])
    assert result.exit_code == 0
    lines = [line for line in result.stdout.splitlines() if line]
    assert lines[0].startswith("   1  ")
    assert lines[0].endswith("UTC: The Wicked Labyrinth; Ada (purple), Bo (green), Cy (red)")
    assert lines[1] == "Round 1"
    assert lines[2].startswith("   2  Corridor 1 of round 1")
    assert lines[3].startswith("   3  Entry 2 is undone (Corridor 1 of round 1")
    assert lines[4:] == [
        "Scores if the game ended now",
        "   1. Ada (purple), 0 points",
        "   1. Bo (green), 0 points",
        "   1. Cy (red), 0 points",
    ]


def test_replay_as_json_has_one_entry_a_line_and_the_scores_last(new_game: NewGame) -> None:
    path = closed_game(new_game)
    result = CliRunner().invoke(replay, ["--json", str(path)])
    *entries, last = map(json.loads, result.stdout.splitlines())
    assert [(entry["number"], entry["type"]) for entry in entries] == [(1, "started"), (2, "played"), (3, "undone")]
    assert entries[1]["move"]["hands"][0] == {"search": 1, "witch": 0, "soul": 0}
    assert all(entry["time"].endswith("Z") for entry in entries)
    assert [(score["name"], score["total"]) for score in last["scores"]] == [("Ada", 0), ("Bo", 0), ("Cy", 0)]
    assert last["final"] is False


def test_replay_of_an_unusable_journal_ends_with_one_line_and_code_3(tmp_path: Path) -> None:
    write_text(tmp_path / "list.journal")
    result = CliRunner().invoke(replay, [str(tmp_path / "list.journal")])
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "is not a saved game" in result.stderr
