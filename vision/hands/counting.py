"""Compute the probability distribution of the number of pieces of each kind in a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.hands.candidate_pieces import CandidatePiece, most_probable_painted_kind
from vision.hands.piece_probabilities import EvidenceWeights, hiding_probabilities, piece_probabilities
from vision.kind_colours import NO_PIECE
from vision.painted_and_printed_kinds import is_painted, is_printed
from vision.readings import Counts

_MAX_PAINTED_PIECES = 10
"""Maximum number of painted pieces in one hand."""
_MAX_PER_SIGN = 1
"""Maximum number of pieces of each sign in one hand; no player has two."""
_MAX_COLOUR_EVIDENCE = 9.0
"""Maximum evidence of colours for or against a kind, in nats."""
_SIGN_PRIOR = 0.25
"""Prior odds of each sign relative to a painted piece."""
_MAX_TOUCH_GAP_PX = 2.0
"""Maximum gap between the boxes of touching pieces, px of the crop."""
_MIN_CERTAIN_PIECE = 0.98
"""Probability from which a box is regarded as certainly a piece."""
_MAX_CERTAIN_NO_PIECE = 0.05
"""Probability up to which a box is regarded as certainly no piece. A box between the two bounds needs another
inference pass."""
_MIN_PROBABILITY = 1e-6
"""Minimum probability of reported contents, and the lower bound of probabilities before a logarithm."""
_BEYOND_LIMITS = 0.02
"""Prior odds that contents are beyond the limits, because the game's record is wrong, relative to legal ones."""
_MIN_JOINED_PROBABILITY = 1e-3
"""Minimum probability of a hand's contents to be combined with the other hand's contents."""
_RADIX = 2 * _MAX_PAINTED_PIECES + 1
"""Base of the number system that packs counts by kind into one integer."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One possible content of a hand and its probability."""

    counts: Counts
    """Number of pieces by kind."""
    probability: float
    """Probability of exactly these counts."""


def hypotheses(
    candidates: Sequence[CandidatePiece],
    painted_kinds: Sequence[str],
    signs: Sequence[str],
    limits: Counts | None,
    calibration: EvidenceWeights,
) -> tuple[Hypothesis, ...]:
    """Return a hand's possible contents, most probable first: painted pieces of one kind, and signs.

    painted_kinds, signs: kinds of painted pieces and of signs that can be present. limits: maximum number of each
    kind, absent kinds 0; None: no limits. Contents beyond the limits are improbable, but where the boxes clearly
    show them, they come first. The probabilities sum to one.
    """
    named_kinds = painted_kinds or ("",)
    weights, tables = counts_by_colour(candidates, named_kinds, signs, calibration)
    priors = np.where(legal_counts(named_kinds, signs, limits) > 0.0, 1.0, _BEYOND_LIMITS)
    shares = np.exp(np.maximum(-60.0, weights - weights.max()))
    chances = np.where(tables > _MIN_PROBABILITY, tables, 0.0) * shares.reshape(-1, *(1,) * (tables.ndim - 1))
    # Without a painted piece, all colour hypotheses are the same one.
    chances[0, 0] = chances[:, 0].sum(axis=0)
    chances[1:, 0] = 0.0
    cells = np.argwhere(chances)
    places = tuple(cells.T)
    flattened = chances[places] ** calibration.exponent * priors[places]
    probabilities = flattened / flattened.sum()
    ranked = np.argsort(-probabilities, kind="stable")
    return tuple(
        Hypothesis(
            {kind: n for kind, n in zip((named_kinds[painted], *signs), counts, strict=True) if n}, probability
        )
        for (painted, *counts), probability in zip(
            cells[ranked].tolist(), probabilities[ranked].tolist(), strict=True
        )
    )


def joint_hypotheses(
    one: Sequence[Hypothesis], other: Sequence[Hypothesis], limits: Counts | None
) -> tuple[tuple[Hypothesis, ...], float]:
    """Return the possible joint contents of a player's two hands, and the probability (0..1) that they are legal.

    one, other: possible contents of each hand. limits: maximum number of each kind in both hands; None: ten painted
    pieces and one of each sign. Contents beyond the limits or with painted pieces of two kinds are not legal and
    left out. The most probable ones come first.
    """
    hands = [[each for each in ranked if each.probability > _MIN_JOINED_PROBABILITY] for ranked in (one, other)]
    kinds = sorted({kind for ranked in hands for each in ranked for kind in each.counts})
    first, second = (
        np.array([[each.counts.get(kind, 0) for kind in kinds] for each in of], np.int64).reshape(len(of), -1)
        for of in hands
    )
    counts = (first[:, None] + second[None]).reshape(len(first) * len(second), len(kinds))
    mine, others = (np.array([each.probability for each in of], np.float64) for of in hands)
    chances = np.outer(mine, others).ravel()
    within = _within(counts, kinds, limits)
    total, legal = float(chances.sum()), float(chances[within].sum())
    numbers = counts[within] @ _RADIX ** np.arange(len(kinds))
    _, cells, places = np.unique(numbers, return_index=True, return_inverse=True)
    sums = np.bincount(places, chances[within], len(cells))
    ranked = np.argsort(-sums, kind="stable")
    return tuple(
        Hypothesis({kind: n for kind, n in zip(kinds, row, strict=True) if n}, chance / legal)
        for row, chance in zip(counts[within][cells[ranked]].tolist(), sums[ranked].tolist(), strict=True)
    ), legal / max(total, _MIN_PROBABILITY)


def _within(counts: NDArray[np.int64], kinds: Sequence[str], limits: Counts | None) -> NDArray[np.bool_]:
    """Return a mask (n,) of the rows of `counts` within the limits and with painted pieces of at most one kind.

    counts: numbers of pieces, (n, kinds), in the order of `kinds`. limits: see `joint_hypotheses`.
    """
    most = [_max_of_two_hands(kind) if limits is None else limits.get(kind, 0) for kind in kinds]
    painted_kinds = [is_painted(kind) for kind in kinds]
    one_colour = (counts[:, painted_kinds] > 0).sum(axis=1) <= 1
    return np.asarray((counts <= most).all(axis=1) & one_colour, np.bool_)


def _max_of_two_hands(kind: str) -> int:
    """Return the maximum number of pieces of a kind in both hands of a player, where no limits are known."""
    return _MAX_PAINTED_PIECES if is_painted(kind) else _MAX_PER_SIGN if is_printed(kind) else 0


def is_settled(candidates: Sequence[CandidatePiece], calibration: EvidenceWeights) -> bool:
    """Return whether the boxes settle the number of pieces, so that no further inference pass is needed.

    This requires that each box is certainly a piece or certainly none, and that no two pieces touch: touching
    pieces may hide a third one.
    """
    if not candidates:
        return True
    real = piece_probabilities(candidates, calibration)
    certain = bool(((real > _MIN_CERTAIN_PIECE) | (real < _MAX_CERTAIN_NO_PIECE)).all())
    return certain and not _any_touch(candidates, real)


def kind_probabilities(
    candidates: Sequence[CandidatePiece], painted: str, signs: Sequence[str], calibration: EvidenceWeights
) -> tuple[dict[str, float], ...]:
    """Return, for each box, the probabilities of the painted kind, of each sign and of NO_PIECE; they sum to one.

    painted: the only kind of painted piece that is possible; "": none.
    """
    _, shares = _class_shares(candidates, (painted,), signs, calibration)
    return tuple(dict(zip((painted, *signs, NO_PIECE), row, strict=True)) for row in shares[:, 0].tolist())


def _class_shares(
    candidates: Sequence[CandidatePiece],
    painted_kinds: Sequence[str],
    signs: Sequence[str],
    calibration: EvidenceWeights,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each box's log likelihood and class probabilities under each kind that painted pieces may have.

    Shapes: (boxes, kinds) and (boxes, kinds, classes). The classes are that painted piece, each sign, and no
    piece.
    """
    real = np.clip(piece_probabilities(candidates, calibration), _MIN_PROBABILITY, 1.0 - _MIN_PROBABILITY).reshape(
        -1, 1
    )
    painted_kind = most_probable_painted_kind(candidates)
    fits = np.array(
        [_fits(piece, (*painted_kinds, *signs, NO_PIECE), painted_kind, calibration) for piece in candidates]
    )
    fits = fits.reshape(len(candidates), len(painted_kinds) + len(signs) + 1)
    share = 1.0 / (1.0 + _SIGN_PRIOR * len(signs))
    logs = np.empty((len(candidates), len(painted_kinds), len(signs) + 2))
    logs[:, :, 0] = np.log(real * share) + fits[:, : len(painted_kinds)] if painted_kinds[0] else -np.inf
    logs[:, :, 1:-1] = (np.log(real * share * _SIGN_PRIOR) + fits[:, len(painted_kinds) : -1])[:, None]
    logs[:, :, -1] = np.log(1.0 - real) + fits[:, -1:]
    top = logs.max(axis=2, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=2, keepdims=True)
    return (top + np.log(total))[:, :, 0], weights / total


def _fits(
    piece: CandidatePiece, kinds: Sequence[str], painted_kind: str | None, calibration: EvidenceWeights
) -> list[float]:
    """Return a box's log likelihood for each of `kinds`: by its colours, for signs by the piece/sign classifier.

    painted_kind: painted piece that fits all boxes of the hand best, the reference for signs. Whether the box is a
    piece at all is computed in `vision.hands.piece_probabilities`.
    """
    # Colours never match the enrolled ones exactly, so their evidence is bounded in both directions.
    likely = {kind: calibration.colours * value for kind, value in piece.kinds.items()}
    if painted_kind is not None:
        for sign, increment in piece.sign_log_odds.items():
            likely[sign] = likely.get(painted_kind, 0.0) + calibration.sign + calibration.sign_log_odds * increment
    best = max((fit for kind, fit in likely.items() if kind != NO_PIECE), default=0.0)
    likely[NO_PIECE] = best
    return [max(likely.get(kind, 0.0), best - _MAX_COLOUR_EVIDENCE) for kind in kinds]


def counts_by_colour(
    candidates: Sequence[CandidatePiece],
    painted_kinds: Sequence[str],
    signs: Sequence[str],
    calibration: EvidenceWeights,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log evidence for each kind of painted piece, (kinds,), and the counts' distribution under it.

    Shape of the distributions: (kinds, counts of the painted piece, counts of sign 1, counts of sign 2, …); each
    sums to one. painted_kinds: kinds that the hand's painted pieces may have; "": none.
    """
    shape = (_MAX_PAINTED_PIECES + 1, *(_MAX_PER_SIGN + 1 for _ in signs))
    increment = _increments(shape)
    tables = np.zeros((len(painted_kinds), math.prod(shape)))
    tables[:, 0] = 1.0
    fits, shares = _class_shares(candidates, painted_kinds, signs, calibration)
    pieces = shares[:, :, :-1].sum(axis=2)
    for rest, chances in zip(shares[:, :, -1:], shares[:, :, :-1], strict=True):
        tables = tables * rest + np.einsum("sk,ksc->sc", chances, tables @ increment)
    if painted_kinds[0]:
        hidden_increment = _hidden_increment(shape, calibration.hidden_sign)
        hiding = np.vstack(
            [
                hiding_probabilities(candidates, calibration)[:, None] * pieces,
                np.full(len(painted_kinds), calibration.missed),
            ]
        )
        for hides in hiding[:, :, None]:
            tables = (1.0 - hides) * tables + hides * (tables @ hidden_increment)
    tables /= tables.sum(axis=1, keepdims=True)
    tables = tables.reshape(len(painted_kinds), *shape)
    for sign, name in enumerate(signs):
        clearest = [piece.print[name] for piece in candidates if name in piece.print]
        if clearest:
            print_weight = math.exp(
                calibration.no_print + (calibration.print - calibration.no_print) * max(clearest)
            )
            np.moveaxis(tables, 2 + sign, 0)[1:] *= print_weight
    return fits.sum(axis=0), tables


@cache
def _increments(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return, for each kind, the transition matrix that adds one piece of it to a flattened table of counts.

    Shape: (kinds, cells, cells). shape: of the table. Counts saturate at the maximum.
    """
    moved = np.zeros((len(shape), math.prod(shape), math.prod(shape)))
    for cell, counts in enumerate(np.ndindex(*shape)):
        for kind, count in enumerate(counts):
            there = (*counts[:kind], min(count + 1, shape[kind] - 1), *counts[kind + 1 :])
            moved[kind, cell, np.ravel_multi_index(there, shape)] = 1.0
    return moved


@cache
def _hidden_increment(shape: tuple[int, ...], sign: float) -> NDArray[np.float64]:
    """Return the transition matrix (cells, cells) that adds one hidden piece to a flattened table of counts.

    shape: of the table. sign: weight of each sign whose maximum is not reached, relative to a painted piece.
    """
    lacks = np.array([[sign * (count < _MAX_PER_SIGN) for count in counts[1:]] for counts in np.ndindex(*shape)])
    weights = np.column_stack([np.ones(len(lacks)), lacks])
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("ck,kcd->cd", shares, _increments(shape)), np.float64)


def _any_touch(candidates: Sequence[CandidatePiece], real: NDArray[np.float64]) -> bool:
    """Return whether two boxes that are probably pieces touch. real: probability of each box to be a piece."""
    boxes = np.array([piece.in_crop for piece, chance in zip(candidates, real, strict=True) if chance > 0.5])
    if len(boxes) < 2:
        return False
    ends = boxes[:, :2] + boxes[:, 2:]
    apart = np.maximum(boxes[:, None, :2] - ends[None], boxes[None, :, :2] - ends[:, None]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    return bool((apart < _MAX_TOUCH_GAP_PX).any())


def legal_counts(painted_kinds: Sequence[str], signs: Sequence[str], limits: Counts | None) -> NDArray[np.float64]:
    """Return a mask (1 or 0) of the counts within the limits, in the shape of `counts_by_colour`'s distributions.

    limits: maximum number of each kind, absent kinds 0; None: all counts are legal.
    """
    legal = np.ones((len(painted_kinds), _MAX_PAINTED_PIECES + 1, *(_MAX_PER_SIGN + 1 for _ in signs)))
    if limits is None:
        return legal
    for painted, kind in enumerate(painted_kinds):
        legal[painted, (limits.get(kind, 0) if kind else 0) + 1 :] = 0.0
    for axis, sign in enumerate(signs):
        legal.swapaxes(0, 2 + axis)[limits.get(sign, 0) + 1 :] = 0.0
    return legal
