"""What a table knows of the director of the simulated table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.table.views import DirectorView


class ActingDirector(Protocol):
    """The simulated table's director, as a table knows it."""

    @property
    def view(self) -> DirectorView:
        """What it is doing."""
        ...

    def run(self, on: bool) -> None:
        """Let the bots play on, or stop them."""
        ...

    def step(self) -> None:
        """Act out one reveal and stop."""
        ...

    def show_me(self, check: Callable[[], None]) -> None:
        """Begin a demonstration, which ends by itself. check: called first, under the table's lock; may refuse."""
        ...

    def set_speed(self, speed: float) -> None:
        """Play so many times faster than people would."""
        ...

    def lay_out(self, what: str | None) -> None:
        """Clear the table for the calibration sheet ("sheet") or for pieces of a kind; None puts the game back."""
        ...
