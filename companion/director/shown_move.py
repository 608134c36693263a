"""What the bots show to the camera, and the tally of how such moves were read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.director.bots import Staging
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
    def length(self) -> float:
        """Play seconds from the start until all of it is visible."""
        if self.staging is not None:
            return self.staging.seconds
        return self.showing.open_at if self.showing is not None else CARD * self.things


@dataclass(frozen=True)
class Tally:
    """Counts of how moves of one sort were read so far."""

    shown: int = 0
    """Number of moves."""
    answers: int = 0
    """Number of moves that needed confirmation."""
    corrections: int = 0
    """Number of moves that were entered wrongly without a question."""
    unread: int = 0
    """Number of moves that were entered by hand."""

    def with_move(self, shown: ShownMove) -> Tally:
        """Return the tally with one more move, which has been entered."""
        return Tally(
            self.shown + 1,
            self.answers + shown.asked,
            self.corrections + shown.corrected,
            self.unread + (shown.helped == 2),
        )


@dataclass(frozen=True)
class ReadingTally:
    """Counts of how moves were read so far."""

    hands: Tally = Tally()
    """Moves that hands showed or made."""
    things: Tally = Tally()
    """Moves that were laid down on the table."""

    def with_move(self, shown: ShownMove) -> ReadingTally:
        """Return the tally with one more move that was shown and entered."""
        if shown.showing is not None or shown.staging is not None:
            return replace(self, hands=self.hands.with_move(shown))
        return replace(self, things=self.things.with_move(shown))
