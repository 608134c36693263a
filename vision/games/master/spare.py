"""The spare beside the board: its place, its turn and its openings.

The finder proposes centres. The tile there is pasted onto loose places of the rectified field in several turns, so
that the same network reads it beside the known sides of the picture; the turn in which it reads best is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.lattice import MARGIN, SIDES, SQUARE, TILE_PX, Corners, projected, rectified, to_picture
from vision.games.master.readings import SIZE
from vision.games.master.shapes import OPENINGS
from vision.games.master.sides import MAX_LOGIT, SideReader

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
_MIN_SCORE: Final = 1.0
"""Score below which the thing is no tile."""


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

    def corners(self, field: Corners) -> Corners:
        """Return its corners, px, clockwise from the one that is the upper left one in the field's frame."""
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return projected(self.centre + (SQUARE - 0.5) @ turn, to_picture(field))


def read_spare(image: Image, field: Corners, centres: NDArray[np.float64], reader: SideReader) -> Spare | None:
    """Return the likeliest tile at one of these centres; None where there is none."""
    shown = rectified(image, field)
    found = list[Spare]()
    for centre in centres:
        rough = _tried(image, field, shown, [_at(centre, turn) for turn in _TURNS_DEG], reader)
        best = max(rough, key=lambda one: one.score)
        fine = [_at(best.centre, best.degrees + turn) for turn in _FINE_TURNS_DEG]
        found.append(max(_tried(image, field, shown, fine, reader), key=lambda one: one.score))
        if found[-1].score > _MIN_SCORE:
            break
    best_of_all = max(found, key=lambda one: one.score, default=None)
    return best_of_all if best_of_all is not None and best_of_all.score > _MIN_SCORE else None


def _at(centre: NDArray[np.float64], degrees: float) -> Spare:
    return Spare(centre, degrees, np.zeros(4), -np.inf)


def _tried(image: Image, field: Corners, shown: Image, spares: Sequence[Spare], reader: SideReader) -> list[Spare]:
    """Return the spares with their evidence, moved to where their sides lie."""
    together = shown.copy()
    square = (TILE_PX * SQUARE).astype(np.float32)
    for spare, place in zip(spares, _PLACES, strict=False):
        row, column = divmod(place, SIZE)
        left, top = (round((MARGIN + number) * TILE_PX) for number in (column, row))
        matrix = cv2.getPerspectiveTransform(spare.corners(field).astype(np.float32), square)
        tile = cv2.warpPerspective(image, matrix, (TILE_PX, TILE_PX), flags=cv2.INTER_AREA)
        together[top : top + TILE_PX, left : left + TILE_PX] = tile
    evidence = reader.read(together)
    logits = evidence.logits()
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
