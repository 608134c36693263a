"""The bots' choices: hidden cards and hands, gains, soul actions. Pure."""

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
    Deal,
    FinishSoul,
    Hand,
    Lay,
    Move,
    Promote,
)
from companion.games.wicked.state import State
from companion.table.views import Option

_THOUGHTFUL = 0.9
"""Share of choices that follow the adviser."""


def hidden_deal(state: State, seed: str) -> Deal:
    """Shuffle the oracle cards and deal two great and two small ones to each player, sorted."""
    rng = random.Random(f"{seed} oracles")
    great = [card.id for card in state.deck.great]
    small = [card.id for card in state.deck.small]
    rng.shuffle(great)
    rng.shuffle(small)

    def dealt(cards: list[str]) -> tuple[tuple[str, ...], ...]:
        seats = range(len(state.players))
        return tuple(tuple(sorted(cards[ORACLES_DEALT * seat : ORACLES_DEALT * (seat + 1)])) for seat in seats)

    return Deal(dealt(great), dealt(small))


def hidden_lay(state: State, seed: str) -> Lay:
    """Return this round's corridors from the shuffled pile; cards that are used already are skipped."""
    rng = random.Random(f"{seed} corridors")
    pile = [card.id for card in state.deck.corridors]
    rng.shuffle(pile)
    count = CORRIDORS[len(state.players)]
    planned = pile[count * (state.round - 1) : count * min(state.round, ROUNDS)]
    spare = [card for card in pile if card not in planned and card not in state.used]
    fresh = [card for card in planned if card not in state.used]
    return Lay(tuple((fresh + spare)[:count]))


def hidden_hand(state: State, seat: int, rng: random.Random) -> Hand:
    """Return a bot's reveal: its pieces spread over the remaining corridors, unevenly.

    At a round's last corridor that is everything left (W3).
    """
    held = state.players[seat].held
    left = len(state.corridors) - state.corridor
    if left == 1:
        return held
    share = held.search / left
    search = min(held.search, round(rng.triangular(0.0, 3.0 * share, 0.7 * share)))
    return Hand(search, held.witch * (rng.random() < 1.0 / left), held.soul * (rng.random() < 1.0 / left))


def considered(state: State, seat: int, options: Sequence[Option], rng: random.Random) -> Move:
    """Return a bot's move: usually the adviser's, sometimes a random plausible one.

    Raises ValueError without options.
    """
    if options and rng.random() < _THOUGHTFUL:
        move = advised_choice(state, seat, rng)
        if any(option.move == move for option in options):
            return move
    return choice(options, rng).move


def choice(options: Sequence[Option], rng: random.Random) -> Option:
    """Return a plausible option: oracles first, then what improves tokens, else any.

    A bot that could still promote stops now and then, as people do. Raises ValueError without options.
    """
    if not options:
        raise ValueError("A bot was asked to choose, but there is nothing to choose from.")
    for wanted in (AchieveGreat, AchieveSmall):
        of_that = [option for option in options if isinstance(option.move, wanted)]
        if of_that:
            return rng.choice(of_that)
    better = [option for option in options if _better(option)]
    if better and rng.random() < 0.9:
        return rng.choice(better)
    finishing = [option for option in options if isinstance(option.move, FinishSoul)]
    return rng.choice(finishing or list(options))


def _better(option: Option) -> bool:
    match option.move:
        case Promote() as move:
            return move.lift.displaced is None
        case CastPromotion(lift=lift):
            return lift is not None and lift.displaced is None
        case CastColourChange(swap=swap):
            return swap is not None and swap.old != swap.new
        case _:
            return False
