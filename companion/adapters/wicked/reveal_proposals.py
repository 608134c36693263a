"""From readings of opened hands to a proposed reveal (W2, W3)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from companion.adapters.wicked import questions
from companion.games.wicked import legal
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.state import State
from companion.referee.posterior import Posterior, posterior
from companion.referee.proposal import Candidate, Doubt, Proposal
from vision.readings import HandReading, RevealReading

SURE_OF_A_SEAT = 0.9
"""A seat less likely than this is asked about: one tap costs less than a wrong count that nobody notices."""

SURE_OF_THE_TABLE = 0.8
"""All seats together must be this likely: with five seats of 0.92 every third reveal would be wrong somewhere."""

PERHAPS_OPEN = 0.1
"""A hand as likely open as this in most readings is one about which somebody has to be asked: fists and empty
palms look alike from above, and where all others are open it mostly is an empty one. Of 60 development evenings,
180 reveals and 120 moments without one, four reveals were not noticed at 0.2, and one at 0.1; one fist is asked
about there."""

FITS = 0.5
"""The least of a reader's belief that must lie on legal hands: a reader that mostly sees what cannot be there
sees something that somebody should look at, whatever is likeliest among the rest."""

WORTH_NAMING = 0.05
"""Hands less likely than this are neither offered nor asked about."""

_HANDS_A_SEAT = 3
_CANDIDATES = 6


def propose_reveal(state: State, names: Sequence[str], readings: Sequence[RevealReading]) -> Proposal | None:
    """Combine the readings of one still scene, one or more, into a proposed reveal.

    Returns None while no reveal can be made of them: no corridor is searched, or a seat has no hand that may be
    open in most of the readings (somebody with nothing left puts out an empty hand too). Every candidate is legal:
    only hands that the seat may reveal are weighed, and at a round's last corridor that is everything left.
    `names` are by seat, for the questions.
    """
    if state.phase != "search" or not readings:
        return None
    hands = legal(state).hands
    seats: list[Posterior] = []
    for seat, player in enumerate(state.players):
        looks = [hand for reading in readings for hand in reading.hands if hand.seat == seat]
        if 2 * sum(_openness(hand) >= PERHAPS_OPEN for hand in looks) <= len(readings):
            return None
        opened = [hand for hand in looks if hand.state == "open"]
        perhaps_a_fist = 2 * len(opened) <= len(readings)
        if perhaps_a_fist:
            opened = [_if_open(hand) for hand in looks if hand.state == "open" or hand.alternatives]
        if not opened:
            return None
        read = posterior(opened, hands[seat], player.colour)
        # What would lie in what may be a fist is asked about, whatever the readings say.
        seats.append(replace(read, doubtful=True) if perhaps_a_fist else read)
    candidates = _candidates(seats)
    doubts = _doubts(state, names, seats, candidates[0].probability)
    return Proposal(candidates, certain=not doubts, doubts=doubts)


def _openness(hand: HandReading) -> float:
    """Tell how likely a hand is to be open: pieces are only seen in open ones."""
    if hand.state == "closed":
        return 1.0 - hand.confidence
    return 1.0


def _if_open(hand: HandReading) -> HandReading:
    """Give what a hand that looks closed would be read as if it were open."""
    if hand.state == "open":
        return hand
    total = sum(other.confidence for other in hand.alternatives)
    first, *others = (replace(other, confidence=other.confidence / total) for other in hand.alternatives)
    return replace(hand, counts=first.counts, confidence=first.confidence, alternatives=tuple(others))


def _candidates(seats: Sequence[Posterior]) -> tuple[Candidate, ...]:
    """Join the likeliest hands of all seats; seats are read independently, so their probabilities multiply."""
    options = [
        [(hand, p) for place, (hand, p) in enumerate(seat.hands[:_HANDS_A_SEAT]) if place == 0 or p >= WORTH_NAMING]
        for seat in seats
    ]
    joined = [
        Candidate(Reveal(tuple(hand for hand, _ in choice)), math.prod(p for _, p in choice))
        for choice in itertools.product(*options)
    ]
    return tuple(sorted(joined, key=lambda candidate: -candidate.probability)[:_CANDIDATES])


def _doubts(state: State, names: Sequence[str], seats: Sequence[Posterior], together: float) -> tuple[Doubt, ...]:
    doubts = []
    for seat, (read, player) in enumerate(zip(seats, state.players, strict=True)):
        if read.fit >= FITS and not read.doubtful and read.hands[0][1] >= SURE_OF_A_SEAT:
            continue
        if len(read.hands) == 1 and player.held != Hand():
            question = questions.everything(names[seat], player.held)
        elif read.fit < FITS:
            question = questions.other_than_left(names[seat], player.held)
        else:
            question = questions.which_hand(names[seat], _named(read))
        doubts.append(Doubt(seat, question))
    if not doubts and together < SURE_OF_THE_TABLE:
        least = min(range(len(seats)), key=lambda seat: seats[seat].hands[0][1])
        doubts.append(Doubt(least, questions.which_hand(names[least], _named(seats[least]))))
    return tuple(doubts)


def _named(read: Posterior) -> tuple[Hand, ...]:
    return tuple(
        hand for place, (hand, p) in enumerate(read.hands[:_HANDS_A_SEAT]) if place == 0 or p >= WORTH_NAMING
    )
