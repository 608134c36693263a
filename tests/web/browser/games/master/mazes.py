"""Games of Master Labyrinth at a table, played on by code, for pages to show."""

from __future__ import annotations

from companion.games.master.adviser.turn_search import best_turn
from companion.games.master.moves import Shift, Stay, Walk
from companion.games.master.state import MasterState
from companion.table import Table
from companion.table.views import SeatView
from tests.companion.table.playing import game_of

SEATS = (
    SeatView("Ada", "red"),
    SeatView("Bruno", "brown"),
    SeatView("Chie", "blue"),
    SeatView("Dmitri", "white"),
)


def begin(table: Table, players: int = 4, **options: int) -> None:
    """Begin a game by hand with the first of `SEATS`."""
    table.start_game(SEATS[:players], "hand", None, "master", options)


def begin_with_camera(table: Table, players: int = 4, **options: int) -> None:
    """Begin a game that a camera reads."""
    table.switch_game("master", None)
    table.start_game(SEATS[:players], "camera", None, "master", options)


def state_of(table: Table) -> MasterState:
    state = game_of(table).state
    assert isinstance(state, MasterState)
    return state


def play_turns(table: Table, turns: int) -> None:
    """Play turns that take what can be taken."""
    for _ in range(turns):
        state = state_of(table)
        (turn,) = best_turn(state, state.mover).turns
        table.play(Shift(state.mover, turn.arrow, turn.openings), game_of(table).number)
        end = Walk(state.mover, turn.place, True) if turn.take else Stay(state.mover)
        table.play(end, game_of(table).number)
