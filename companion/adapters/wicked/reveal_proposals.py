"""Proposes a reveal from readings of opened hands (W2, W3)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from companion.adapters.wicked import questions
from companion.adapters.wicked.hand_posterior import Posterior, posterior
from companion.games.wicked import legal
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.state import WickedState
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from vision.readings import HandReading, HandsReading

MIN_SEAT_CONFIDENCE = 0.9
"""Minimum probability of a seat's hand; below it the seat needs confirmation."""

SURE_OF_THE_TABLE = 0.8
"""Minimum probability of all hands together: five seats of 0.92 would be wrong in every third reveal."""

MIN_OPEN_PROBABILITY = 0.1
"""Minimum probability of being open, in most readings, for a hand to need confirmation.

Fists and empty palms look alike from above. In 60 development sessions, 180 reveals and 120 moments without one,
four reveals were missed at 0.2, and one at 0.1, where one fist needs confirmation.
"""

MIN_LEGAL_SHARE = 0.5
"""Minimum share of a reader's probability on legal hands; below it a person has to check the hand."""

WORTH_NAMING = 0.05
"""Minimum probability of a hand that is offered in a question."""

_HANDS_A_SEAT = 3
"""Largest number of hands offered for one seat."""
_CHOICES = 6
"""Largest number of choices of a proposal."""


def propose_reveal(
    state: WickedState, names: Sequence[str], readings: Sequence[HandsReading]
) -> Proposal[Reveal] | None:
    """Return a proposal of what all players reveal, from readings of one still scene. names: by seat.

    None while no corridor is searched, or while a seat has no hand that may be open in most readings; a player with
    no pieces left has to show an empty hand. All choices are legal: only hands that the seat may reveal are
    considered.
    """
    if state.phase != "search" or not readings:
        return None
    hands = legal(state).hands
    seats: list[Posterior] = []
    for seat, player in enumerate(state.players):
        frames = [hand for reading in readings for hand in reading.hands if hand.seat == seat]
        if 2 * sum(_open_probability(hand) >= MIN_OPEN_PROBABILITY for hand in frames) <= len(readings):
            return None
        opened = [hand for hand in frames if hand.state == "open"]
        perhaps_a_fist = 2 * len(opened) <= len(readings)
        if perhaps_a_fist:
            opened = [_assumed_open(hand) for hand in frames if hand.state == "open" or hand.alternatives]
        if not opened:
            return None
        read = posterior(opened, hands[seat], player.colour)
        # The content of what may be a fist always needs confirmation.
        seats.append(replace(read, doubtful=True) if perhaps_a_fist else read)
    choices = _choices(seats)
    return Proposal((Question(None, choices, _doubts(state, names, seats, choices[0].probability)),))


def _open_probability(hand: HandReading) -> float:
    """Return the probability that a hand is open."""
    if hand.state == "closed":
        return 1.0 - hand.confidence
    return 1.0


def _assumed_open(hand: HandReading) -> HandReading:
    """Return a hand as if it was read as open: with the likeliest content if it was read as closed."""
    if hand.state == "open":
        return hand
    total = sum(other.confidence for other in hand.alternatives)
    first, *others = (replace(other, confidence=other.confidence / total) for other in hand.alternatives)
    return replace(hand, counts=first.counts, confidence=first.confidence, alternatives=tuple(others))


def _choices(seats: Sequence[Posterior]) -> tuple[Choice[Reveal], ...]:
    """Return the likeliest combinations of hands, one per seat; the probabilities of the seats are multiplied."""
    options = [
        [(hand, p) for place, (hand, p) in enumerate(seat.hands[:_HANDS_A_SEAT]) if place == 0 or p >= WORTH_NAMING]
        for seat in seats
    ]
    joined = [
        Choice((Reveal(tuple(hand for hand, _ in hands)),), math.prod(p for _, p in hands))
        for hands in itertools.product(*options)
    ]
    return tuple(sorted(joined, key=lambda choice: -choice.probability)[:_CHOICES])


def _doubts(
    state: WickedState, names: Sequence[str], seats: Sequence[Posterior], together: float
) -> tuple[Doubt, ...]:
    """Return the questions about seats that need confirmation. together: probability of all likeliest hands."""
    doubts = []
    for seat, (read, player) in enumerate(zip(seats, state.players, strict=True)):
        if read.fit >= MIN_LEGAL_SHARE and not read.doubtful and read.hands[0][1] >= MIN_SEAT_CONFIDENCE:
            continue
        if len(read.hands) == 1 and player.held != Hand():
            question = questions.are_all_revealed(names[seat], player.held)
        elif read.fit < MIN_LEGAL_SHARE:
            question = questions.unexpected_pieces(names[seat], player.held)
        else:
            question = questions.which_hand(names[seat], _offered_hands(read))
        doubts.append(Doubt(seat, question))
    if not doubts and together < SURE_OF_THE_TABLE:
        least = min(range(len(seats)), key=lambda seat: seats[seat].hands[0][1])
        doubts.append(Doubt(least, questions.which_hand(names[least], _offered_hands(seats[least]))))
    return tuple(doubts)


def _offered_hands(read: Posterior) -> tuple[Hand, ...]:
    """Return the hands of a seat that its question names, likeliest first."""
    return tuple(
        hand for place, (hand, p) in enumerate(read.hands[:_HANDS_A_SEAT]) if place == 0 or p >= WORTH_NAMING
    )
