"""Exclusive locks between processes, which the system releases when a process ends, however it ends."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

_HELD_ELSEWHERE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Error codes of SQLite for a lock that somebody else holds."""


def exclusive_lock(path: Path, patience: float = 30.0) -> AbstractContextManager[object]:
    """Lock a file, which is created if needed; return a context manager that releases the lock.

    The file is never removed, because removing lock files is a race. SQLite's own file locking is used: it works
    alike on every system and between threads of one process. Where a file cannot be locked, there is no lock.
    patience: seconds to wait for the lock. Raises TimeoutError if it is held elsewhere for longer.
    """
    try:
        return closing(open_lock(path, patience))
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _HELD_ELSEWHERE:
            raise TimeoutError("another companion is using it") from None
        return nullcontext()


def open_lock(path: Path, patience: float) -> sqlite3.Connection:
    """Lock a file as `exclusive_lock` does; closing the returned connection releases the lock.

    Raises sqlite3.Error if the lock is held elsewhere, or the file cannot be locked.
    """
    lock = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode = OFF")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        lock.close()
        raise
    return lock
