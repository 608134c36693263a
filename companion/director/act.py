"""One thing that the bots show, how the reading did with it, and what they do it at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from companion.director.motion import CARD, RevealAnimation
from companion.games.wicked import Move
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Deal, Lay, Reveal
from companion.session.settings import EntryMode
from companion.table.views import Option, SeatView, TableView


class TakesBoards(Protocol):
    """What of boards as read can be entered."""

    def take(self, id: str, choices: Sequence[int | None], at: int) -> None:
        """Enter everybody's chosen moves, by seat."""
        ...


class PlayedTable(Protocol):
    """What the director does at a table: the commands that players' screens have."""

    @property
    def view(self) -> TableView:
        """What the tablet shows."""
        ...

    @property
    def deck(self) -> Deck:
        """The cards that new games are played with."""
        ...

    @property
    def boards(self) -> TakesBoards:
        """Who takes what the camera sees on the boards."""
        ...

    def deciding(self) -> AbstractContextManager[object]:
        """Return the table's lock."""
        ...

    def publish(self) -> None:
        """Show anew what the director does."""
        ...

    def start_game(self, seats: Sequence[SeatView], way: EntryMode) -> None:
        """Begin a new game."""
        ...

    def options(self, player: int) -> Sequence[Option]:
        """List what a player may do."""
        ...

    def play(self, move: Move, at: int, source: str = "hand") -> None:
        """Enter a move."""
        ...

    def undo(self, at: int) -> None:
        """Take the last move back."""
        ...

    def revise(self, entry: int, move: Move, at: int) -> None:
        """Correct a move."""
        ...

    def accept(self, proposal_id: str, choice: int, at: int) -> None:
        """Answer with one of the candidates."""
        ...

    def amend(self, proposal_id: str, move: Move, at: int) -> None:
        """Answer with something else."""
        ...


@dataclass(frozen=True)
class ShownMove:
    """One thing that is being shown to the camera: `move` is what it truly is.

    number: the state number that it is shown for. begun, seen_at (a proposal came), noticed_at (it was taken
    wrongly), taken_at: by the play's clock; shown_at: by the real clock, when it first lay open. helped: pieces
    spread anew (1), entered by hand (2). asked, corrected: somebody had to answer, or to put it right.
    """

    move: Deal | Lay | Reveal
    number: int
    begun: float
    showing: RevealAnimation | None = None
    shown_at: float | None = None
    seen_at: float | None = None
    noticed_at: float | None = None
    taken_at: float | None = None
    helped: int = 0
    asked: bool = False
    corrected: bool = False

    @property
    def length(self) -> float:
        """How long it takes until all of it lies open, by the play's clock."""
        return self.showing.open_at if self.showing is not None else CARD * cards_of(self.move)


@dataclass(frozen=True)
class ReadingTally:
    """How the reading did so far, for reveals and for layings of cards: how many were shown, how many it had
    to ask about, how many it took silently and wrong, and how many people had to enter by hand."""

    reveals: int = 0
    answers: int = 0
    corrections: int = 0
    unread: int = 0
    layings: int = 0
    laying_answers: int = 0
    laying_corrections: int = 0
    laying_unread: int = 0


def cards_of(move: Move) -> int:
    """Count the cards that a move puts down."""
    match move:
        case Deal(great=great, small=small):
            return sum(len(cards) for cards in (*great, *small))
        case Lay(cards=cards):
            return len(cards)
        case _:
            return 0
