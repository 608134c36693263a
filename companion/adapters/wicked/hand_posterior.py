"""Posterior probability of each legal hand, from several readings of one seat. Pure.

Frames of one still scene show the same pieces, so their errors are correlated. The frames' likelihoods are averaged
(geometric mean) instead of multiplied: an outlier is outvoted, and an even split becomes a doubt. But each frame is
read in another orientation, by two networks in turn, and the hand moves slightly: a few frames that agree are a
little surer than one, as far as was measured, and a hundred are no surer than a few.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.wicked.components import PlayerColour
from companion.games.wicked.moves import Hand
from vision.readings import Counts, HandReading

STEP_LIKELIHOOD_RATIO = 0.25
"""Likelihood ratio for each further piece of difference: a wrong reading is mostly off by one."""

MAX_DIFFERENCE = 3
"""Difference in pieces beyond which likelihoods are equal, so that one outlier has no veto."""

MAX_FRAMES = 5
"""Frames of one scene beyond which more do not raise the certainty."""

POWER_PER_FRAME = 0.0625
"""Added power of the average for each further frame.

Of 726 hands of 180 reveals in 60 development sessions, five frames each, powers of 1, 1.25, 1.5 and 2 have a loss
of 0.227, 0.214, 0.215 and 0.233.
"""

AGREED = 0.95
"""Minimum probability of a hand that `AGREEING` frames agree on, for it to be certain though each frame is not.

On the same hands that applied to 60, and none was wrong; from 0.9 on it would be 102, of which three were wrong.
"""

AGREEING = 4
"""Minimum number of agreeing frames for that."""

UNSAID = 0.01
"""Minimum total probability of hands that a reader did not name."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """The probabilities of one seat's hands."""

    hands: tuple[tuple[Hand, float], ...]
    """Every legal hand with its probability, likeliest first."""
    fit: float
    """Fraction of the readers' probability that they gave to legal hands, 0..1."""
    doubtful: bool
    """Whether at least half of the frames were doubtful, and they do not clearly agree."""


def posterior(readings: Sequence[HandReading], legal: Sequence[Hand], colour: PlayerColour) -> Posterior:
    """Return the probabilities of the legal hands of one seat. readings: one per frame, all of its open hand."""
    frames = [_likelihoods(reading, legal, colour) for reading in readings]
    sharper = 1.0 + POWER_PER_FRAME * (min(len(frames), MAX_FRAMES) - 1)
    averages = [
        sharper * math.fsum(math.log(frame[hand]) for frame, _, _ in frames) / len(frames) for hand in legal
    ]
    top = max(averages)
    weights = [math.exp(average - top) for average in averages]
    total = math.fsum(weights)
    ranked = sorted(
        ((hand, weight / total) for hand, weight in zip(legal, weights, strict=True)), key=lambda pair: -pair[1]
    )
    fit = math.fsum(share for _, share, _ in frames) / len(frames)
    impossible = math.fsum(share for *_, share in frames) / len(frames)
    best, likely = ranked[0]
    # Where hardly anything else is legal, as at the last corridor, being the likeliest means little.
    likely *= 1.0 - impossible
    agreed = len(readings) >= AGREEING and all(hand_of(reading.counts, colour) == best for reading in readings)
    return Posterior(
        hands=tuple(ranked),
        fit=fit,
        doubtful=2 * sum(reading.doubtful for reading in readings) >= len(readings)
        and not (agreed and likely >= AGREED),
    )


def hand_of(counts: Counts, colour: PlayerColour) -> Hand | None:
    """Return counts of pieces as a player's hand; None if they contain pieces of other players or kinds.

    colour: of the player.
    """
    own = f"search:{colour}"
    if any(count and kind not in (own, "sign:witch", "sign:soul") for kind, count in counts.items()):
        return None
    return Hand(counts.get(own, 0), counts.get("sign:witch", 0), counts.get("sign:soul", 0))


def _likelihoods(
    reading: HandReading, legal: Sequence[Hand], colour: PlayerColour
) -> tuple[Mapping[Hand, float], float, float]:
    """Return one frame's likelihood of each legal hand, and its total probabilities of legal and of other hands.

    Probability that the reader left unassigned is distributed among the legal hands that it did not name, more to
    those near its first answer. What it assigned to impossible hands is ignored.
    """
    named: dict[Hand, float] = {}
    assigned = fit = 0.0
    for counts, confidence in (
        (reading.counts, reading.confidence),
        *((other.counts, other.confidence) for other in reading.alternatives),
    ):
        # Confidences are estimates and may add up to more than 1: clip them.
        share = min(max(confidence, 0.0), 1.0 - assigned)
        assigned += share
        hand = hand_of(counts, colour)
        if hand is not None and hand in legal:
            named[hand] = named.get(hand, 0.0) + share
            fit += share
    nearness = {
        hand: STEP_LIKELIHOOD_RATIO ** min(MAX_DIFFERENCE, _distance(reading.counts, hand, colour))
        for hand in legal
    }
    unnamed = math.fsum(near for hand, near in nearness.items() if hand not in named)
    scale = max(1.0 - assigned, UNSAID) / (unnamed or 1.0)
    return {hand: max(named.get(hand, 0.0), scale * near) for hand, near in nearness.items()}, fit, assigned - fit


def _distance(counts: Counts, hand: Hand, colour: PlayerColour) -> int:
    """Return the number of pieces by which a legal hand differs from counts."""
    return (
        abs(counts.get(f"search:{colour}", 0) - hand.search)
        + abs(counts.get("sign:witch", 0) - hand.witch)
        + abs(counts.get("sign:soul", 0) - hand.soul)
    )
