"""Locates the boards in a picture: candidate quadrilaterals, a fast test of all, and a check by the side network.

The sources of quadrilaterals (`quadrilaterals`) are tried in turn until a board is found. A quadrilateral may be
the edge of the field or of a board with a margin of unknown width, so several fields are derived from each. The
fast test (`candidate_scoring`) selects a few of them by the colours near the known sides; they are aligned with
their tiles, and the side network has to separate open from walled known sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.homography import map_points
from vision.cameras.frame import Image
from vision.games.master.field.location.candidate_scoring import CandidateScorer, Fields
from vision.games.master.field.location.second_board import fields_beside, may_show_another
from vision.games.master.field.quadrilaterals.closed_outlines import outline_quads
from vision.games.master.field.quadrilaterals.edge_density import edge_density_quads
from vision.games.master.field.quadrilaterals.outline_fitting import beyond_edges
from vision.games.master.field.quadrilaterals.picture_border_contrast import border_contrast_quads
from vision.games.master.field.quadrilaterals.straight_lines import line_quads
from vision.games.master.field.rectification import UNIT, Corners, rectified, to_picture, to_tiles
from vision.games.master.field.tiles.open_sides import SideEvidence, SideReader, known_loss, refined_corners
from vision.games.master.readings import SIZE

_SOURCES: Final[tuple[Callable[[Image], list[Corners]], ...]] = (
    border_contrast_quads,
    outline_quads,
    edge_density_quads,
    line_quads,
)
"""Sources of quadrilaterals, fastest first. A later one is used only if the earlier ones gave no board, or only one
while the picture may show two. If all gave only one, a second is searched beside it."""
_MARGINS: Final = np.arange(-0.15, 1.4, 0.15)
"""Widths of the board's margin outside the field that are tried, in tiles."""
_MIN_SEPARATION: Final = 1.6
"""Minimum separation (`CandidateScorer.separations`) of a field that the network reads."""
_CLEAR_SEPARATION: Final = 8.0
"""Separation from which a field needs no improvement by the fast test."""
_MIN_BESIDE: Final = 2.5
"""Minimum separation of a second field if the first is clear; measured: 13 to 31 for second boards, 0.1 to 0.7 for
printed cloth."""
_MOST_IMPROVED, _MOST_READ = 4, 3
"""Maximum number of fields that the fast test improves, and that the network reads, for each set of fields."""
MAX_KNOWN_LOSS: Final = 0.2
"""Mean loss of the known sides above which a field is no board."""
_GOOD_KNOWN_LOSS: Final = 0.1
"""Mean loss of the known sides below which a field certainly is a board."""
_MAX_COVERED: Final = 0.6
"""Fraction of the visible tiles that may be covered; above it, a field is no board."""
_MAX_OVERLAP: Final = 0.03
"""Largest overlap of two different boards, as a fraction of the smaller one's area."""
_MOST_ROUNDS: Final = 3
"""Maximum number of times that a field is aligned with its tiles."""
_MIN_MOVE: Final = 0.04
"""Movement of the corners below which a field counts as aligned, in tiles."""
_SEED: Final = 0
"""Seed of the random steps of the fast test, so that equal pictures give equal results."""


@dataclass(frozen=True, slots=True)
class LocatedBoard:
    """A field in a picture with the evidence of its sides."""

    corners: Corners
    """Corners of the field, px."""
    shown: Image
    """The rectified field that the network read (`rectification.rectified`)."""
    evidence: SideEvidence
    """Output of the network for it."""
    loss: float
    """Mean loss of the known sides; infinite if too many tiles are covered."""


def locate(image: Image, reader: SideReader, near: Corners | None = None) -> list[LocatedBoard]:
    """Return the boards in a BGR picture, best first; empty if the side network confirms none.

    A board is confirmed if the network recognises the sides of its 16 fixed tiles, which are the same on every
    board. near: corners of the field in an earlier picture, px; if the board is still there, nothing else is
    searched.
    """
    if near is not None:
        board = aligned_field(image, near, reader)
        if board.loss < _GOOD_KNOWN_LOSS:
            return [board]
    scorer = CandidateScorer(image)
    tried = list[LocatedBoard]()

    def good() -> list[Corners]:
        return [board.corners for board in tried if board.loss < _GOOD_KNOWN_LOSS]

    def clear(board: LocatedBoard) -> bool:
        return bool(scorer.separations(board.corners[None])[0] > _MIN_BESIDE)

    def read_likely(fields: Fields) -> None:
        for corners in _likely_fields(scorer, fields):
            if not any(_overlap(corners, other) for other in good()):
                tried.append(aligned_field(image, corners, reader))

    for source in _SOURCES:
        quads = source(image)
        read_likely(_fields_within(quads))
        if not good():
            read_likely(_fields_within(beyond_edges(quads, (image.shape[1], image.shape[0]))))
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


def aligned_field(image: Image, corners: Corners, reader: SideReader) -> LocatedBoard:
    """Align a field near the given corners (px) with the tiles there by the side network; return it with evidence.

    It is returned even if no board is there; its `loss` is then large.
    """
    for _ in range(_MOST_ROUNDS):
        shown = rectified(image, corners)
        evidence = reader.read(shown)
        better = refined_corners(corners, evidence)
        moved = np.abs(map_points(better, to_tiles(corners)) - UNIT).max()
        if moved < _MIN_MOVE:
            break
        corners = better
    else:
        shown = rectified(image, corners)
        evidence = reader.read(shown)
    visible = evidence.visible > 0.5  # what the edge of the picture cuts off looks covered, too
    covered = float((evidence.covered[visible] > 0.5).mean()) if visible.any() else 1.0
    loss = known_loss(evidence) if covered <= _MAX_COVERED else float("inf")
    return LocatedBoard(corners, shown, evidence, loss)


def _fields_within(quads: Sequence[Corners]) -> Fields:
    """Return the corners of the fields inside quadrilaterals that may be boards with margins, px, (n, 4, 2).

    Each quadrilateral gives one field for each width in `_MARGINS`.
    """
    return np.array([_field_within(quad, margin) for quad in quads for margin in _MARGINS]).reshape(-1, 4, 2)


def _likely_fields(scorer: CandidateScorer, fields: Fields) -> list[Corners]:
    """Return the corners (px) of at most three fields that pass the fast test, improved by it, best first.

    scorer: the fast test. fields: candidates, shape (n, 4, 2), px.
    """
    if not len(fields):
        return []
    separations, rng = scorer.separations(fields), np.random.default_rng(_SEED)
    improved = list[tuple[float, Corners]]()
    # Beside a clear board only what may be a second one is worth more time.
    least = _MIN_BESIDE if separations.max() > _CLEAR_SEPARATION else 0
    for index in np.argsort(-separations):
        if len(improved) == _MOST_IMPROVED or separations[index] < least:
            break
        if not any(_alike(fields[index], other) for _, other in improved):
            corners, separation = fields[index], float(separations[index])
            if separation < _CLEAR_SEPARATION:
                corners, separation = scorer.best_nearby(corners, rng)
            improved.append((separation, corners))
    improved.sort(key=lambda pair: -pair[0])
    likely = [corners for separation, corners in improved if separation > _MIN_SEPARATION]
    return likely[:_MOST_READ]


def _field_within(board: Corners, margin: float) -> Corners:
    """Return the corners of a board's field, px. board: corners of the board, px. margin: its border, in tiles."""
    return map_points((UNIT + margin) * SIZE / (SIZE + 2 * margin), to_picture(board))


def _alike(field: Corners, other: Corners) -> bool:
    """Return whether the corners of two fields, in any rotation, differ by less than half a tile."""
    tile = np.linalg.norm(field[0] - field[2]) / (SIZE * np.sqrt(2))
    return bool(min(np.abs(np.roll(field, turn, 0) - other).max() for turn in range(4)) < 0.5 * tile)


def _overlap(quad: Corners, other: Corners) -> bool:
    """Return whether two fields overlap too much to be different boards."""
    first, second = quad.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(first, second)
    return bool(common > _MAX_OVERLAP * min(cv2.contourArea(first), cv2.contourArea(second)))
