"""Reasons to pause reading: a game entered by hand, a pause by a person, a running setup step. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.session.game_settings import EntryMode

SETUP_TIMEOUT = 30.0
"""Seconds after which a setup step counts as abandoned unless it is renewed: a tablet may have fallen asleep."""


@dataclass(frozen=True, slots=True)
class ReadingPause:
    """The reasons why the camera is not read now; false where there are none."""

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
        """Return the reasons for a game that is entered in this way."""
        return replace(self, by_hand=mode == "hand")

    def with_pause(self, on: bool) -> ReadingPause:
        """Return the reasons with reading paused by a person, or not."""
        return replace(self, paused=on)

    def with_setup(self, on: bool, now: float) -> ReadingPause:
        """Return the reasons with a setup step begun or renewed at this time, or ended."""
        return replace(self, setup_until=now + SETUP_TIMEOUT if on else None)

    def at(self, now: float) -> ReadingPause:
        """Return the reasons that still hold at this time: a setup step may have timed out."""
        over = self.setup_until is not None and now >= self.setup_until
        return replace(self, setup_until=None) if over else self
