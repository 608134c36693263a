"""Scenes for the renderer: what lies and stands on the table in a state, and while a turn is made. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from companion.games.master.components import COLOURS, FIXED, PLACES, START, TOKENS
from companion.games.master.maze import OPPOSITE, ROTATIONS, Arrow, Maze, bits, letters, line_of, shape
from companion.games.master.moves import Move, Shift, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import TAKEN, State
from vision.cameras.simulated.scene import BoardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.games.master.simulated_layout import (
    BOARD_HEIGHT,
    TILE_THICK,
    TOKEN_THICK,
    before_line,
    hand_pose,
    held_token,
    held_wand,
    place_xy,
    spare_pose,
)

_BOARD: Final = BoardOnTable("maze", Pose(0.0, 0.0))
_DRIFT_MM: Final = 1.6
"""Largest shift of a loose tile from its place."""
_DRIFT_DEGREES: Final = 2.5
"""Largest turn of a loose tile."""
_BESIDE_MM: Final = ((0.0, 0.0), (9.0, 9.0), (-9.0, 9.0), (9.0, -9.0))
"""Offsets of wizards that share a tile."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A loose tile."""

    openings: str
    pose: Pose
    """Pose of the tile, as its openings lie: an angle of 0 but for drift."""


def scene(state: State, hands: tuple[HandOnTable, ...] = ()) -> Scene:
    """Return what lies on the table in a state; the bare board before it is laid."""
    if state.maze is None:
        return Scene(len(state.players), tile=False, boards=(_BOARD,), pieces=_held(state), hands=hands)
    tiles = {place: _lying(state.maze, place) for place in range(PLACES) if place not in FIXED}
    return _scene(state, tiles, _spare(state), {}, {}, hands)


def pushed_scene(state: State, shift: Shift, part: float, hands: tuple[HandOnTable, ...] = ()) -> Scene:
    """Return the table while the spare is pushed in. part: 0 before the board, 1 in place."""
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    line = line_of(shift.arrow)
    enter_x, enter_y = before_line(*_side(shift.arrow))
    (x0, y0), (x1, y1) = place_xy(line[0]), place_xy(line[1])
    step_x, step_y = (x1 - x0) * part, (y1 - y0) * part
    tiles = {place: _lying(state.maze, place) for place in range(PLACES) if place not in FIXED}
    for place in line:
        tiles[place] = replace(tiles[place], pose=_moved(tiles[place].pose, step_x, step_y))
    spare = _Tile(shift.openings, Pose(enter_x + step_x, enter_y + step_y, 0.0))
    moved = {place: (step_x, step_y) for place in line}
    return _scene(state, tiles, spare, moved, {}, hands)


def carried_scene(state: State, openings: str, pose: Pose, hands: tuple[HandOnTable, ...] = ()) -> Scene:
    """Return the table while the spare is carried, in this rotation."""
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    tiles = {place: _lying(state.maze, place) for place in range(PLACES) if place not in FIXED}
    return _scene(state, tiles, _Tile(openings, pose), {}, {}, hands)


def walking_scene(
    state: State, seat: int, x: float, y: float, hands: tuple[HandOnTable, ...] = ()
) -> Scene:
    """Return the table while a player's wizard is carried to (x, y)."""
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    tiles = {place: _lying(state.maze, place) for place in range(PLACES) if place not in FIXED}
    return _scene(state, tiles, _spare(state), {}, {seat: (x, y)}, hands)


def spare_beside(state: State) -> Pose:
    """Return where the spare lies in a state."""
    return _spare(state).pose


def _scene(
    state: State,
    tiles: Mapping[int, _Tile],
    spare: _Tile,
    moved: Mapping[int, tuple[float, float]],
    carried: Mapping[int, tuple[float, float]],
    hands: tuple[HandOnTable, ...],
) -> Scene:
    """Return a scene. moved: offset of what stands on a place; carried: where a seat's wizard is."""
    pieces = [_piece(tile, BOARD_HEIGHT) for tile in tiles.values()]
    pieces.append(_piece(spare, 0.0 if not moved else BOARD_HEIGHT))
    for number, place in zip(TOKENS, state.tokens, strict=False):
        if place != TAKEN:
            x, y = _on(place, tiles, moved)
            angle = float(37 * number % 360)
            pieces.append(PieceOnTable(f"token:{number}", Pose(x, y, angle), _top(place, tiles)))
    pieces += _held(state)
    wizards = []
    for seat, (player, place) in enumerate(zip(state.players, state.wizards, strict=True)):
        sharing = [other for other, there in enumerate(state.wizards[:seat]) if there == place]
        dx, dy = _BESIDE_MM[len(sharing)]
        x, y = carried.get(seat, _on(place, tiles, moved))
        ground = _top(place, tiles) + TOKEN_THICK * (place in state.tokens)
        wizards.append(PieceOnTable(f"wizard:{player.colour}", Pose(x + dx, y + dy), ground))
    pieces += sorted(wizards, key=lambda piece: -piece.pose.y)
    return Scene(len(state.players), tile=False, boards=(_BOARD,), pieces=tuple(pieces), hands=hands)


def _held(state: State) -> tuple[PieceOnTable, ...]:
    """Return the tokens and wands that the players hold, beside the board."""
    seats = len(state.players)
    held = []
    for seat, player in enumerate(state.players):
        held += [
            PieceOnTable(f"token:{number}", held_token(seats, seat, index))
            for index, number in enumerate(player.tokens)
        ]
        held += [PieceOnTable("wand", held_wand(seats, seat, index)) for index in range(player.wands)]
    return tuple(held)


def _lying(maze: Maze, place: int) -> _Tile:
    """Return the loose tile at a place, slightly shifted and turned."""
    openings = letters(maze.tile(place))
    rng = random.Random(f"{place} {openings}")
    x, y = place_xy(place)
    drifted = Pose(
        x + rng.uniform(-_DRIFT_MM, _DRIFT_MM),
        y + rng.uniform(-_DRIFT_MM, _DRIFT_MM),
        rng.uniform(-_DRIFT_DEGREES, _DRIFT_DEGREES),
    )
    return _Tile(openings, drifted)


def _spare(state: State) -> _Tile:
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    side, line = _side(state.closed) if state.closed is not None else (None, 0)
    return _Tile(letters(state.maze.spare), spare_pose(side, line))


def _piece(tile: _Tile, ground: float) -> PieceOnTable:
    """Return a tile as the renderer draws it: one print for each shape, turned by quarters."""
    kind = shape(bits(tile.openings))
    rotations = [letters(value) for value in ROTATIONS[bits(kind)]]
    pose = replace(tile.pose, angle=tile.pose.angle + 90.0 * rotations.index(tile.openings))
    return PieceOnTable(f"maze:{kind}", pose, ground)


def _on(place: int, tiles: Mapping[int, _Tile], moved: Mapping[int, tuple[float, float]]) -> tuple[float, float]:
    """Return where something at a place stands."""
    if place in tiles:
        return tiles[place].pose.x, tiles[place].pose.y
    x, y = place_xy(place)
    dx, dy = moved.get(place, (0.0, 0.0))
    return x + dx, y + dy


def _top(place: int, tiles: Mapping[int, _Tile]) -> float:
    """Return the height of what lies at a place."""
    return BOARD_HEIGHT + TILE_THICK * (place in tiles)


def _moved(pose: Pose, x: float, y: float) -> Pose:
    return replace(pose, x=pose.x + x, y=pose.y + y)


def _side(arrow: Arrow) -> tuple[str, int]:
    return arrow[0], int(arrow[1])
