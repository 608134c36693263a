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
    """Return the moves of the bots' next whole turn; empty if no shift is due.

    They begin with the use of a wand if a bot takes a second turn.
    """
    if state.phase != "shift":
        return ()
    seats = [state.mover] if state.wand_of is None else [state.wand_of, state.mover]
    for seat in seats:
        if moves := bot_turns.choose(state, seat, STRENGTHS[seat], rng):
            return moves
    return ()


def noted_formula(state: MasterState, seat: int, rng: random.Random) -> NoteFormula:
    """Return the move by which a player notes a random formula card that no other player has."""
    others = {player.formula for player in state.players}
    return NoteFormula(seat, rng.choice([numbers for numbers in FORMULAS if numbers not in others]))


def choose(state: MasterState, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
    """Return a bot's next move that no picture shows.

    It notes its formula card if it has none, or ends its turn without moving the wizard, or makes a random one of
    the moves. moves: legal moves of the seat.
    """
    if state.players[seat].formula is None:
        return noted_formula(state, seat, rng)
    if state.phase == "walk":
        return Stay(seat)
    return rng.choice(list(moves))
