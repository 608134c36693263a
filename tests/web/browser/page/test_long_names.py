"""Names of twenty wide letters, the longest that are accepted, break in their lines and widen no page."""

from __future__ import annotations

import random

import pytest

from companion.games.wicked.bots.random_moves import random_move
from companion.table import Table
from companion.table.views import SeatView
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import play_turns
from tests.web.browser.looking import PHONE, TABLET, look

pytestmark = pytest.mark.browser

NAMES = ("W" * 20, "M" * 20, "WM" * 10, "MW" * 10)
SCREENS = ("table", "boards", "scores", "history")


def seats(*figures: str) -> list[SeatView]:
    return [SeatView(name, figure) for name, figure in zip(NAMES, figures, strict=True)]


def test_a_game_of_the_wicked_labyrinth_to_its_scoring(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(seats("purple", "green", "red", "black"), "hand")
    address, dice = serve(table), random.Random(3)
    for phase in ("search", "soul", "over"):
        while game_of(table).state.phase != phase:
            table.play(random_move(game_of(table).state, dice), game_of(table).number)
        for screen in SCREENS:
            page = visit(f"{address}#{screen}")
            look(page, f"wide-names-{phase}-{screen}", (TABLET, PHONE))
            page.close()


def test_a_game_of_master_labyrinth(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(seats("red", "brown", "blue", "white"), "hand", None, "master")
    play_turns(table, 6)
    address = serve(table)
    for screen in SCREENS:
        look(visit(f"{address}#{screen}"), f"wide-names-master-{screen}", (TABLET, PHONE))
