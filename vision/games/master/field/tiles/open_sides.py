"""Reads which sides of the tiles are open, by comparison with the known sides in the same picture.

A network maps each side of each tile to a point (embedding). The 16 fixed tiles have 44 open and 20 walled sides: a
side is open if its point is nearer to the mean of the open ones. So no look of paths and walls is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from vision.cameras.frame import Image
from vision.games.master.field.rectification import (
    CENTRES,
    KNOWN,
    MARGIN,
    OPEN,
    TILE_PX,
    UNIT,
    Corners,
    normalised,
    to_picture,
)
from vision.games.master.field.tiles.side_network import SideNetwork
from vision.games.master.readings import SIZE

DIMENSIONS: Final = 16
"""Number of dimensions of a side's point."""
COVERED: Final = 4 * (DIMENSIONS + 1)
"""Index of the network's output channel with the logit that the tile is covered."""
SHIFTED: Final = COVERED + 1
"""Index of the first of two channels: logits that the tile's row, or its column, is half pushed in."""
OFFSET: Final = SHIFTED + 2
"""Index of the first of two channels: how far right of and below its assumed place the tile is, in tiles."""
CHANNELS: Final = OFFSET + 2
"""Number of output channels."""
_MIN_VISIBLE: Final = 0.8
"""Minimum fraction of a tile inside the picture for it to be used in aligning the field."""
_MIN_TILES: Final = 12
"""Minimum number of tiles from which the field is aligned."""
_MAX_RESIDUAL: Final = 0.12
"""Largest distance of an inlier tile from the fitted field, in tiles."""
_MAX_MOVE: Final = 1.5
"""Largest movement of a corner in one alignment, in tiles."""
MAX_LOGIT: Final = 30.0
"""Bound of the size of logits."""


@dataclass(frozen=True, slots=True)
class SideEvidence:
    """Output of the network for one field."""

    points: NDArray[np.float64]
    """Point of each side, shape (49, 4, DIMENSIONS)."""
    alone: NDArray[np.float64]
    """Logit that each side is open, without comparison with others, shape (49, 4)."""
    covered: NDArray[np.float64]
    """Probability that each tile is covered, shape (49,)."""
    half_pushed: NDArray[np.float64]
    """Logit that each row, then each column is half pushed in, shape (14,)."""
    offsets: NDArray[np.float64]
    """Offset (x, y) of each tile from its assumed place, in tiles, shape (49, 2)."""
    visible: NDArray[np.float64]
    """Fraction of each tile that is inside the picture, shape (49,)."""

    def logits(self) -> NDArray[np.float64]:
        """Return the logit that each side is open, by comparison with the fixed tiles' sides, shape (49, 4).

        A fixed tile's side is compared with the sides of the other fixed tiles only.
        """
        weight = np.clip(1 - self.covered, 0.02, 1)[:, None] * KNOWN[:, None]
        far = []
        for class_ in (OPEN, ~OPEN):
            share = weight * class_
            total, number = np.einsum("ps,psd->d", share, self.points), share.sum()
            without = total - share[..., None] * self.points
            mean = without / np.maximum(number - share, 1)[..., None]
            far.append(((self.points - mean) ** 2).sum(-1))
        return np.asarray(np.clip(far[1] - far[0] + self.alone, -MAX_LOGIT, MAX_LOGIT), np.float64)


def known_loss(evidence: SideEvidence) -> float:
    """Return the mean logistic loss of the sides of fixed tiles, which are known: near 0 for a board.

    It is about 0.7 or more for anything else. Covered tiles hardly count.
    """
    weight = np.clip(1 - evidence.covered, 0.02, 1)[KNOWN]
    signed = np.where(OPEN, 1, -1) * evidence.logits()
    loss = np.logaddexp(0, -np.minimum(signed, 8))[KNOWN].mean(1)
    return float((loss * weight).sum() / weight.sum())


def turned_back(logits: NDArray[np.float64], quarters: int) -> NDArray[np.float64]:
    """Return side logits of a field that was turned clockwise, as if it had not been turned; shape (49, 4).

    logits: of the turned field, (49, 4). quarters: number of quarter turns.
    """
    places = np.rot90(logits.reshape(SIZE, SIZE, 4), quarters)
    return np.asarray(np.roll(places, -quarters, -1).reshape(SIZE**2, 4), np.float64)


def refined_corners(corners: Corners, evidence: SideEvidence) -> Corners:
    """Return the field's corners (px) moved by the offsets measured at its tiles; unchanged if too few are clear.

    corners: by which the field was rectified for the evidence.
    """
    clear = (evidence.covered < 0.5) & (evidence.visible > _MIN_VISIBLE)
    if clear.sum() < _MIN_TILES:
        return corners
    fitted, _ = cv2.findHomography(CENTRES[clear], (CENTRES + evidence.offsets)[clear], cv2.RANSAC, _MAX_RESIDUAL)
    if fitted is None:
        return corners
    moved = map_points(UNIT, np.asarray(fitted, np.float64))
    return corners if np.abs(moved - UNIT).max() > _MAX_MOVE else map_points(moved, to_picture(corners))


class SideReader:
    """Reads the sides of the tiles of rectified fields."""

    def __init__(self, network: SideNetwork) -> None:
        self._network = network

    def read(self, shown: Image) -> SideEvidence:
        """Return the network's evidence for all tiles of a field.

        shown: the rectified field (`rectification.rectified`).
        """
        output = self._network.run(normalised(shown)[None])[0, :, 1:-1, 1:-1].astype(np.float64)
        flat = output.reshape(CHANNELS, SIZE**2).T
        each = flat[:, :COVERED].reshape(SIZE**2, 4, DIMENSIONS + 1)
        lines = output[SHIFTED:OFFSET]
        edge = round(MARGIN * TILE_PX)
        inner = shown[edge:-edge, edge:-edge].any(-1).reshape(SIZE, TILE_PX, SIZE, TILE_PX)
        return SideEvidence(
            points=each[..., :-1],
            alone=each[..., -1],
            covered=1 / (1 + np.exp(-np.clip(flat[:, COVERED], -MAX_LOGIT, MAX_LOGIT))),
            half_pushed=np.concatenate([lines[0].mean(1), lines[1].mean(0)]),
            offsets=flat[:, OFFSET:CHANNELS],
            visible=inner.mean((1, 3)).reshape(-1),
        )

    def averaged(self, shown: Image, evidence: SideEvidence) -> tuple[NDArray[np.float64], float]:
        """Return the logits that sides are open, (49, 4), and `known_loss`, both averaged over four rotations.

        The fixed tiles' sides are the same after a quarter turn. shown: the rectified field. evidence: for it, as
        returned by `read`.
        """
        logits, losses = [evidence.logits()], [known_loss(evidence)]
        for quarters in (1, 2, 3):
            turned = self.read(np.ascontiguousarray(np.rot90(shown, -quarters)))
            logits.append(turned_back(turned.logits(), quarters))
            losses.append(known_loss(turned))
        return np.asarray(np.mean(logits, 0), np.float64), float(np.mean(losses))
