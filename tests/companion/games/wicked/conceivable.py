"""Every move that could be put into words, legal or not: the enumerator's opposite, for checking it.

It knows nothing of the rules but which values a field can have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

from companion.games.game import IllegalMove
from companion.games.wicked import Move, WickedState, apply
from companion.games.wicked.components import COLOURS, RANKS, Colour
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    FinishSoul,
    Hand,
    KeepTokens,
    Lift,
    Promote,
    Reveal,
    Swap,
)
from companion.games.wicked.state import Tokens

LIFTS = tuple(Lift(*fields) for fields in product(COLOURS, RANKS, (None, *COLOURS)))
SWAPS = tuple(Swap(*fields) for fields in product(RANKS, COLOURS, COLOURS))


def soul_moves(state: WickedState, seat: int) -> Iterator[Move]:
    """Every conceivable soul move of one seat, small oracles with at most one white reward and no full row."""
    player = state.players[seat]
    yield from (Promote(seat, lift) for lift in LIFTS)
    yield from (CastPromotion(seat, lift) for lift in (None, *LIFTS))
    yield from (CastColourChange(seat, swap) for swap in (None, *SWAPS))
    for card in player.small:
        for colours, lift in product(((), *((colour,) for colour in COLOURS)), (None, *LIFTS)):
            yield AchieveSmall(seat, card, colours, None, lift)
    yield from (AchieveGreat(seat, card) for card in player.great)
    yield FinishSoul(seat)


def accepted(state: WickedState, moves: Iterator[Move]) -> set[Move]:
    """Keep the moves that `apply` accepts."""
    kept = set()
    for move in moves:
        try:
            apply(state, move)
        except IllegalMove:
            continue
        kept.add(move)
    return kept


def any_move(state: WickedState, rng: random.Random) -> Move:
    """Invent one move out of the blue, seats and cards of other players included."""
    seat = rng.randrange(-1, len(state.players) + 1)
    cards = [*(card.id for card in state.deck.great), *(card.id for card in state.deck.small)]
    own = [card for player in state.players for card in (*player.great, *player.small)]
    card = rng.choice(own if own and rng.random() < 0.8 else cards)
    lift = rng.choice((None, *LIFTS))
    made: tuple[Move, ...] = (
        Reveal(tuple(_any_hand(rng) for _ in state.players)),
        ChooseColours(seat, _any_colours(rng, 4)),
        KeepTokens(seat, _any_colours(rng, 7)),
        Promote(seat, rng.choice(LIFTS)),
        CastPromotion(seat, lift),
        CastColourChange(seat, rng.choice((None, *SWAPS))),
        AchieveSmall(seat, card, _any_colours(rng, 2), rng.choice((None, None, None, _any_colours(rng, 7))), lift),
        AchieveGreat(seat, card),
        FinishSoul(seat),
    )
    return rng.choice(made)


def in_order(move: Move) -> Move:
    """Bring colours that may stand in any order into the one that `legal` lists them in."""
    match move:
        case ChooseColours():
            return replace(move, colours=Tokens.of(move.colours).colours)
        case KeepTokens():
            return replace(move, keep=Tokens.of(move.keep).colours)
        case AchieveSmall():
            keep = None if move.keep is None else Tokens.of(move.keep).colours
            return replace(move, colours=Tokens.of(move.colours).colours, keep=keep)
        case _:
            return move


def _any_hand(rng: random.Random) -> Hand:
    return Hand(rng.choice((0, 0, 1, 2, 3, 8)), rng.choice((0, 0, 0, 1, 2)), rng.choice((0, 0, 0, 1)))


def _any_colours(rng: random.Random, most: int) -> tuple[Colour, ...]:
    count = rng.choice((most - 1, rng.randint(0, most)))
    return tuple(rng.choice(tuple(combinations_with_replacement(COLOURS, count))))
