"""Chooses the turns of bots of three strengths. Pure: all chance comes from the `random.Random` passed in."""

from __future__ import annotations

import random
from typing import Final, Literal, get_args

from companion.games.master.adviser.turn_outlook import easiest_place, outlooks
from companion.games.master.adviser.turn_search import MazeTurn, Position, best_pair, best_turn, turn_moves
from companion.games.master.components import WAND_POINTS
from companion.games.master.maze import CARRIED, places
from companion.games.master.moves import Move, Stay, UseWand, Walk
from companion.games.master.state import MasterState

Strength = Literal["novice", "player", "expert"]
"""How well a bot plays.

A novice overlooks half of the tokens and wanders. A player takes what one turn can take and otherwise goes where
the next token will be easiest to reach. An expert also weighs the next player's reply, and plans two turns with a
wand.
"""
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)

_OVERLOOKED: Final = 0.5
"""Fraction of the tokens that a novice overlooks."""
_WAND_GAIN: Final = {"novice": 100, "player": 12, "expert": 6}
"""Least gain for which a bot gives up a wand, minus the wand's points. 100 is out of reach: never."""


def choose(state: MasterState, seat: int, strength: Strength, rng: random.Random) -> tuple[Move, ...]:
    """Return the moves that the bot at a seat makes now; none if it has nothing to do.

    These are a whole turn, the end of a turn that has begun, or a wand with an extra turn.
    """
    if state.mover == seat and state.phase == "shift":
        return turn_moves(state, seat, choose_turn(state, seat, strength, rng))
    if state.mover == seat and state.phase == "walk":
        return (_choose_walk(state, seat, strength, rng),)
    if state.phase == "shift" and state.wand_of == seat and state.deal is None:
        advice = best_turn(state, seat)
        if advice.gain - WAND_POINTS >= _WAND_GAIN[strength]:
            return (UseWand(seat), *turn_moves(state, seat, advice.turns[0]))
    return ()


def choose_turn(state: MasterState, seat: int, strength: Strength, rng: random.Random) -> MazeTurn:
    """Return the turn, shift and walk, that a bot makes. Raises ValueError unless a shift is due."""
    if strength == "novice":
        best = best_turn(state, seat).turns[0]
        return best if best.take and rng.random() >= _OVERLOOKED else _random_turn(state, seat, rng)
    if strength == "expert":
        single, pair = best_turn(state, seat), best_pair(state, seat)
        if len(pair.turns) == 2 and pair.gain - single.gain >= _WAND_GAIN[strength]:
            return pair.turns[0]
    found = list(outlooks(state, seat, weigh_reply=strength == "expert"))
    best_value = max(one.value for one in found)
    return rng.choice([one.advice.turns[0] for one in found if one.value == best_value])


def _choose_walk(state: MasterState, seat: int, strength: Strength, rng: random.Random) -> Move:
    """Return the walk or stay with which a bot ends a turn after its shift."""
    if state.maze is None:
        raise ValueError("The board is not laid yet.")
    here = state.wizards[seat]
    reached = state.maze.reached(here)
    number = state.next_token
    target = next((place for place in places(reached & ~(1 << here)) if state.token_at(place) == number), None)
    if number is not None and target is not None and (strength != "novice" or rng.random() >= _OVERLOOKED):
        return Walk(seat, target, take=True)
    place = rng.choice(places(reached))
    if strength != "novice":
        *_, place = easiest_place(Position(state.maze, state.closed, Position.tokens_of(state)), reached)
    return Stay(seat) if place == here else Walk(seat, place, take=False)


def _random_turn(state: MasterState, seat: int, rng: random.Random) -> MazeTurn:
    """Return a random turn that takes no token."""
    arrow, openings, after = rng.choice(list(Position.of(state).shifts()))
    reached = after.maze.reached(CARRIED[arrow][state.wizards[seat]])
    return MazeTurn(arrow, openings, rng.choice(places(reached)), take=False)
