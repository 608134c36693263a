"""Reads pictures in which nothing moves: the board, and after the end of play tokens beside it and formula cards.

A profile without enrolled pieces is enough: tokens are then compared with the printable stand-in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.pieces.samples import PieceSamples
from calibration.profile import TableProfile
from companion.games.master.components import FORMULAS
from vision.cameras.frame import Image
from vision.games.master.formula_cards import FormulaReading, read_formula
from vision.games.master.loose_tokens import LooseToken, read_loose_tokens
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading

_INK: Final = (214, 230, 239)
"""Colour in which readings are drawn, BGR."""
_DOUBT: Final = (80, 120, 240)
"""Colour in which readings that need confirmation are drawn, BGR."""
_FIELD: Final = np.array([(0, 0), (7, 0), (7, 7), (0, 7)], np.float32)
"""Corners (x, y) of the field, in tiles, clockwise from place 0's outer corner."""


@dataclass(frozen=True, slots=True)
class EndHint:
    """What the reader has to look for after the end of play."""

    cards: tuple[tuple[int, int, int], ...]
    """Numbers on each formula card that may be shown; empty once all players' cards are noted."""
    lying: tuple[int, ...]
    """Numbers of the tokens that are still on the board, so that they are not searched beside it."""


@dataclass(frozen=True, slots=True)
class EndReading:
    """Reading of one picture after the end of play: the tokens in front of the players, or a formula card."""

    maze: MazeReading
    """Reading of the board; not whole where a card held in front of the camera covers it."""
    tokens: tuple[LooseToken, ...] = ()
    """Tokens beside the board, positioned in its frame; empty where the board was not found."""
    formula: FormulaReading | None = None
    """The formula card held in front of the camera, if any."""


class MazeAtRest:
    """Reader of pictures in which nothing moves.

    pieces: enrolled samples by kind, such as `token:7`.
    """

    def __init__(self, pieces: Mapping[str, PieceSamples]) -> None:
        self._pieces = pieces
        self._reader = MazeReader(pieces)

    def read(self, image: Image, hint: EndHint | None) -> MazeReading | EndReading:
        """Return the reading of one BGR picture: of the board alone without a hint, an `EndReading` with one.

        hint: what to look for after the end of play; None before.
        """
        maze = self._reader.read(image)
        if hint is None:
            return maze
        if maze.state != "board":
            formula = read_formula(image, hint.cards, self._pieces or None) if hint.cards else None
            return EndReading(maze, formula=formula)
        to_picture = cv2.getPerspectiveTransform(_FIELD, np.array(maze.corners, np.float32))
        matrix = np.asarray(to_picture, np.float64)
        return EndReading(maze, read_loose_tokens(image, matrix, self._pieces or None, hint.lying, FORMULAS))


def rest_reader(profile: TableProfile) -> MazeAtRest:
    """Return a reader of still pictures that recognises the pieces enrolled in a profile."""
    return MazeAtRest(profile.pieces)


def draw_at_rest(drawn: Image, read: MazeReading | EndReading) -> None:
    """Draw a reading onto its BGR picture, in place.

    That is the board's outline, boxes round uncertain tiles, tokens' numbers and wizards' colours.
    """
    reading = read.maze if isinstance(read, EndReading) else read
    if reading.corners:
        cv2.polylines(drawn, [np.array(reading.corners, np.int32)], True, _INK, 2, cv2.LINE_AA)
    for tile in (*reading.tiles, *([] if reading.spare is None else [reading.spare])):
        if tile.doubtful:
            _frame(drawn, tile.box)
    for disc in reading.tokens:
        number = "" if disc.unknown else disc.number
        _label(drawn, f"{number}{'?' if disc.doubtful else ''}", disc.box, doubtful=disc.doubtful)
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
