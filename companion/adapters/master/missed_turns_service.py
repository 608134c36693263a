"""Service that lists the turns of a finished game that could have gained more."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from calibration.translatable import say
from companion.games.game import OVER
from companion.games.master.adviser.missed_turns import MissedTurn, missed_turns
from companion.games.master.game import MASTER
from companion.table.game_adapter import TableAccess
from companion.table.views import Refused

MOST_MISSED: Final = 12
"""Maximum number of missed turns that are listed: those that lost the most points."""


@dataclass(frozen=True, slots=True)
class MissedView:
    """The turns of a finished game that could have gained more."""

    game: str
    """Id of the game."""
    turns: tuple[MissedTurn, ...]
    """Missed turns, in the order of play."""


class MasterServices:
    """Computes the missed turns of the game on a table. Callable from any thread."""

    def __init__(self, table: TableAccess) -> None:
        self._table = table
        self._computing = threading.Lock()
        self._known: tuple[str, int, MissedView] | None = None

    def missed(self) -> MissedView:
        """Return the turns of the finished game that lost the most points; the result is cached.

        Takes about 40 ms for each turn of the game. Raises Refused if no game of Master Labyrinth is over.
        """
        with self._table.lock:
            session = self._table.playing()
            id, number, steps, names = session.id, session.number, session.steps, session.names
            record, phase = session.game, session.game.stage(session.state).phase
        if record is not MASTER or phase != OVER:
            raise Refused("not_now", say("What you missed is shown when the game is over."))
        with self._computing:
            if self._known is None or self._known[:2] != (id, number):
                found = missed_turns(steps, names)
                worst = sorted(found, key=lambda one: -one.lost)[:MOST_MISSED]
                self._known = id, number, MissedView(id, tuple(sorted(worst, key=lambda one: one.number)))
            return self._known[2]

    def close(self) -> None:
        """Do nothing: no work is done in the background."""
