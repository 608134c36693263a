"""What is laid on the simulated table for the camera to learn: the sheet, pieces of one kind, a box of pieces."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from calibration.seats import Seating
from companion.games.wicked.components import SEARCH_PIECES
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene

SHEET = "sheet"
EMPTY = "empty"
BOX = "box:"
"""With the players' colours behind it, in seat order: everybody's pieces, laid out before the seats."""
SPECIMENS = 8
_SEATS = 4
_APART_MM = 32.0
_OUT_MM = 170.0
_IN_A_ROW = 5
ROW_MM = 55.0
"""How far apart rows of different kinds lie, and the pieces of a row."""
_ROW_OF = 6
_ASKEW_MM = 5.0


def lesson_scene(what: str, number: int) -> Scene:
    """Return the scene of the sheet ("sheet"), nothing ("empty"), some pieces of a kind, or all that players need
    ("box:purple-green-red").

    number: another one lies differently.
    """
    if what == SHEET:
        return sheet_scene()
    if what == EMPTY:
        return Scene(seats=_SEATS, tile=False)
    if what.startswith(BOX):
        return box_scene(what.removeprefix(BOX).split("-"))
    return specimens_scene(what, number)


def sheet_scene() -> Scene:
    """Lay nothing but the calibration sheet on the table."""
    return Scene(seats=_SEATS, tile=False, sheet=True)


def specimens_scene(kind: str, picture: int) -> Scene:
    """Lay some pieces of one kind in the middle of the bare table, apart from each other, as a person would."""
    rng = random.Random(f"{kind} {picture}")
    lying = []
    for index in range(SPECIMENS):
        angle = 2 * math.pi * (index + rng.uniform(-0.2, 0.2)) / SPECIMENS
        reach = rng.uniform(70.0, 140.0)
        pose = Pose(reach * math.sin(angle), reach * math.cos(angle), rng.uniform(0.0, 360.0))
        lying.append(PieceOnTable(kind, pose))
    return Scene(seats=_SEATS, tile=False, pieces=tuple(lying))


def rows_scene(kinds: Sequence[str], picture: int) -> Scene:
    """Lay several kinds in the middle of the bare table, each in a row of its own: the first one farthest."""
    rng = random.Random(f"rows {picture}")
    lying = []
    for kind, away in zip(kinds, rows_at(len(kinds)), strict=True):
        for place in range(_ROW_OF):
            right = ROW_MM * (place - (_ROW_OF - 1) / 2) + rng.uniform(-_ASKEW_MM, _ASKEW_MM)
            up = away + rng.uniform(-_ASKEW_MM, _ASKEW_MM)
            lying.append(PieceOnTable(kind, Pose(right, up, rng.uniform(0.0, 360.0))))
    return Scene(seats=_SEATS, tile=False, pieces=tuple(lying))


def rows_at(count: int) -> tuple[float, ...]:
    """Tell how far away from the table's centre, in mm, so many rows lie."""
    return tuple(ROW_MM * ((count - 1) / 2 - row) for row in range(count))


def box_scene(colours: Sequence[str], missing: int = 0) -> Scene:
    """Lay everybody's search pieces and signs before their seats. missing: so many of the first one's are not."""
    players = len(colours)
    lying: list[PieceOnTable] = []
    for seat, colour in enumerate(colours):
        kinds = [f"search:{colour}"] * SEARCH_PIECES[players] + ["sign:witch", "sign:soul"]
        lying += _laid_before(seat, players, kinds[missing if seat == 0 else 0 :])
    return Scene(seats=players, tile=False, pieces=tuple(lying))


def _laid_before(seat: int, players: int, kinds: list[str]) -> list[PieceOnTable]:
    """Lay pieces in rows before a seat, apart from each other."""
    out_x, out_y = Seating.even(players).direction(seat)
    lying = []
    for index, kind in enumerate(kinds):
        row, place = divmod(index, _IN_A_ROW)
        out = _OUT_MM + _APART_MM * row
        side = _APART_MM * (place - (_IN_A_ROW - 1) / 2)
        lying.append(PieceOnTable(kind, Pose(out * out_x - side * out_y, out * out_y + side * out_x, 37.0 * index)))
    return lying
