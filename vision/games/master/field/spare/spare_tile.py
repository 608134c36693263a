"""Finds the spare tile beside the board, and reads its position, rotation and openings.

Candidates are places beside the field in the field's colours. The picture at a candidate is pasted onto loose
places of the rectified field in several rotations, and the side network reads them together with the known sides;
the rotation with the clearest sides is taken. Tokens, wood and cloth may look like a tile to the network, so
`spare_certainty` also judges the colours of the corners and the outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from vision.cameras.frame import Image
from vision.games.master.field.colour_histograms import colour_bins, histogram
from vision.games.master.field.rectification import (
    MARGIN,
    SIDES,
    SQUARE,
    TILE_PX,
    Corners,
    rectified,
    to_picture,
)
from vision.games.master.field.spare.spare_certainty import spare_certainty
from vision.games.master.field.tiles.face_down_or_foreign_tiles import wall_colours
from vision.games.master.field.tiles.open_sides import MAX_LOGIT, SideReader
from vision.games.master.field.tiles.shape_posterior import OPENINGS
from vision.games.master.readings import SIZE

_BESIDE_PX, _BESIDE = 272, 3.2
"""Side of the rectified picture in which the spare is searched, px, and its border round the field, in tiles."""
_WINDOW: Final = 0.85
"""Side of the window over which colours are averaged, in tiles."""
_MIN_HEAT: Final = 0.2
"""Minimum mean share of the field's colours in the window at a candidate."""
_MIN_AWAY: Final = 0.45
"""Minimum distance of a candidate's centre from the field, in tiles."""
_REACH: Final = 0.8
"""Radius of the pixels from which a candidate's centre is computed, in tiles."""
_SHIFTS: Final = 4
"""Number of times that a centre is moved to the centroid of these pixels."""
_MIN_APART: Final = 0.6
"""Minimum distance of two candidates, in tiles."""
_MOST: Final = 4
"""Maximum number of candidates."""
_TURNS_DEG: Final = tuple(range(-44, 45, 11))
"""Rotations that are tried first, degrees; beyond 45 the tile has the same sides in another order."""
_FINE_TURNS_DEG: Final = (-6, 0, 6)
"""Further rotations that are tried from the best of these, degrees."""
_PLACES: Final = tuple(SIZE * row + column for row in (1, 3, 5) for column in (1, 3, 5))
"""Loose places, no two adjacent, onto which the candidate is pasted."""
_MAX_MOVE: Final = 0.35
"""Largest movement along each axis in aligning the candidate with its sides, in tiles."""
_CLEAR: Final = 10.0
"""Bound of a logit in the score, above which a side counts as perfectly clear."""
_OFFSET_COST: Final = 6.0
"""Cost in the score of the squared offset from the assumed centre, per square tile."""
_CLEAR_SCORE: Final = 6.0
"""Score above which sides need not be averaged over rotations."""
_CERTAIN: Final = 0.95
"""Certainty above which no other candidate is tried."""
_MIN_CERTAINTY: Final = 0.01
"""Minimum certainty of the spare; it can be low, since the other tiles already determine the spare's shape."""


@dataclass(frozen=True, slots=True)
class Spare:
    """A candidate for the spare tile beside the board."""

    centre: NDArray[np.float64]
    """Centre (x, y) in the frame of the field, in tiles."""
    degrees: float
    """Rotation against the field, clockwise in the rectified picture, about -50..50."""
    logits: NDArray[np.float64]
    """Logit that each side is open, shape (4,)."""
    score: float
    """How clear its sides are as those of a tile of the game; larger is clearer."""
    certainty: float = 0.0
    """Probability that it is the spare."""

    def corners(self, field: Corners) -> Corners:
        """Return the candidate's corners, px of the picture, clockwise from the upper left in the field's frame.

        field: corners of the field, px.
        """
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return map_points(self.centre + (SQUARE - 0.5) @ turn, to_picture(field))


def read_spare(image: Image, field: Corners, shown: Image, reader: SideReader) -> Spare | None:
    """Return the most probable spare tile beside a field; None if there is none.

    image: BGR picture. field: corners of the field, px. shown: the rectified field.
    """
    walls, best = wall_colours(shown), None
    for rank, centre in enumerate(spare_centres(image, field)):
        spare = spare_at(image, field, shown, centre, reader)
        certainty = spare_certainty(image, spare.corners(field), walls, spare.score, rank)
        if best is None or certainty > best.certainty:
            best = replace(spare, certainty=certainty)
        if best.certainty > _CERTAIN:
            break
    return best if best is not None and best.certainty > _MIN_CERTAINTY else None


def spare_at(image: Image, field: Corners, shown: Image, centre: NDArray[np.float64], reader: SideReader) -> Spare:
    """Read a place beside a field as a tile; return it in the rotation in which its sides are clearest.

    centre: (x, y) in the frame of the field, in tiles. The other arguments are those of `read_spare`.
    """
    rough = _clearest(_read_together(image, field, shown, [_unread(centre, turn) for turn in _TURNS_DEG], reader))
    turned = [_unread(rough.centre, rough.degrees + turn) for turn in _FINE_TURNS_DEG]
    return _clearest(_read_together(image, field, shown, turned, reader, averaged=rough.score < _CLEAR_SCORE))


def _clearest(spares: Sequence[Spare]) -> Spare:
    return max(spares, key=lambda one: one.score)


def spare_centres(image: Image, field: Corners) -> NDArray[np.float64]:
    """Return the centres (x, y) of areas beside a field in its colours, in tiles, likeliest first, (n, 2).

    They are the candidates for the spare, at most four. image: BGR. field: corners of the field, px, whose frame is
    that of the centres.
    """
    shown = rectified(image, field, _BESIDE_PX, _BESIDE)
    per_tile = _BESIDE_PX / (SIZE + 2 * _BESIDE)
    bins = colour_bins(shown)
    low, high = round(_BESIDE * per_tile), round((_BESIDE + SIZE) * per_tile)
    inside = np.zeros(bins.shape, bool)
    inside[low:high, low:high] = True
    seen = np.asarray(shown.any(-1))
    field_share, table_share = histogram(bins[inside & seen]), histogram(bins[~inside & seen])
    likely = (field_share / (field_share + table_share)).reshape(-1)[bins] * (seen & ~inside)
    window = (round(_WINDOW * per_tile),) * 2
    heat = cv2.blur(likely.astype(np.float32), window, borderType=cv2.BORDER_CONSTANT)
    tall = cv2.dilate(heat, np.ones((round(per_tile),) * 2, np.uint8))
    rows, columns = np.nonzero((heat >= tall) & (heat > _MIN_HEAT))
    order = np.argsort(-heat[rows, columns])
    peaks = np.c_[columns, rows][order].astype(np.float64)
    beside = np.abs((peaks + 0.5) / per_tile - _BESIDE - SIZE / 2).max(1) > SIZE / 2 + _MIN_AWAY
    centres = list[NDArray[np.float64]]()
    for peak in peaks[beside]:
        centre = _centroid(likely, peak, _REACH * per_tile)
        if all(np.linalg.norm(centre - other) > _MIN_APART * per_tile for other in centres):
            centres.append(centre)
        if len(centres) == _MOST:
            break
    return (np.array(centres).reshape(-1, 2) + 0.5) / per_tile - _BESIDE


def _centroid(likely: NDArray[np.float64], peak: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return the centre (x, y) of the likely pixels around a peak, px, by mean shift.

    likely: weight of each pixel. reach: radius, px. The peak alone is not exact: the window that gave it is as wide
    as a tile.
    """
    centre = peak
    for _ in range(_SHIFTS):
        left, top = np.maximum(np.floor(centre - reach), 0).astype(int)
        right, bottom = np.ceil(centre + reach).astype(int) + 1
        window = likely[top:bottom, left:right]
        rows, columns = np.indices(window.shape) + np.array([top, left])[:, None, None]
        near = window * (np.hypot(columns - centre[0], rows - centre[1]) < reach)
        total = near.sum()
        if total > 0:
            centre = np.array([(columns * near).sum(), (rows * near).sum()]) / total
    return centre


def _unread(centre: NDArray[np.float64], degrees: float) -> Spare:
    """Return a candidate whose sides have not been read: logits 0, score -inf."""
    return Spare(centre, degrees, np.zeros(4), -np.inf)


def _read_together(
    image: Image, field: Corners, shown: Image, spares: Sequence[Spare], reader: SideReader, averaged: bool = False
) -> list[Spare]:
    """Return candidates with their sides read by the network in one pass, and their centres aligned.

    Each is pasted onto a loose tile's place in the rectified field; only the first nine fit. shown: the rectified
    field. averaged: average the logits over four rotations by quarter turns.
    """
    together = shown.copy()
    square = (TILE_PX * SQUARE).astype(np.float32)
    for spare, place in zip(spares, _PLACES, strict=False):
        row, column = divmod(place, SIZE)
        left, top = (round((MARGIN + number) * TILE_PX) for number in (column, row))
        matrix = cv2.getPerspectiveTransform(spare.corners(field).astype(np.float32), square)
        tile = cv2.warpPerspective(image, matrix, (TILE_PX, TILE_PX), flags=cv2.INTER_AREA)
        together[top : top + TILE_PX, left : left + TILE_PX] = tile
    evidence = reader.read(together)
    logits = reader.averaged(together, evidence)[0] if averaged else evidence.logits()
    found = list[Spare]()
    for spare, place in zip(spares, _PLACES, strict=False):
        angle = np.radians(spare.degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        offset = np.clip(evidence.offsets[place], -_MAX_MOVE, _MAX_MOVE)
        score = _clarity(logits[place]) - _OFFSET_COST * float(offset @ offset)
        found.append(replace(spare, centre=spare.centre + offset @ turn, logits=logits[place], score=score))
    return found


def _clarity(logits: NDArray[np.float64]) -> float:
    """Return how clearly the logits of four sides fit the best fitting tile; the least clear side counts most.

    A larger value is clearer. logits: in the order T R B L.
    """
    opened = np.array([[side in openings for side in SIDES] for openings in OPENINGS])
    signed = np.where(opened, logits, -logits).clip(-MAX_LOGIT, _CLEAR)
    return float((signed.min(1) + 0.2 * signed.mean(1)).max())
