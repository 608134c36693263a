"""The file of a game: an append-only SQLite database with one row per entry.

Format 3: table `entry` (number from 1 without gaps, JSON body, digest chained over all bodies before), table
`evidence` (a picture for some entries) and table `still` (the frames that an entry was read from, by name).
Triggers refuse UPDATE and DELETE, so not even a mistake in this program rewrites a game. WAL with
synchronous=FULL: when `append` returns, the entry survives a power cut; when the process dies inside it, the
entry is there wholly or not at all.

Format 2 named no game in the opening entry; format 1 also had no stills, no `supplied` entries and no corrections
of several moves. Both are read as they are; a game of them is upgraded to format 3 when it is resumed, so that an
older companion reports a newer format instead of damage. The format's number grows whenever an entry can have new
content.

One writer per game: an exclusive lock on a small file beside the journal (`…-lock`), which the system releases when
the process ends. That file is never removed, because removing lock files is a race. Readers need no lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.files.path_checks import is_file
from calibration.translatable import say
from companion.session.errors import DamagedJournal, NewerJournal, NotAJournal, UnwritableJournal
from companion.session.file_errors import as_journal_errors, journal_error
from companion.session.file_lock import acquire_lock

FORMAT = 3
"""Version of the format; a newer one is refused."""
_APPLICATION_ID = 0x57434B4C
"""Marks the SQLite file as a journal of ours ("WCKL")."""

_SCHEMA = """
CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE TABLE evidence (
    number INTEGER PRIMARY KEY REFERENCES entry (number),
    picture BLOB NOT NULL
) STRICT;
CREATE TRIGGER entry_in_order BEFORE INSERT ON entry
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entry)
BEGIN SELECT raise(ABORT, 'entries are added in order, one after the last'); END;
CREATE TRIGGER evidence_with_its_entry BEFORE INSERT ON evidence
WHEN NEW.number IS NOT (SELECT max(number) FROM entry)
BEGIN SELECT raise(ABORT, 'evidence is added with its entry'); END;
"""
"""Tables of format 1 with their triggers."""
_FORBID = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT raise(ABORT, 'a journal is never rewritten'); END;
"""
"""Triggers against changes of a table."""
_STILLS = """
CREATE TABLE IF NOT EXISTS still (
    number INTEGER NOT NULL REFERENCES entry (number),
    name TEXT NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (number, name)
) STRICT;
CREATE TRIGGER IF NOT EXISTS still_with_its_entry BEFORE INSERT ON still
WHEN NEW.number IS NOT (SELECT max(number) FROM entry)
BEGIN SELECT raise(ABORT, 'a still is added with its entry'); END;
"""
"""Table added by format 2."""
_TABLES = ("entry", "evidence", "still")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry with its pictures, which one transaction writes."""

    body: str
    """The entry as JSON."""
    picture: bytes | None = None
    """The entry's picture (its evidence), JPEG."""
    stills: Mapping[str, bytes] = field(default_factory=dict)
    """The frames that the entry was read from, JPEG by name."""


class Journal:
    """An open journal file. Thread-safe; raises JournalError with one plain line."""

    def __init__(self, path: Path, connection: sqlite3.Connection, writer: sqlite3.Connection | None) -> None:
        self.path = path
        self._connection = connection
        self._writer_lock = writer
        self._mutex = threading.RLock()
        self._number, self._digest = 0, ""

    @classmethod
    def create(cls, path: Path, rows: Sequence[Row]) -> Journal:
        """Create a journal with its first entries. The file appears whole or not at all."""
        writer = acquire_lock(path)
        try:
            if path.exists():
                raise UnwritableJournal(
                    say("{path} already exists, and games are never overwritten. Choose another name.", path=path)
                )
            with as_journal_errors(path):
                _write_new(path, rows)
            return cls._open_to_write(path, writer)
        except BaseException:
            writer.close()
            raise

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Journal:
        """Open a journal for writing, or read-only, which also works while another companion writes it."""
        if not is_file(path):
            raise NotAJournal(say("There is no saved game at {path}. Check the name.", path=path))
        if read_only:
            return cls(path, _connect_to_read(path), None)
        _connect_to_read(path).close()
        writer = acquire_lock(path)
        try:
            return cls._open_to_write(path, writer)
        except BaseException:
            writer.close()
            raise

    @classmethod
    def _open_to_write(cls, path: Path, writer: sqlite3.Connection) -> Journal:
        """Open a journal to write, upgrade it to the present format and return it. writer: the lock, held."""
        with as_journal_errors(path):
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
            )
        try:
            with as_journal_errors(path):
                # A copied file may not be in WAL mode; otherwise this is a no-op.
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.executescript(_STILLS + _forbidding_triggers("still"))
                if connection.execute("PRAGMA user_version").fetchone()[0] < FORMAT:
                    connection.execute(f"PRAGMA user_version = {FORMAT}")
            return cls(path, connection, writer)
        except BaseException:
            connection.close()
            raise

    def bodies(self) -> tuple[str, ...]:
        """Return the JSON of every entry in order. Raises DamagedJournal where the chain of digests is broken."""
        with self._mutex:
            with as_journal_errors(self.path):
                rows = self._connection.execute("SELECT number, body, digest FROM entry ORDER BY number").fetchall()
            digest = ""
            for place, (number, body, written) in enumerate(rows, start=1):
                digest = _digest(digest, body)
                if number != place or written != digest or not isinstance(body, str):
                    raise DamagedJournal(self.path, say("entry {place} is missing or was changed", place=place))
            if not rows:
                raise DamagedJournal(self.path, say("it has no entries"))
            self._number, self._digest = len(rows), digest
            return tuple(body for _, body, _ in rows)

    def ends(self) -> tuple[str, str]:
        """Return the JSON of the first and the last entry, for lists of games. The digests are not checked."""
        with self._mutex, as_journal_errors(self.path):
            first = self._connection.execute("SELECT body FROM entry ORDER BY number LIMIT 1").fetchone()
            last = self._connection.execute("SELECT body FROM entry ORDER BY number DESC LIMIT 1").fetchone()
        if first is None or last is None:
            raise DamagedJournal(self.path, say("it has no entries"))
        if not (isinstance(first[0], str) and isinstance(last[0], str)):
            raise DamagedJournal(self.path, say("parts of the file are broken"))
        return first[0], last[0]

    def append(self, *rows: Row) -> int:
        """Append entries with their pictures in one transaction; return the last number once they are on the disk.

        On any error nothing is appended. `bodies` must have been called before.
        """
        with self._mutex:
            if self._writer_lock is None:
                raise UnwritableJournal(say("This game is open for reading only."))
            number, digest = self._number, self._digest
            with as_journal_errors(self.path), _transaction(self._connection):
                for row in rows:
                    number, digest = number + 1, _digest(digest, row.body)
                    _insert_entry(self._connection, number, row, digest)
            self._number, self._digest = number, digest
            return number

    def picture(self, number: int) -> bytes | None:
        """Return the picture kept with an entry (its evidence), JPEG; None without one. number: of the entry."""
        with self._mutex, as_journal_errors(self.path):
            row = self._connection.execute("SELECT picture FROM evidence WHERE number = ?", (number,)).fetchone()
            return None if row is None else _as_picture(row[0])

    def stills(self, number: int) -> dict[str, bytes]:
        """Return the camera's frames that an entry was read from, JPEG by name; empty where none were stored."""
        with self._mutex, as_journal_errors(self.path):
            kept = self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'still'").fetchone()
            if kept is None:
                return {}
            rows = self._connection.execute(
                "SELECT name, picture FROM still WHERE number = ? ORDER BY name", (number,)
            ).fetchall()
            return {str(name): _as_picture(picture) for name, picture in rows}

    def close(self) -> None:
        """Close the file and release its lock; closing twice is harmless."""
        with self._mutex:
            self._connection.close()
            if self._writer_lock is not None:
                self._writer_lock.close()


def _as_picture(value: object) -> bytes:
    """Return a stored picture as bytes. Raises TypeError for another type, from a damaged file."""
    if not isinstance(value, bytes):
        raise TypeError("no picture")
    return value


def _digest(before: str, body: str) -> str:
    """Return the SHA-256 digest of the previous entry's digest and an entry's JSON, as hexadecimal text."""
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction, rolled back on an SQLite error."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def _insert_entry(connection: sqlite3.Connection, number: int, row: Row, digest: str) -> None:
    """Insert an entry with its pictures."""
    connection.execute("INSERT INTO entry (number, body, digest) VALUES (?, ?, ?)", (number, row.body, digest))
    if row.picture is not None:
        connection.execute("INSERT INTO evidence (number, picture) VALUES (?, ?)", (number, row.picture))
    connection.executemany(
        "INSERT INTO still (number, name, picture) VALUES (?, ?, ?)",
        [(number, name, picture) for name, picture in row.stills.items()],
    )


def _forbidding_triggers(table: str) -> str:
    """Return SQL that makes a table append-only."""
    return "".join(_FORBID.format(table=table, verb=verb) for verb in ("UPDATE", "DELETE"))


def _write_new(path: Path, rows: Sequence[Row]) -> None:
    """Write a new journal under a temporary name, then rename it, so that no half-written file is ever visible."""
    draft = path.with_name(path.name + "-new")
    for leftover in (draft, *(path.with_name(f"{path.name}-new{end}") for end in ("-wal", "-shm", "-journal"))):
        leftover.unlink(missing_ok=True)
    connection = sqlite3.connect(draft, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.executescript(_SCHEMA + _STILLS + "".join(_forbidding_triggers(table) for table in _TABLES))
        digest = ""
        with _transaction(connection):
            for number, row in enumerate(rows, start=1):
                digest = _digest(digest, row.body)
                _insert_entry(connection, number, row, digest)
    except sqlite3.Error:
        connection.close()
        draft.unlink(missing_ok=True)
        raise
    connection.close()
    draft.rename(path)
    if os.name == "posix":
        folder = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to a file that is a journal of a supported format.

    Only SQLite ever opens the file: closing a second handle would release SQLite's locks on it.
    """
    address = path.absolute().as_uri()
    try:
        connection = _connect_if_ours(path, f"{address}?mode=ro")
    except UnicodeError:
        raise DamagedJournal(path, say("parts of the file are broken")) from None
    except sqlite3.OperationalError as error:
        # A closed journal on a read-only disk: WAL cannot create its index beside it. Without an unfinished WAL
        # nothing can be missing, so it is read as immutable.
        unfinished = path.with_name(path.name + "-wal")
        if unfinished.exists() and unfinished.stat().st_size:
            raise journal_error(error, path) from None
        with as_journal_errors(path):
            return _connect_if_ours(path, f"{address}?mode=ro&immutable=1")
    except sqlite3.Error as error:
        raise journal_error(error, path) from None
    # A handle that is able to write removes the WAL's files on closing; `query_only` keeps it from writing.
    try:
        tidy = _connect_if_ours(path, f"{address}?mode=rw")
    except (sqlite3.Error, UnicodeError):
        return connection
    connection.close()
    tidy.execute("PRAGMA query_only = ON")
    return tidy


def _connect_if_ours(path: Path, address: str) -> sqlite3.Connection:
    """Return a connection to a file that is a journal of a supported format.

    address: URI for SQLite. Raises NotAJournal or NewerJournal.
    """
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != _APPLICATION_ID:
            raise NotAJournal(
                say(
                    "{path} is not a saved game of this companion. Check the name; the file is unchanged.",
                    path=path,
                )
            )
        if version > FORMAT:
            raise NewerJournal(
                say(
                    "This game was saved by a newer companion (format {version}; this one reads up to {format}). "
                    "Update the companion; the file is unchanged.",
                    version=version,
                    format=FORMAT,
                )
            )
    except BaseException:
        connection.close()
        raise
    return connection
