"""Whether what was found is the card that it looks most like: its whole face, block by block, and its outline."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.card_votes import Place

_CERTAIN_LIKENESS, _LIKENESS_SCALE = 0.60, 0.06
_CERTAIN_MARGIN, _MARGIN_SCALE = 0.15, 0.04
_CERTAIN_BLOCK, _CERTAIN_BLOCK_OF_BACK, _BLOCK_SCALE = 0.855, 0.78, 0.03
_CERTAIN_OUTLINE, _OUTLINE_SCALE = 0.45, 0.06
"""Where likeness, margin over the runner-up, the worst block and the share of the outline with an edge make a name
even odds, and how fast it grows surer from there. Of 382 cards in full view on 54 tables 1 % had a block below
0.946 and none an outline below 0.72; of cards that were not enrolled the worst block was at most 0.863."""
_PARTLY_COVERED = -2.0
"""A card that is partly covered is doubtful (0.27), however little of its covered blocks and sides agrees."""
LEAST_CONFIDENCE = 0.05
"""Less sure than this, a name is none."""
_BLOCK_AGREES, _MIN_AGREEING_SHARE = 0.8, 0.5
"""A block agrees from here on; where fewer of a face's blocks do, it has no name, not even a doubtful one."""
_SIDE_SEEN, _CORNER_SEEN = 0.6, 0.75
"""A side is there where so much of it has an edge; a corner, where so much of both of its sides has."""
_WHOLE_LIKENESS, _WHOLE_BLOCK = 0.88, 0.65
"""A card of which all four sides are seen is not covered: less likeness and a worse block mean another card."""
_CERTAIN_SCORE, _SCORE_SCALE = 0.4, 0.12
"""Score of an outline without a name from which on a card is even odds."""


@dataclass(frozen=True, eq=False)
class Find:
    """An enrolled card at a place. margin: over the likest one that can be told apart; agreements: by block."""

    card: int
    place: Place
    likeness: float
    margin: float
    agreements: NDArray[np.float32]
    alternatives: tuple[tuple[int, float], ...] = ()
    """Cards that cannot be told apart from it, each with its share of the confidence."""


@dataclass(frozen=True, eq=False)
class Named:
    """A find that has a name. corners: in table mm, (4, 2), clockwise from the card's own upper left."""

    find: Find
    corners: NDArray[np.float64]
    confidence: float


@dataclass(frozen=True, eq=False)
class Unknown:
    """An outline without a name. corners: as in Named, either way up."""

    corners: NDArray[np.float64]
    confidence: float


def _logistic(value: float) -> float:
    return round(1.0 / (1.0 + math.exp(-min(value, 6.0) - 1.0)), 4)


def outline_confidence(score: float) -> float:
    """Return how surely a card lies at an outline with this score, see `card_outlines.Support`."""
    return _logistic((score - _CERTAIN_SCORE) / _SCORE_SCALE)


def confidence(find: Find) -> float:
    """Return how surely a find is its card by likeness and margin over the runner-up; both must be good."""
    likeness = (find.likeness - _CERTAIN_LIKENESS) / _LIKENESS_SCALE
    margin = (find.margin - _CERTAIN_MARGIN) / _MARGIN_SCALE
    return _logistic(min(likeness, margin))


def verified_confidence(find: Find, sides: NDArray[np.float64], *, is_back: bool) -> float:
    """Return how surely a find is its card, its worst block and its outline (4,) included."""
    least = _CERTAIN_BLOCK_OF_BACK if is_back else _CERTAIN_BLOCK
    block = (float(find.agreements.min()) - least) / _BLOCK_SCALE
    outline = (float(sides.mean()) - _CERTAIN_OUTLINE) / _OUTLINE_SCALE
    return min(confidence(find), _logistic(max(min(block, outline), _PARTLY_COVERED)))


def may_be_named(find: Find, sides: NDArray[np.float64]) -> bool:
    """Return whether a find may have a name at all: most of its face agrees, and its outline where it is seen."""
    worst = float(find.agreements.min())
    if np.mean(find.agreements >= _BLOCK_AGREES) < _MIN_AGREEING_SHARE:
        return False
    seen = sides >= _SIDE_SEEN
    if seen.all():
        return worst >= _WHOLE_BLOCK or find.likeness >= _WHOLE_LIKENESS
    # A card that is partly covered shows a corner of its outline at least.
    clear = sides >= _CORNER_SEEN
    return worst >= _BLOCK_AGREES or bool((clear & np.roll(clear, 1)).any())
