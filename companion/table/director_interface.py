"""The director of the simulated table as a table uses it; the table may not import the director itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.table.views import DirectorView


class RunningDirector(Protocol):
    """Commands of the simulated table's director: bots that act out a game."""

    def run(self, on: bool) -> None:
        """Start or stop the bots."""

    def step(self) -> None:
        """Play until the next hands are entered, then stop."""

    def show_me(self, check: Callable[[], None]) -> None:
        """Start a demonstration, which ends by itself.

        check: called first, under the table's lock; raises `Refused`.
        """

    def set_speed(self, speed: float) -> None:
        """Set the speed as a multiple of real time."""

    def lay_out(self, what: str | None) -> None:
        """Lay the calibration sheet ("sheet") or pieces of a kind on the cleared table; None restores the game."""


class DirectorControls(RunningDirector, Protocol):
    """The director as the table publishes it."""

    @property
    def view(self) -> DirectorView:
        """Its state for screens."""
        ...
