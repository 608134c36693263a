"""A whole simulated table without threads and without waiting: time goes on only from frame to frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from calibration.profile import TableProfile
from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.bot_interface import Bots
from companion.director.director import Director
from companion.director.pre_enrolled_pieces import GROUND, prepared_pieces
from companion.director.simulated_profile import SimulatedBox, enrolled_profile
from companion.games.wicked import apply, new_game
from companion.games.wicked.components import PLAYER_COLOURS, PlayerColour
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.table import FrameReader, Readers, ReadingSchedule, SavedGames, Table
from companion.table.reading.readers_from_profile import readers_for
from companion.table.running_game import RunningGame
from companion.table.views import ComparisonView, SeatView
from tests.companion.table.playing import game_of
from vision.cameras.frame import Frame
from vision.cameras.grabber import GrabStatus
from vision.cameras.simulated import Look, Renderer, SimulatedCamera

PLAYERS = (
    SeatView("Ada", "purple"),
    SeatView("Bruno", "green"),
    SeatView("Chie", "red"),
    SeatView("Dolores", "black"),
    SeatView("Emil", "yellow"),
)
RUNNING = GrabStatus("running")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Clock:
    """A clock that stands still until it is advanced."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class AtOnce(Executor):
    """Does what it is given before it returns."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@dataclass(frozen=True)
class Room:
    """A look of the simulated table and the profile enrolled on it: made once, used by many tests."""

    renderer: Renderer
    profile: TableProfile
    readers: Readers
    bots: Bots[Any, Any] = BOTS
    setup: Any = STANDIN
    players: Sequence[SeatView] = PLAYERS


def furnished(look: Look | None = None, report: Callable[[str], None] = lambda _: None) -> Room:
    renderer = Renderer(look or Look(), BOTS.card_faces(STANDIN))
    profile = enrolled_profile(renderer.render, SimulatedBox(BOTS, STANDIN), report)
    return Room(renderer, profile, readers_for(profile))


def prepared() -> Room:
    """Return a room on the ground whose pieces are bundled, which spares their enrolment: 8 s in place of 20."""
    renderer = Renderer(replace(Look(), ground=GROUND), BOTS.card_faces(STANDIN))
    profile = enrolled_profile(renderer.render, SimulatedBox(BOTS, STANDIN), lambda _: None, prepared_pieces(BOTS))
    return Room(renderer, profile, readers_for(profile))


@dataclass
class Rehearsal:
    """Table, director and camera over one clock; `photograph` may put another picture in place of the camera's."""

    room: Room
    folder: Path
    seed: int
    speed: float = 4.0
    fps: float = 8.0
    schedule: ReadingSchedule = field(default_factory=ReadingSchedule)
    photograph: Callable[[Frame], Frame] = lambda frame: frame

    def __post_init__(self) -> None:
        self.clock = Clock()
        self.frames = 0
        self.looked = 0.0
        bots, setup = self.room.bots, self.room.setup
        self.table = Table(SavedGames(self.folder), setup, clock=self.clock, work=AtOnce(), game=bots.game.id)
        self.reader = FrameReader(self.room.readers, self.schedule)
        self.table.set_reader(self.reader)
        self.camera = SimulatedCamera(self.room.renderer, self.fps, self.clock, self.clock.advance)
        self.director = Director(self.table, bots, setup, self.camera.show, self.seed, self.clock, self.speed)
        self.table.director = self.director

    def start(self, players: int) -> None:
        self.table.start_game(self.room.players[:players], "demo")

    def frame(self) -> None:
        """Advance table, director and camera by one frame."""
        self.director.tick()
        frame = self.photograph(self.camera.grab())
        self.frames += 1
        self.table.update_camera_status(RUNNING)
        began = time.perf_counter()
        self.table.process_frame(frame)
        self.looked = time.perf_counter() - began
        self.table.tick()

    def until(self, true: Callable[[], bool], frames: int = 3000) -> None:
        """Go on until something is true. Fails after so many frames."""
        for _ in range(frames):
            if true():
                return
            self.frame()
        raise AssertionError(
            f"it did not come about in {frames} frames: {self.table.view.camera}, {self.director.view}"
        )

    @property
    def game(self) -> RunningGame:
        return game_of(self.table)

    @property
    def boards(self) -> ComparisonView:
        boards = self.table.view.comparison
        assert boards is not None
        return boards

    @property
    def true_state(self) -> WickedState:
        """Where the game stands by what the director truly showed and tapped."""
        state = new_game(colours(self.game.seats), STANDIN)
        for move in self.director.truth:
            state = apply(state, move)
        return state

    def close(self) -> None:
        self.table.close()


def colours(seats: Sequence[SeatView]) -> tuple[PlayerColour, ...]:
    known: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}
    return tuple(known[seat.figure] for seat in seats)


def in_order(state: WickedState) -> WickedState:
    """Put achieved oracles in order: on the table nobody sees which came first."""
    return replace(
        state,
        players=tuple(
            replace(
                player,
                achieved_great=tuple(sorted(player.achieved_great, key=lambda oracle: oracle.card)),
                achieved_small=tuple(sorted(player.achieved_small)),
            )
            for player in state.players
        ),
    )
