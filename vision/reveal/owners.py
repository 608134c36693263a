"""Whose hand is it: hands are given to seats by where they are and by what lies in them, all hands at once.

Neither is a hard rule. People do not sit quite where they are supposed to, nobody may have said where they sit, and
a colour can be read wrong, so every assignment of hands to seats gets a likelihood. The answer for one seat is a
distribution over sets of hands: mostly one hand, none while the player shows none, both hands of a player who
shows both. A hand may also be nobody's: a passer-by's, or no hand at all.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.seats import Seating
from vision.readings import Counts
from vision.reveal.counting import counts_by_colour, legal_counts
from vision.reveal.evidence import Calibration
from vision.reveal.held import Held

_NEAR_MIDDLE_MM = 120.0
"""Nearer to the table's centre, a small step is a large angle: offsets are scaled down there."""
_SAID_DEG, _SAID_ASTRAY_DEG, _SAID_ASTRAY = 14.0, 45.0, 0.05
"""Standard deviation of a hand's direction from its seat's where people said where they sit; that of hands that
reach in from somewhere else, and their share."""
_EVEN_DEG, _EVEN_ASTRAY_DEG, _EVEN_ASTRAY = 26.0, 60.0, 0.04
"""The same where nobody said so, and even seats are only supposed."""
_COLOUR_WRONG = 0.003
"""Share of hands whose pieces are taken for another colour whatever their evidence says, as in strange light."""
_LEAST_LEGAL = 0.02
"""A seat's limits never count for more than this against a hand: counts are uncertain."""
_SECOND = 0.08
"""Share of players who show both hands."""
_SECOND_DEG = 60.0
"""Width of the directions in which a player's second hand is, seen from the first."""
_SIDE_BY_SIDE_MM, _APART_MM, _FAR_APART = 220.0, 45.0, 1e-4
"""Two hands of one player are mostly no further apart; beyond that, the standard deviation, and the least
likelihood."""
_MISSING = 0.2
"""Likelihood of a player who shows no hand, for each."""
_CROWDED_MM, _ROOMY_MM, _CROWDED = 180.0, 240.0, 0.2
"""Hands of two players are seldom nearer than the first, and from the second on their distance says nothing; so
much rarer are nearer ones."""
_NOBODYS_BARE, _NOBODYS_HOLDING = 0.01, 0.001
"""Share of hands that are no player's, where they are bare and where something lies in them."""
_NO_HAND = 0.3
"""Share of detections that are no hand, times the cube of what their score lacks."""
_UNLIKELY = 14.0
"""Assignments less likely (log) than the best so far are dropped, and …"""
_MOST_ASSIGNMENTS = 100
"""… so are those beyond this number."""
_WORTH_ADDING = 9.0
"""What two hands hold together is worked out where that assignment is less than this (log) behind the best."""

_Assigned = tuple[tuple[int, ...], ...]
"""The hands of each seat, by index."""


@dataclass(frozen=True, slots=True)
class Share:
    """A set of hands, by index, and the probability that they are all that a seat shows."""

    hands: tuple[int, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """What a hand says about its owner.

    at_mm: where it is, NaN where that is not known. score: the detector's. bare: nothing seems to lie in it. fits:
    how well what lies in it fits each seat (log, at most 0).
    """

    at_mm: tuple[float, float]
    score: float
    bare: bool
    fits: tuple[float, ...]


def owners(
    hands: Sequence[HandEvidence], seating: Seating, together: Callable[[int, int, int], float]
) -> tuple[tuple[Share, ...], ...]:
    """Return the sets of hands that each seat may show, likeliest first; the empty set where it may show none.

    together: how much of what two hands (by index, the lower first) hold together a seat can hold, 0..1.
    """
    seats = len(seating)
    alone, both = _alone(hands, seating).tolist(), _both(hands, seating).tolist()
    crowding = _crowding(hands).tolist()
    assignments: dict[_Assigned, float] = {((),) * seats: seats * math.log(_MISSING)}
    for index, hand in enumerate(hands):
        nobodys, best = _nobodys(hand), max(assignments.values())
        worth = best - math.log(_MISSING) + max(alone[index]) - _UNLIKELY
        grown: dict[_Assigned, float] = {}
        second: dict[_Assigned, tuple[int, int]] = {}
        for assigned, likelihood in assignments.items():
            grown[assigned] = likelihood + nobodys
            near = [sum(crowding[index][other] for other in shown) for shown in assigned]
            crowded = sum(near)
            for seat, shown in enumerate(assigned):
                if not shown:
                    more = alone[index][seat] - math.log(_MISSING)
                elif len(shown) == 1:
                    more = both[shown[0]][index][seat] - alone[shown[0]][seat]
                else:
                    continue
                likely = likelihood + more + crowded - near[seat]
                if likely > worth:
                    now = (*assigned[:seat], (*shown, index), *assigned[seat + 1 :])
                    grown[now] = likely
                    if shown:
                        second[now] = (shown[0], seat)
        best = max(grown.values())
        for now, (first, seat) in second.items():
            if grown[now] > best - _WORTH_ADDING:
                grown[now] += math.log(max(_LEAST_LEGAL, together(first, index, seat)))
        assignments = _likely(grown)
    return _by_seat(assignments, seats)


def _likely(assignments: dict[_Assigned, float]) -> dict[_Assigned, float]:
    best = max(assignments.values())
    ranked = sorted(assignments.items(), key=lambda pair: -pair[1])[:_MOST_ASSIGNMENTS]
    return {assigned: likelihood for assigned, likelihood in ranked if likelihood > best - _UNLIKELY}


def _by_seat(assignments: dict[_Assigned, float], seats: int) -> tuple[tuple[Share, ...], ...]:
    """Sum the probabilities of assignments in which a seat shows the same hands."""
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


def _alone(hands: Sequence[HandEvidence], seating: Seating) -> NDArray[np.float64]:
    """Return the log likelihood of each hand as the only one of each seat, (hands, seats)."""
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    fits = np.array([hand.fits for hand in hands], np.float64).reshape(-1, len(seating))
    return _direction(places, seating) + fits


def _direction(places_mm: NDArray[np.float64], seating: Seating) -> NDArray[np.float64]:
    """Return the log density (per degree) of hands' directions for each seat, (places, seats)."""
    near = np.minimum(1.0, np.hypot(places_mm[:, 0], places_mm[:, 1]) / _NEAR_MIDDLE_MM)[:, None]
    off = seating.offsets(places_mm) * near
    width, astray_width, astray = (
        (_EVEN_DEG, _EVEN_ASTRAY_DEG, _EVEN_ASTRAY)
        if seating.is_even
        else (_SAID_DEG, _SAID_ASTRAY_DEG, _SAID_ASTRAY)
    )
    density = (1 - astray) * _normal(off, width) + astray * _normal(off, astray_width)
    return np.asarray(np.log(np.where(np.isfinite(density), density, 1 / 360.0)), np.float64)


def _normal(off: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    return np.asarray(np.exp(-0.5 * (off / width) ** 2) / (width * math.sqrt(2 * math.pi)), np.float64)


def _crowding(hands: Sequence[HandEvidence]) -> NDArray[np.float64]:
    """Return the log likelihood of how near hands are that are of different players, (hands, hands)."""
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    apart = np.nan_to_num(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)), nan=_ROOMY_MM)
    room = np.clip((apart - _CROWDED_MM) / (_ROOMY_MM - _CROWDED_MM), 0.0, 1.0)
    return np.asarray(np.log(_CROWDED + (1 - _CROWDED) * room), np.float64)


def _both(hands: Sequence[HandEvidence], seating: Seating) -> NDArray[np.float64]:
    """Return the log likelihood of two hands as those of one seat, which is between them, (hands, hands, seats)."""
    places = np.array([hand.at_mm for hand in hands], np.float64).reshape(-1, 2)
    fits = np.array([hand.fits for hand in hands], np.float64).reshape(-1, len(seating))
    middles = (places[:, None] + places[None]) / 2
    middle = _direction(middles.reshape(-1, 2), seating).reshape(len(hands), len(hands), len(seating))
    apart = np.maximum(0.0, np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) - _SIDE_BY_SIDE_MM)
    beside = np.maximum(_FAR_APART, np.nan_to_num(np.exp(-0.5 * (apart / _APART_MM) ** 2), nan=_FAR_APART))
    together = middle + np.log(_SECOND * beside / _SECOND_DEG)[:, :, None]
    return np.asarray(together + fits[:, None] + fits[None], np.float64)


def _nobodys(hand: HandEvidence) -> float:
    """Return the log density of a hand that is no player's, which may be anywhere."""
    share = (_NOBODYS_BARE if hand.bare else _NOBODYS_HOLDING) + _NO_HAND * max(0.0, 1.0 - hand.score) ** 3
    return math.log(min(1.0, share) / 360.0)


def seat_fits(
    held: Sequence[Held], kinds: Iterable[str], limits: Sequence[Counts | None], calibration: Calibration
) -> tuple[float, ...]:
    """Return how well what lies in a hand fits what each seat may hold (log, at most 0).

    kinds: all that hands can hold. limits: by seat, None for a seat that may hold any of them.
    """
    if not held or all(limit == limits[0] for limit in limits):
        return (0.0,) * len(limits)
    known = list(kinds)
    signs = [kind for kind in known if not kind.startswith("search:")]
    own = [
        [kind for kind in known if kind not in signs and (limit is None or limit.get(kind, 0) > 0)]
        for limit in limits
    ]
    searches = sorted({kind for mine in own for kind in mine})
    evidence, legal = np.empty(0), np.empty((len(limits), 0))
    # A seat with no search piece left can only show signs: its evidence is that of no colour.
    for colours in (searches, [""] if not all(own) else []):
        if colours:
            logs, tables = counts_by_colour(held, colours, signs, calibration)
            within = [(tables * legal_counts(colours, signs, limit)).reshape(len(colours), -1) for limit in limits]
            evidence, legal = np.append(evidence, logs), np.hstack([legal, np.array(within).sum(axis=2)])
    named = [*searches, ""]
    likely = (1 - _COLOUR_WRONG) * np.exp(evidence - evidence.max()) + _COLOUR_WRONG
    fits = []
    for seat, mine in enumerate(own):
        chosen = [named.index(kind) for kind in mine or [""]]
        fits.append(math.log(float((likely[chosen] * np.maximum(_LEAST_LEGAL, legal[seat, chosen])).mean())))
    best = max(fits)
    return tuple(fit - best for fit in fits)
