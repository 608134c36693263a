"""A running table of Master Labyrinth whose readings a test lays."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.adapters.master.adapter import ADAPTER
from companion.games.master.maze import places
from companion.games.master.moves import Shift, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState
from companion.table import FrameReader, Readers, ReadingSchedule, SavedGames, Table
from companion.table.views import SeatView
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader, one_picture
from tests.companion.director.rehearsal import RUNNING, Clock
from vision.cameras.frame import Frame, Image
from vision.games.master.readings import MazeReading

SEATS = (SeatView("Ada", "red"), SeatView("Bruno", "brown"))
NAMES = ("Ada", "Bruno")


@dataclass
class PlacedMaze:
    """Reader of what a test has laid."""

    table: LaidTable | MazeReading
    noise: NoisyReader = field(default_factory=lambda: NoisyReader(random.Random(1), CLEAN))
    pictures: int = 0
    """How many were read."""

    def read(self, image: Image, hint: object) -> MazeReading:
        self.pictures += 1
        return self.table if isinstance(self.table, MazeReading) else self.noise.read(self.table)[0]


class LiveMaze:
    """A table of two players; every change of what lies there moves the picture."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.table = Table(SavedGames(folder), None, game="master", clock=self.clock)
        self.reader = PlacedMaze(one_picture("no_board", "There is no board in the picture."))
        readers = Readers(
            None,
            self.reader,
            lambda point, _: 0,
            draw_at_rest=ADAPTER.draw_at_rest,
            calibrated=ADAPTER.calibrated,
        )
        self.table.set_reader(FrameReader(readers, ReadingSchedule(rest_pictures=2)))
        self.table.update_camera_status(RUNNING)
        self.table.start_game(SEATS)
        self._number = 0
        self._shade = 90

    @property
    def state(self) -> MasterState:
        assert self.table.view.game is not None
        state = self.table.view.game.state
        assert isinstance(state, MasterState)
        return state

    @property
    def number(self) -> int:
        assert self.table.view.game is not None
        return self.table.view.game.number

    @property
    def questions(self) -> list[str]:
        proposal = self.table.view.proposal
        return [] if proposal is None else [doubt.question for doubt in proposal.questions[0].doubts]

    def lay(self, table: LaidTable | MazeReading) -> None:
        """Lay something else, with a hand between the camera and the board meanwhile."""
        self.reader.table = table
        self._shade = 180 if self._shade == 90 else 90
        self.watch(0.5)

    def watch(self, seconds: float) -> None:
        for _ in range(round(seconds * 8)):
            self.clock.advance(1 / 8)
            self._number += 1
            rng = np.random.default_rng(self._number)
            image = np.full((180, 320, 3), 120, np.uint8)
            cv2.rectangle(image, (110, 40), (210, 140), (40, self._shade, 60), -1)
            noisy = np.clip(image + rng.integers(-2, 3, image.shape), 0, 255).astype(np.uint8)
            self.table.process_frame(Frame(noisy, self._number, self.clock()))
            self.table.tick()


def proposed(live: LiveMaze) -> tuple[object, ...]:
    """Moves of the certain proposal that waits."""
    proposal = live.table.view.proposal
    assert proposal is not None
    assert proposal.certain
    return proposal.questions[0].choices[0].moves


def turn(state: MasterState) -> tuple[Shift, Walk]:
    """A turn of the mover: a shift, and a move along open paths."""
    assert state.maze is not None
    for move in ADAPTER.game.legal_moves(state, state.mover):
        if isinstance(move, Shift):
            after = apply(state, move)
            assert after.maze is not None
            here = after.wizards[after.mover]
            ends = [place for place in places(after.maze.reached(here)) if place != here]
            if ends:
                place = ends[-1]
                return move, Walk(after.mover, place, after.token_at(place) == after.next_token)
    pytest.fail("no wizard can move")


def two_shifts(state: MasterState) -> tuple[Shift, Shift]:
    """Two shifts of the mover at different arrows."""
    shifts = [move for move in ADAPTER.game.legal_moves(state, state.mover) if isinstance(move, Shift)]
    return shifts[0], next(shift for shift in shifts if shift.arrow != shifts[0].arrow)


def watch_a_shift(live: LiveMaze, seconds: float) -> tuple[MasterState, MasterState]:
    """Lay a shift of the mover and watch it; return the state before it, and the one after another shift."""
    before = live.state
    shift, other = two_shifts(before)
    live.lay(LaidTable.of(apply(before, shift)))
    live.watch(seconds)
    return before, apply(before, other)
