"""Exclusive locks that the system releases when the process ends, however it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from calibration.files.file_lock import open_lock
from companion.session.file_errors import journal_error


def acquire_lock(path: Path) -> sqlite3.Connection:
    """Acquire the exclusive lock of a file or folder without waiting; closing the connection releases it.

    The lock file lies beside it (`…-lock`) and is never removed. Raises LockedJournal where the lock is held
    elsewhere, another JournalError where it cannot be created.
    """
    try:
        return open_lock(path.with_name(path.name + "-lock"), patience=0)
    except sqlite3.Error as error:
        raise journal_error(error, path) from None
