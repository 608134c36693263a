"""What the web part asks of a table: `companion.table.Table` is one, and so are the tests' small ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from calibration.seats import Seating
from companion.adapters.wicked.advice import AdviceService
from companion.adapters.wicked.boards.service import BoardService
from companion.adapters.wicked.scoring.service import ScoringService
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Move
from companion.session.settings import EntryMode
from companion.table.enrolment.service import EnrolmentService
from companion.table.history.correction_service import CorrectionService
from companion.table.history.past_games import PastGames
from companion.table.reading.timings import Timings
from companion.table.views import SeatView, TableView


class RunningDirector(Protocol):
    """The hands that act out a game on the simulated table."""

    def run(self, on: bool) -> None:
        """Let the bots play on, or stop them."""

    def step(self) -> None:
        """Act out one step and stop."""

    def show_me(self, check: Callable[[], None]) -> None:
        """Begin a demonstration, which ends by itself. check: called first, under the table's lock; may refuse."""

    def set_speed(self, speed: float) -> None:
        """Play so many times faster than people would."""

    def lay_out(self, what: str | None) -> None:
        """Clear the table for the calibration sheet ("sheet") or for pieces of a kind; None puts the game back."""


class SeatsPeople(Protocol):
    """Keeps where people sit."""

    def seat(self, seating: Seating) -> None:
        """Let people sit like this from now on, whenever so many play."""


class OfferedMove(Protocol):
    """A move that a player may make now, told in plain words."""

    @property
    def move(self) -> Move:
        """The move itself."""

    @property
    def text(self) -> str:
        """One plain line about it."""


class RunningTable(Protocol):
    """A table as screens see it. Every command raises `Refused` and changes nothing where it cannot be done."""

    @property
    def view(self) -> TableView:
        """What the table published last."""

    @property
    def director(self) -> RunningDirector | None:
        """The simulated table's director, None where a real camera looks on."""

    @property
    def teacher(self) -> EnrolmentService | None:
        """Who teaches the table what it looks like, None where nobody can."""

    @property
    def timings(self) -> Timings:
        """How long readings took lately."""

    @property
    def correcting(self) -> CorrectionService | None:
        """Who puts earlier moves right, None where nobody can."""

    @property
    def advising(self) -> AdviceService | None:
        """Who advises players in the soul phase, None where nobody can."""

    @property
    def scoring(self) -> ScoringService | None:
        """Where boards of a game that nobody tracked are scored, None where that cannot be done."""

    @property
    def boards(self) -> BoardService | None:
        """Who reads everybody's boards, None where nobody can."""

    @property
    def seating(self) -> SeatsPeople:
        """Where people sit."""

    @property
    def past(self) -> PastGames | None:
        """The saved games to look back at, None where none are kept."""

    def deciding(self) -> AbstractContextManager[object]:
        """Return the table's lock: nobody else changes the game or its `view` while it is held."""

    @property
    def use_camera(self) -> Callable[[], None] | None:
        """Changes over from the simulated table to a camera of this machine, None where one watches already."""

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        """Call back with every view that is published; what is returned ends it."""

    def start_game(self, seats: Sequence[SeatView], way: EntryMode = "camera", deck: Deck | None = None) -> None:
        """Begin a new game that is entered in this way, with this deck or the table's own."""

    def resume_game(self, id: str) -> None:
        """Go on with a saved game."""

    def play(self, move: Move, at: int, source: str = "hand") -> None:
        """Enter a move."""

    def undo(self, at: int, entry: int | None = None) -> None:
        """Take the latest move back, or the journal entry of that number."""

    def accept(self, proposal_id: str, choice: int, at: int) -> None:
        """Enter one candidate of the proposal."""

    def amend(self, proposal_id: str, move: Move, at: int) -> None:
        """Enter a corrected move instead of the proposal."""

    def hold(self, proposal_id: str, at: int) -> None:
        """Keep the proposal from being taken by itself."""

    def pause(self, on: bool) -> None:
        """Stop reading the camera, or go on."""

    def teach(self, on: bool) -> None:
        """Stop reading while the table is taught, or go on."""

    def options(self, player: int) -> Sequence[OfferedMove]:
        """List what one player may do now."""

    def preview(self) -> bytes | None:
        """Give the latest picture with what was read in it, as JPEG."""

    def evidence(self, entry: int) -> bytes | None:
        """Give the picture kept with a journal entry, as JPEG."""

    def hand_picture(self, proposal_id: str, seat: int) -> bytes | None:
        """Give a hand of the proposal enlarged, as JPEG."""

    def games(self) -> Sequence[Any]:
        """List the saved games."""
