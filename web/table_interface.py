"""The interface of a table to the web server; implemented by `companion.table.Table` and by the tests' table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, Protocol

from calibration.seats import Seating
from calibration.translatable import say
from companion.games.game import Viewer
from companion.session.game_settings import EntryMode
from companion.table.director_interface import RunningDirector as RunningDirector
from companion.table.enrolment.service import EnrolmentService
from companion.table.game_adapter import GameServices
from companion.table.history.correction_service import CorrectionService
from companion.table.history.past_games import PastGames
from companion.table.reading.reading_durations import Timings
from companion.table.settings_service import SettingsService
from companion.table.views import Option, Refused, SavedGame, SeatView, TableView


class RunningSeats(Protocol):
    """The directions in which people sit."""

    def set_seating(self, seating: Seating) -> None:
        """Set and save the directions in which people sit, for as many players as `seating` has seats."""


class RunningProposals(Protocol):
    """What the camera proposes: at most one proposal, and one comparison of the whole table with the journal.

    id: of the proposal or comparison. at: number of the state that the command is for.
    """

    def accept(self, id: str, choices: Sequence[int | None], at: int) -> None:
        """Enter the moves of the chosen answers.

        choices: per question the answer's index; None enters no move for it.
        """

    def amend(self, id: str, move: Any, at: int) -> None:
        """Enter a move corrected by a person in place of the proposed one."""

    def state_thing(self, thing: object, at: int) -> None:
        """Record a person's statement of what lies on the table, and interpret the latest reading again with it.

        thing: JSON of one of the types in `Adapter.statements`.
        """

    def hold(self, id: str, at: int) -> None:
        """Stop the countdown at whose end the proposal is accepted by itself."""

    def dismiss(self, id: str, at: int) -> None:
        """Discard a proposal or comparison; the journal stays as it is."""

    def correct(self, id: str, index: int | None, at: int) -> None:
        """Make the correction with this index among those that a comparison offers.

        index: None replaces the moves of the latest phase by those that the camera read.
        """

    def read_whole_table(self, on: bool = True) -> None:
        """Request a reading of the whole table; on=False withdraws the request."""

    def picture(self, id: str, seat: int | None = None) -> bytes | None:
        """Return the picture of a proposal or comparison as JPEG: of one seat, enlarged, or the whole one."""


class RunningTable(Protocol):
    """A table as the web server uses it. A command that cannot be executed raises `Refused` and changes nothing.

    A service that the table lacks is None.
    """

    @property
    def view(self) -> TableView:
        """The view of the table that was published last."""

    @property
    def director(self) -> RunningDirector | None:
        """The director, which lets bots play at the simulated table; None with a real camera."""

    @property
    def enrolment(self) -> EnrolmentService | None:
        """The service for enrolment: calibration, and the looks of the table's pieces, cards and boards."""

    @property
    def timings(self) -> Timings:
        """Durations of the latest readings."""

    @property
    def corrections(self) -> CorrectionService | None:
        """The service that corrects earlier moves."""

    @property
    def settings(self) -> SettingsService | None:
        """The service that stores the host's settings of a game."""

    @property
    def served(self) -> str:
        """Id of the game that the camera reads."""

    def services(self, game: str) -> GameServices | None:
        """Return the services, such as advice, that only the game with this id has; None without any."""

    @property
    def proposals(self) -> RunningProposals:
        """What the camera proposes, and the answers to it."""

    @property
    def seating(self) -> RunningSeats:
        """The directions in which people sit, and how to set them."""

    @property
    def past(self) -> PastGames | None:
        """The saved games, with their moves and pictures."""

    def locked(self) -> AbstractContextManager[object]:
        """Return the table's lock: no other thread changes the game or its `view` while it is held."""

    @property
    def use_camera(self) -> Callable[[str], None] | None:
        """Function of a game's id that replaces the simulated table by a camera; None if a camera is in use."""

    @property
    def use_simulation(self) -> Callable[[str], None] | None:
        """Function of a game's id that changes the simulated table to that game; None if a camera is in use."""

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        """Register a callback for every published view; return the function that unsubscribes."""

    def start_game(
        self,
        seats: Sequence[SeatView],
        way: EntryMode = "camera",
        components: Any = None,
        game: str | None = None,
        options: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Start a new game.

        way: how moves are entered. components: what the game begins with, such as a deck; None: the table's own.
        game: its id; None: `served`. options: chosen value by id of `Game.options`.
        """

    def resume_game(self, id: str) -> None:
        """Resume the saved game with this id."""

    def play(self, move: Any, at: int, source: str = "hand") -> None:
        """Enter a move made for state number `at`. source: "hand", "camera" or "bot"."""

    def undo(self, at: int, entry: int | None = None) -> None:
        """Undo the latest move, or the journal entry with the number `entry`, in state number `at`."""

    def pause(self, on: bool) -> None:
        """Pause reading the camera (on), or resume it."""

    def pause_for_setup(self, on: bool) -> None:
        """Suspend reading the camera during set-up (on), or resume it."""

    def options(self, player: int, viewer: Viewer = None) -> Sequence[Option]:
        """Return the moves that the player at a seat may make now, without those that the viewer may not know."""

    def preview(self) -> bytes | None:
        """Return the newest picture with the readings drawn over it, as JPEG; None before the first frame."""

    def evidence(self, entry: int, viewer: Viewer = None) -> bytes | None:
        """Return the picture stored with a journal entry, as JPEG; None without one that the viewer may see."""

    def games(self) -> Sequence[SavedGame]:
        """Return the saved games, one entry each."""


def enrolment_of(table: RunningTable) -> EnrolmentService:
    """Return a table's enrolment service. Raises `Refused` without one."""
    if table.enrolment is None:
        raise Refused("not_now", say("The table cannot be set up now: it is still starting, or it has no camera."))
    return table.enrolment
