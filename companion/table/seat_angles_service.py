"""Stores and changes the directions in which people sit at a running table, for every number of players."""

from __future__ import annotations

import threading
from collections.abc import Callable

from calibration.seats import Seating, seating_for, with_seating
from companion.table.reading.frame_reader import Readers
from companion.table.views import NUMBERS_OF_PLAYERS
from vision.readings import Point


class SeatingService:
    """The seatings of a table, one per number of players. `set_seating` may be called from any thread.

    lock: the table's. changed: called under it after the seating changed.
    """

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock = lock
        self._changed = changed
        self.known: tuple[Seating, ...] = ()
        """Seatings that are not evenly spaced."""
        self.keep: Callable[[Seating], None] | None = None
        """Saves a seating in the profile, or raises `Refused`; None where seatings are not saved."""
        self.laid_evenly = False
        """Whether cards and boards lie evenly spaced whatever the seating, as on the simulated table."""

    @property
    def angles(self) -> tuple[tuple[float, ...], ...]:
        """The direction of each seat, degrees clockwise from the sheet's bottom edge, per number of players."""
        return tuple(seating_for(players, self.known).angles for players in NUMBERS_OF_PLAYERS)

    def seating_of_cards(self, players: int) -> Seating:
        """Return the directions in which the cards and boards of this number of players lie."""
        return seating_for(players, () if self.laid_evenly else self.known)

    def seat_finder(self, readers: Readers, players: int) -> Callable[[Point], int]:
        """Return the function (point of the picture, px) -> seat that is nearest in direction."""
        seating = self.seating_of_cards(players)
        return lambda point: readers.seat_of(point, seating)

    def set_seating(self, seating: Seating) -> None:
        """Set and save the directions in which as many people sit; hands are then read again. Raises `Refused`."""
        if seating_for(len(seating), self.known) == seating:
            return
        if self.keep is not None:
            self.keep(seating)  # not under the table's lock: the profile is written, and its own lock is taken
        with self._lock:
            self.known = with_seating(self.known, seating)
            self._changed()
