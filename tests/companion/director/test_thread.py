"""The thread that plays for the bots, where something unexpected happens in it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.director import Director
from companion.director.thread import DirectorThread
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.director.rehearsal import PLAYERS
from tests.waiting import eventually


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    yield table
    table.close()


def test_after_each_error_the_bots_are_paused_and_can_be_started_again(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    shown: list[object] = []
    broken = True

    def hidden_move(state: object, key: str) -> None:
        if broken:
            raise RuntimeError("a fault of the bots")

    director = Director(table, replace(BOTS, hidden_move=hidden_move), STANDIN, shown.append, seed=1)
    thread = DirectorThread(director, table.notice)
    table.director = director
    table.start_game(PLAYERS[:3], "demo")
    with caplog.at_level(logging.CRITICAL):
        thread.start()
        eventually(lambda: not director.view.running)
        assert [line for line in table.view.notices if "paused" in line]
        noticed = table.view.noticed
        director.run(True)
        eventually(lambda: not director.view.running)
        eventually(lambda: table.view.noticed == noticed + 1)
        broken = False
        scenes = len(shown)
        director.run(True)
        eventually(lambda: len(shown) > scenes + 2)
    assert director.view.running
    thread.close()
