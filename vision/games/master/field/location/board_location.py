"""Locating the board: proposals, a fast test of all of them, and proof by the network of the sides.

Quadrilaterals come from the foreground, from outlines, busy areas and lines, until a board is found. Each may be
the edge of the field or of a board with a margin of unknown width; the colours near the known sides
(`known_sides`) settle which. The best are moved to their tiles, and the network of the sides must separate open
sides from walled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.games.master.field.lattice import UNIT, Corners, projected, rectified, to_picture, to_tiles
from vision.games.master.field.location.known_sides import Fields, KnownSides
from vision.games.master.field.location.second_board import fields_beside, may_show_another
from vision.games.master.field.quadrilaterals.closed_outlines import outlines
from vision.games.master.field.quadrilaterals.edge_density import busy_quads
from vision.games.master.field.quadrilaterals.outline_fitting import beyond_edges
from vision.games.master.field.quadrilaterals.rim_contrast import foreground_quads
from vision.games.master.field.quadrilaterals.straight_lines import line_quads
from vision.games.master.field.tiles.tile_sides import SideEvidence, SideReader, known_loss, refined
from vision.games.master.readings import SIZE

_SOURCES: Final[tuple[Callable[[Image], list[Corners]], ...]] = (
    foreground_quads,
    outlines,
    busy_quads,
    line_quads,
)
"""Sources of quadrilaterals, fastest first; a later one is asked where the earlier ones gave no board, or only one
while there may be two. If all gave one, a second is searched beside it."""
_MARGINS: Final = np.arange(-0.15, 1.4, 0.15)
"""Widths of the board outside the field that are tried, in tiles."""
_MIN_SEPARATION: Final = 1.6
"""Least separation of the known sides of a field that is looked at more closely."""
_CLEAR_SEPARATION: Final = 8.0
"""Separation from which a field need not be improved by the fast test."""
_MIN_BESIDE: Final = 2.5
"""Least separation of another field where one is clear: 13 to 31 of second boards, 0.1 to 0.7 of printed cloth."""
_MOST_CLIMBED, _MOST_READ = 4, 3
"""Number of fields that are improved by the fast test, and that the network reads, in each attempt."""
MAX_KNOWN_LOSS: Final = 0.2
"""Mean loss of the known sides above which a field is no board."""
_GOOD_KNOWN_LOSS: Final = 0.1
"""Mean loss of the known sides below which a field is a board beyond doubt."""
_MOST_COVERED: Final = 0.6
"""Share of the tiles in the picture that may be covered; with more, a field is no board."""
_MAX_OVERLAP: Final = 0.03
"""Overlap above which two fields cannot both be boards, as a share of the smaller one's area."""
_ROUNDS: Final = 3
"""Largest number of times that a field is moved to its tiles."""
_MIN_MOVE: Final = 0.04
"""Movement of a corner below which the field is in place, in tiles."""
_SEED: Final = 0
"""Seed of the steps of the fast test: equal pictures are read equally."""


@dataclass(frozen=True, slots=True)
class LocatedBoard:
    """A field in a picture with the evidence of its sides."""

    corners: Corners
    """Corners, px."""
    shown: Image
    """The field from straight above, as the network read it (`lattice.rectified`)."""
    evidence: SideEvidence
    """Evidence."""
    loss: float
    """Mean loss of the known sides; infinite where most tiles look covered."""


def locate(image: Image, reader: SideReader, near: Corners | None = None) -> list[LocatedBoard]:
    """Return the boards of a picture, best first; none where the known sides prove none.

    near: corners of the field in a picture taken before, which are tried first.
    """
    if near is not None:
        board = place(image, near, reader)
        if board.loss < _GOOD_KNOWN_LOSS:
            return [board]
    sides = KnownSides(image)
    tried = list[LocatedBoard]()

    def good() -> list[Corners]:
        return [board.corners for board in tried if board.loss < _GOOD_KNOWN_LOSS]

    def clear(board: LocatedBoard) -> bool:
        return bool(sides.separations(board.corners[None])[0] > _MIN_BESIDE)

    def read_likely(fields: Fields) -> None:
        for corners in _likely(sides, fields):
            if not any(_overlap(corners, other) for other in good()):
                tried.append(place(image, corners, reader))

    for source in _SOURCES:
        quads = source(image)
        read_likely(_fields(quads))
        if not good():
            read_likely(_fields(beyond_edges(quads, (image.shape[1], image.shape[0]))))
        if len(good()) > 1 or (good() and not may_show_another(image, good()[0])):
            break
    else:
        for fields in fields_beside(image, good()[0]) if good() else ():
            read_likely(fields)
            if len(good()) > 1:
                break
    boards = list[LocatedBoard]()
    for board in sorted(tried, key=lambda board: board.loss):
        apart = not any(_overlap(board.corners, other.corners) for other in boards)
        # What is no board may seem one to the network: a second one has to pass the fast test as well.
        if board.loss < MAX_KNOWN_LOSS and apart and (not boards or clear(board)):
            boards.append(board)
    return boards


def place(image: Image, corners: Corners, reader: SideReader) -> LocatedBoard:
    """Return the board near these corners, moved to where its tiles lie."""
    for _ in range(_ROUNDS):
        shown = rectified(image, corners)
        evidence = reader.read(shown)
        better = refined(corners, evidence)
        moved = np.abs(projected(better, to_tiles(corners)) - UNIT).max()
        if moved < _MIN_MOVE:
            break
        corners = better
    else:
        shown = rectified(image, corners)
        evidence = reader.read(shown)
    visible = evidence.visible > 0.5  # what the edge of the picture cuts off looks covered, too
    covered = float((evidence.covered[visible] > 0.5).mean()) if visible.any() else 1.0
    loss = known_loss(evidence) if covered <= _MOST_COVERED else float("inf")
    return LocatedBoard(corners, shown, evidence, loss)


def _fields(quads: Sequence[Corners]) -> Fields:
    """Return the fields that quadrilaterals may enclose, shape (n, 4, 2)."""
    return np.array([_field(quad, margin) for quad in quads for margin in _MARGINS]).reshape(-1, 4, 2)


def _likely(sides: KnownSides, fields: Fields) -> list[Corners]:
    """Return the fields whose known sides differ, each improved, best first. fields: shape (n, 4, 2)."""
    if not len(fields):
        return []
    separations, rng = sides.separations(fields), np.random.default_rng(_SEED)
    climbed = list[tuple[float, Corners]]()
    # Beside a clear board only what may be a second one is worth more time.
    least = _MIN_BESIDE if separations.max() > _CLEAR_SEPARATION else 0
    for index in np.argsort(-separations):
        if len(climbed) == _MOST_CLIMBED or separations[index] < least:
            break
        if not any(_alike(fields[index], other) for _, other in climbed):
            corners, separation = fields[index], float(separations[index])
            if separation < _CLEAR_SEPARATION:
                corners, separation = sides.climbed(corners, rng)
            climbed.append((separation, corners))
    climbed.sort(key=lambda pair: -pair[0])
    likely = [corners for separation, corners in climbed if separation > _MIN_SEPARATION]
    return likely[:_MOST_READ]


def _field(board: Corners, margin: float) -> Corners:
    """Return the field of a board that is `margin` tiles wider on each side."""
    return projected((UNIT + margin) * SIZE / (SIZE + 2 * margin), to_picture(board))


def _alike(field: Corners, other: Corners) -> bool:
    """Return whether two fields differ by less than half a tile."""
    tile = np.linalg.norm(field[0] - field[2]) / (SIZE * np.sqrt(2))
    return bool(min(np.abs(np.roll(field, turn, 0) - other).max() for turn in range(4)) < 0.5 * tile)


def _overlap(quad: Corners, other: Corners) -> bool:
    """Return whether two fields overlap too much to be two boards."""
    first, second = quad.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(first, second)
    return bool(common > _MAX_OVERLAP * min(cv2.contourArea(first), cv2.contourArea(second)))
