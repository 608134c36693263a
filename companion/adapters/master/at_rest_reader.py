"""The reader of what lies at rest, made from a profile; a profile without anything enrolled is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.pieces.samples import PieceSamples
from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.games.master.formula_cards import FormulaReading, read_formula
from vision.games.master.loose_tokens import LooseToken, read_loose_tokens
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading

_INK: Final = (214, 230, 239)
"""Colours of what was read, BGR."""
_DOUBT: Final = (80, 120, 240)


_FIELD: Final = np.array([(0, 0), (7, 0), (7, 7), (0, 7)], np.float32)
"""Corners of the field, in tiles."""


@dataclass(frozen=True, slots=True)
class EndHint:
    """What is read once play has ended."""

    cards: tuple[tuple[int, int, int], ...]
    """Formula cards that may be shown; none once all are noted."""
    lying: tuple[int, ...]
    """Numbers of the tokens that lie on the board."""


@dataclass(frozen=True, slots=True)
class EndReading:
    """What one picture shows once play has ended: the tokens before the players, or a formula card."""

    maze: MazeReading
    """The board, which a card that is held into the camera covers."""
    tokens: tuple[LooseToken, ...] = ()
    """Tokens beside the board, in its frame; none where the board is not seen whole."""
    formula: FormulaReading | None = None
    """A card that is held into the camera."""


class MazeAtRest:
    """Reads the board while nothing moves, and at the end what lies beside it.

    pieces: enrolled samples by kind, as in `MazeReader`.
    """

    def __init__(self, pieces: Mapping[str, PieceSamples]) -> None:
        self._pieces = pieces
        self._reader = MazeReader(pieces)

    def read(self, image: Image, hint: EndHint | None) -> MazeReading | EndReading:
        """Return the reading of one picture. hint: None while the game is played."""
        maze = self._reader.read(image)
        if hint is None:
            return maze
        if maze.state != "board":
            formula = read_formula(image, hint.cards, self._pieces or None) if hint.cards else None
            return EndReading(maze, formula=formula)
        to_picture = cv2.getPerspectiveTransform(_FIELD, np.array(maze.corners, np.float32))
        matrix = np.asarray(to_picture, np.float64)
        return EndReading(maze, read_loose_tokens(image, matrix, self._pieces or None, hint.lying))


def rest_reader(profile: TableProfile) -> MazeAtRest:
    """Return the reader of the maze with the profile's enrolled tokens and wizards."""
    return MazeAtRest(profile.pieces)


def draw_at_rest(drawn: Image, read: MazeReading | EndReading) -> None:
    """Draw the field, doubtful tiles, and the numbers and colours that were read over a picture."""
    reading = read.maze if isinstance(read, EndReading) else read
    if reading.corners:
        cv2.polylines(drawn, [np.array(reading.corners, np.int32)], True, _INK, 2, cv2.LINE_AA)
    for tile in (*reading.tiles, *([] if reading.spare is None else [reading.spare])):
        if tile.doubtful:
            _frame(drawn, tile.box)
    for disc in reading.tokens:
        _label(drawn, f"{disc.number}{'?' if disc.doubtful else ''}", disc.box, doubtful=disc.doubtful)
    for wizard in reading.wizards:
        _label(drawn, wizard.colour, wizard.box, doubtful=wizard.doubtful)


def _frame(drawn: Image, box: tuple[float, float, float, float]) -> None:
    x, y, width, height = (round(value) for value in box)
    cv2.rectangle(drawn, (x, y), (x + width, y + height), _DOUBT, 2, cv2.LINE_AA)


def _label(drawn: Image, text: str, box: tuple[float, float, float, float], *, doubtful: bool) -> None:
    x, y, _, height = (round(value) for value in box)
    cv2.putText(
        drawn,
        text,
        (x, y + height // 2),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.5,
        _DOUBT if doubtful else _INK,
        1,
        cv2.LINE_AA,
    )
