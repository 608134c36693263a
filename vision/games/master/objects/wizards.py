"""Reads where the wizards stand: each colour stands on one tile at most, and a tile may carry several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.objects.object_network import COLOURS, TileObjects
from vision.games.master.objects.pawn_shapes import pawn_scores
from vision.games.master.objects.ring_colours import RingColours
from vision.games.master.objects.views import MARGIN, TILE_PX, FieldView
from vision.games.master.readings import SIZE, WizardReading
from vision.readings import Box

MIN_CONFIDENCE: Final = 0.98
"""Confidence from which a wizard needs no confirmation."""
FEATURES: Final = ("alike", "rare", "shaded", "rare ratio", "shaded ratio", "network", "other paint", "disc")
"""Evidence for a wizard on a place: how well its paint fills the pawn's outline in all pixels, in those that are
rare on the board, and in shaded ones; the latter two against places where it fills one by chance; the network's log
odds; the outline in another paint; and a certain disc."""
_WEIGHTS: Final = (-1.27, 2.9, 5.77, 1.29, -0.36, 0.89, -0.77, -2.68)
"""Weight of each of `FEATURES`, fitted on random boards that trained nothing (`models.maze_objects.weights`)."""
_NOWHERE: Final = (0.49, 1.68, 0.14, 1.21)
"""The same evidence for a wizard of each colour that is not on the board, in the order of `STARTS`."""
_BY_CHANCE: Final = 5
"""Rank of the place, by its outline, that shows how well tiles fill one by chance."""
_NOISE: Final = 0.02
"""Score of an outline that is noise."""
_MAX_NETWORK: Final = 8.0
"""Bound of the network's log odds."""
_MIN_REPORTED: Final = 0.2
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
) -> tuple[tuple[WizardReading, ...], float]:
    """Return the wizards on the field, and on the spare where its view follows that of the field.

    Also return the probability that the wizards of the other colours are on neither.

    rings: of the field's orientation. discs: circles (n, 3) of certain discs, px of the field's view.
    """
    logs = wizard_features(views, objects, rings, discs) @ np.array(_WEIGHTS) - np.array(_NOWHERE)
    odds = np.exp(np.clip(logs, -30.0, 30.0))
    by_place = odds / (1 + odds.sum(axis=0))
    found, absent = [], 1.0
    for index, colour in enumerate(COLOURS):
        own = by_place[:, index]
        if own.sum() < _MIN_REPORTED:
            absent *= 1.0 - float(own.sum())
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
    return tuple(found), absent


def wizard_features(
    views: Sequence[FieldView],
    objects: Sequence[TileObjects],
    rings: RingColours,
    discs: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the evidence for a wizard of each colour on each place, (places, 4, features), as in `FEATURES`.

    The arguments are those of `read_wizards`; the spare is the last place where its view is passed.
    """
    log_odds = np.concatenate([one.wizards.reshape(-1, len(COLOURS)) for one in objects]).astype(np.float64)
    scores = np.zeros((3, *log_odds.shape))
    scores[:, : SIZE**2] = pawn_scores(views[0], rings.paints, discs, rings.circles).transpose(2, 0, 1)
    rare = scores[1]
    by_chance = np.sort(scores[1:, : SIZE**2], axis=1)[:, -_BY_CHANCE]
    ratios = np.log((np.maximum(scores[1:], 0.0) + _NOISE) / (np.maximum(by_chance, 0.0) + _NOISE)[:, None])
    others = np.stack([np.delete(rare, index, 1).max(axis=1) for index in range(len(COLOURS))], axis=1)
    tiles = ((discs[:, :2] + 0.5) / TILE_PX - MARGIN).astype(int)
    covered = np.zeros_like(rare)
    covered[tiles[:, 1] * SIZE + tiles[:, 0]] = 1.0
    network = np.clip(log_odds, -_MAX_NETWORK, _MAX_NETWORK)
    return np.stack([*scores, *ratios, network, others, covered], axis=-1)


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
