"""The soul phase at the simulated table: all bots move tokens on their boards at the same time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.wording import Line, say
from companion.director.bots import ConcurrentPhase
from companion.games.wicked import Move, apply
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.state import State


def _contains(state: State) -> bool:
    return state.phase == "soul"


def _unfinished(state: State) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(state.players) if not player.finished)


def _apply(state: State, move: Move) -> State:
    """Return the state after a move; a player who finishes is only marked, so that the round does not end."""
    if not isinstance(move, FinishSoul):
        return apply(state, move)
    players = list(state.players)
    players[move.player] = finish(players[move.player])
    return replace(state, players=tuple(players))


def _is_unmoved(state: State, later: State, seat: int) -> bool:
    return state.players[seat] == later.players[seat]


def _with_players(state: State, other: State, seats: Sequence[int]) -> State:
    players = tuple((other if seat in seats else state).players[seat] for seat in range(len(state.players)))
    return replace(state, players=players)


def _looks_alike(state: State, other: State, seat: int) -> bool:
    return state.players[seat].has_same_board_as(other.players[seat])


def _doing(name: str) -> Line:
    return say("{name} processes the souls.", name=name)


SOUL_PHASE: ConcurrentPhase[State, Move] = ConcurrentPhase(
    _contains, _unfinished, _apply, _is_unmoved, _with_players, _looks_alike, _doing
)
"""The soul phase."""
