"""What the bots of the simulated table choose. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, Literal

from companion.games.master.adviser.turns import Turn, best_against_reply, best_turn
from companion.games.master.components import FORMULAS
from companion.games.master.maze import ARROWS, CARRIED, ROTATIONS, letters, places
from companion.games.master.moves import Move, NoteFormula, Shift, Stay, Walk
from companion.games.master.state import State

Strength = Literal["novice", "player", "expert"]
"""How well a bot plays: overlooks half of the tokens; takes what a turn can; weighs the next player's reply."""
STRENGTHS: Final[tuple[Strength, ...]] = ("expert", "player", "novice", "player")
"""Strength of the bot at each seat."""
_OVERLOOKED: Final = 0.5
"""Fraction of tokens that a novice overlooks."""
_STAYING: Final = 0.2
"""Fraction of turns without a token in which a wizard stays."""


def turn_moves(state: State, seat: int, rng: random.Random) -> tuple[Shift, Walk | Stay]:
    """Return a bot's whole turn. Raises ValueError where no shift comes next."""
    strength = STRENGTHS[seat % len(STRENGTHS)]
    best = best_against_reply(state, seat) if strength == "expert" else best_turn(state, seat)
    (turn, *_), overlooked = best.turns, strength == "novice" and rng.random() < _OVERLOOKED
    if not turn.take or overlooked:
        turn = _wandering(state, seat, rng) if strength != "expert" or best.reply == 0 else turn
    shift = Shift(seat, turn.arrow, turn.openings)
    here = CARRIED[turn.arrow][state.wizards[seat]]
    return shift, Stay(seat) if turn.place == here else Walk(seat, turn.place, turn.take)


def noted_formula(state: State, seat: int, rng: random.Random) -> NoteFormula:
    """Return a formula card that no other player has."""
    others = {player.formula for player in state.players}
    return NoteFormula(seat, rng.choice([numbers for numbers in FORMULAS if numbers not in others]))


def choose(state: State, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
    """Return a bot's choice of what the camera cannot see: its formula card, staying, or any of the moves."""
    if state.players[seat].formula is None:
        return noted_formula(state, seat, rng)
    if state.phase == "walk":
        return Stay(seat)
    return rng.choice(list(moves))


def _wandering(state: State, seat: int, rng: random.Random) -> Turn:
    """Return a random turn that takes nothing."""
    if state.maze is None:
        raise ValueError("No shift comes next in this state.")
    arrow = rng.choice([arrow for arrow in ARROWS if arrow != state.closed])
    openings = rng.choice(ROTATIONS[state.maze.spare])
    here = CARRIED[arrow][state.wizards[seat]]
    reached = places(state.maze.shifted(arrow, openings).reached(here))
    lying = {CARRIED[arrow][place] for place in state.tokens if place >= 0}
    free = [place for place in reached if place not in lying] or [here]
    return Turn(arrow, letters(openings), here if rng.random() < _STAYING else rng.choice(free), take=False)
