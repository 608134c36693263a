"""Games at a table without a camera."""

from __future__ import annotations

import random

from companion.games.wicked.bots.random_moves import random_move
from companion.table import Table
from companion.table.running_game import RunningGame
from companion.table.views import SeatView

SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))


def game_of(table: Table) -> RunningGame:
    game = table.view.game
    assert game is not None
    return game


def to_souls(table: Table, seed: int = 4) -> None:
    rng = random.Random(seed)
    while game_of(table).state.phase != "soul":
        table.play(random_move(game_of(table).state, rng), game_of(table).number, "bot")
