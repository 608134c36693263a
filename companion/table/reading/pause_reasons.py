"""Reasons to pause reading the camera: entry by hand, a pause by a person, a running setup step. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.session.game_settings import EntryMode

SETUP_TIMEOUT = 30.0
"""Seconds after which a setup step counts as abandoned unless it is renewed: a tablet may have fallen asleep."""


@dataclass(frozen=True, slots=True)
class ReadingPause:
    """The reasons why the camera is not read now; true in a condition if there is any."""

    paused: bool = False
    """A person paused the reading."""
    setup_until: float | None = None
    """When the running setup step times out, by the table's clock in seconds; None while none runs."""
    by_hand: bool = False
    """The game is entered by hand alone."""

    @property
    def setup(self) -> bool:
        """Whether a setup step runs."""
        return self.setup_until is not None

    def __bool__(self) -> bool:
        return self.paused or self.setup or self.by_hand

    def with_mode(self, mode: EntryMode) -> ReadingPause:
        """Return a copy for a game whose moves are entered in this mode; "hand" pauses the reading."""
        return replace(self, by_hand=mode == "hand")

    def with_pause(self, on: bool) -> ReadingPause:
        """Return a copy in which a person has paused the reading, or has resumed it with on=False."""
        return replace(self, paused=on)

    def with_setup(self, on: bool, now: float) -> ReadingPause:
        """Return a copy in which a setup step begins or is renewed; with on=False, it ends.

        now: the table's clock, s.
        """
        return replace(self, setup_until=now + SETUP_TIMEOUT if on else None)

    def without_expired_setup(self, now: float) -> ReadingPause:
        """Return a copy without a setup step that has timed out. now: the table's clock, seconds."""
        over = self.setup_until is not None and now >= self.setup_until
        return replace(self, setup_until=None) if over else self
