"""Hands of a strong player at a corridor: it bids where others are likely to be weak.

Every number of pieces that another player can reveal counts as equally likely.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from companion.games.wicked.components import COLOURS, CorridorCard, Element
from companion.games.wicked.moves import Hand
from companion.games.wicked.rules.search_phase import is_last_corridor
from companion.games.wicked.state import WickedPlayer, WickedState

# Estimated values of elements before the soul phase, points.
_SPELL: dict[Element, float] = {"promotion": 3.0, "colour_change": 1.5}
"""Value of a spell."""
_TOKEN, _PAIR = 1.5, 0.7
"""Value of a low token, and added value where it completes a pair."""
_NO_ROOM = 0.5
"""Share of a token's value that remains where the low row is full."""
_IMPURITY = 1.0
"""Cost of one point of impurity."""

Chances = tuple[float, ...]
"""Probability of each number of pieces, from none up."""


def advised_hand(state: WickedState, seat: int, rng: random.Random) -> Hand:
    """Return the hand to reveal at the current corridor, for the highest expected value of the round.

    The soul's sign goes where the player will probably rank and its token is worth most, the witch's sign where the
    player will probably not rank.
    """
    held = state.players[seat].held
    if is_last_corridor(state):
        return held
    outlooks = _outlooks(state, seat)
    bids = _best_bids(outlooks, held.search)
    ranks = [outlook.ranks(bid) for outlook, bid in zip(outlooks, bids, strict=True)]
    soul = [chance * outlook.token for chance, outlook in zip(ranks, outlooks, strict=True)]
    return Hand(
        bids[0],
        held.witch if ranks[0] == min(ranks) else 0,
        held.soul if soul[0] == max(soul) else 0,
    )


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The value of a corridor to one player, and the bids to expect from the others."""

    first: float
    """Value to the player who ranks 1st, points."""
    second: float
    """Value to a player who ranks 2nd, points."""
    token: float
    """Value of the token of one soul's sign, points."""
    others: tuple[Chances, ...]
    """For each other player, the probabilities of revealing 0, 1, 2 … search pieces."""

    def places(self, bid: int) -> tuple[float, float]:
        """Return the probabilities that a number of search pieces ranks 1st, and that it ranks 2nd (W4)."""
        if not bid:
            return 0.0, 0.0
        fewer = [sum(chances[:bid]) for chances in self.others]
        at_most = [sum(chances[: bid + 1]) for chances in self.others]
        first, tied_or_first = prod(fewer), prod(at_most)
        behind_one = sum(
            (1.0 - mine) * prod(at_most[:index] + at_most[index + 1 :]) for index, mine in enumerate(at_most)
        )
        return first, tied_or_first - first + behind_one

    def ranks(self, bid: int) -> float:
        """Return the probability that a number of search pieces ranks 1st or 2nd."""
        return sum(self.places(bid))

    def expected(self, bid: int) -> float:
        """Return the expected gain from revealing a number of search pieces, points."""
        first, second = self.places(bid)
        return first * self.first + second * self.second


def _best_bids(outlooks: Sequence[_Outlook], pieces: int) -> tuple[int, ...]:
    """Return how many search pieces to reveal at each remaining corridor for the highest expected value in all.

    pieces: search pieces held, all of which are revealed in the round (W3).
    """
    last = outlooks[-1]
    best: list[tuple[float, tuple[int, ...]]] = [(last.expected(left), (left,)) for left in range(pieces + 1)]
    for outlook in reversed(outlooks[:-1]):
        gains = [outlook.expected(bid) for bid in range(pieces + 1)]
        best = [
            max(
                ((gains[bid] + best[left - bid][0], (bid, *best[left - bid][1])) for bid in range(left + 1)),
                key=lambda plan: plan[0],
            )
            for left in range(pieces + 1)
        ]
    return best[pieces][1]


def _outlooks(state: WickedState, seat: int) -> list[_Outlook]:
    """Return the value of each remaining corridor to a player and the bids expected there, current one first."""
    player = state.players[seat]
    others = [other.held for index, other in enumerate(state.players) if index != seat]
    held = [_certain(hand.search) for hand in others]
    witches, souls = sum(hand.witch for hand in others), sum(hand.soul for hand in others)
    cards = [state.deck.corridor(card) for card in state.corridors[state.corridor :]]
    outlooks = []
    for index, card in enumerate(cards):
        last = index == len(cards) - 1
        shown = 0.5**index if last else 0.5 ** (index + 1)
        token = _sign_token_value(player, card)
        second = _half_value(player, card.lower) + shown * (souls * token - witches * _IMPURITY)
        first = second + _half_value(player, card.upper)
        bids = tuple(held) if last else tuple(_any_of(chances) for chances in held)
        outlooks.append(_Outlook(first, second, token, bids))
        held = [_any_of(chances) for chances in held]  # any number shown, so any number left
    return outlooks


def _certain(number: int) -> Chances:
    return (*(0.0 for _ in range(number)), 1.0)


def _any_of(held: Chances) -> Chances:
    """Return the probabilities that another player reveals 0, 1, 2 … pieces, all numbers being equally likely.

    held: probabilities that this player holds 0, 1, 2 … pieces, the most that can be revealed.
    """
    return tuple(
        sum(chance / (most + 1) for most, chance in enumerate(held) if most >= n) for n in range(len(held))
    )


def _half_value(player: WickedPlayer, elements: Sequence[Element]) -> float:
    return sum(_element_value(player, element) for element in elements)


def _sign_token_value(player: WickedPlayer, card: CorridorCard) -> float:
    fragments = [element for element in card.lower if element not in _SPELL]
    return _element_value(player, fragments[0]) if fragments else 0.0


def _element_value(player: WickedPlayer, element: Element) -> float:
    if element == "promotion" or element == "colour_change":
        return _SPELL[element]
    if element == "white":
        return max(_element_value(player, colour) for colour in COLOURS)
    worth = _TOKEN + (_PAIR if player.low[element] % 2 else 0.0)
    return worth if player.low.total < 6 else _NO_ROOM * worth
