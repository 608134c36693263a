"""The spare beside the board: its place, its turn and its openings.

It lies where colours of the field show that the table and the board's margin have not. The tile there is pasted
onto loose places of the rectified field in several turns, so that the same network reads it beside the known sides
of the picture; the turn in which it reads best is its own. Tokens, wood and cloth can read like a tile, too:
whether it is one is judged by the colours of its corners and by its outline as well (`spare_certainty`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.colour_shares import colour_bins, histogram
from vision.games.master.field.lattice import (
    MARGIN,
    SIDES,
    SQUARE,
    TILE_PX,
    Corners,
    projected,
    rectified,
    to_picture,
)
from vision.games.master.field.spare.spare_certainty import spare_certainty
from vision.games.master.field.tiles.foreign_tiles import wall_colours
from vision.games.master.field.tiles.tile_shapes import OPENINGS
from vision.games.master.field.tiles.tile_sides import MAX_LOGIT, SideReader
from vision.games.master.readings import SIZE

_BESIDE_PX, _BESIDE = 272, 3.2
"""Side of the rectified picture in which it is searched, px, and the border round the field there, in tiles."""
_WINDOW: Final = 0.85
"""Side of the window in which colours are counted, in tiles."""
_MIN_HEAT: Final = 0.2
"""Least mean share of the field's colours in it."""
_MIN_AWAY: Final = 0.45
"""Least distance of the centre from the field, in tiles."""
_REACH: Final = 0.8
"""Radius within which pixels of the field's colours count to one tile, in tiles."""
_SHIFTS: Final = 4
"""Times that a centre moves to the middle of these pixels."""
_MIN_APART: Final = 0.6
"""Least distance of two places, in tiles."""
_MOST: Final = 4
"""Number of places that are tried."""
_TURNS_DEG: Final = tuple(range(-44, 45, 11))
"""Turns that are tried, degrees; a quarter turn looks like another tile."""
_FINE_TURNS_DEG: Final = (-6, 0, 6)
"""Smaller turns that are tried after that, degrees."""
_PLACES: Final = tuple(SIZE * row + column for row in (1, 3, 5) for column in (1, 3, 5))
"""Loose places, none beside another, on which it is pasted."""
_MAX_MOVE: Final = 0.35
"""Largest movement to where its sides lie, in tiles."""
_CLEAR: Final = 10.0
"""Logit beyond which a side is not clearer."""
_OFFSET_COST: Final = 6.0
"""Cost of the square of the remaining offset, which is in tiles."""
_CLEAR_SCORE: Final = 6.0
"""Score above which sides are not averaged over quarter turns."""
_CERTAIN: Final = 0.95
"""Certainty above which no other place is tried."""
_MIN_CERTAINTY: Final = 0.01
"""Certainty below which nothing is taken for the spare; its shape follows from the other tiles wherever it lies."""


@dataclass(frozen=True, slots=True)
class Spare:
    """A tile beside the board."""

    centre: NDArray[np.float64]
    """Centre, in tiles of the field."""
    degrees: float
    """Turn against the field, clockwise in the rectified picture, -45..45."""
    logits: NDArray[np.float64]
    """Logits that each side is open, shape (4,)."""
    score: float
    """How clearly it reads as a tile of the game."""
    certainty: float = 0.0
    """Probability that it is the spare."""

    def corners(self, field: Corners) -> Corners:
        """Return its corners, px, clockwise from the one that is the upper left one in the field's frame."""
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return projected(self.centre + (SQUARE - 0.5) @ turn, to_picture(field))


def read_spare(image: Image, field: Corners, shown: Image, reader: SideReader) -> Spare | None:
    """Return the likeliest tile beside a field; None where there is none. shown: the rectified field."""
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
    """Return what is read as a tile at a place beside a field, in the turn in which it is clearest."""
    rough = _clearest(_tried(image, field, shown, [_at(centre, turn) for turn in _TURNS_DEG], reader))
    turned = [_at(rough.centre, rough.degrees + turn) for turn in _FINE_TURNS_DEG]
    return _clearest(_tried(image, field, shown, turned, reader, averaged=rough.score < _CLEAR_SCORE))


def _clearest(spares: Sequence[Spare]) -> Spare:
    return max(spares, key=lambda one: one.score)


def spare_centres(image: Image, field: Corners) -> NDArray[np.float64]:
    """Return where a tile may lie beside a field, likeliest first, in tiles of the field, shape (n, 2)."""
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
    """Return the centre (x, y) of the likely pixels round a peak, px; windows as wide as a tile have none."""
    rows, columns = np.indices(likely.shape)
    centre = peak
    for _ in range(_SHIFTS):
        near = likely * (np.hypot(columns - centre[0], rows - centre[1]) < reach)
        total = near.sum()
        if total > 0:
            centre = np.array([(columns * near).sum(), (rows * near).sum()]) / total
    return centre


def _at(centre: NDArray[np.float64], degrees: float) -> Spare:
    return Spare(centre, degrees, np.zeros(4), -np.inf)


def _tried(
    image: Image, field: Corners, shown: Image, spares: Sequence[Spare], reader: SideReader, averaged: bool = False
) -> list[Spare]:
    """Return the spares with their evidence, moved to where their sides lie. averaged: over four quarter turns."""
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
        score = _margin(logits[place]) - _OFFSET_COST * float(offset @ offset)
        found.append(replace(spare, centre=spare.centre + offset @ turn, logits=logits[place], score=score))
    return found


def _margin(logits: NDArray[np.float64]) -> float:
    """Return how clearly the sides are those of some tile: the least clear one counts most."""
    opened = np.array([[side in openings for side in SIDES] for openings in OPENINGS])
    signed = np.where(opened, logits, -logits).clip(-MAX_LOGIT, _CLEAR)
    return float((signed.min(1) + 0.2 * signed.mean(1)).max())
