"""The bots of Master Labyrinth at the simulated table: turns that hands make, read from pictures alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from calibration.translatable import say
from companion.adapters.master.bots.choices import choose, turn_moves
from companion.adapters.master.bots.scenes import scene
from companion.adapters.master.bots.staging import turn_staging
from companion.director.bots import Bots, HiddenMove
from companion.games.game import OVER, IllegalMove
from companion.games.master.game import MASTER
from companion.games.master.moves import Move, Stay
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from companion.table.views import SeatView
from vision.cameras.simulated.scene import HandOnTable, Scene

SEATS = (SeatView("Ada", "red"), SeatView("Bruno", "blue"), SeatView("Chie", "white"))
"""Players of the demonstration; each plays with another strength."""


@lru_cache(maxsize=8)
def hidden_move(state: MasterState, key: str) -> HiddenMove[Move] | None:
    """Return what can be seen of the next turn, once its formula card is noted; None where bots choose instead.

    That a wizard stays cannot be seen: it is a choice.
    """
    if state.phase != "shift" or state.players[state.mover].formula is None:
        return None
    rng = random.Random(f"{key} {state.turns} {state.mover} {state.extra}")
    moves = turn_moves(state, rng)
    staging = turn_staging(state, moves)
    visible = moves[:-1] if isinstance(moves[-1], Stay) else moves
    return HiddenMove(visible, say("The spare tile is being pushed in."), staging=staging)


def is_entered(before: MasterState, moves: Sequence[Move], state: MasterState) -> bool:
    """Return whether a state is what these moves lead to; noted formula cards do not matter.

    A wizard that has not moved may have ended its turn: nobody can see whether it has.
    """
    expected = before
    try:
        for move in moves:
            expected = apply(expected, move)
    except IllegalMove:
        return False
    ends = [expected, apply(expected, Stay(expected.mover))] if expected.phase == "walk" else [expected]
    return _without_formulas(state) in map(_without_formulas, ends)


def opening(_: object, key: str) -> tuple[MasterState, tuple[Move, ...]]:
    """Return the first state of a demonstration, whose board is laid by this key; no moves lead to it."""
    seed = random.Random(f"{key} board").randrange(1 << 32)
    return new_game([seat.figure for seat in SEATS], MasterSetup(seed=seed)), ()


def _without_formulas(state: MasterState) -> MasterState:
    return replace(state, players=tuple(replace(player, formula=None) for player in state.players))


def _is_over(state: MasterState) -> bool:
    return state.phase == OVER


def _scene(state: MasterState, shown: Move | None, laid: int, hands: tuple[HandOnTable, ...]) -> Scene:
    return scene(state, hands)


BOTS: Bots[MasterState, Move] = Bots(
    game=MASTER,
    seats=SEATS,
    opening=opening,
    demonstration_over=_is_over,
    hidden_move=hidden_move,
    is_entered=is_entered,
    choose=choose,
    scene=_scene,
    demonstrated=say("That was a whole game."),
)
"""The bots of Master Labyrinth."""
