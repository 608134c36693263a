"""Counts of how the moves that bots showed to the camera were read: asked about, wrong, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.director.move_shown_to_camera import ShownMove


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
        """Return the tally with a further move counted, which was shown and has been entered."""
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
        """Return the tally with a further move counted, by whether hands showed it or things were laid down."""
        if shown.by_hands:
            return replace(self, hands=self.hands.with_move(shown))
        return replace(self, things=self.things.with_move(shown))
