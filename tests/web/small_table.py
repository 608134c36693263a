"""A small table in memory: the real rules, no camera, no disk. Quick enough for tests of routes and the socket."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, cast

from calibration.seats import Seating
from companion.games.game import IllegalMove, Viewer
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Move
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.move_descriptions import describe
from companion.session import Played, Seat, Source, Stage, Started, Timeline
from companion.session.game_settings import EntryMode
from companion.table.enrolment.service import EnrolmentService
from companion.table.game_adapter import GameServices
from companion.table.history.correction_service import CorrectionService
from companion.table.history.past_games import PastGames
from companion.table.reading.reading_durations import Timings
from companion.table.running_game import RunningGame
from companion.table.settings_service import SettingsService
from companion.table.views import (
    CameraView,
    ChoiceView,
    DirectorView,
    Option,
    ProposalView,
    QuestionView,
    Refused,
    SavedGame,
    SeatDoubt,
    SeatView,
    TableView,
)

NOW = datetime(2026, 11, 26, tzinfo=UTC)
"""Time of every entry."""
STALE = "The table has moved on since then."


class SmallDirector:
    """A director that only records its commands."""

    def __init__(self, table: SmallTable) -> None:
        self.table = table

    def run(self, on: bool) -> None:
        self.table.change(director=replace(self.table.shown_director, running=on))

    def step(self) -> None:
        self.table.change(director=replace(self.table.shown_director, doing="one step"))

    def show_me(self, check: Callable[[], None]) -> None:
        check()
        self.table.start_game(
            [SeatView(f"Bot {number}", colour) for number, colour in enumerate(PLAYER_COLOURS[:4])]
        )
        self.run(True)

    def set_speed(self, speed: float) -> None:
        self.table.change(director=replace(self.table.shown_director, speed=speed))

    def lay_out(self, what: str | None) -> None:
        self.table.change(director=replace(self.table.shown_director, doing=f"lays out {what}"))


class SmallSeats:
    """Where people sit, in memory."""

    def __init__(self, table: SmallTable) -> None:
        self.table = table

    def set_seating(self, seating: Seating) -> None:
        others = (angles for angles in self.table.view.seatings if len(angles) != len(seating))
        self.table.change(seatings=tuple(sorted([*others, seating.angles], key=len)))


class SmallProposals:
    """Answers to the proposals of a small table; its camera reads nothing by itself."""

    def __init__(self, table: SmallTable) -> None:
        self._table = table

    def accept(self, id: str, choices: Sequence[int | None], at: int) -> None:
        (question,), (choice,) = self._table.proposed(id, at).questions, choices
        assert choice is not None
        for move in question.choices[choice].moves:
            self._table.play(move, at, "camera")

    def amend(self, id: str, move: Move, at: int) -> None:
        self._table.proposed(id, at)
        self._table.play(move, at)

    def state_thing(self, thing: object, at: int) -> None:
        raise Refused("not_now", "The camera has not read the table.")

    def hold(self, id: str, at: int) -> None:
        self._table.change(proposal=replace(self._table.proposed(id, at), held=True))

    def dismiss(self, id: str, at: int) -> None:
        self._table.proposed(id, at)
        self._table.change(proposal=None)

    def correct(self, id: str, index: int | None, at: int) -> None:
        raise Refused("stale", STALE)

    def read_whole_table(self, on: bool = True) -> None:
        raise Refused("not_now", "The boards cannot be read yet.")

    def picture(self, id: str, seat: int | None = None) -> bytes | None:
        proposal = self._table.view.proposal
        return self._table.picture if proposal is not None and proposal.id == id and seat == 0 else None


class SmallTable:
    """Plays by the rules and publishes at once, in the caller's thread."""

    def __init__(self, *, simulated: bool = False, seed: int | None = None) -> None:
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[TableView], None]] = []
        self._publishes = True
        self._seed = seed
        self.timelines: list[Timeline] = []
        self.started = 0
        self.picture: bytes | None = None
        self.shown_director = DirectorView(False, 1.0, "waits")
        self.director = SmallDirector(self) if simulated else None
        self.seating = SmallSeats(self)
        self.enrolment: EnrolmentService | None = None
        self.use_camera: Callable[[str], None] | None = None
        self.use_simulation: Callable[[str], None] | None = None
        self.past: PastGames | None = None
        self.corrections: CorrectionService | None = None
        self.settings: SettingsService | None = None
        self.served = WICKED.id
        self.own_services: GameServices | None = None
        self.proposals = SmallProposals(self)
        self.timings = Timings()
        self.view = TableView(
            1,
            CameraView("watching" if simulated else "no_camera", "" if simulated else "No camera is connected."),
            director=self.shown_director if simulated else None,
        )

    @property
    def states(self) -> list[WickedState]:
        """The states since the start of the game, the present one last."""
        return [timeline.state for timeline in self.timelines]

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players by seat."""
        return () if self.view.game is None else self.view.game.seats

    def locked(self) -> AbstractContextManager[object]:
        return self._lock

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    @contextmanager
    def publishing_once(self) -> Iterator[None]:
        """Publish what happens in the block only at its end: nobody plays as fast as a test."""
        self._publishes = False
        yield
        self._publishes = True
        self.change()

    def change(self, **fields: object) -> None:
        """Publish the present view with some of its fields changed."""
        with self._lock:
            if isinstance(director := fields.get("director"), DirectorView):
                self.shown_director = director
            self.view = replace(self.view, version=self.view.version + 1, **fields)  # type: ignore[arg-type]
            view = self.view
        for callback in list(self._callbacks) if self._publishes else ():
            callback(view)

    def services(self, game: str) -> GameServices | None:
        return self.own_services if game == WICKED.id else None

    def start_game(
        self,
        seats: Sequence[SeatView],
        way: EntryMode = "camera",
        deck: Any = None,
        game: str | None = None,
        options: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        setup = WickedSetup(deck or STANDIN, self._seed)
        taken = tuple(Seat(seat.name, seat.figure) for seat in seats)
        if len({seat.figure for seat in seats}) < len(seats):
            raise Refused("bad_request", "Two players cannot share a colour.")
        with self._lock:
            self.started += 1
            started = Started(1, NOW, Stage("deal", 1), WICKED.id, taken, setup, "test")
            self.timelines = [Timeline.begin(WICKED, started)]
            self._publish()

    def resume_game(self, id: str) -> None:
        raise Refused("not_now", f"There is no saved game {id}.")

    def play(self, move: Move, at: int, source: str = "hand") -> None:
        with self._lock:
            self._check(at)
            timeline = self.timelines[-1]
            played = Played(at + 1, NOW, WICKED.stage(timeline.state), move, cast("Source", source), at == 1)
            try:
                self.timelines.append(timeline.after(played))
            except IllegalMove as error:
                raise Refused("illegal", str(error)) from None
            self._publish()

    def undo(self, at: int, entry: int | None = None) -> None:
        with self._lock:
            self._check(at)
            if entry not in (None, at):
                raise Refused("not_now", "Only the latest entry can be taken back here.")
            if len(self.timelines) < 2:
                raise Refused("not_now", "There is nothing to take back.")
            self.timelines.pop()
            self._publish()

    def pause(self, on: bool) -> None:
        self.change(camera=replace(self.view.camera, state="paused" if on else "watching"))

    def pause_for_setup(self, on: bool) -> None:
        self.change(camera=replace(self.view.camera, state="teaching" if on else "watching"))

    def options(self, player: int, viewer: Viewer = None) -> tuple[Option, ...]:
        assert self.view.game is not None
        return self.view.game.options(player, viewer)

    def preview(self) -> bytes | None:
        return self.picture

    def evidence(self, entry: int, viewer: Viewer = None) -> bytes | None:
        return self.picture if entry == 2 else None

    def games(self) -> tuple[SavedGame, ...]:
        return ()

    def propose(self, *moves: Move, certain: bool = True, doubts: tuple[SeatDoubt, ...] = ()) -> None:
        """Propose these moves, likeliest first."""
        assert self.view.game is not None
        state, names = self.view.game.state, self.view.game.names
        share = 1.0 / len(moves)
        choices = tuple(ChoiceView((move,), (describe(state, move, names),), share) for move in moves)
        questions = (QuestionView(None, choices, doubts),)
        number = self.view.game.number
        self.change(proposal=ProposalView(f"p{self.view.version}", number, certain, False, 2.5, questions))

    def proposed(self, proposal_id: str, at: int) -> ProposalView:
        self._check(at)
        if self.view.proposal is None or self.view.proposal.id != proposal_id:
            raise Refused("stale", STALE)
        return self.view.proposal

    def _check(self, at: int) -> None:
        if not self.timelines:
            raise Refused("not_now", "No game is running.")
        if at != len(self.timelines[-1].entries):
            raise Refused("stale", STALE)

    def _publish(self) -> None:
        self.change(game=RunningGame(f"game-{self.started}", self.timelines[-1]), proposal=None)
