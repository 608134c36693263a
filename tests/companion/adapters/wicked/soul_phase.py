"""A table of three in their first soul phase, whose boards a test lays."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from calibration.errors import ProfileError
from companion.games.wicked import apply
from companion.games.wicked.bots.advised import advised_choice
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul, Move, Reveal
from companion.games.wicked.rules.search_phase import outcome
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.session import Played, Session, Step
from companion.table import FrameReader, Readers, ReadingSchedule, SavedGames, Table
from companion.table.running_game import RunningGame
from companion.table.views import ComparisonView, ProposalView, SeatView
from tests.companion.adapters.wicked.board_readings import table as lying
from tests.companion.director.rehearsal import Clock
from tests.companion.table.playing import game_of
from tests.companion.table.reading.placed import Placed, PlacedCards
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import GrabStatus
from vision.games.wicked.readings import BoardExpectation, BoardsReading

GRAINED = np.asarray(
    np.kron(np.random.default_rng(5).integers(40, 160, (45, 80, 1)), np.ones((4, 4, 3), int)), np.uint8
)
"""Table top with enough texture to detect a moved camera."""

SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))


@dataclass
class PlacedBoards:
    """Reader that returns the boards a test lays; `meanwhile` is called while they are read."""

    reading: BoardsReading = field(default_factory=lambda: BoardsReading(()))
    read_so_far: int = 0
    refuses: bool = False
    meanwhile: Callable[[], None] = field(default=lambda: None)

    def read(self, image: Image, expectation: BoardExpectation | None = None) -> BoardsReading:
        assert expectation is not None
        assert (expectation.seats, expectation.players) == (3, 3)
        self.read_so_far += 1
        self.meanwhile()
        if self.refuses:
            raise ProfileError("The picture cannot be used.")
        return self.reading


@dataclass
class SoulPhaseSession:
    """A table of three in their first soul phase, what lies on their boards, and the time."""

    table: Table
    clock: Clock
    boards: PlacedBoards
    games: Path
    shade: int = 60

    @property
    def game(self) -> RunningGame:
        return game_of(self.table)

    @property
    def view(self) -> ComparisonView:
        view = self.table.view.comparison
        assert view is not None
        return view

    @property
    def proposal(self) -> ProposalView:
        proposal = self.table.view.proposal
        assert proposal is not None
        return proposal

    def accept(self, *choices: int | None) -> None:
        self.table.proposals.accept(self.proposal.id, choices, self.proposal.number)

    def look(self, seconds: float = 2.0) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.advance(0.1)
            image = GRAINED.copy()
            image[90:102, 150:162] = self.shade
            self.table.process_frame(Frame(image, 0, self.clock()))
            self.table.tick()

    def lay(self, players: Sequence[WickedPlayer], reading: BoardsReading | None = None) -> None:
        """Lay boards, with motion on the table."""
        self.boards.reading = reading or lying(players)
        self.shade = 200 if self.shade == 60 else 60

    def steps(self) -> tuple[Step, ...]:
        path = next(self.games.glob("*.journal"))
        with Session.open(path, read_only=True) as journal:
            return journal.steps

    def sources(self) -> list[str]:
        path = next(self.games.glob("*.journal"))
        with Session.open(path, read_only=True) as journal:
            return [entry.source for entry in journal.entries if isinstance(entry, Played)]


def frame_reader(boards: PlacedBoards | None) -> FrameReader:
    """Return a new reader of frames that reads these boards, none for None."""
    placed = Placed()
    readers = Readers(
        placed, PlacedCards(placed), lambda point, _: 0, whole_table=None if boards is None else lambda: boards
    )
    return FrameReader(readers, ReadingSchedule(rest_pictures=1))


def begun(table: Table, clock: Clock, boards: PlacedBoards | None, *first: Move) -> None:
    """Play a game of three by hand to their first soul phase, at first these moves."""
    table.set_reader(frame_reader(boards))
    table.update_camera_status(GrabStatus("running"))
    table.start_game(SEATS)
    for number, move in enumerate(first, 1):
        table.play(move, number)
    rng = random.Random(3)
    while (game := table.view.game) is not None and game.state.phase != "soul":
        table.play(random_move(game.state, rng), game.number)


def soul_phase_session(folder: Path, work: Executor | None, *first: Move) -> SoulPhaseSession:
    """Play a game of three to their first soul phase, at first these moves."""
    clock, boards = Clock(), PlacedBoards()
    table = Table(SavedGames(folder / "games"), STANDIN, clock=clock, work=work)
    begun(table, clock, boards, *first)
    return SoulPhaseSession(table, clock, boards, folder / "games")


def exhausted(state: WickedState) -> tuple[WickedPlayer, ...]:
    """Return the boards when the phase has ended for all and no move could improve them."""
    rng = random.Random(1)
    done = []
    for seat in range(len(state.players)):
        here = state
        while not isinstance(move := advised_choice(here, seat, rng), FinishSoul):
            here = apply(here, move)
        done.append(finish(here.players[seat]))
    return tuple(done)


def sign_moved(session: SoulPhaseSession) -> tuple[WickedPlayer, ...]:
    """Return the boards as if a witch's sign had been revealed at another corridor of this round."""
    state = session.game.state
    reveals = [(step, step.move) for step in session.steps() if isinstance(step.move, Reveal)]
    for seat, (opened, here), (other, there) in itertools.product(range(3), reveals, reveals):
        if not here.hands[seat].witch or other is opened:
            continue
        gains = [
            {one for one, gain in enumerate(outcome(step.before, move).gains) if gain}
            for step, move in ((opened, here), (other, there))
        ]
        if gains[0] != gains[1]:
            return tuple(
                replace(player, impurity=player.impurity + (one in gains[1]) - (one in gains[0]))
                for one, player in enumerate(state.players)
            )
    raise AssertionError("nobody's sign would have changed anything")


def lying_otherwise(session: SoulPhaseSession, phase: str) -> tuple[WickedPlayer, ...]:
    """Play to a phase, and lay the boards as if a sign had been revealed at another corridor."""
    rng = random.Random(4)
    while session.game.state.phase != phase:
        session.table.play(random_move(session.game.state, rng), session.game.number)
    seen = sign_moved(session)
    session.lay(tuple(map(finish, seen)) if phase == "soul" else seen)
    session.look(2.0)
    return seen
