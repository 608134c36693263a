"""Confidence that a candidate is the card it matches best: its whole face, block by block, and its outline."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.pose_votes import CardPose

_EVEN_SIMILARITY = 0.60
"""Similarity at even odds."""
_SIMILARITY_SCALE = 0.06
"""Scale of the logistic in similarity."""
_EVEN_MARGIN = 0.15
"""Margin over the runner-up at even odds."""
_MARGIN_SCALE = 0.04
"""Scale of the logistic in the margin."""
_EVEN_BLOCK = 0.855
"""Agreement of the worst block at even odds. Of 382 fully visible cards on 54 tables 1 % had a block below 0.946
and none an outline below 0.72; of cards that were not enrolled the worst block was at most 0.863."""
_EVEN_BLOCK_OF_BACK = 0.78
"""Agreement of the worst block of a card's back at even odds."""
_BLOCK_SCALE = 0.03
"""Scale of the logistic in the worst block's agreement."""
_EVEN_OUTLINE = 0.45
"""Share of the outline with an edge at even odds."""
_OUTLINE_SCALE = 0.06
"""Scale of the logistic in that share."""
_MIN_COVERED_LOGIT = -2.0
"""Lower bound (log odds) of the evidence of blocks and outline: a partly covered card keeps a confidence of 0.27.
"""
MIN_CONFIDENCE = 0.05
"""Minimum confidence of a match that identifies a card."""
_MIN_BLOCK_AGREEMENT = 0.8
"""Minimum agreement of a block that agrees."""
_MIN_AGREEING_SHARE = 0.5
"""Minimum share of agreeing blocks of an identified card."""
_MIN_SIDE_EDGE = 0.6
"""Minimum share of a side that shows an edge, for the side to be visible."""
_MIN_CORNER_EDGE = 0.75
"""Minimum share of the two adjacent sides that shows an edge, for a corner to be visible."""
_MIN_WHOLE_SIMILARITY = 0.88
"""Minimum similarity of a card with four visible sides, which nothing covers, unless its blocks agree."""
_MIN_WHOLE_BLOCK = 0.65
"""Agreement of the worst block from which such a card may be less similar."""
_EVEN_SCORE = 0.4
"""Score of an unidentified card's outline at even odds."""
_SCORE_SCALE = 0.12
"""Scale of the logistic in that score."""


@dataclass(frozen=True, eq=False)
class CardMatch:
    """Comparison of an enrolled card with a pose in the picture."""

    card: int
    """Index of the card in `CardIndex.cards`."""
    place: CardPose
    """Position and orientation."""
    likeness: float
    """Similarity to the enrolled picture, -1 to 1."""
    margin: float
    """Similarity minus that of the best other distinguishable card."""
    agreements: NDArray[np.float32]
    """Agreement of each block of the face, see `search_index.block_agreements`."""
    alternatives: tuple[tuple[int, float], ...] = ()
    """Indices of indistinguishable cards, each with its share of the confidence."""


@dataclass(frozen=True, eq=False)
class NamedCard:
    """A match accepted as an identified card."""

    match: CardMatch
    """The match."""
    corners: NDArray[np.float64]
    """Corners in table mm, (4, 2), clockwise from the card's own top left."""
    confidence: float
    """Probability that it is this card, 0..1."""


@dataclass(frozen=True, eq=False)
class UnknownCard:
    """A card-sized outline whose face matches no enrolled card."""

    corners: NDArray[np.float64]
    """Corners in table mm, (4, 2), clockwise; the top is unknown."""
    confidence: float
    """Probability that a card lies there, 0..1."""


def _logistic(value: float) -> float:
    """Return the logistic function of `value` (log odds) plus 1, rounded to four digits; at most 0.9991."""
    return round(1.0 / (1.0 + math.exp(-min(value, 6.0) - 1.0)), 4)


def outline_confidence(score: float) -> float:
    """Return the probability that an outline with this score (`Support.score` of its edges) is that of a card."""
    return _logistic((score - _EVEN_SCORE) / _SCORE_SCALE)


def confidence(match: CardMatch) -> float:
    """Return the confidence (0..1) in a match from its similarity and its margin over the runner-up card."""
    likeness = (match.likeness - _EVEN_SIMILARITY) / _SIMILARITY_SCALE
    margin = (match.margin - _EVEN_MARGIN) / _MARGIN_SCALE
    return _logistic(min(likeness, margin))


def verified_confidence(match: CardMatch, sides: NDArray[np.float64], *, is_back: bool) -> float:
    """Return the confidence (0..1) in a match from similarity, margin, worst block of the face, and outline.

    sides: share of each side of the card that shows an edge, (4,).
    """
    even = _EVEN_BLOCK_OF_BACK if is_back else _EVEN_BLOCK
    block = (float(match.agreements.min()) - even) / _BLOCK_SCALE
    outline = (float(sides.mean()) - _EVEN_OUTLINE) / _OUTLINE_SCALE
    return min(confidence(match), _logistic(max(min(block, outline), _MIN_COVERED_LOGIT)))


def may_be_named(match: CardMatch, sides: NDArray[np.float64]) -> bool:
    """Return whether a match may identify a card, which may be covered in part.

    At least half of its face must agree. A card with edges on all four sides is not covered: its whole face must
    agree roughly. Any other card shows a corner of its outline, or all of its face agrees.
    sides: share of each side of the card that shows an edge, (4,).
    """
    worst = float(match.agreements.min())
    if np.mean(match.agreements >= _MIN_BLOCK_AGREEMENT) < _MIN_AGREEING_SHARE:
        return False
    seen = sides >= _MIN_SIDE_EDGE
    if seen.all():
        return worst >= _MIN_WHOLE_BLOCK or match.likeness >= _MIN_WHOLE_SIMILARITY
    # A partly covered card shows at least one corner of its outline.
    clear = sides >= _MIN_CORNER_EDGE
    return worst >= _MIN_BLOCK_AGREEMENT or bool((clear & np.roll(clear, 1)).any())
