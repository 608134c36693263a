"""Posterior of the loose tiles from the evidence of their sides and the numbers in the box.

Of the 34 loose tiles 13 are straight, 15 are corners and 6 are Ts, and one of them is the spare: every assignment
of openings to tiles that agrees with these numbers is equally probable before the picture is read.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.games.master.field.lattice import SIDES
from vision.games.master.readings import LOOSE_TILES

Floats = NDArray[np.float64]
OPENINGS: Final = tuple(
    "".join(sorted((SIDES[(SIDES.index(side) + turn) % 4] for side in shape), key=SIDES.index))
    for shape, turns in (("TB", 2), ("TR", 4), ("TRL", 4))
    for turn in range(turns)
)
"""The ten possible openings of a loose tile, shape by shape."""
SHAPE: Final = np.array([0] * 2 + [1] * 4 + [2] * 4)
"""Shape of each opening, an index into LOOSE_TILES."""
_OPEN: Final = np.array([[side in openings for side in SIDES] for openings in OPENINGS])
"""Whether each side is open; shape (10, 4)."""
_TURNS: Final = np.bincount(SHAPE)
"""Number of rotations of each shape."""
_OUTLIER: Final = 2e-4
"""Probability that a side's evidence says nothing."""
_FOREIGN: Final = 1e-5
"""Likelihood of any openings that a tile which is none of the game's has, such as one that lies face down."""
_MAX_CONTRADICTION: Final = 3.0
"""Logit of a side above which it contradicts openings."""


class LooseTileCounts(NamedTuple):
    """Numbers of loose tiles in the box."""

    straight: int
    corners: int
    ts: int


BOX: Final = LooseTileCounts(*LOOSE_TILES.values())
"""The box of the game."""


def likelihoods(logits: Floats) -> Floats:
    """Return the likelihood of each of the ten openings, shape (n, 10).

    logits: that each side is open, shape (n, 4).
    A side's evidence is bounded, so that no single side outweighs the three others and the numbers.
    """
    opened = 1 / (1 + np.exp(-logits))
    each = np.stack([1 - opened, opened]) * (1 - 2 * _OUTLIER) + _OUTLIER
    return np.asarray(np.where(_OPEN[None], each[1][:, None], each[0][:, None]).prod(-1)) + _FOREIGN


def contradicted(logits: Floats, probabilities: Floats) -> NDArray[np.bool_]:
    """Return whether a clear side of each tile contradicts its most probable openings, shape (n,)."""
    opened = _OPEN[probabilities.argmax(1)]
    return np.asarray((np.where(opened, -logits, logits) > _MAX_CONTRADICTION).any(1))


def posterior(likelihood: Floats, box: LooseTileCounts = BOX) -> tuple[Floats, float]:
    """Return the probability of each opening of the 34 loose tiles, and of the most probable whole assignment.

    likelihood: shape (34, 10), all equal for a tile of which nothing is known. Exact: it sums over the numbers of
    straight tiles and corners before and behind each tile.
    """
    weight = likelihood / _TURNS[SHAPE]
    shapes = np.stack([weight[:, shape == SHAPE].sum(1) for shape in range(3)], 1)
    shapes /= shapes.max(1, keepdims=True)
    before, behind = _counts(shapes, box), _counts(shapes[::-1], box)
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
    return probabilities, _best(shapes, before[total], box) * float(_best_within(within, probabilities))


def _counts(shapes: Floats, box: LooseTileCounts) -> list[Floats]:
    """Return for each number of first tiles the weight of every number of straight tiles and corners among them.

    Arrays of shape (14, 16); Ts beyond their number have weight 0. Scaled so that nothing underflows: only ratios
    within one product of `before` and `behind` count.
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


def _best(shapes: Floats, whole: Floats, box: LooseTileCounts) -> float:
    """Return the probability of the most probable assignment of shapes."""
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


def _best_within(within: Floats, probabilities: Floats) -> float:
    """Return the probability of the best rotations, the shapes being right; the spare (last) may lie as it will."""
    best = SHAPE[probabilities.argmax(1)]
    tops = [within[tile, best[tile] == SHAPE].max() for tile in range(len(within) - 1)]
    return float(np.prod(tops))
