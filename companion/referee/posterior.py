"""How likely each legal hand is, given several readings of one seat. Pure arithmetic on readings.

Frames of one still scene are looks at the same pieces: what misleads the reader in one mostly misleads it in all.
So the frames' likelihoods are averaged (a geometric mean) and not multiplied: a flicker in one frame is outvoted,
and an even split comes out as a doubt. But each frame is looked at another way round, by two networks in turn, and
the hand lives: a few frames that say the same are a little surer than one, as much as was measured, and a hundred
are no surer than a few.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.wicked.components import PlayerColour
from companion.games.wicked.moves import Hand
from vision.readings import Counts, HandReading

STEP = 0.25
"""A reader that errs is mostly off by one: each further piece of difference is this much less likely, …"""

FAR = 3
"""… up to so many pieces; beyond that no frame tells hands apart, so that one wild frame has no veto."""

FEW = 5
"""So many frames of one scene say all that there is to say: more make nobody surer."""

SURER = 0.0625
"""Each further frame makes the average so much sharper (its power). Of 726 hands of 180 reveals of 60 development
evenings, five frames each, powers of 1, 1.25, 1.5 and 2 have a loss of 0.227, 0.214, 0.215 and 0.233."""

AGREED = 0.95
"""What at least `AGREEING` frames all say, and which together is as likely as this, is no doubt, even where each
frame alone left one: a single frame has to be as sure. On the same hands that was so in 60, and none was wrong;
from 0.9 on it would be 102, of which three were."""

AGREEING = 4

UNSAID = 0.01
"""The least share of belief for hands that a reader did not name, however sure it was of those it named."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """What the readings of one seat amount to.

    hands: every legal hand with its probability, likeliest first. fit: the share of the readers' own
    probability that lay on legal hands (1: they said nothing impossible). doubtful: the reader called at
    least half of the frames doubtful itself, and they do not plainly agree.
    """

    hands: tuple[tuple[Hand, float], ...]
    fit: float
    doubtful: bool


def posterior(readings: Sequence[HandReading], legal: Sequence[Hand], colour: PlayerColour) -> Posterior:
    """Weigh the legal hands of one seat by its readings, at least one, of open hands."""
    looks = [_look(reading, legal, colour) for reading in readings]
    sharper = 1.0 + SURER * (min(len(looks), FEW) - 1)
    averages = [sharper * math.fsum(math.log(look[hand]) for look, _, _ in looks) / len(looks) for hand in legal]
    top = max(averages)
    weights = [math.exp(average - top) for average in averages]
    total = math.fsum(weights)
    ranked = sorted(
        ((hand, weight / total) for hand, weight in zip(legal, weights, strict=True)), key=lambda pair: -pair[1]
    )
    fit = math.fsum(share for _, share, _ in looks) / len(looks)
    impossible = math.fsum(share for *_, share in looks) / len(looks)
    best, likely = ranked[0]
    # Where next to nothing else is legal, as at the last corridor, to be the likeliest of that says little.
    likely *= 1.0 - impossible
    agreed = len(readings) >= AGREEING and all(hand_of(reading.counts, colour) == best for reading in readings)
    return Posterior(
        hands=tuple(ranked),
        fit=fit,
        doubtful=2 * sum(reading.doubtful for reading in readings) >= len(readings)
        and not (agreed and likely >= AGREED),
    )


def hand_of(counts: Counts, colour: PlayerColour) -> Hand | None:
    """Take counts as a hand of this colour; None where anything lies there that cannot be in it."""
    own = f"search:{colour}"
    if any(count and kind not in (own, "sign:witch", "sign:soul") for kind, count in counts.items()):
        return None
    return Hand(counts.get(own, 0), counts.get("sign:witch", 0), counts.get("sign:soul", 0))


def _look(
    reading: HandReading, legal: Sequence[Hand], colour: PlayerColour
) -> tuple[Mapping[Hand, float], float, float]:
    """Turn one frame's answer into a probability for every legal hand, and its shares on legal and on other ones.

    What the reader left unsaid is spread over the legal hands that it did not name, most to those near its first
    answer; what it said of hands that cannot be counts for nothing.
    """
    said: dict[Hand, float] = {}
    told = fit = 0.0
    for counts, confidence in (
        (reading.counts, reading.confidence),
        *((other.counts, other.confidence) for other in reading.alternatives),
    ):
        # Confidences are the reader's estimates: clip what does not add up instead of believing more than 1.
        share = min(max(confidence, 0.0), 1.0 - told)
        told += share
        hand = hand_of(counts, colour)
        if hand is not None and hand in legal:
            said[hand] = said.get(hand, 0.0) + share
            fit += share
    nearness = {hand: STEP ** min(FAR, _distance(reading.counts, hand, colour)) for hand in legal}
    unnamed = math.fsum(near for hand, near in nearness.items() if hand not in said)
    scale = max(1.0 - told, UNSAID) / (unnamed or 1.0)
    return {hand: max(said.get(hand, 0.0), scale * near) for hand, near in nearness.items()}, fit, told - fit


def _distance(counts: Counts, hand: Hand, colour: PlayerColour) -> int:
    """Count the pieces by which a legal hand differs from counts; pieces of other kinds cannot help."""
    return (
        abs(counts.get(f"search:{colour}", 0) - hand.search)
        + abs(counts.get("sign:witch", 0) - hand.witch)
        + abs(counts.get("sign:soul", 0) - hand.soul)
    )
