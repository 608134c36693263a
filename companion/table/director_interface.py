"""Interface of the simulated table's director to the table, which may not import the director itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.table.views import DirectorView


class RunningDirector(Protocol):
    """Commands of the simulated table's director, which lets bots act out a game."""

    def run(self, on: bool) -> None:
        """Start the bots; stop them with on=False."""

    def step(self) -> None:
        """Run the bots until the next open hands have been read and entered, then stop them."""

    def show_me(self, check: Callable[[], None]) -> None:
        """Start a demonstration game of the bots, which ends by itself.

        check: called first, under the table's lock; raises `Refused` to prevent the start.
        """

    def set_speed(self, speed: float) -> None:
        """Set the speed of the bots as a multiple of real time."""

    def lay_out(self, what: str | None) -> None:
        """Clear the simulated table and lay something on it; None restores the game.

        what: "sheet" for the calibration sheet, "empty" for nothing, the id of a kind of pieces, or
        "box:FIGURE-FIGURE-…" for all pieces of the players with these figures.
        """


class DirectorControls(RunningDirector, Protocol):
    """The director's commands, and its state for screens."""

    @property
    def view(self) -> DirectorView:
        """The director's state for screens."""
        ...
