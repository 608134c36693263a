"""Places of board, spare, and the players' tokens and wands on the simulated table, in table mm, +y upwards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from vision.cameras.simulated.scene import Pose
from vision.games.master.readings import SIZE

TILE_MM: Final = 40.0
"""Width of a tile."""
RIM_MM: Final = 24.0
"""Width of the board's rim."""
BOARD_MM: Final = SIZE * TILE_MM + 2 * RIM_MM
"""Width of the board."""
BOARD_HEIGHT: Final = 2.0
"""Height of the board's face."""
TILE_THICK: Final = 2.0
"""Thickness of a tile."""
TOKEN_MM: Final = 20.0
"""Diameter of a token."""
TOKEN_THICK: Final = 1.6
"""Thickness of a token."""
Side = Literal["T", "R", "B", "L"]
"""Side of the board: top, right, bottom, left."""

_OUTWARDS: Final[dict[str, tuple[float, float]]] = {"T": (0, 1), "R": (1, 0), "B": (0, -1), "L": (-1, 0)}
_BESIDE_MM: Final = BOARD_MM / 2 + 25.0
"""Distance of the spare beside the board from the middle."""
_HELD_MM: Final = 27.0
"""Distance between the tokens that a player holds."""
_HELD_IN_A_ROW: Final = 5
"""Tokens that a player holds in each row."""


@dataclass(frozen=True, slots=True)
class Corner:
    """The part of the table on which a player's tokens and wands lie."""

    x: float
    """Left edge."""
    y: float
    """Upper edge."""


_CORNERS: Final = {
    "right below": Corner(236.0, -20.0),
    "left below": Corner(-345.0, -20.0),
    "left above": Corner(-345.0, 190.0),
    "right above": Corner(236.0, 190.0),
}
_CORNERS_OF: Final = {
    2: ("right below", "left above"),
    3: ("right below", "left above", "right above"),
    4: ("right below", "left below", "left above", "right above"),
}
"""Corners of the seats by the number of players; seats are counted clockwise from the lower edge."""


def place_xy(place: int) -> tuple[float, float]:
    """Return the centre (x, y) of a place on the board, table mm, +y upwards. place: 7 · row + column, 0..48."""
    return (place % SIZE - 3) * TILE_MM, (3 - place // SIZE) * TILE_MM


def point_before_line(side: Side, line: int, steps: float = 1.0) -> tuple[float, float]:
    """Return the point (x, y), table mm, outside a row or column, `steps` tiles from the centre of its end tile.

    side: side of the board on which the point lies. line: index of the row or column, 0..6.
    """
    out_x, out_y = _OUTWARDS[side]
    reach = (3 + steps) * TILE_MM
    along = (line - 3) * TILE_MM
    return out_x * reach + abs(out_y) * along, out_y * reach - abs(out_x) * along


def spare_pose(came_out: tuple[Side, int] | None) -> Pose:
    """Return the pose of the spare tile beside the board, where the last turn left it.

    came_out: side, and index of the row or column, at which it was pushed out; None before the first turn.
    """
    if came_out is None:
        return Pose(_BESIDE_MM, 40.0, 4.0)
    side, line = came_out
    out_x, out_y = _OUTWARDS[side]
    x, y = point_before_line(side, line)
    return Pose(out_x * _BESIDE_MM + abs(out_y) * x, out_y * _BESIDE_MM + abs(out_x) * y, 4.0 - 3.0 * (line - 3))


def held_token_pose(seats: int, seat: int, index: int) -> Pose:
    """Return the pose of a token in front of the player who took it.

    seats: number of players. index: of the token among the player's, from 0.
    """
    corner = _CORNERS[_CORNERS_OF[seats][seat]]
    row, column = divmod(index, _HELD_IN_A_ROW)
    return Pose(corner.x + column * _HELD_MM, corner.y - row * _HELD_MM, 17.0 * index)


def held_wand_pose(seats: int, seat: int, index: int) -> Pose:
    """Return the pose of a wand in front of its player.

    seats: number of players. index: of the wand among the player's, from 0.
    """
    corner = _CORNERS[_CORNERS_OF[seats][seat]]
    return Pose(corner.x + 14.0 + 22.0 * index, corner.y - 150.0, 3.0 * index - 4.0)


def hand_pose(seats: int, seat: int, x: float, y: float) -> Pose:
    """Return the pose of a hand that reaches from a seat to a point (x, y), table mm. seats: number of players."""
    angle = 2 * math.pi * seat / seats
    from_x, from_y = -420.0 * math.sin(angle), -420.0 * math.cos(angle)
    return Pose(x, y, math.degrees(math.atan2(x - from_x, y - from_y)))
