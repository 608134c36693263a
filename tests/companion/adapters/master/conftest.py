"""Running tables of Master Labyrinth, before and after the board is laid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.master.rules.setup import MasterSetup, new_game
from tests.companion.adapters.master.laid_table import LaidTable
from tests.companion.adapters.master.live_maze import LiveMaze


@pytest.fixture(name="live")
def _live(tmp_path: Path) -> Iterator[LiveMaze]:
    live = LiveMaze(tmp_path)
    yield live
    live.table.close()


@pytest.fixture(name="begun")
def _begun(live: LiveMaze) -> LiveMaze:
    live.lay(LaidTable.of(new_game(("red", "brown"), MasterSetup(7))))
    live.watch(5.0)
    assert live.state.phase == "shift"
    return live
