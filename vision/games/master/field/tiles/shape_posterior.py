"""Posterior of the loose tiles' shapes and rotations, from their sides and the number of tiles of each shape.

Of the 34 loose tiles 13 are straight, 15 are corners and 6 are Ts, and one of them is the spare. Every assignment
of openings to tiles that agrees with these numbers has the same prior.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.games.master.field.rectification import SIDES
from vision.games.master.readings import LOOSE_TILES

Floats = NDArray[np.float64]
OPENINGS: Final = tuple(
    "".join(sorted((SIDES[(SIDES.index(side) + turn) % 4] for side in shape), key=SIDES.index))
    for shape, turns in (("TB", 2), ("TR", 4), ("TRL", 4))
    for turn in range(turns)
)
"""The ten possible openings of a loose tile, as letters of its open sides, shape by shape."""
SHAPE: Final = np.array([0] * 2 + [1] * 4 + [2] * 4)
"""Shape of each of `OPENINGS`: 0 straight, 1 corner, 2 T."""
_OPEN: Final = np.array([[side in openings for side in SIDES] for openings in OPENINGS])
"""Whether each side is open, for each of `OPENINGS`; shape (10, 4)."""
_TURNS: Final = np.bincount(SHAPE)
"""Number of rotations of each shape."""
_OUTLIER: Final = 2e-4
"""Probability that a side's logit is no evidence, such as that of a covered side."""
_FOREIGN: Final = 1e-5
"""Likelihood of all openings alike, for tiles that are not the game's or lie face down."""
_MAX_CONTRADICTION: Final = 3.0
"""Size of a side's logit above which it contradicts openings."""


class LooseTileCounts(NamedTuple):
    """Number of loose tiles of each shape in the box."""

    straight: int
    """Straight tiles."""
    corners: int
    """Corners."""
    ts: int
    """Ts, with three open sides."""


BOX: Final = LooseTileCounts(*LOOSE_TILES.values())
"""Loose tiles in the box of the game."""


def likelihoods(logits: Floats) -> Floats:
    """Return the likelihood of each of the ten `OPENINGS` (shape and rotation) for each tile, shape (n, 10).

    logits: that each side is open, shape (n, 4). The evidence of one side is bounded, so that a single wrong one
    does not outweigh the three others and the prior.
    """
    opened = 1 / (1 + np.exp(-logits))
    each = np.stack([1 - opened, opened]) * (1 - 2 * _OUTLIER) + _OUTLIER
    return np.asarray(np.where(_OPEN[None], each[1][:, None], each[0][:, None]).prod(-1)) + _FOREIGN


def contradicted(logits: Floats, probabilities: Floats) -> NDArray[np.bool_]:
    """Return whether a side with a large logit contradicts the most probable openings of its tile, shape (n,).

    logits: that each side is open, shape (n, 4). probabilities: of `OPENINGS`, shape (n, 10).
    """
    opened = _OPEN[probabilities.argmax(1)]
    return np.asarray((np.where(opened, -logits, logits) > _MAX_CONTRADICTION).any(1))


def posterior(likelihood: Floats, box: LooseTileCounts = BOX) -> tuple[Floats, float]:
    """Return each loose tile's probability of each of `OPENINGS`, (34, 10), and that of the best joint assignment.

    The assignment has the most probable shape of every tile, and the best rotation of all but the spare.
    likelihood: shape (34, 10), the spare last; a row of equal values for a tile that is not visible. The result is
    exact: it sums over the numbers of straight tiles and corners before and behind each tile.
    """
    weight = likelihood / _TURNS[SHAPE]
    shapes = np.stack([weight[:, shape == SHAPE].sum(1) for shape in range(3)], 1)
    shapes /= shapes.max(1, keepdims=True)
    before, behind = _count_weights(shapes, box), _count_weights(shapes[::-1], box)
    total = len(shapes)
    marginal = np.zeros((total, 3))
    for tile in range(total):
        ahead, rest = before[tile], behind[total - 1 - tile][::-1, ::-1]
        # rest[a, b] is the weight of the tiles behind with straight - a and corners - b of them.
        for shape, (a, b) in enumerate(((1, 0), (0, 1), (0, 0))):
            part = ahead[: box.straight + 1 - a, : box.corners + 1 - b] * rest[a:, b:]
            marginal[tile, shape] = shapes[tile, shape] * part.sum()
    marginal /= marginal.sum(1, keepdims=True)
    within = weight / np.stack([weight[:, shape == SHAPE].sum(1) for shape in range(3)], 1)[:, SHAPE]
    probabilities = within * marginal[:, SHAPE]
    return probabilities, _best_shapes_probability(shapes, before[total], box) * float(
        _best_rotations_probability(within, probabilities)
    )


def _count_weights(shapes: Floats, box: LooseTileCounts) -> list[Floats]:
    """Return for n = 0 to 34 the weights of all counts of straight tiles and corners among the first n tiles.

    Each is an array of shape (14, 16), by the number of straight tiles and of corners; the rest are Ts, and a count
    of more Ts than the box holds has weight 0. shapes: likelihood of each shape for each tile, (34, 3).
    """
    table = np.zeros((box.straight + 1, box.corners + 1))
    table[0, 0] = 1
    tables = [table]
    straight, corners = np.indices(table.shape)
    for number, (a, b, c) in enumerate(shapes, 1):
        new = c * table
        new[1:] += a * table[:-1]
        new[:, 1:] += b * table[:, :-1]
        new[number - straight - corners > box.ts] = 0
        table = new
        tables.append(table)
    return tables


def _best_shapes_probability(shapes: Floats, whole: Floats, box: LooseTileCounts) -> float:
    """Return the probability of the most probable joint assignment of shapes.

    shapes: likelihood of each shape for each tile, (34, 3). whole: `_count_weights` over all tiles.
    """
    table = np.zeros((box.straight + 1, box.corners + 1))
    table[0, 0] = 1
    straight, corners = np.indices(table.shape)
    for number, (a, b, c) in enumerate(shapes, 1):
        new = c * table
        new[1:] = np.maximum(new[1:], a * table[:-1])
        new[:, 1:] = np.maximum(new[:, 1:], b * table[:, :-1])
        new[number - straight - corners > box.ts] = 0
        table = new
    return float(table[-1, -1] / whole[-1, -1])


def _best_rotations_probability(within: Floats, probabilities: Floats) -> float:
    """Return the probability that all tiles but the spare have their best rotation, given the most probable shapes.

    within: probability of each of `OPENINGS` given its shape, (34, 10). probabilities: of `OPENINGS`, (34, 10).
    """
    best = SHAPE[probabilities.argmax(1)]
    tops = [within[tile, best[tile] == SHAPE].max() for tile in range(len(within) - 1)]
    return float(np.prod(tops))
