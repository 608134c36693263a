"""Chooses the moves of the simulated table's bots: cards to deal and lay, hands, gains, soul actions. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.games.wicked.bots.advised import advised_choice
from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT, ROUNDS
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    DealOracles,
    FinishSoul,
    Hand,
    Lay,
    Move,
    Promote,
)
from companion.games.wicked.state import WickedState

_THOUGHTFUL = 0.9
"""Fraction of choices that follow the adviser."""


def hidden_deal(state: WickedState, seed: str) -> DealOracles:
    """Return a random deal of two great and two small oracle cards to each player."""
    rng = random.Random(f"{seed} oracles")
    great = [card.id for card in state.deck.great]
    small = [card.id for card in state.deck.small]
    rng.shuffle(great)
    rng.shuffle(small)

    def dealt(cards: list[str]) -> tuple[tuple[str, ...], ...]:
        seats = range(len(state.players))
        return tuple(tuple(sorted(cards[ORACLES_DEALT * seat : ORACLES_DEALT * (seat + 1)])) for seat in seats)

    return DealOracles(dealt(great), dealt(small))


def hidden_lay(state: WickedState, seed: str) -> Lay:
    """Return a lay of this round's corridor cards: from a pile shuffled with the seed, cards not used yet."""
    rng = random.Random(f"{seed} corridors")
    pile = [card.id for card in state.deck.corridors]
    rng.shuffle(pile)
    count = CORRIDORS[len(state.players)]
    planned = pile[count * (state.round - 1) : count * min(state.round, ROUNDS)]
    spare = [card for card in pile if card not in planned and card not in state.used]
    fresh = [card for card in planned if card not in state.used]
    return Lay(tuple((fresh + spare)[:count]))


def hidden_hand(state: WickedState, seat: int, rng: random.Random) -> Hand:
    """Return the hand that a bot reveals at the current corridor: a random number of its pieces.

    At a round's last corridor it reveals everything that is left (W3).
    """
    held = state.players[seat].held
    left = len(state.corridors) - state.corridor
    if left == 1:
        return held
    share = held.search / left
    search = min(held.search, round(rng.triangular(0.0, 3.0 * share, 0.7 * share)))
    return Hand(search, held.witch * (rng.random() < 1.0 / left), held.soul * (rng.random() < 1.0 / left))


def bot_move(state: WickedState, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
    """Return one of the moves for a bot: mostly the adviser's choice, sometimes a random plausible one.

    Raises ValueError without moves.
    """
    if moves and rng.random() < _THOUGHTFUL:
        move = advised_choice(state, seat, rng)
        if move in moves:
            return move
    return plausible_move(moves, rng)


def plausible_move(moves: Sequence[Move], rng: random.Random) -> Move:
    """Return a random move of the best kind available.

    That is achieving an oracle, else improving tokens, else ending the phase, else any. Sometimes it is the end of
    the phase although tokens could be improved, as people do. Raises ValueError without moves.
    """
    if not moves:
        raise ValueError("A bot was asked to choose, but there is nothing to choose from.")
    for wanted in (AchieveGreat, AchieveSmall):
        of_that = [move for move in moves if isinstance(move, wanted)]
        if of_that:
            return rng.choice(of_that)
    better = [move for move in moves if _improves(move)]
    if better and rng.random() < 0.9:
        return rng.choice(better)
    finishing = [move for move in moves if isinstance(move, FinishSoul)]
    return rng.choice(finishing or list(moves))


def _improves(move: Move) -> bool:
    """Return whether a move raises or recolours a token without displacing another one."""
    match move:
        case Promote(lift=lift):
            return lift.displaced is None
        case CastPromotion(lift=lift):
            return lift is not None and lift.displaced is None
        case CastColourChange(swap=swap):
            return swap is not None and swap.old != swap.new
        case _:
            return False
