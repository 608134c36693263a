"""The record of functions that make bots play Master Labyrinth at the simulated table, with drawn hands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from calibration.translatable import say
from companion.adapters.master.bots.choices import choose, turn_moves
from companion.adapters.master.bots.scenes import scene
from companion.adapters.master.bots.turn_animation import turn_staging
from companion.director.bot_interface import Bots, HiddenMove
from companion.games.game import OVER, IllegalMove
from companion.games.master.game import MASTER
from companion.games.master.moves import Move, Stay
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import MasterState
from companion.table.views import SeatView
from vision.cameras.simulated.scene import HandOnTable, Scene

SEATS = (SeatView("Ada", "red"), SeatView("Bruno", "blue"), SeatView("Chie", "white"))
"""Players of the demonstration, by seat."""


@lru_cache(maxsize=8)
def hidden_move(state: MasterState, key: str) -> HiddenMove[Move] | None:
    """Return the bots' next turn, with the animation of a hand that makes it, for the camera to read.

    None if no shift is due or the player has to note a formula card first. key: seed of the random choices. A final
    `Stay` is left out of the moves, since no picture shows it: bots enter it by `choose`.
    """
    if state.phase != "shift" or state.players[state.mover].formula is None:
        return None
    rng = random.Random(f"{key} {state.turns} {state.mover} {state.extra}")
    moves = turn_moves(state, rng)
    staging = turn_staging(state, moves)
    visible = moves[:-1] if isinstance(moves[-1], Stay) else moves
    return HiddenMove(visible, say("The spare tile is being pushed in."), staging=staging)


def is_entered(before: MasterState, moves: Sequence[Move], state: MasterState) -> bool:
    """Return whether a state is the result of these moves, formula cards aside.

    before: state before the moves. If the wizard may still move after them, the state after ending the turn without
    a move counts as well.
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
    """Return the first state of a demonstration, with a random board, and the moves before it: none.

    key: seed of the board.
    """
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
