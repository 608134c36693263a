"""Assign hands to seats by position and contents, all hands jointly.

Neither criterion is a hard constraint: people sit off their seats, seat positions may be unknown, and a colour can
be misread. Every assignment of hands to seats gets a likelihood. The result for a seat is a distribution over sets
of hands: mostly one hand, none for a player who shows none, two for a player who shows both. A hand may also belong
to nobody: a passer-by, or a false detection.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.seats import Seating
from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.counting import counts_by_colour, legal_counts
from vision.hands.piece_probabilities import EvidenceWeights
from vision.painted_and_printed_kinds import is_painted
from vision.readings import Counts

_CENTRE_RADIUS_MM = 120.0
"""Distance from the table's centre below which angular offsets are scaled down in proportion to the distance."""
_SEAT_DEG = 14.0
"""Standard deviation of a hand's direction from its seat's, where seat positions were set, degrees."""
_SEAT_OUTLIER_DEG = 45.0
"""Standard deviation of the directions of outliers, where seat positions were set, degrees."""
_SEAT_OUTLIER_SHARE = 0.05
"""Share of outliers, where seat positions were set."""
_EVEN_DEG = 26.0
"""Standard deviation of a hand's direction from its seat's, where seats are assumed evenly spaced, degrees."""
_EVEN_OUTLIER_DEG = 60.0
"""Standard deviation of the directions of outliers, where seats are assumed evenly spaced, degrees."""
_EVEN_OUTLIER_SHARE = 0.04
"""Share of outliers, where seats are assumed evenly spaced."""
_COLOUR_ERROR_SHARE = 0.003
"""Share of hands whose colour is misread regardless of the evidence, as in unusual light."""
_MIN_LEGAL = 0.02
"""Lower bound of the share of a hand's possible contents within the limits, as counts are uncertain."""
_TWO_HANDS_SHARE = 0.08
"""Share of players who show both hands."""
_SECOND_HAND_DEG = 60.0
"""Range of directions in which a player's second hand may lie relative to the first, degrees."""
_MAX_PAIR_MM = 220.0
"""Maximum distance between two hands of one player without penalty, mm."""
_PAIR_SD_MM = 45.0
"""Standard deviation of the excess over that distance, mm."""
_MIN_PAIR_LIKELIHOOD = 1e-4
"""Lower bound of the likelihood of a pair's distance."""
_NO_HAND_SHARE = 0.2
"""Likelihood that a player shows no hand."""
_MIN_USUAL_DISTANCE_MM = 180.0
"""Distance below which hands of two players are rare, mm."""
_MIN_NEUTRAL_DISTANCE_MM = 240.0
"""Distance of two hands from which it is no evidence against different owners, mm."""
_CROWDED_LIKELIHOOD = 0.2
"""Relative likelihood of hands of two players closer than `_MIN_USUAL_DISTANCE_MM`."""
_STRAY_EMPTY_SHARE = 0.01
"""Share of empty hands that are no player's."""
_STRAY_HOLDING_SHARE = 0.001
"""Share of hands that hold something and are no player's."""
_FALSE_HAND_SHARE = 0.3
"""Share of detections that are no hand; multiplied by (1 - score)³."""
_MAX_LOG_DEFICIT = 14.0
"""Maximum deficit (nats) of an assignment against the best one to be kept."""
_MAX_ASSIGNMENTS = 100
"""Maximum number of assignments kept."""
_MAX_JOINT_DEFICIT = 9.0
"""Maximum deficit (nats) at which the joint contents of two hands are computed."""

_Assigned = tuple[tuple[int, ...], ...]
"""Indices of the hands of each seat."""


@dataclass(frozen=True, slots=True)
class Share:
    """A set of hands, and the probability that a seat shows exactly these hands."""

    hands: tuple[int, ...]
    """Indices of the hands."""
    probability: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """Evidence of one hand about its owner."""

    at_mm: tuple[float, float]
    """Position on the table, mm; NaN where unknown."""
    score: float
    """Score of the hand detector, 0..1."""
    bare: bool
    """True where no piece was detected in it."""
    fits: tuple[float, ...]
    """Log likelihood of its contents for each seat relative to the best seat, at most 0."""


def assign_hands(
    hands: Sequence[HandEvidence], seating: Seating, together: Callable[[int, int, int], float]
) -> tuple[tuple[Share, ...], ...]:
    """Return, for each seat, the sets of hands that it may show, most probable first, including the empty set.

    hands: evidence about the owner of each hand of the picture. together: function of two hands (indices, the lower
    first) and a seat that returns which share (0..1) of their joint contents the seat can hold.
    """
    seats = len(seating)
    alone, both = (
        _single_hand_log_likelihoods(hands, seating).tolist(),
        _pair_log_likelihoods(hands, seating).tolist(),
    )
    crowding = _crowding_log_likelihoods(hands).tolist()
    assignments: dict[_Assigned, float] = {((),) * seats: seats * math.log(_NO_HAND_SHARE)}
    for index, hand in enumerate(hands):
        stray, best = _stray_log_density(hand), max(assignments.values())
        threshold = best - math.log(_NO_HAND_SHARE) + max(alone[index]) - _MAX_LOG_DEFICIT
        grown: dict[_Assigned, float] = {}
        second: dict[_Assigned, tuple[int, int]] = {}
        for assigned, likelihood in assignments.items():
            grown[assigned] = likelihood + stray
            near = [sum(crowding[index][other] for other in shown) for shown in assigned]
            crowded = sum(near)
            for seat, shown in enumerate(assigned):
                if not shown:
                    gain = alone[index][seat] - math.log(_NO_HAND_SHARE)
                elif len(shown) == 1:
                    gain = both[shown[0]][index][seat] - alone[shown[0]][seat]
                else:
                    continue
                likely = likelihood + gain + crowded - near[seat]
                if likely > threshold:
                    changed = (*assigned[:seat], (*shown, index), *assigned[seat + 1 :])
                    grown[changed] = likely
                    if shown:
                        second[changed] = (shown[0], seat)
        best = max(grown.values())
        for changed, (first, seat) in second.items():
            if grown[changed] > best - _MAX_JOINT_DEFICIT:
                grown[changed] += math.log(max(_MIN_LEGAL, together(first, index, seat)))
        assignments = _pruned(grown)
    return _by_seat(assignments, seats)


def _pruned(assignments: dict[_Assigned, float]) -> dict[_Assigned, float]:
    """Return the most likely assignments of hands to seats, with their log likelihoods."""
    best = max(assignments.values())
    ranked = sorted(assignments.items(), key=lambda pair: -pair[1])[:_MAX_ASSIGNMENTS]
    return {assigned: likelihood for assigned, likelihood in ranked if likelihood > best - _MAX_LOG_DEFICIT}


def _by_seat(assignments: dict[_Assigned, float], seats: int) -> tuple[tuple[Share, ...], ...]:
    """Return, for each seat, its sets of hands with probabilities summed over all assignments, most probable first.

    assignments: log likelihood of each assignment. seats: number of seats.
    """
    best = max(assignments.values())
    total = math.fsum(math.exp(likelihood - best) for likelihood in assignments.values())
    sums: list[dict[tuple[int, ...], float]] = [defaultdict(float) for _ in range(seats)]
    for assigned, likelihood in assignments.items():
        for seat, shown in enumerate(assigned):
            sums[seat][shown] += math.exp(likelihood - best) / total
    return tuple(
        tuple(Share(shown, chance) for shown, chance in sorted(of.items(), key=lambda pair: -pair[1]))
        for of in sums
    )


def _single_hand_log_likelihoods(hands: Sequence[HandEvidence], seating: Seating) -> NDArray[np.float64]:
    """Return the log likelihood of each hand, if it is the only hand of a seat, (hands, seats)."""
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    fits = np.array([hand.fits for hand in hands], np.float64).reshape(-1, len(seating))
    return _direction_log_density(places, seating) + fits


def _direction_log_density(places_mm: NDArray[np.float64], seating: Seating) -> NDArray[np.float64]:
    """Return the log density (per degree) of the direction of a hand at each position, if it is each seat's.

    Shape: (positions, seats). The direction is that from the table's centre, relative to the seat's; near the
    centre it counts less. places_mm: positions, (n, 2).
    """
    near = np.minimum(1.0, np.hypot(places_mm[:, 0], places_mm[:, 1]) / _CENTRE_RADIUS_MM)[:, None]
    off = seating.offsets(places_mm) * near
    width, outlier_width, outlier_share = (
        (_EVEN_DEG, _EVEN_OUTLIER_DEG, _EVEN_OUTLIER_SHARE)
        if seating.is_even
        else (_SEAT_DEG, _SEAT_OUTLIER_DEG, _SEAT_OUTLIER_SHARE)
    )
    density = (1 - outlier_share) * _normal_density(off, width) + outlier_share * _normal_density(
        off, outlier_width
    )
    return np.asarray(np.log(np.where(np.isfinite(density), density, 1 / 360.0)), np.float64)


def _normal_density(off: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Return the density of a normal distribution at offsets from its mean. width: standard deviation."""
    return np.asarray(np.exp(-0.5 * (off / width) ** 2) / (width * math.sqrt(2 * math.pi)), np.float64)


def _crowding_log_likelihoods(hands: Sequence[HandEvidence]) -> NDArray[np.float64]:
    """Return the log likelihood of the distance of each two hands, if they are different players', (hands, hands).

    0 for distant hands, negative for close ones.
    """
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    apart = np.nan_to_num(
        np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)), nan=_MIN_NEUTRAL_DISTANCE_MM
    )
    room = np.clip((apart - _MIN_USUAL_DISTANCE_MM) / (_MIN_NEUTRAL_DISTANCE_MM - _MIN_USUAL_DISTANCE_MM), 0.0, 1.0)
    return np.asarray(np.log(_CROWDED_LIKELIHOOD + (1 - _CROWDED_LIKELIHOOD) * room), np.float64)


def _pair_log_likelihoods(hands: Sequence[HandEvidence], seating: Seating) -> NDArray[np.float64]:
    """Return the log likelihood of each two hands, if they are the two hands of a seat, (hands, hands, seats).

    It follows from how well each hand fits the seat, the direction of their midpoint, and their distance.
    """
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    fits = np.array([hand.fits for hand in hands], np.float64).reshape(-1, len(seating))
    middles = (places[:, None] + places[None]) / 2
    middle = _direction_log_density(middles.reshape(-1, 2), seating).reshape(len(hands), len(hands), len(seating))
    apart = np.maximum(0.0, np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) - _MAX_PAIR_MM)
    beside = np.maximum(
        _MIN_PAIR_LIKELIHOOD, np.nan_to_num(np.exp(-0.5 * (apart / _PAIR_SD_MM) ** 2), nan=_MIN_PAIR_LIKELIHOOD)
    )
    together = middle + np.log(_TWO_HANDS_SHARE * beside / _SECOND_HAND_DEG)[:, :, None]
    return np.asarray(together + fits[:, None] + fits[None], np.float64)


def _stray_log_density(hand: HandEvidence) -> float:
    """Return the log density (per degree) of a detected hand, if it belongs to no player."""
    share = (_STRAY_EMPTY_SHARE if hand.bare else _STRAY_HOLDING_SHARE) + _FALSE_HAND_SHARE * max(
        0.0, 1.0 - hand.score
    ) ** 3
    return math.log(min(1.0, share) / 360.0)


def seat_fits(
    candidates: Sequence[CandidatePiece],
    kinds: Iterable[str],
    limits: Sequence[Counts | None],
    calibration: EvidenceWeights,
) -> tuple[float, ...]:
    """Return the log likelihood of a hand's contents for each seat, relative to the best seat, at most 0.

    kinds: kinds that hands can hold. limits: for each seat, the maximum number of each kind, absent kinds 0; None:
    no limits.
    """
    if not candidates or all(limit == limits[0] for limit in limits):
        return (0.0,) * len(limits)
    known = list(kinds)
    signs = [kind for kind in known if not is_painted(kind)]
    own = [
        [kind for kind in known if kind not in signs and (limit is None or limit.get(kind, 0) > 0)]
        for limit in limits
    ]
    painted_kinds = sorted({kind for mine in own for kind in mine})
    evidence, legal = np.empty(0), np.empty((len(limits), 0))
    # A seat without painted pieces can only show signs: its evidence is that of no colour.
    for colours in (painted_kinds, [""] if not all(own) else []):
        if colours:
            logs, tables = counts_by_colour(candidates, colours, signs, calibration)
            within = [(tables * legal_counts(colours, signs, limit)).reshape(len(colours), -1) for limit in limits]
            evidence, legal = np.append(evidence, logs), np.hstack([legal, np.array(within).sum(axis=2)])
    named = [*painted_kinds, ""]
    likely = (1 - _COLOUR_ERROR_SHARE) * np.exp(evidence - evidence.max()) + _COLOUR_ERROR_SHARE
    fits = []
    for seat, mine in enumerate(own):
        chosen = [named.index(kind) for kind in mine or [""]]
        fits.append(math.log(float((likely[chosen] * np.maximum(_MIN_LEGAL, legal[seat, chosen])).mean())))
    best = max(fits)
    return tuple(fit - best for fit in fits)
