"""Corrects earlier moves of the game that a table plays: shown first, then made just as shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.session import Change, Choice, Revision, Session
from companion.table.history.revisions import EarlierMove, RevisionView, earlier_move, revision_view
from companion.table.refusals import refusals


class CorrectionService:
    """A table's earlier moves. Callable from any thread; every method raises `Refused` and then nothing changed.

    at: gives the game that is played where it stands at this state number, else raises; moved: tells everybody.
    """

    def __init__(
        self, lock: threading.RLock, at: Callable[[int], Session], moved: Callable[[Session], None]
    ) -> None:
        self._lock = lock
        self._at = at
        self._moved = moved

    def earlier_move(self, entry: int, at: int) -> EarlierMove:
        """Tell a move of the game with what could be in its place."""
        with self._lock, refusals(session := self._at(at)):
            return earlier_move(session, entry)

    def what_if(self, changes: Sequence[Change], choices: Sequence[Choice], at: int) -> RevisionView:
        """Tell what a correction would change, and change nothing."""
        with self._lock, refusals(session := self._at(at)):
            return revision_view(session, changes, choices)

    def correct(self, revision: Revision, at: int) -> None:
        """Correct earlier moves just as `what_if` told it."""
        with self._lock:
            with refusals(session := self._at(at)):
                session.correct(revision, at)
            self._moved(session)
