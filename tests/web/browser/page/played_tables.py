"""Tables at which a game of The Wicked Labyrinth is under way, with something to see on every screen."""

from __future__ import annotations

import random

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.table import Table
from companion.table.views import SeatView
from tests.companion.adapters.wicked.services import services_of

SEATS = (
    SeatView("Ada", "purple"),
    SeatView("Bruno", "green"),
    SeatView("Chie", "red"),
    SeatView("Maximiliana-Josephin", "black"),
)


def played_to(table: Table, state: str) -> None:
    """Bring a new game to where there is something on every screen."""
    if state == "none":
        return
    table.start_game(SEATS)
    rng = random.Random(4)
    while (game := table.view.game) is not None and not (
        game.state.phase == state and (state != "search" or (game.state.round, game.state.corridor) == (2, 2))
    ):
        table.play(random_move(game.state, rng), game.number, "bot")


def counted_to(table: Table, state: str) -> None:
    """Put boards on the table's scoring screen: one half filled in, or all of them."""
    if state not in ("soul", "over"):
        return
    services_of(table).scoring.set_players(3)
    for colour in PLAYER_COLOURS[: {"soul": 2, "over": 3}[state]]:
        services_of(table).scoring.begin_by_hand(colour)
        board = services_of(table).scoring.view.boards[-1].id
        services_of(table).scoring.set_token(board, "middle", 2, "blue")
        services_of(table).scoring.set_count(board, "impurity", 3)
        if state == "over":
            services_of(table).scoring.confirm(board, "board:0")
