"""One move that the bots show to the camera, and the tally of how such moves were read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.director.animation import CARD, HandAnimation


@dataclass(frozen=True)
class ShownMove:
    """One move that is being shown to the camera. Times are seconds."""

    move: Any
    """The true move."""
    number: int
    """Number of the state that it is shown for."""
    begun: float
    """Start, play time."""
    showing: HandAnimation | None = None
    """The hands; None where things are laid down."""
    things: int = 0
    """Number of things that are laid down one after the other."""
    shown_at: float | None = None
    """When all of it lay open first, real time."""
    seen_at: float | None = None
    """When a proposal was published, play time."""
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
        """Play seconds from the start until all of it lies open."""
        return self.showing.open_at if self.showing is not None else CARD * self.things


@dataclass(frozen=True)
class ReadingTally:
    """How moves were read so far: hands first, then cards."""

    reveals: int = 0
    """Shown."""
    answers: int = 0
    """Needed confirmation."""
    corrections: int = 0
    """Entered wrongly without a question."""
    unread: int = 0
    """Entered by hand."""
    layings: int = 0
    """Shown."""
    laying_answers: int = 0
    """Needed confirmation."""
    laying_corrections: int = 0
    """Entered wrongly without a question."""
    laying_unread: int = 0
    """Entered by hand."""

    def with_move(self, shown: ShownMove) -> ReadingTally:
        """Return the tally with one more move that was shown and entered."""
        unread = shown.helped == 2
        if shown.showing is not None:
            return replace(
                self,
                reveals=self.reveals + 1,
                answers=self.answers + shown.asked,
                corrections=self.corrections + shown.corrected,
                unread=self.unread + unread,
            )
        return replace(
            self,
            layings=self.layings + 1,
            laying_answers=self.laying_answers + shown.asked,
            laying_corrections=self.laying_corrections + shown.corrected,
            laying_unread=self.laying_unread + unread,
        )
