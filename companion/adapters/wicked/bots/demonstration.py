"""The demonstration game: it starts in the middle of a round, with a reveal. Pure."""

from __future__ import annotations

import random

from companion.adapters.wicked.bots.choices import hidden_deal, hidden_hand, hidden_lay
from companion.games.game import OVER
from companion.games.wicked import Move, apply, waiting_for
from companion.games.wicked.bots.advised import advised_choice
from companion.games.wicked.components import Deck
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import DealOracles, Lay, Reveal
from companion.games.wicked.state import WickedState
from companion.table.views import SeatView

SEATS = (
    SeatView("Ada", "purple"),
    SeatView("Bruno", "green"),
    SeatView("Chie", "red"),
    SeatView("Dolores", "black"),
)
"""Players of the demonstration."""
PLAYED = 2
"""Corridors of the first round that are searched before the demonstration begins; three are shown."""
LAST_ROUND = 1
"""Round with whose soul phase the demonstration ends."""


def opening(deck: Deck, key: str) -> tuple[WickedState, tuple[Move, ...]]:
    """Return the state in which a demonstration begins, and the moves that lead to it. key: seed of both."""
    state = WICKED.new_game([seat.figure for seat in SEATS], WickedSetup(deck))
    moves: list[Move] = []
    rng = random.Random(f"{key} opening")
    while (state.phase, state.corridor) != ("search", PLAYED):
        move = _next(state, key, rng)
        state = apply(state, move)
        moves.append(move)
    return state, tuple(moves)


def is_over(state: WickedState) -> bool:
    """Return whether the demonstration has reached its end."""
    return state.round > LAST_ROUND or state.phase == OVER


def is_entered(move: DealOracles | Lay | Reveal, state: WickedState) -> bool:
    """Return whether a state already contains this move; the order of dealt cards does not matter."""
    match move:
        case Reveal(hands=hands):
            return state.outcome is not None and state.outcome.hands == hands
        case Lay(cards=cards):
            return state.corridors == cards
        case DealOracles(great=great, small=small):
            return all(
                (set(player.great), set(player.small)) == (set(great[seat]), set(small[seat]))
                for seat, player in enumerate(state.players)
            )


def _next(state: WickedState, key: str, rng: random.Random) -> Move:
    """Return a bot's next move before the demonstration begins. key: seed of the cards."""
    if state.phase == "deal":
        return hidden_deal(state, key)
    if state.phase == "lay":
        return hidden_lay(state, key)
    if state.phase == "search":
        return Reveal(tuple(hidden_hand(state, seat, rng) for seat in range(len(state.players))))
    return advised_choice(state, waiting_for(state)[0], rng)
