"""Whole games of bots."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.games.game import Step
from companion.games.master.adviser.bot_turns import Strength, choose
from companion.games.master.components import COLOURS, FORMULAS
from companion.games.master.moves import Move, NoteFormula, acting_player
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState

MOST_TURNS = 400
"""Turns after which a game is scored as it stands."""


def bot_game(seed: int, strengths: Sequence[Strength], *, noted: bool = True) -> list[Step[MasterState, Move]]:
    """Return the steps of a game; every move is one that the rules list.

    noted: whether formula cards are noted before the first turn; otherwise after the last one.
    """
    rng = random.Random(seed)
    state = new_game(COLOURS[: len(strengths)], MasterSetup(seed, first=seed % len(strengths)))
    cards = [NoteFormula(seat, numbers) for seat, numbers in enumerate(rng.sample(FORMULAS, len(strengths)))]
    steps: list[Step[MasterState, Move]] = []

    def play(moves: Sequence[Move]) -> None:
        nonlocal state
        for move in moves:
            seat = acting_player(move)
            assert seat is not None
            assert move in player_moves(state, seat)
            after = apply(state, move)
            steps.append(Step(len(steps) + 2, move, state, after))
            state = after

    play(cards if noted else ())
    for _ in range(MOST_TURNS):
        if state.phase != "shift":
            break
        wand = state.wand_of
        moves = () if wand is None else choose(state, wand, strengths[wand], rng)
        play(moves or choose(state, state.mover, strengths[state.mover], rng))
    play(() if noted else cards)
    return steps
