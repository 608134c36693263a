"""Why the camera is not read: the game is entered by hand, somebody paused it, or a setup step runs. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.session.settings import EntryMode

SETUP_TIMEOUT = 30.0
"""Seconds after which teaching counts as given up unless it goes on: a tablet that fell asleep must not end
all reading."""


@dataclass(frozen=True, slots=True)
class ReadingPause:
    """What keeps the camera from being read.

    taught_until: the table's clock, seconds; None while not taught. by_hand: the game is entered by hand alone.
    """

    paused: bool = False
    taught_until: float | None = None
    by_hand: bool = False

    @property
    def taught(self) -> bool:
        """Whether the table is being taught."""
        return self.taught_until is not None

    def __bool__(self) -> bool:
        return self.paused or self.taught or self.by_hand

    def entered(self, way: EntryMode) -> ReadingPause:
        """Return the rest of a table whose game is entered in this way."""
        return replace(self, by_hand=way == "hand")

    def pause(self, on: bool) -> ReadingPause:
        """Pause, or go on."""
        return replace(self, paused=on)

    def teach(self, on: bool, now: float) -> ReadingPause:
        """Begin to teach or go on teaching, or end it."""
        return replace(self, taught_until=now + SETUP_TIMEOUT if on else None)

    def at(self, now: float) -> ReadingPause:
        """Give what is left of it at this time."""
        over = self.taught_until is not None and now >= self.taught_until
        return replace(self, taught_until=None) if over else self
