"""The adapter of Pebbles: nothing is read, but proposed moves are previewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.game import OVER, Viewer
from companion.table.game_adapter import Adapter, by_hand
from tests.games.pebbles.game import PEBBLES, Move, State, apply, phase, view


def preview(state: State, moves: Sequence[Move], viewer: Viewer) -> State:
    """Return the state after proposed moves with the numbers that the viewer may know now. Raises IllegalMove."""
    after = state
    for move in moves:
        after = apply(after, move)
    shown = view(after, viewer)
    if phase(after) == OVER:  # the last pebble would disclose the numbers before it is taken
        return replace(shown, hidden=view(state, viewer).hidden)
    return shown


ADAPTER: Adapter[State, Move] = replace(by_hand(PEBBLES), preview=preview)
"""The record."""
