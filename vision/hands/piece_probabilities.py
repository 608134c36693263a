"""Two logistic models for boxes in a hand: the box is a piece; the piece in it hides another one."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detector import CLOSE_PX_PER_MM
from vision.hands.candidate_pieces import CandidatePiece
from vision.kind_colours import NO_PIECE
from vision.painted_and_printed_kinds import is_printed

PIECE_FEATURES = (
    "offset", "twice", "score", "score_squared", "covered", "bare", "near", "bare_near", "far", "clutter", "best",
    "clutter_best", "unlike_rest", "piece_log_odds",
)  # fmt: skip # a list of names
"""Features of the piece model, in the order of `piece_features`; `EvidenceWeights` has a weight of each name."""
HIDING_FEATURES = ("hides", "hides_large", "hides_larger", "hides_expected")
"""Features of the hiding model, in the order of `hiding_features`."""

_MIN_HELD_SKIN = 0.55
"""Minimum skin share of the rim around a box that lies in the hand without doubt."""
_MAX_BARE_SKIN = 0.25
"""Maximum skin share of the rim around a box that lies beside the hand without doubt."""
_MAX_NEAR_PX = 28 * CLOSE_PX_PER_MM
"""Maximum distance between the centres of neighbouring boxes, px of the crop."""
_MAX_COLOUR_EVIDENCE = 40.0
"""Maximum evidence of colours, in nats."""
_DEFAULT_UNLIKE_REST = 1.5
"""Feature `unlike_rest` of a typical piece, used where colours were not computed."""
_DEFAULT_LARGER = 0.15
"""Log ratio of a typical box's area to its kind's, used where areas were not computed."""
_DEFAULT_LOG_ODDS_LINE = (3.4, 2.1)
"""Intercept and slope of a linear estimate of `piece_log_odds` from the logit of the detector's score, where the
classifier did not run."""
_MAX_PIECE_LOG_ODDS = 7.0
"""Bound of the absolute value of `piece_log_odds`."""
_DEFAULT_HIDDEN_LOG = -4.5
"""Logarithm of the expected number of hidden pieces where the classifier did not run."""
_HIDDEN_LOG_BOUNDS = (-7.0, 1.5)
"""Lower and upper bound of that logarithm."""
_SIGN_LOG_PENALTY = 14.0
"""Penalty (nats) of signs when the most probable kind of a box is chosen to compare its size."""
_MIN_MEDIAN_SCORE = 0.4
"""Minimum score of the boxes that determine a hand's median area."""
_SIZE_LOG_BOUNDS = (-1.0, 2.0)
"""Lower and upper bound of the log ratio of two areas."""
_MIN_HIDING = 1e-4
"""Lower bound of the probability that a piece hides another."""
_MAX_HIDING = 0.97
"""Upper bound of the probability that a piece hides another."""
_CACHED_HANDS = 64
"""Number of hands whose features are cached: a reading evaluates each hand for every seat."""


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """Weights of the piece model and the hiding model, fitted on synthetic hands not used to train the detector.

    A box is a piece with probability logistic(offset + sum of weight · feature) over `PIECE_FEATURES`. A piece
    hides another one with probability logistic(hides + sum of weight · feature) over `HIDING_FEATURES`.
    """

    offset: float = 0.9
    """Intercept of the piece model."""
    twice: float = 0.4
    """Weight of: 1 if the box comes from more than one inference pass, else 0."""
    score: float = 2.4
    """Weight of the logit of the detector's score."""
    score_squared: float = 0.0
    """Weight of the square of that logit."""
    covered: float = 1.5
    """Weight of the share of the box that a stronger box covers, 0..1."""
    bare: float = -2.6
    """Weight of the lack of skin around the box, 0..1."""
    near: float = 0.7
    """Weight of the expected number of other pieces near the box."""
    bare_near: float = 0.0
    """Weight of the product of the features `bare` and `near`."""
    far: float = -0.4
    """Weight of the distance from the centre of the hand, cm."""
    clutter: float = -0.45
    """Weight of the expected number of false detections among the other boxes."""
    best: float = 0.0
    """Weight of the highest score among the other boxes."""
    clutter_best: float = 0.0
    """Weight of the product of the features `clutter` and `best`."""
    unlike_rest: float = 0.9
    """Weight of the colours' log likelihood ratio of the best kind against "no piece", in units of 20 nats."""
    piece_log_odds: float = 0.5
    """Weight of the piece/sign classifier's log odds that the box is a piece."""
    hides: float = -4.8
    """Intercept of the hiding model."""
    hides_large: float = 2.5
    """Weight of the log ratio of the box's area to that of its most probable kind as enrolled."""
    hides_larger: float = 2.8
    """Weight of the log ratio of the box's area to the median in the hand."""
    hides_expected: float = 0.0
    """Weight of the log of the number of hidden pieces that the piece/sign classifier expects."""
    hidden_sign: float = 0.4
    """Odds that a hidden piece is a given sign, if that sign is not visible, relative to a painted piece."""
    missed: float = 0.001
    """Probability that a hand hides one more piece, independent of the detections."""
    exponent: float = 0.82
    """Exponent applied to the distribution over contents; below 1 it flattens an overconfident one."""
    colours: float = 0.1
    """Weight of the colours' log likelihood in the choice of kind."""
    sign_log_odds: float = 0.7
    """Weight of the piece/sign classifier's log odds of a sign against a painted piece."""
    sign: float = 1.5
    """Offset (nats) added to a sign's log likelihood."""
    print: float = 2.0
    """Evidence (nats) for a sign whose print is clearly visible in a box."""
    no_print: float = -3.5
    """Evidence (nats) for a sign whose print is visible in no box."""


CALIBRATION_FILE = Path(__file__).parent / "counting.json"
"""Fitted weights, JSON."""


@cache
def fitted_weights() -> EvidenceWeights:
    """Return the fitted weights, read once from `CALIBRATION_FILE`."""
    return EvidenceWeights(**json.loads(CALIBRATION_FILE.read_text("utf-8")))


def piece_probabilities(candidates: Sequence[CandidatePiece], calibration: EvidenceWeights) -> NDArray[np.float64]:
    """Return the probability that each candidate box of a hand is a piece, (boxes,)."""
    evidence = _cached_piece_features(tuple(candidates)) @ _weights(calibration, PIECE_FEATURES)
    return np.asarray(1.0 / (1.0 + np.exp(-evidence)), np.float64)


def hiding_probabilities(candidates: Sequence[CandidatePiece], calibration: EvidenceWeights) -> NDArray[np.float64]:
    """Return the probability that each candidate box of a hand, if it is a piece, hides another piece, (boxes,)."""
    evidence = _cached_hiding_features(tuple(candidates)) @ _weights(calibration, HIDING_FEATURES)
    return np.clip(1.0 / (1.0 + np.exp(-evidence)), _MIN_HIDING, _MAX_HIDING)


def piece_features(candidates: Sequence[CandidatePiece]) -> NDArray[np.float64]:
    """Return the piece model's features of each candidate box of a hand, (boxes, len(PIECE_FEATURES))."""
    scores = np.array([piece.score for piece in candidates])
    clutter = (1.0 - scores).sum() - (1.0 - scores)
    skin = np.array([piece.skin for piece in candidates])
    bare = np.clip((_MIN_HELD_SKIN - skin) / (_MIN_HELD_SKIN - _MAX_BARE_SKIN), 0.0, 1.0)
    near, best, logits = (
        _expected_neighbours(candidates),
        _best_other(scores),
        np.array([_logit(score) for score in scores]),
    )
    return np.column_stack(
        [
            np.ones(len(candidates)),
            [float(piece.passes > 1) for piece in candidates],
            logits,
            logits**2,
            [piece.covered for piece in candidates],
            bare,
            near,
            bare * near,
            [piece.centre_distance_mm / 10.0 for piece in candidates],
            clutter,
            best,
            clutter * best,
            [_unlike_rest(piece) for piece in candidates],
            [_piece_log_odds(piece) for piece in candidates],
        ]
    )


def hiding_features(candidates: Sequence[CandidatePiece]) -> NDArray[np.float64]:
    """Return the hiding model's features of each candidate box of a hand, (boxes, len(HIDING_FEATURES))."""
    areas = np.log(_box_sizes(candidates)).sum(axis=1)
    found = areas[[piece.score > _MIN_MEDIAN_SCORE for piece in candidates]]
    area_log_ratios = areas - np.median(found) if len(found) else np.zeros(len(candidates))
    large, passes = (
        [kind_area_log_ratio(piece) for piece in candidates],
        [_bounded_hidden_log(piece) for piece in candidates],
    )
    return np.column_stack([np.ones(len(candidates)), large, np.clip(area_log_ratios, *_SIZE_LOG_BOUNDS), passes])


@lru_cache(_CACHED_HANDS)
def _cached_piece_features(candidates: tuple[CandidatePiece, ...]) -> NDArray[np.float64]:
    return piece_features(candidates)


@lru_cache(_CACHED_HANDS)
def _cached_hiding_features(candidates: tuple[CandidatePiece, ...]) -> NDArray[np.float64]:
    return hiding_features(candidates)


def kind_area_log_ratio(piece: CandidatePiece) -> float:
    """Return the log ratio of a box's area to its most probable kind's area; a typical value if areas are unknown.

    The ratio is bounded by `_SIZE_LOG_BOUNDS`.
    """
    if not piece.area_log_ratios:
        return _DEFAULT_LARGER
    fits = {
        kind: piece.kinds.get(kind, -math.inf) - (_SIGN_LOG_PENALTY if is_printed(kind) else 0.0)
        for kind in piece.area_log_ratios
    }
    return min(
        _SIZE_LOG_BOUNDS[1], max(_SIZE_LOG_BOUNDS[0], piece.area_log_ratios[max(fits, key=lambda kind: fits[kind])])
    )


def _best_other(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each box, the highest score among the other boxes, 0 if there is none, (boxes,)."""
    others = np.tile(scores, (len(scores), 1))
    np.fill_diagonal(others, 0.0)
    return np.asarray(others.max(axis=1, initial=0.0), np.float64)


def _expected_neighbours(candidates: Sequence[CandidatePiece]) -> NDArray[np.float64]:
    """Return the expected number of other pieces near each box, (boxes,): the sum of their scores."""
    scores = np.array([piece.score for piece in candidates])
    middles = np.array([piece.in_crop[:2] for piece in candidates]).reshape(-1, 2) + _box_sizes(candidates) / 2
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    return np.asarray(np.where(apart < _MAX_NEAR_PX, scores[None], 0.0).sum(axis=1) - scores, np.float64)


@lru_cache(2)
def _weights(calibration: EvidenceWeights, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the weights of these names as a vector (names,)."""
    return np.array([getattr(calibration, name) for name in names], np.float64)


def _box_sizes(candidates: Sequence[CandidatePiece]) -> NDArray[np.float64]:
    """Return the width and height of each box, px of the crop, at least 1, (boxes, 2)."""
    return np.maximum(np.array([piece.in_crop[2:] for piece in candidates], np.float64).reshape(-1, 2), 1.0)


def _unlike_rest(piece: CandidatePiece) -> float:
    """Return the feature `unlike_rest` of a box; see `EvidenceWeights`."""
    if NO_PIECE not in piece.kinds:
        return _DEFAULT_UNLIKE_REST
    best = max((fit for kind, fit in piece.kinds.items() if kind != NO_PIECE), default=piece.kinds[NO_PIECE])
    return min(_MAX_COLOUR_EVIDENCE, max(-_MAX_COLOUR_EVIDENCE, best - piece.kinds[NO_PIECE])) / 20.0


def _piece_log_odds(piece: CandidatePiece) -> float:
    """Return the bounded log odds that a box is a piece, estimated from its score if no classifier ran."""
    usual, slope = _DEFAULT_LOG_ODDS_LINE
    like = usual + slope * _logit(piece.score) if piece.piece_log_odds is None else piece.piece_log_odds
    return min(_MAX_PIECE_LOG_ODDS, max(-_MAX_PIECE_LOG_ODDS, like))


def _logit(score: float) -> float:
    """Return the log odds of a score, which is first clipped to 0.001..0.999."""
    score = min(1 - 1e-3, max(1e-3, score))
    return math.log(score / (1.0 - score))


def _bounded_hidden_log(piece: CandidatePiece) -> float:
    """Return the bounded logarithm of how many pieces a box is expected to hide; a typical value if unknown."""
    more = _DEFAULT_HIDDEN_LOG if piece.hidden_log_count is None else piece.hidden_log_count
    return min(_HIDDEN_LOG_BOUNDS[1], max(_HIDDEN_LOG_BOUNDS[0], more))
