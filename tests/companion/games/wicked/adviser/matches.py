"""Whole games of one advised player against others who need no thought."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.games.wicked import FinalScore, WickedState, apply, final_scores, new_game, waiting_for
from companion.games.wicked.adviser import advise
from companion.games.wicked.bots.advised import advised_choice
from companion.games.wicked.bots.random_moves import random_choice, random_hand
from companion.games.wicked.moves import FinishSoul, Hand, Move, Reveal
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.games.wicked.adviser.advised_hands import advised_hand

Hands = Callable[[WickedState, int, random.Random], Hand]
Choices = Callable[[WickedState, int, random.Random], Move]


def match(
    seed: int, seat: int, players: int = 4, hand: Hands = random_hand, choice: Choices = random_choice
) -> tuple[FinalScore, ...]:
    """Play a game to its end with an advised player at one seat; `hand` and `choice` play all the others."""
    rng = random.Random(seed)
    state = new_game(players, STANDIN, seed)
    while state.phase != "over":
        waiting = waiting_for(state)
        if state.phase == "search":
            hands = (advised_hand if other == seat else hand for other in range(players))
            state = apply(state, Reveal(tuple(choose(state, other, rng) for other, choose in enumerate(hands))))
        elif state.phase == "soul" and seat in waiting:
            # The plan is made once, not anew for each of its moves.
            for move in (*advise(state, seat).moves, FinishSoul(seat)):
                state = apply(state, move)
        else:
            other = rng.choice(waiting)
            state = apply(state, (advised_choice if other == seat else choice)(state, other, rng))
    return final_scores(state)


def margin(scores: tuple[FinalScore, ...], seat: int) -> int:
    """Return by how many points a player is ahead of the best of the others."""
    return scores[seat].total - max(score.total for score in scores if score.player != seat)


def wins(scores: tuple[FinalScore, ...], seat: int) -> bool:
    """Return whether a player wins alone (W16)."""
    return [score.player for score in scores if score.place == 1] == [seat]
