"""Scenes of setup steps on the simulated table: the sheet, pieces of one kind, a box of pieces."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from calibration.game_kit import Kit
from calibration.seats import Seating
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene

SHEET = "sheet"
"""Name of the scene with the calibration sheet."""
EMPTY = "empty"
"""Name of the scene without anything."""
BOX = "box:"
"""Prefix of the scene with all pieces; the players' figures follow in seat order."""
SPECIMENS = 8
"""Number of pieces in a scene of specimens."""
_SEATS = 4
"""Seats of the bare table."""
_APART_MM = 32.0
"""Distance between pieces before a seat."""
_OUT_MM = 170.0
"""Distance of the first row before a seat from the table's centre."""
_IN_A_ROW = 5
"""Number of pieces in a row before a seat."""
ROW_MM = 55.0
"""Distance between rows of different kinds, and between the pieces of a row."""
_ROW_OF = 6
"""Number of pieces in a row of one kind."""
_MAX_OFFSET_MM = 5.0
"""Largest deviation of a piece from its place."""


def setup_scene(box: Kit, what: str, number: int) -> Scene:
    """Return the scene of a setup step: "sheet", "empty", a kind of pieces, or "box:red-green-black".

    number: seeds the positions. Raises ValueError for kinds or players of another game.
    """
    if what == SHEET:
        return sheet_scene()
    if what == EMPTY:
        return Scene(seats=_SEATS, tile=False)
    if what.startswith(BOX):
        figures = what.removeprefix(BOX).split("-")
        if len(figures) not in box.players or len(set(figures) & set(box.figures)) < len(figures):
            raise ValueError(f"{box.game} has no players {figures}.")
        return box_scene(box, figures)
    if what not in box.kinds:
        raise ValueError(f"{box.game} has no pieces {what}.")
    return specimens_scene(what, number)


def sheet_scene() -> Scene:
    """Return the table with nothing but the calibration sheet."""
    return Scene(seats=_SEATS, tile=False, sheet=True)


def specimens_scene(kind: str, picture: int) -> Scene:
    """Return some pieces of one kind in the middle of the bare table, apart from each other.

    picture: seeds the positions.
    """
    rng = random.Random(f"{kind} {picture}")
    pieces = []
    for index in range(SPECIMENS):
        angle = 2 * math.pi * (index + rng.uniform(-0.2, 0.2)) / SPECIMENS
        reach = rng.uniform(70.0, 140.0)
        pose = Pose(reach * math.sin(angle), reach * math.cos(angle), rng.uniform(0.0, 360.0))
        pieces.append(PieceOnTable(kind, pose))
    return Scene(seats=_SEATS, tile=False, pieces=tuple(pieces))


def rows_scene(kinds: Sequence[str], picture: int) -> Scene:
    """Return several kinds in the middle of the bare table, each in a row of its own, the first one farthest.

    picture: seeds the positions.
    """
    rng = random.Random(f"rows {picture}")
    pieces = []
    for kind, away in zip(kinds, row_distances(len(kinds)), strict=True):
        for place in range(_ROW_OF):
            right = ROW_MM * (place - (_ROW_OF - 1) / 2) + rng.uniform(-_MAX_OFFSET_MM, _MAX_OFFSET_MM)
            up = away + rng.uniform(-_MAX_OFFSET_MM, _MAX_OFFSET_MM)
            pieces.append(PieceOnTable(kind, Pose(right, up, rng.uniform(0.0, 360.0))))
    return Scene(seats=_SEATS, tile=False, pieces=tuple(pieces))


def row_distances(count: int) -> tuple[float, ...]:
    """Return the distance of each row of pieces from the table's centre, mm, positive away from seat 0.

    count: number of rows. The row farthest from seat 0 comes first.
    """
    return tuple(ROW_MM * ((count - 1) / 2 - row) for row in range(count))


def box_scene(box: Kit, figures: Sequence[str], missing: int = 0) -> Scene:
    """Return a table with all pieces that these players need, in front of their seats. figures: by seat.

    Pieces of a figure lie before its player; all others are dealt out in turn. missing: number of the first
    player's pieces that are left out.
    """
    players = len(figures)
    shares: list[list[str]] = [[] for _ in figures]
    for kind, count in box.pieces_needed(tuple(figures)).items():
        figure = kind.partition(":")[2]
        for number in range(count):
            shares[figures.index(figure) if figure in figures else number % players].append(kind)
    pieces: list[PieceOnTable] = []
    for seat, kinds in enumerate(shares):
        pieces += _laid_before(seat, players, kinds[missing if seat == 0 else 0 :])
    return Scene(seats=players, tile=False, pieces=tuple(pieces))


def _laid_before(seat: int, players: int, kinds: list[str]) -> list[PieceOnTable]:
    """Return pieces of these kinds in rows before a seat, apart from each other. players: number of seats."""
    out_x, out_y = Seating.even(players).direction(seat)
    pieces = []
    for index, kind in enumerate(kinds):
        row, place = divmod(index, _IN_A_ROW)
        out = _OUT_MM + _APART_MM * row
        side = _APART_MM * (place - (_IN_A_ROW - 1) / 2)
        pieces.append(
            PieceOnTable(kind, Pose(out * out_x - side * out_y, out * out_y + side * out_x, 37.0 * index))
        )
    return pieces
