"""Combine the possible contents and owners of hands into one reading per seat."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.counting import Hypothesis, joint_hypotheses, kind_probabilities
from vision.hands.hand_detection import FoundHand
from vision.hands.hand_owners import Share
from vision.hands.piece_probabilities import fitted_weights
from vision.painted_and_printed_kinds import is_painted
from vision.readings import Alternative, Box, Counts, HandReading, PieceReading

DOUBTFUL_BELOW = 0.95
"""Probability of being right below which a reading needs confirmation."""
_MAX_ALTERNATIVES = 4
"""Maximum number of alternatives reported with a reading."""
_RULE_PRIOR = 0.98
"""Prior probability that hands hold exactly what the rules require."""
_ILLEGAL_PAIR_WEIGHT = 0.1
"""Factor of the probability that two hands are one seat's, if no player can hold the contents of both."""
_UNCOUNTED_FACTOR = 0.6
"""Factor of the probability that contents are right where a hand may hold more than was counted."""
_MIN_REPORTED_PROBABILITY = 1e-4
"""Minimum probability of a set of hands to contribute to a reading."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of one hand, under the assumption that it belongs to a given seat."""

    hand: FoundHand
    """The detected hand."""
    state: Literal["open", "closed"]
    """Whether the hand is open or closed."""
    certainty: float
    """Probability of `state`, 0..1."""
    bare: bool
    """True where no piece was detected in the hand."""
    ranked: tuple[Hypothesis, ...]
    """Possible contents, most probable first; for a closed hand, given that it is open after all."""
    candidates: tuple[CandidatePiece, ...] = ()
    """Candidate pieces in the hand."""
    may_hold_more: bool = False
    """Whether the hand may hold pieces that are not counted."""


def seat_reading(
    seat: int, shares: Sequence[Share], contents: Callable[[int], Contents], limits: Counts | None, *, exact: bool
) -> HandReading:
    """Return the reading of a seat, given which hands may belong to it.

    shares: sets of hands with their probabilities, most probable first. contents: function from a hand's index to
    its contents at this seat. limits: maximum number of each kind that the seat can show; None: any. More than that
    needs confirmation. exact: whether the rules require exactly `limits`.
    """
    shown = next(share for share in shares if share.hands)
    opened = _open_hands([contents(index) for index in shown.hands])
    if not opened:
        return _closed_reading(seat, shown, contents)
    certainty = _open_probability(opened)
    if any(one.may_hold_more for one in opened):
        certainty *= _UNCOUNTED_FACTOR
    ranked = _marginal_contents(shares, contents, limits)
    counts, confidence, others = (
        _required_contents(ranked, limits) if exact and limits is not None else _most_probable(ranked)
    )
    confidence *= certainty
    alternatives = tuple(Alternative(h.counts, h.probability * certainty) for h in others[:_MAX_ALTERNATIVES])
    box, pieces = _enclosing_and_piece_boxes(opened, counts)
    beyond = limits is not None and any(count > limits.get(kind, 0) for kind, count in counts.items())
    doubtful = beyond or confidence < DOUBTFUL_BELOW
    return HandReading(seat, "open", counts, min(confidence, 0.999), doubtful, box, alternatives, pieces)


def _closed_reading(seat: int, shown: Share, contents: Callable[[int], Contents]) -> HandReading:
    """Return the reading of a seat whose hand is closed; alternatives are its contents if it is open after all.

    shown: most probable nonempty set of hands. contents: see `seat_reading`.
    """
    fist = max((contents(index) for index in shown.hands), key=lambda one: one.hand.score)
    certainty = fist.certainty * shown.probability
    alternatives = tuple(
        Alternative(h.counts, h.probability * (1 - fist.certainty)) for h in fist.ranked[:_MAX_ALTERNATIVES]
    )
    return HandReading(seat, "closed", {}, certainty, certainty < DOUBTFUL_BELOW, fist.hand.box, alternatives)


def _open_hands(contents: Sequence[Contents]) -> list[Contents]:
    """Return the open ones of some hands."""
    return [one for one in contents if one.state == "open"]


def _nonempty(opened: Sequence[Contents]) -> list[Contents]:
    """Return those of some open hands that hold a piece, or all of them if none does."""
    return [one for one in opened if not one.bare] or list(opened)


def _open_probability(opened: Sequence[Contents]) -> float:
    """Return the probability that a seat's hands are open: the product over those that hold a piece.

    If none does: the maximum over all.
    """
    holding = _nonempty(opened)
    if holding[0].bare:
        return max(one.certainty for one in holding)
    return math.prod(one.certainty for one in holding)


def _marginal_contents(
    shares: Sequence[Share], contents: Callable[[int], Contents], limits: Counts | None
) -> tuple[Hypothesis, ...]:
    """Return a seat's possible contents, most probable first, marginalised over its possible sets of hands.

    Pairs of hands that exceed the limits lower the sum of the probabilities. shares, contents, limits: see
    `seat_reading`.
    """
    chances: dict[tuple[tuple[str, int], ...], float] = {}
    for share in shares:
        opened = _open_hands([contents(index) for index in share.hands])
        if share.probability < _MIN_REPORTED_PROBABILITY or not opened:
            continue
        ranked, legal = _joint_contents(_nonempty(opened), limits)
        for one in ranked:
            key = tuple(sorted(one.counts.items()))
            chances[key] = chances.get(key, 0.0) + share.probability * legal * one.probability
    likeliest = sorted(chances.items(), key=lambda pair: -pair[1])
    return tuple(Hypothesis(dict(counts), chance) for counts, chance in likeliest if chance > 0.0)


def _joint_contents(holding: Sequence[Contents], limits: Counts | None) -> tuple[tuple[Hypothesis, ...], float]:
    """Return the joint contents of a seat's one or two hands, most probable first, and their share within limits.

    The share (0..1) is that of all combinations of both hands' contents. If none is within the limits, the first
    hand's contents and a small share are returned.
    """
    first, *others = holding
    if not others or first.bare:
        return first.ranked, 1.0
    both, legal = joint_hypotheses(first.ranked, others[0].ranked, limits)
    return (both, legal) if both else (first.ranked, _ILLEGAL_PAIR_WEIGHT)


def _most_probable(ranked: Sequence[Hypothesis]) -> tuple[Counts, float, Sequence[Hypothesis]]:
    """Return the most probable contents, their probability, and the other hypotheses. ranked: best first."""
    best, *others = ranked
    return best.counts, best.probability, others


def _required_contents(ranked: Sequence[Hypothesis], limits: Counts) -> tuple[Counts, float, Sequence[Hypothesis]]:
    """Return the contents that the rules require (`limits`), their probability, and the other hypotheses.

    ranked: possible contents, most probable first.
    """
    required = {kind: count for kind, count in limits.items() if count > 0}
    agree = sum(h.probability for h in ranked if dict(h.counts) == required)
    others = [h for h in ranked if dict(h.counts) != required]
    rival = max((h.probability for h in others), default=0.0)
    posterior = _RULE_PRIOR * agree / (_RULE_PRIOR * agree + (1 - _RULE_PRIOR) * rival + 1e-9)
    return required, posterior * min(1.0, sum(h.probability for h in ranked)), others


def _enclosing_and_piece_boxes(opened: Sequence[Contents], counts: Counts) -> tuple[Box, tuple[PieceReading, ...]]:
    """Return the box that encloses the hands that hold a piece, and a reading with a box for each counted piece.

    If no hand holds a piece, it is the box of the hand with the highest score.
    """
    holding = _nonempty(opened)
    if holding[0].bare:
        holding = [max(holding, key=lambda one: one.hand.score)]
    left = min(one.hand.box[0] for one in holding)
    top = min(one.hand.box[1] for one in holding)
    right = max(one.hand.box[0] + one.hand.box[2] for one in holding)
    bottom = max(one.hand.box[1] + one.hand.box[3] for one in holding)
    candidates = [piece for one in holding for piece in one.candidates]
    return (left, top, right - left, bottom - top), _piece_boxes(candidates, counts)


def _piece_boxes(candidates: Sequence[CandidatePiece], counts: Counts) -> tuple[PieceReading, ...]:
    """Return one reading for each counted piece, at the candidate box that fits it best."""
    painted = next((kind for kind in counts if is_painted(kind)), "")
    signs = [kind for kind in counts if kind != painted]
    fits = kind_probabilities(candidates, painted, signs, fitted_weights())
    left, chosen = dict(counts), []
    ranked = sorted(
        ((shares.get(kind, 0.0), index, kind) for index, shares in enumerate(fits) for kind in counts),
        reverse=True,
    )
    used: set[int] = set()
    for chance, index, kind in ranked:
        if left[kind] > 0 and index not in used:
            used.add(index)
            left[kind] -= 1
            chosen.append(PieceReading(kind, candidates[index].box, chance))
    return tuple(chosen)
