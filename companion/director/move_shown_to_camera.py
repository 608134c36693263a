"""The move that bots show to the simulated camera: its hands or things, and what has become of it so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.director.bot_interface import Staging
from companion.director.hand_animation import CARD, HandAnimation


@dataclass(frozen=True)
class ShownMove:
    """Moves that are being shown to the camera together, mostly one. Times are seconds."""

    moves: tuple[Any, ...]
    """The true moves."""
    before: Any
    """State before the moves."""
    number: int
    """Number of that state."""
    begun: float
    """Start, play time."""
    showing: HandAnimation | None = None
    """The hands; None where things are laid down."""
    things: int = 0
    """Number of things that are laid down one after the other."""
    staging: Staging | None = None
    """How it is acted out, if neither hands nor things show it."""
    shown_at: float | None = None
    """When all of it was visible first, real time."""
    seen_at: float | None = None
    """When a proposal for it was published, play time."""
    noticed_at: float | None = None
    """When a wrong entry was noticed, play time."""
    taken_at: float | None = None
    """When it was entered, play time."""
    helped: int = 0
    """1: the pieces were spread again; 2: it was entered by hand."""
    asked: bool = False
    """A person had to answer a question."""
    corrected: bool = False
    """A wrong entry had to be corrected."""

    @property
    def by_hands(self) -> bool:
        """Whether hands show or make the moves; otherwise things are laid down."""
        return self.showing is not None or self.staging is not None

    @property
    def length(self) -> float:
        """Seconds of play time from the start until the whole move is visible."""
        if self.staging is not None:
            return self.staging.seconds
        return self.showing.open_at if self.showing is not None else CARD * self.things
