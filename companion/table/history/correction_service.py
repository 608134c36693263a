"""Corrects earlier moves of the running game: a correction is previewed first, then made as previewed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.session import Change, InsertedMove, Revision, Session
from companion.table.history.correction_previews import EarlierMove, RevisionView, earlier_move, revision_view
from companion.table.refusals import refusals


class CorrectionService:
    """Corrects the running game. Callable from any thread; every method may raise `Refused`.

    at: returns the session if its state has this number, else raises `Refused`. moved: called after a correction.
    In the methods, `at` is the number of the state that the call is made for.
    """

    def __init__(
        self, lock: threading.RLock, at: Callable[[int], Session], moved: Callable[[Session], None]
    ) -> None:
        self._lock = lock
        self._at = at
        self._moved = moved

    def earlier_move(self, entry: int, at: int) -> EarlierMove:
        """Return the move of the journal entry with the number `entry`, and its possible replacements.

        at: number of the state that the sender knew; in another one, `Refused` is raised.
        """
        with self._lock, refusals(session := self._at(at)):
            return earlier_move(session, entry)

    def what_if(self, changes: Sequence[Change], choices: Sequence[InsertedMove], at: int) -> RevisionView:
        """Return a preview of a correction; nothing is changed. at: as in `earlier_move`.

        changes: replacements of earlier moves. choices: moves to insert.
        """
        with self._lock, refusals(session := self._at(at)):
            return revision_view(session, changes, choices)

    def correct(self, revision: Revision, at: int) -> None:
        """Make a correction that `what_if` previewed.

        at: number of the state that the sender knew, else `Refused`.
        """
        with self._lock:
            with refusals(session := self._at(at)):
                session.correct(revision, at)
            self._moved(session)
