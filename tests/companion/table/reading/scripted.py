"""A table whose reveals a test stages: rendered pictures through the product's own loop, on a scripted clock."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.adapters.wicked.bots.scenes import scene
from companion.games.wicked.bots.random_moves import random_cards
from companion.games.wicked.standin_deck import STANDIN
from companion.table import FrameReader, SavedGames, Table
from companion.table.running_game import RunningGame
from companion.table.views import ProposalView
from tests.companion.director.rehearsal import PLAYERS, RUNNING, Clock, Room
from tests.companion.table.playing import game_of
from vision.cameras.frame import Frame, Image
from vision.cameras.simulated.scene import HandOnTable, Scene

FRAMES_A_SECOND = 8.0
_NOISES = 4


def hand(seat: int, pieces: int, look: int) -> HandOnTable:
    """Show so many search pieces of the player's colour in an open hand; `look` picks person and places."""
    return HandOnTable(seat, 1.0, 1.0, (f"search:{PLAYERS[seat].figure}",) * pieces, look)


class ScriptedTable:
    """A game at its first search, and the camera's pictures of what a test shows.

    photograph: changes a picture (and gets its number) as a camera in trouble would. lag: seconds for which a
    picture is on its way.
    """

    def __init__(self, room: Room, folder: Path, players: int, seed: int = 1) -> None:
        self.clock = Clock()
        self.photograph: Callable[[Image, int], Image] = lambda image, _: image
        self.lag = 0.0
        self.table = Table(SavedGames(folder), STANDIN, clock=self.clock)
        self.table.set_reader(FrameReader(room.readers))
        self.table.update_camera_status(RUNNING)
        self.table.start_game(PLAYERS[:players])
        rng = random.Random(seed)
        while self.game.state.phase in ("deal", "lay"):
            self.table.play(random_cards(self.game.state, rng), self.game.number)
        self._room = room
        self._pictures: dict[tuple[Scene, int], Image] = {}
        self._empty = self._shown = scene(self.game.state)
        self._number = 0

    @property
    def game(self) -> RunningGame:
        return game_of(self.table)

    @property
    def proposal(self) -> ProposalView | None:
        return self.table.view.proposal

    @property
    def entered(self) -> tuple[int, ...] | None:
        """Search pieces by seat of the reveal that was entered, None while none was."""
        outcome = self.game.state.outcome
        return None if outcome is None else tuple(each.search for each in outcome.hands)

    def show(self, *hands: HandOnTable) -> None:
        """Show these hands in all further pictures."""
        self._shown = replace(self._empty, hands=hands)

    def frame(self) -> None:
        """Take the next picture."""
        self.clock.advance(1.0 / FRAMES_A_SECOND)
        self._number += 1
        key = (self._shown, self._number % _NOISES)
        if key not in self._pictures:
            self._pictures[key] = self._room.renderer.render(*key)
        image = self.photograph(self._pictures[key], self._number)
        self.table.process_frame(Frame(image, self._number, self.clock() - self.lag))
        self.table.tick()

    def look(self, seconds: float) -> None:
        """Take pictures for so long."""
        for _ in range(round(seconds * FRAMES_A_SECOND)):
            self.frame()

    def until(self, true: Callable[[], bool], seconds: float = 12.0) -> bool:
        """Take pictures until something is true; return whether it came about in time."""
        for _ in range(round(seconds * FRAMES_A_SECOND)):
            if true():
                return True
            self.frame()
        return true()

    def close(self) -> None:
        self.table.close()
