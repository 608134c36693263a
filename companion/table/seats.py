"""Where people sit round a running table, for every number of players."""

from __future__ import annotations

import threading
from collections.abc import Callable

from calibration.seats import Seating, seating_for, with_seating
from companion.games.wicked.components import CORRIDORS
from companion.table.reading.frame_reader import Readers
from vision.readings import Point


class SeatingService:
    """Keeps the seatings of a table. `seat` may be called from any thread.

    known: those that are not evenly spaced. keep: writes one to the profile, and raises `Refused` where that cannot
    be done; nothing is written where it is None. laid_evenly: cards and boards keep their places, as they do on the
    simulated table. lock: the table's; changed: called under it after people were seated otherwise.
    """

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock = lock
        self._changed = changed
        self.known: tuple[Seating, ...] = ()
        self.keep: Callable[[Seating], None] | None = None
        self.laid_evenly = False

    @property
    def angles(self) -> tuple[tuple[float, ...], ...]:
        """Where people sit, for each number of players: degrees clockwise from the sheet's bottom edge, by seat."""
        return tuple(seating_for(players, self.known).angles for players in CORRIDORS)

    def laid(self, players: int) -> Seating:
        """Return before whom cards and boards lie when so many play."""
        return seating_for(players, () if self.laid_evenly else self.known)

    def reader(self, readers: Readers, players: int) -> Callable[[Point], int]:
        """Return what gives the seat before which a point of the picture (px) lies."""
        seating = self.laid(players)
        return lambda point: readers.seat_of(point, seating)

    def seat(self, seating: Seating) -> None:
        """Set where people sit whenever so many play; hands are read again."""
        if seating_for(len(seating), self.known) == seating:
            return
        if self.keep is not None:
            self.keep(seating)  # not under the table's lock: the profile is written, and its own lock is taken
        with self._lock:
            self.known = with_seating(self.known, seating)
            self._changed()
