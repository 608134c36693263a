"""The spare beside the board: which of the tiles found there it is, and its sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.finding import clockwise
from vision.games.master.lattice import MARGIN, SQUARE, TILE_PX, Corners, projected, to_picture, to_tiles
from vision.games.master.readings import SIZE

_SIDE_RANGE: Final = (0.7, 1.45)
"""Shortest and longest side of a spare, in tiles as seen at its place."""
_MAX_DISTANCE: Final = 6.0
"""Largest distance of its centre from the field, in tiles."""
_MAX_MOVE: Final = 0.3
"""Largest movement of a spare to where its sides lie, in tiles."""
_PASTED: Final = (24, 8, 40)
"""Loose places on which spares are pasted to be read beside the known sides."""


@dataclass(frozen=True, slots=True)
class SpareCandidate:
    """A tile beside the board."""

    corners: Corners
    """Corners, px of the picture, clockwise from the one that is the upper left one in the board's frame."""
    place: int
    """Place on which it is pasted."""

    def moved(self, offset: NDArray[np.float64]) -> SpareCandidate:
        """Return the tile moved by an offset in tiles."""
        onto = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), self.corners.astype(np.float32))
        moved = SQUARE + np.clip(offset, -_MAX_MOVE, _MAX_MOVE)
        return replace(self, corners=projected(moved, np.asarray(onto, np.float64)))


def candidates(quads: Sequence[Corners], field: Corners) -> list[SpareCandidate]:
    """Return the tiles beside a field that have the size of a tile, strongest first."""
    onto = to_tiles(field)
    found = list[SpareCandidate]()
    for quad in quads:
        flat = clockwise(projected(quad, onto))
        sides = np.linalg.norm(np.roll(flat, -1, 0) - flat, axis=1)
        away = np.abs(flat.mean(0) - SIZE / 2).max() - SIZE / 2
        if sides.min() < _SIDE_RANGE[0] or sides.max() > _SIDE_RANGE[1] or not 0.3 < away < _MAX_DISTANCE:
            continue
        found.append(SpareCandidate(projected(flat, to_picture(field)), _PASTED[len(found)]))
        if len(found) == len(_PASTED):
            break
    return found


def pasted(shown: Image, image: Image, spares: Sequence[SpareCandidate]) -> Image:
    """Return a rectified field with the tiles beside the board in place of some loose tiles."""
    together = shown.copy()
    for spare in spares:
        row, column = divmod(spare.place, SIZE)
        left, top = (round((MARGIN + number) * TILE_PX) for number in (column, row))
        square = (TILE_PX * SQUARE).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(spare.corners.astype(np.float32), square)
        tile = cv2.warpPerspective(image, matrix, (TILE_PX, TILE_PX), flags=cv2.INTER_AREA)
        together[top : top + TILE_PX, left : left + TILE_PX] = tile
    return together
