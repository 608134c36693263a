"""Scenes for the renderer: everything on the table in a state of the game, and while a turn is being made. Pure.

Positions are in mm on the table, from the board's centre.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

from companion.games.master.components import FIXED, PLACES, TOKENS
from companion.games.master.maze import ARROWS, Arrow, Maze, bits, letters, line_of, rotated, shape
from companion.games.master.state import TAKEN, MasterState
from vision.cameras.simulated.scene import BoardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.games.master.simulated_layout import (
    BOARD_HEIGHT,
    TILE_THICK,
    TOKEN_THICK,
    Side,
    held_token_pose,
    held_wand_pose,
    place_xy,
    point_before_line,
    spare_pose,
)

_BOARD: Final = BoardOnTable("maze", Pose(0.0, 0.0))
"""The board, in the middle of the table."""
_DRIFT_MM: Final = 1.6
"""Largest displacement of a loose tile from its place along each axis, mm."""
_DRIFT_DEGREES: Final = 2.5
"""Largest rotation of a loose tile, degrees."""
_BESIDE_MM: Final = ((0.0, 0.0), (9.0, 9.0), (-9.0, 9.0), (9.0, -9.0))
"""Offsets (x, y) from a tile's middle of the first to fourth wizard on it, mm."""
_SIDES: Final[Mapping[Arrow, tuple[Side, int]]] = {
    arrow: (side, int(arrow[1])) for arrow in ARROWS for side in get_args(Side) if arrow.startswith(side)
}
"""Side of the board, and row or column, of each arrow."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A loose tile on the table."""

    openings: str
    """Letters of its open sides, such as `TRL`."""
    pose: Pose
    """Position and rotation; at angle 0 the openings are exactly on these sides."""


@dataclass(frozen=True, slots=True)
class Handling:
    """Components that a hand is moving."""

    spare: Tile | None = None
    """The spare while it is carried; None while it lies beside the board."""
    pushed: tuple[Arrow, float] | None = None
    """Arrow at which the spare is pushed in, and how far: 0 outside of the board, 1 in place."""
    wizard: tuple[int, float, float] | None = None
    """Seat of the wizard that is carried, and its position x, y, mm."""


def scene(state: MasterState, hands: tuple[HandOnTable, ...] = (), handling: Handling | None = None) -> Scene:
    """Return what the renderer draws in a state; the bare board before its tiles are laid.

    handling: components that a hand is moving.
    """
    seats, handling = len(state.players), handling or Handling()
    pieces = list(_held_pieces(state))
    if state.maze is not None:
        pieces += _on_board(state, state.maze, handling)
    return Scene(seats, tile=False, boards=(_BOARD,), pieces=tuple(pieces), hands=hands)


def spare_beside(state: MasterState) -> Tile:
    """Return the spare tile as it lies beside the board. Raises ValueError before the board is laid."""
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    return Tile(letters(state.maze.spare), spare_pose(None if state.closed is None else _SIDES[state.closed]))


def entering_pose(arrow: Arrow, part: float = 0.0) -> Pose:
    """Return the pose of the spare tile while it is pushed in at an arrow.

    part: how far, 0 outside of the board, 1 in place.
    """
    x, y = point_before_line(*_SIDES[arrow])
    step_x, step_y = _push_displacement(arrow)
    return Pose(x + part * step_x, y + part * step_y)


def wizard_xy(state: MasterState, seat: int) -> tuple[float, float]:
    """Return the position (x, y) of a player's wizard, mm from the board's centre."""
    dx, dy = _wizard_offset(state, seat)
    x, y = place_xy(state.wizards[seat])
    return x + dx, y + dy


def _on_board(state: MasterState, maze: Maze, handling: Handling) -> Iterator[PieceOnTable]:
    """Yield tiles, spare, tokens on tiles and wizards, in the order in which they are drawn."""
    tiles = {place: _loose_tile(maze, place) for place in range(PLACES) if place not in FIXED}
    spare, ground = handling.spare or spare_beside(state), 0.0
    if handling.pushed is not None:
        arrow, part = handling.pushed
        step_x, step_y = (part * step for step in _push_displacement(arrow))
        for place in line_of(arrow):
            lying = tiles[place].pose
            tiles[place] = replace(tiles[place], pose=replace(lying, x=lying.x + step_x, y=lying.y + step_y))
        spare, ground = Tile(spare.openings, entering_pose(arrow, part)), BOARD_HEIGHT
    elif handling.spare is not None:
        ground = BOARD_HEIGHT + TILE_THICK
    yield from (_rendered_tile(tile, BOARD_HEIGHT) for tile in tiles.values())
    yield _rendered_tile(spare, ground)
    for number, place in zip(TOKENS, state.tokens, strict=True):
        if place != TAKEN:
            x, y = _tile_middle(place, tiles)
            yield PieceOnTable(f"token:{number}", Pose(x, y, float(37 * number % 360)), _tile_top(place, tiles))
    wizards = []
    for seat, (player, place) in enumerate(zip(state.players, state.wizards, strict=True)):
        (x, y), (dx, dy) = _tile_middle(place, tiles), _wizard_offset(state, seat)
        x, y = x + dx, y + dy
        if handling.wizard is not None and handling.wizard[0] == seat:
            _, x, y = handling.wizard
        ground = _tile_top(place, tiles) + TOKEN_THICK * (place in state.tokens)
        wizards.append(PieceOnTable(f"wizard:{player.colour}", Pose(x, y), ground))
    yield from sorted(wizards, key=lambda piece: -piece.pose.y)


def _held_pieces(state: MasterState) -> Iterator[PieceOnTable]:
    """Yield the tokens and wands that the players hold, beside the board."""
    seats = len(state.players)
    for seat, player in enumerate(state.players):
        for index, number in enumerate(player.tokens):
            yield PieceOnTable(f"token:{number}", held_token_pose(seats, seat, index))
        for index in range(player.wands):
            yield PieceOnTable("wand", held_wand_pose(seats, seat, index))


def _loose_tile(maze: Maze, place: int) -> Tile:
    """Return the loose tile at a place, displaced and rotated a little, as tiles lie on a real board."""
    openings = letters(maze.tile(place))
    rng = random.Random(f"{place} {openings}")
    x, y = place_xy(place)
    x, y = x + rng.uniform(-_DRIFT_MM, _DRIFT_MM), y + rng.uniform(-_DRIFT_MM, _DRIFT_MM)
    return Tile(openings, Pose(x, y, rng.uniform(-_DRIFT_DEGREES, _DRIFT_DEGREES)))


def _rendered_tile(tile: Tile, ground: float) -> PieceOnTable:
    """Return a tile as the renderer draws it: the print of its shape, rotated until its openings fit.

    ground: height of its underside above the table, mm.
    """
    print_ = shape(bits(tile.openings))
    rotations = [rotated(bits(print_), quarters) for quarters in range(4)]
    quarters = rotations.index(bits(tile.openings))
    return PieceOnTable(f"maze:{print_}", replace(tile.pose, angle=tile.pose.angle + 90.0 * quarters), ground)


def _push_displacement(arrow: Arrow) -> tuple[float, float]:
    """Return the displacement (x, y) of each tile in the line by a whole push at an arrow, mm."""
    first, second, *_ = line_of(arrow)
    (x0, y0), (x1, y1) = place_xy(first), place_xy(second)
    return x1 - x0, y1 - y0


def _tile_middle(place: int, tiles: Mapping[int, Tile]) -> tuple[float, float]:
    """Return the middle (x, y) of the tile at a place, mm. tiles: loose tiles by place."""
    return (tiles[place].pose.x, tiles[place].pose.y) if place in tiles else place_xy(place)


def _wizard_offset(state: MasterState, seat: int) -> tuple[float, float]:
    """Return the offset (x, y) of a player's wizard from its tile's middle, mm.

    It is 0 for the first wizard on a tile, so that several stand beside one another.
    """
    return _BESIDE_MM[sum(place == state.wizards[seat] for place in state.wizards[:seat])]


def _tile_top(place: int, tiles: Mapping[int, Tile]) -> float:
    """Return the height of a tile's upper side above the table, mm. tiles: loose tiles by place."""
    return BOARD_HEIGHT + TILE_THICK * (place in tiles)
