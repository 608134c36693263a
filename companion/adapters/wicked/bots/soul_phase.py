"""The soul phase at the simulated table: all bots move tokens on their boards at the same time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.translatable import Line, say
from companion.director.bot_interface import ConcurrentPhase
from companion.games.wicked import Move, apply
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.state import WickedState


def _contains(state: WickedState) -> bool:
    return state.phase == "soul"


def _unfinished(state: WickedState) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(state.players) if not player.finished)


def _apply(state: WickedState, move: Move) -> WickedState:
    """Return the state after a move; a player who finishes is only marked, so that the round does not end."""
    if not isinstance(move, FinishSoul):
        return apply(state, move)
    players = list(state.players)
    players[move.player] = finish(players[move.player])
    return replace(state, players=tuple(players))


def _is_unmoved(state: WickedState, later: WickedState, seat: int) -> bool:
    return state.players[seat] == later.players[seat]


def _with_players(state: WickedState, other: WickedState, seats: Sequence[int]) -> WickedState:
    """Return the state with the players at some seats taken from another state."""
    players = tuple((other if seat in seats else state).players[seat] for seat in range(len(state.players)))
    return replace(state, players=players)


def _looks_alike(state: WickedState, other: WickedState, seat: int) -> bool:
    return state.players[seat].has_same_board_as(other.players[seat])


def _doing(name: str) -> Line:
    return say("{name} processes the souls.", name=name)


SOUL_PHASE: ConcurrentPhase[WickedState, Move] = ConcurrentPhase(
    _contains, _unfinished, _apply, _is_unmoved, _with_players, _looks_alike, _doing
)
"""The soul phase."""
