"""Scenes with one board, or one at a seat."""

from __future__ import annotations

from calibration.games.wicked.art import BOARD_SPOTS
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.games.wicked.standin_deck import STANDIN
from tests.vision.boards.enrolled import tokens
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.simulated_layout import seat_place

_LOW, _MIDDLE, _HIGH = BOARD_SPOTS.low, BOARD_SPOTS.middle, BOARD_SPOTS.high

LYING = (
    ("token:red", _LOW[0]), ("token:red", _LOW[2]), ("token:blue", _LOW[5]),
    ("token:green", _MIDDLE[1]), ("token:yellow", _HIGH[0]), ("token:blue", _HIGH[3]),
)  # fmt: skip # a table of things

GREAT, OPEN_GREAT, SMALL = STANDIN.great[1], STANDIN.great[9], STANDIN.small[4].id

HANDFUL = Pose(20.0, -10.0, 25.0)


def at_seat(seat: int) -> Scene:
    """Return one of four seats in a game: an achieved great oracle, a small one face down, impurity 4."""
    place = seat_place(4, seat)
    spells = [(BOARD_SPOTS.promotion, -12.0), (BOARD_SPOTS.promotion, 8.0), (BOARD_SPOTS.colour_change, 0.0)]
    pieces = [*tokens(place.board, LYING)]
    pieces += [PieceOnTable("search:purple", offset_pose(place.board, s.x + x, s.y, 20.0)) for s, x in spells]
    pieces += [
        PieceOnTable(f"token:{colour}", offset_pose(place.great[0], x, -20.0))
        for colour, x in zip(GREAT.colours, (-15.0, 15.0), strict=True)
    ]
    pieces += [
        PieceOnTable("impurity:3", place.impurity),
        PieceOnTable("impurity:1", offset_pose(place.impurity, 17.2, 0.0)),
    ]
    cards = (
        CardOnTable(place.great[0], GREAT.id, "great"), CardOnTable(place.great[1], OPEN_GREAT.id, "great"),
        CardOnTable(place.small[0], None, "small"), CardOnTable(place.small[1], SMALL, "small"),
    )  # fmt: skip # a table of things
    return Scene(4, boards=(BoardOnTable("purple", place.board),), cards=cards, pieces=tuple(pieces))


def alone(*lying: tuple[str, tuple[float, float]], colour: str = "purple") -> Scene:
    """Return a board in the middle of the table with tokens on it."""
    return Scene(4, tile=False, boards=(BoardOnTable(colour, HANDFUL),), pieces=tokens(HANDFUL, lying or LYING))
