"""A camera that shows a running table whatever moves a test names, and compares the table with the journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from companion.adapters import adapter
from companion.games.game import Game, Viewer
from companion.referee.finding import Comparison, Difference, Finding, OfferedCorrection, PointsCheck, Replacement
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from companion.session import Change, Revision, Timeline
from companion.table import FrameReader, Readers, ReadingSchedule, Table
from companion.table.game_adapter import Adapter, Situation, StateRequest, StillReadings, WholeTable
from companion.table.pictures.pictures_of_reading import Pictures
from tests.companion.director.rehearsal import RUNNING, Clock
from tests.games.pebbles.adapter import ADAPTER as PEBBLES_ADAPTER
from vision.cameras.frame import Frame, Image
from vision.readings import Expectation

Choices = tuple[tuple[Any, ...], ...]
"""Answers to one question, each as its moves."""
ViewerOf = Callable[[Any], Viewer]
_FRAMES_A_SECOND = 8
_SECONDS = 3
"""For which the table is watched: longer than the worker for the whole table waits for a table at rest."""
_COMPARED = 3
"""Number of latest moves that a comparison names."""


@dataclass
class ScriptedCamera:
    """The camera: `choices` are read from every picture."""

    clock: Clock = field(default_factory=Clock)
    choices: Choices = ()
    frames: int = 0

    def read(self, image: Image, hint: object) -> Choices:
        return self.choices

    def watch(self, table: Table, choices: Choices) -> None:
        """Show these choices to a table until it has read them, after a movement in the picture."""
        self.choices = choices
        shade = 40 + 100 * (self.frames // (_FRAMES_A_SECOND * _SECONDS) % 2)
        if not self.frames:
            readers = Readers(None, self, lambda point, _: 0, None, None, None, lambda: self, _drawn, False)
            table.set_reader(FrameReader(readers, ReadingSchedule(rest_pictures=1)))
            table.update_camera_status(RUNNING)
        for _ in range(_FRAMES_A_SECOND * _SECONDS):
            self.clock.advance(1 / _FRAMES_A_SECOND)
            self.frames += 1
            grain = np.random.default_rng(self.frames).integers(-2, 3, (180, 320, 3))
            image = np.full((180, 320, 3), 120, np.int16) + grain.astype(np.int16)
            image[40:140, 110:210] += shade - 90
            table.process_frame(Frame(image.clip(0, 255).astype(np.uint8), self.frames, self.clock()))
            table.tick()


def scripted(game: Game[Any, Any, Any], viewer: ViewerOf = lambda move: None, **fields: Any) -> Adapter[Any, Any]:
    """Return a game's adapter that proposes what a `ScriptedCamera` shows.

    viewer: (move) -> for whom it is described where the table is compared with the journal. fields: others that
    are replaced.
    """
    base = PEBBLES_ADAPTER if game.id == PEBBLES_ADAPTER.game.id else adapter(game.id)
    whole: WholeTable[Any, Any] = WholeTable(
        reader=lambda profile: None,
        read=lambda reader, image, state, seating: None,
        interpret=partial(_compared, viewer),
        draw=lambda image, state, reading: Pictures(b"the whole table"),
        automatic=lambda state: True,
        unreadable="The table cannot be read.",
        failed="The table could not be read.",
    )
    own = {"request": _request, "interpret": _proposed, "whole_table": whole, **fields}
    return replace(base, game=game, **own)


def _request(state: object) -> StateRequest:
    return StateRequest("at_rest", Expectation(0))


def _proposed(situation: Situation[Any], read: StillReadings) -> Finding[Any]:
    """Return a question with the choices that were read."""
    choices: Sequence[tuple[Any, ...]] = read.at_rest[-1]
    answers = tuple(Choice(moves, 1 / len(choices)) for moves in choices)
    return Finding(Proposal((Question(None, answers, (Doubt(None, "Which of these?"),)),)))


def _compared(
    viewer: ViewerOf, timeline: Timeline[Any, Any], names: Sequence[str], reading: object
) -> Finding[Any]:
    """Return a comparison that contradicts the latest moves, each described for this viewer."""
    game, state = timeline.game, timeline.state
    steps = timeline.steps[-_COMPARED:]
    lines = [game.describe(step, state, names, viewer(step.move)) for step in steps]
    return Finding(
        comparison=Comparison(
            tuple(Difference(game.actor(step.move), line) for step, line in zip(steps, lines, strict=True)),
            corrections=tuple(
                OfferedCorrection(line, Revision((Change(step.number, None),)))
                for step, line in zip(steps, lines, strict=True)
            ),
            replacement=Replacement((steps[-1].number,), (steps[-1].move,)) if steps else None,
            points=tuple(PointsCheck(one.player, None, one.total) for one in game.final_scores(state)),
        )
    )


def _drawn(image: Image, choices: Choices) -> None:
    """Draw choices over a picture: other choices, another picture."""
    pattern = np.random.default_rng(list(repr(choices).encode()))
    image[:24, :48] = np.kron(pattern.integers(0, 256, (3, 6, 3)), np.ones((8, 8, 1)))
