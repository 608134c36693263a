"""Detect hands that may hold more than the pieces that are counted in them: their readings need confirmation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.hand_detection import FoundHand
from vision.hands.piece_probabilities import EvidenceWeights, piece_probabilities
from vision.kind_colours import NO_PIECE
from vision.readings import Box

_MAX_CUT_GAP = 0.03
"""Maximum distance of a cut-off hand's box from the picture's edge, as a share of the box's longer side. Boxes are
exact to about 0.02; of 498 whole hands of 32 held-out sessions the nearest is 0.16 away."""
_MIN_UNHELD_GAIN = 3.0
"""Minimum gain in log likelihood of a piece's colours by a kind that hands cannot hold over all that they can."""
_MIN_SIGN_LOG_ODDS = -3.0
"""Minimum log odds of a sign against a painted piece for that gain to count, because other painted pieces may have
the same colours. Of 498 held-out hands three have such a piece, and all of them need confirmation anyway."""


def may_hold_more(
    hand: FoundHand, candidates: Sequence[CandidatePiece], picture_size: tuple[int, int], weights: EvidenceWeights
) -> bool:
    """Return whether a hand may hold pieces that are not counted as what they are.

    That is where the picture cuts the hand off, where pieces lie beside it as in another hand, and where a sign
    looks like a kind that hands cannot hold. candidates: of the hand. picture_size: width and height, px.
    """
    return (
        hand.pieces_beside
        or _is_cut_off(hand.box, picture_size)
        or any(
            probability > 0.5 and _is_of_unheld_kind(piece)
            for piece, probability in zip(candidates, piece_probabilities(candidates, weights), strict=True)
        )
    )


def _is_cut_off(box: Box, picture_size: tuple[int, int]) -> bool:
    """Return whether a box ends at the edge of the picture. picture_size: width and height, px."""
    x, y, width, height = box
    gap = min(x, y, picture_size[0] - x - width, picture_size[1] - y - height)
    return gap < _MAX_CUT_GAP * max(width, height)


def _is_of_unheld_kind(piece: CandidatePiece) -> bool:
    """Return whether a possible sign has the colours of a kind that hands cannot hold, rather than of a sign."""
    if max(piece.sign_log_odds.values(), default=-math.inf) < _MIN_SIGN_LOG_ODDS:
        return False
    held = max((fit for kind, fit in piece.kinds.items() if kind != NO_PIECE), default=piece.unheld_kind_fit)
    return piece.unheld_kind_fit > held + _MIN_UNHELD_GAIN
