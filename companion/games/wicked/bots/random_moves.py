"""A bot that moves at random, for tests and simulation.

All chance comes from the `random.Random` passed in, so the same seed plays the same game.
"""

from __future__ import annotations

import random

from companion.games.wicked.moves import DealOracles, Hand, Lay, Move, Reveal
from companion.games.wicked.rules.legal_moves import legal, player_moves, waiting_for
from companion.games.wicked.rules.search_phase import legal_hands
from companion.games.wicked.state import WickedState


def random_move(state: WickedState, rng: random.Random) -> Move:
    """Return the next random legal move of a game: of the whole table, or of a random player who has to move.

    Raises ValueError once the game is over.
    """
    if state.phase == "search":
        return Reveal(tuple(random_hand(state, seat, rng) for seat in range(len(state.players))))
    if state.phase in ("deal", "lay"):
        return random_cards(state, rng)
    if state.phase == "over":
        raise ValueError("The game is over: there is no move to choose.")
    return random_choice(state, rng.choice(waiting_for(state)), rng)


def random_choice(state: WickedState, seat: int, rng: random.Random) -> Move:
    """Return a random legal move of a player who has to move, in phases "gain" and "soul"."""
    return rng.choice(player_moves(state, seat))


def random_hand(state: WickedState, seat: int, rng: random.Random) -> Hand:
    """Return a random legal hand of one player for the current corridor."""
    return rng.choice(legal_hands(state, seat))


def random_cards(state: WickedState, rng: random.Random) -> DealOracles | Lay:
    """Return a random deal of oracles or lay of corridors, for a game whose cards people deal.

    Raises ValueError outside the phases "deal" and "lay".
    """
    choice = legal(state)
    if choice.deal is not None:
        count = choice.deal.players * choice.deal.each
        great, small = rng.sample(choice.deal.great, count), rng.sample(choice.deal.small, count)
        return DealOracles(_by_seat(great, choice.deal.each), _by_seat(small, choice.deal.each))
    if choice.lay is None:
        raise ValueError("No cards are being dealt or laid now.")
    return Lay(tuple(rng.sample(choice.lay.cards, choice.lay.count)))


def _by_seat(cards: list[str], each: int) -> tuple[tuple[str, ...], ...]:
    """Split cards into groups of `each` cards, one group per seat."""
    return tuple(tuple(cards[start : start + each]) for start in range(0, len(cards), each))
