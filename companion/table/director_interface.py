"""Interface of the simulated table's director to the table, which may not import the director itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.table.views import DirectorView


class RunningDirector(Protocol):
    """Commands of the simulated table's director, which lets bots act out a game."""

    def run(self, on: bool) -> None:
        """Start or stop the bots."""

    def step(self) -> None:
        """Play until the next open hands have been entered, then stop."""

    def show_me(self, check: Callable[[], None]) -> None:
        """Start a demonstration game, which ends by itself.

        check: called first, under the table's lock; raises `Refused` to prevent the start.
        """

    def set_speed(self, speed: float) -> None:
        """Set the speed as a multiple of real time."""

    def lay_out(self, what: str | None) -> None:
        """Clear the simulated table and lay something on it; None restores the game.

        what: "sheet", "empty", a kind of pieces, or "box:FIGURE-FIGURE-…" for the pieces of these players.
        """


class DirectorControls(RunningDirector, Protocol):
    """The director's commands, and its state for screens."""

    @property
    def view(self) -> DirectorView:
        """Its state for screens."""
        ...
