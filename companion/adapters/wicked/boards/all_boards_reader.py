"""Reads and interprets all personal boards of a table at once."""

from __future__ import annotations

from dataclasses import replace

from calibration.seats import Seating
from calibration.translatable import say
from companion.adapters.wicked.boards.board_findings import interpret_boards
from companion.adapters.wicked.boards.possible_player_states import boards_by_seat
from companion.adapters.wicked.boards.reading_overlays import board_picture, boards_picture
from companion.adapters.wicked.camera_readers import board_reader
from companion.adapters.wicked.soul_phase_proposals import board_expectation
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Phase, WickedState
from companion.table.game_adapter import WholeTable
from companion.table.pictures.pictures_of_reading import Pictures
from vision.cameras.frame import Image
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardsReading

_AUTOMATIC_PHASES: tuple[Phase, ...] = ("soul", "over")
"""Phases in which the boards are read automatically, once in each still interval."""


def _read(reader: BoardReader, image: Image, state: WickedState, seating: Seating) -> BoardsReading:
    return reader.read(image, replace(board_expectation(state), seating=seating))


def _draw(image: Image, state: WickedState, reading: BoardsReading) -> Pictures:
    boards = boards_by_seat(state, reading)
    return Pictures(
        boards_picture(image, reading), seats={seat: board_picture(image, one) for seat, one in boards.items()}
    )


def _automatic(state: WickedState) -> bool:
    """Return whether the boards are read automatically in a state."""
    return state.phase in _AUTOMATIC_PHASES


WHOLE_TABLE: WholeTable[WickedState, Move] = WholeTable(
    reader=board_reader,
    read=_read,
    interpret=interpret_boards,
    draw=_draw,
    automatic=_automatic,
    unreadable=say("The boards cannot be read yet: enrol the personal boards and the tokens first."),
    failed=say("The boards could not be read. Enter the soul phase by hand; the log contains the reason."),
)
"""The personal boards of The Wicked Labyrinth."""
