"""Plain error lines for SQLite and disk errors of a journal's file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from calibration.translatable import say
from companion.session.errors import (
    DamagedJournal,
    JournalError,
    LockedJournal,
    NotAJournal,
    UnwritableJournal,
)


@contextlib.contextmanager
def as_journal_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and the disk inside the block to JournalError. path: of the journal."""
    try:
        yield
    except sqlite3.Error as error:
        raise journal_error(error, path) from None
    except (UnicodeError, ValueError, TypeError, OverflowError):
        # Values from a damaged file may have any type.
        raise DamagedJournal(path, say("parts of the file are broken")) from None
    except OSError as error:
        raise UnwritableJournal(
            say(
                "{path} cannot be written ({reason}). Check the disk and the folder.",
                path=path,
                reason=error.strerror,
            )
        ) from None


def journal_error(error: sqlite3.Error, path: Path) -> JournalError:
    """Return the JournalError that describes an SQLite error. path: of the journal."""
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(say("The saved game {path} is closed.", path=path))
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LockedJournal(
                say(
                    "The game {path} is open in another companion on this computer. Close that one, or play "
                    "on there.",
                    path=path,
                )
            )
        case sqlite3.SQLITE_FULL:
            return UnwritableJournal(
                say(
                    "The disk is full, so the move could not be saved to {path}; the game stays as it was. "
                    "Free some space and try again.",
                    path=path,
                )
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return UnwritableJournal(
                say(
                    "{path} cannot be opened or written; nothing was changed. Check that its folder exists and may "
                    "be written, and that the disk works.",
                    path=path,
                )
            )
        case sqlite3.SQLITE_NOTADB:
            return NotAJournal(
                say(
                    "{path} is not a saved game of this companion. Check the name; the file is unchanged.",
                    path=path,
                )
            )
        case sqlite3.SQLITE_CORRUPT:
            return DamagedJournal(path, say("parts of the file are broken"))
        case _:
            return DamagedJournal(path, str(error))
