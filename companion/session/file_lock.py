"""Exclusive locks that the system releases when the process ends, however it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.session.file_errors import journal_error


def acquire_lock(path: Path) -> sqlite3.Connection:
    """Acquire the exclusive lock of a file or folder without waiting; closing the connection releases it.

    The lock file lies beside it (`…-lock`) and is never removed, because removing lock files is a race. SQLite's
    own file locking is used: it works alike on every system and between threads of one process. Raises
    LockedJournal where the lock is held elsewhere, another JournalError where it cannot be created.
    """
    beside = path.with_name(path.name + "-lock")
    try:
        lock = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise journal_error(error, path) from None
    try:
        lock.execute("PRAGMA journal_mode = OFF")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise journal_error(error, path) from None
    return lock
