"""Choices of the bots at the simulated table: turns, formula cards and what the camera cannot read. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from companion.games.master.adviser import bot_turns
from companion.games.master.adviser.bot_turns import Strength
from companion.games.master.components import FORMULAS
from companion.games.master.moves import Move, NoteFormula, Stay
from companion.games.master.state import MasterState

STRENGTHS: Final[tuple[Strength, ...]] = ("expert", "player", "novice", "player")
"""Strength of the bot at each seat."""


def turn_moves(state: MasterState, rng: random.Random) -> tuple[Move, ...]:
    """Return the moves of the next whole turn, with the use of a wand first, if any; empty if no shift is due."""
    if state.phase != "shift":
        return ()
    seats = [state.mover] if state.wand_of is None else [state.wand_of, state.mover]
    for seat in seats:
        if moves := bot_turns.choose(state, seat, STRENGTHS[seat], rng):
            return moves
    return ()


def noted_formula(state: MasterState, seat: int, rng: random.Random) -> NoteFormula:
    """Return the move that notes a random formula card which no other player has."""
    others = {player.formula for player in state.players}
    return NoteFormula(seat, rng.choice([numbers for numbers in FORMULAS if numbers not in others]))


def choose(state: MasterState, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
    """Return a move that no picture shows: noting its formula card, ending a turn, or a random one of the moves."""
    if state.players[seat].formula is None:
        return noted_formula(state, seat, rng)
    if state.phase == "walk":
        return Stay(seat)
    return rng.choice(list(moves))
