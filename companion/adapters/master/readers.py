"""The reader of the maze at rest, made from a profile; a profile without anything enrolled is enough."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.games.master.reader import MazeReader
from vision.games.master.readings import MazeReading

_INK: Final = (214, 230, 239)
"""Colours of what was read, BGR."""
_DOUBT: Final = (80, 120, 240)


class MazeAtRest:
    """Reads the board while nothing moves."""

    def __init__(self, reader: MazeReader) -> None:
        self._reader = reader

    def read(self, image: Image, hint: object) -> MazeReading:
        """Return the reading of one picture; the hint is not needed."""
        return self._reader.read(image)


def rest_reader(profile: TableProfile) -> MazeAtRest:
    """Return the reader of the maze with the profile's enrolled tokens and wizards."""
    return MazeAtRest(MazeReader(profile.pieces))


def draw_maze(drawn: Image, reading: MazeReading) -> None:
    """Draw the field, doubtful tiles, and the numbers and colours that were read over a picture."""
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
