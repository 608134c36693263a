"""Count pieces by shape alone where their kind was not enrolled.

A black piece cannot be enrolled on a black table, but is clearly visible in a hand. It is counted without colours,
and the reading needs confirmation: to report an empty hand would be an undetected error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.game_kit import Kit
from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.piece_probabilities import EvidenceWeights, piece_probabilities
from vision.kind_colours import NO_PIECE
from vision.readings import Counts

MAX_UNENROLLED_CERTAINTY = 0.6
"""Maximum certainty of a reading that may include a kind that was not enrolled."""
_MIN_PIECE_PROBABILITY = 0.2
"""Minimum probability, without colours, of a piece that an enrolled kind must explain."""
_MIN_KIND_FIT = -40.0
"""Log likelihood below which colours do not fit a kind; about 1 % of pieces are below it for their own kind."""
_UNKNOWN_FIT = -27.0
"""Log likelihood assumed for a kind whose colours are unknown."""


def unenrolled_kinds(kit: Kit, enrolled: Sequence[str], limits: Counts | None) -> tuple[str, ...]:
    """Return the kit's kinds that a hand may hold and that were not enrolled.

    enrolled: kinds that were enrolled. limits: maximum number of each kind in the hand, absent kinds 0; None: any.
    """
    missing = (kind for kind in kit.kinds if kind not in enrolled and kit.in_hands(kind))
    return tuple(kind for kind in missing if limits is None or limits.get(kind, 0) > 0)


def by_shape(candidates: Sequence[CandidatePiece], missing: Sequence[str]) -> tuple[CandidatePiece, ...]:
    """Return copies of candidates whose probability to be a piece is independent of their own colours and sizes.

    The missing kinds become possible, too, with a fixed log likelihood. missing: kinds that were not enrolled.
    """
    return tuple(
        replace(
            piece,
            kinds={
                **{kind: fit for kind, fit in piece.kinds.items() if kind != NO_PIECE},
                **dict.fromkeys(missing, _UNKNOWN_FIT),
            },
            area_log_ratios={},
            piece_log_odds=None,
            sign_log_odds={},
            hidden_log_count=None,
        )
        for piece in candidates
    )


def holds_unenrolled(
    candidates: Sequence[CandidatePiece],
    shapes: Sequence[CandidatePiece],
    possible: Sequence[str],
    calibration: EvidenceWeights,
) -> bool:
    """Return whether a hand probably holds a piece of a kind that was not enrolled.

    candidates: with colour evidence. shapes: the same candidates from `by_shape`; if empty, the result is False.
    possible: enrolled kinds that the hand can hold.
    """
    if not shapes:
        return False
    probabilities = piece_probabilities(candidates, calibration)
    fits = np.array(
        [max((one.kinds.get(kind, _MIN_KIND_FIT) for kind in possible), default=-np.inf) for one in candidates]
    )
    unfit = (probabilities < 0.5) | (fits < _MIN_KIND_FIT)
    return bool((unfit & (piece_probabilities(shapes, calibration) > _MIN_PIECE_PROBABILITY)).any())
