"""Reads and interprets all personal boards of a table at once."""

from __future__ import annotations

from dataclasses import replace

from calibration.seats import Seating
from companion.adapters.wicked.boards.comparison import interpret_boards
from companion.adapters.wicked.boards.interpretations import boards_by_seat
from companion.adapters.wicked.boards.pictures import board_picture, boards_picture
from companion.adapters.wicked.soul_proposals import board_expectation
from companion.games.wicked.state import Phase, State
from companion.table.reading.background_reader import WholeTable
from companion.table.reading.frame_reader import BoardsReader
from companion.table.waiting_proposal import Pictures
from vision.cameras.frame import Image
from vision.games.wicked.readings import BoardsReading

_AUTOMATIC_PHASES: tuple[Phase, ...] = ("soul", "over")
"""Phases in which each still interval is read once."""


def _read(reader: BoardsReader, image: Image, state: State, seating: Seating) -> BoardsReading:
    return reader.read(image, replace(board_expectation(state), seating=seating))


def _draw(image: Image, state: State, reading: BoardsReading) -> Pictures:
    boards = boards_by_seat(state, reading)
    return Pictures(
        boards_picture(image, reading), seats={seat: board_picture(image, one) for seat, one in boards.items()}
    )


def _automatic(state: State) -> bool:
    return state.phase in _AUTOMATIC_PHASES


WHOLE_TABLE = WholeTable(_read, interpret_boards, _draw, _automatic)
"""The personal boards of The Wicked Labyrinth."""
