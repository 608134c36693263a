"""Errors of saved games: one plain line each, with what is wrong and what to do."""

from __future__ import annotations

from pathlib import Path

from calibration.translatable import say


class SessionError(Exception):
    """Base of the errors of saved games: the command failed and the game is unchanged."""


class StaleMove(SessionError):
    """A command that was made for another state number than the present one."""

    def __init__(self, at: int, number: int) -> None:
        super().__init__(
            say(
                "This was entered for state {at}, but the game is at state {number} now. Check the game and try "
                "again.",
                at=at,
                number=number,
            )
        )
        self.at = at
        self.number = number


class NoSuchEntry(SessionError):
    """The entry does not exist or no longer counts, or nothing is left to undo."""


class Malformed(SessionError, ValueError):
    """JSON of the wrong form: unknown type or key, wrong value, too large."""


class ArchiveError(SessionError):
    """A file that is not an exported game, or must not be imported: one plain line."""


class JournalError(SessionError):
    """A journal that cannot be read or written."""


class NotAJournal(JournalError):
    """The file is missing or not a journal."""


class NewerJournal(JournalError):
    """The journal's format is newer than this program."""


class DamagedJournal(JournalError):
    """The file was changed or damaged after it was written, or its moves break the present rules."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            say(
                "The saved game {path} is damaged: {what}. Use a copy of it, or start a new game.",
                path=path,
                what=what,
            )
        )


class LockedJournal(JournalError):
    """Another running companion has the game open for writing."""


class UnwritableJournal(JournalError):
    """The disk is full, or the file or its folder may not be written."""
