"""Reads where the wizards stand: each colour stands on one tile at most, and a tile may carry several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.object_network import COLOURS, TileObjects
from vision.games.master.pawn_shapes import pawn_scores
from vision.games.master.readings import SIZE, WizardReading
from vision.games.master.ring_colours import RingColours
from vision.games.master.views import MARGIN, TILE_PX, FieldView
from vision.readings import Box

MIN_CONFIDENCE: Final = 0.98
"""Confidence from which a wizard needs no confirmation."""
_WEIGHTS: Final = (6.95, 5.54, 1.06, -1.8, -3.1)
"""Weights of the pawn's outline in pixels of its paint, in those that are rare on the board, of the network's log
odds, of the outline in another paint, and of a certain disc; fitted on pictures of looks that are not held out."""
_NOWHERE: Final = (0.32, 1.9, 1.74, 2.3)
"""The same evidence for a wizard of each colour that is not on the board, in the order of `STARTS`."""
_MIN_REPORTED: Final = 0.3
"""Least probability that a colour stands on the table for it to be reported."""
_MIN_LISTED: Final = 0.001
"""Least probability of a place that is listed."""
_HEIGHT: Final = 0.7
"""Typical height of a wizard, in tiles; only its box depends on it."""
_RADIUS: Final = 0.22
"""Typical radius of a wizard's foot, in tiles; only its box depends on it."""


def read_wizards(
    views: Sequence[FieldView],
    objects: Sequence[TileObjects],
    rings: RingColours,
    discs: NDArray[np.float64],
) -> tuple[WizardReading, ...]:
    """Return the wizards on the field, and on the spare where its view follows that of the field.

    rings: of the field's orientation. discs: circles (n, 3) of certain discs, px of the field's view.
    """
    log_odds = np.concatenate([one.wizards.reshape(-1, len(COLOURS)) for one in objects]).astype(np.float64)
    bare = np.zeros((len(log_odds), len(COLOURS), 2))
    bare[: SIZE**2] = pawn_scores(views[0], rings.paints, discs, rings.circles)
    others = np.stack([np.delete(bare[..., 1], index, 1).max(axis=1) for index in range(len(COLOURS))], axis=1)
    tiles = ((discs[:, :2] + 0.5) / TILE_PX - MARGIN).astype(int)
    covered = np.zeros(len(log_odds))
    covered[tiles[:, 1] * SIZE + tiles[:, 0]] = 1.0
    alike, rare, network, other, disc = _WEIGHTS
    logs = alike * bare[..., 0] + rare * bare[..., 1] + network * np.clip(log_odds, -8.0, 8.0)
    logs += other * others + disc * covered[:, None] - np.array(_NOWHERE)
    odds = np.exp(np.clip(logs, -30.0, 30.0))
    by_place = odds / (1 + odds.sum(axis=0))
    found = []
    for index, colour in enumerate(COLOURS):
        own = by_place[:, index]
        if own.sum() < _MIN_REPORTED:
            continue
        best = int(own.argmax())
        confidence = float(own[best])
        # One pawn has one colour, unless two stand side by side.
        shares = odds[best] / odds[best].sum()
        found.append(
            WizardReading(
                colour=colour,
                place=_place(best),
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                colours={name: float(share) for name, share in zip(COLOURS, shares, strict=True)},
                places={_place(int(row)): float(own[row]) for row in np.flatnonzero(own > _MIN_LISTED)},
                box=_box(views[0], best) if best < SIZE * SIZE else _box(views[1], 0),
            )
        )
    return tuple(found)


def _place(row: int) -> int | None:
    return row if row < SIZE * SIZE else None


def _box(view: FieldView, cell: int) -> Box:
    """Return the typical box of a wizard on a tile of a view, px of the picture."""
    foot = np.array([cell % view.tiles + 0.5, cell // view.tiles + 0.5])
    x, y, height = view.camera
    lean = max(1.0, height) / max(1.0, height - _HEIGHT)
    head = np.array([x, y]) + (foot - (x, y)) * lean
    points = [_circle(foot, _RADIUS), _circle(head, _RADIUS * 0.6)]
    pixels = view.to_picture((np.concatenate(points) + MARGIN) * TILE_PX)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _circle(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    angles = np.arange(8) * (math.pi / 4)
    return np.asarray(middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.float64)
