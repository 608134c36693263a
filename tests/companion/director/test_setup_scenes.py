"""The simulated table shows what a setup step asks for, and the game again when that is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.games.wicked.kit import KIT
from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.director import Director
from companion.director.setup_scenes import setup_scene, sheet_scene
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import Refused
from vision.cameras.grabber import GrabStatus
from vision.cameras.simulated.scene import Scene


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.update_camera_status(GrabStatus("running"))
    yield table
    table.close()


def test_a_setup_scene_is_shown_until_the_step_is_over(table: Table) -> None:
    shown: list[Scene] = []
    director = Director(table, BOTS, STANDIN, shown.append, seed=1)
    director.tick()
    at_rest = shown[-1]
    table.pause_for_setup(True)
    director.lay_out("sheet")
    director.tick()
    assert shown[-1] == sheet_scene()
    director.lay_out("search:red")
    director.tick()
    assert {piece.kind for piece in shown[-1].pieces} == {"search:red"}
    director.lay_out(None)
    director.tick()
    assert shown[-1] == at_rest
    director.lay_out("sheet")
    table.pause_for_setup(False)
    director.tick()
    assert shown[-1] == at_rest


@pytest.mark.parametrize("kind", KIT.kinds)
def test_pieces_lie_otherwise_each_time_and_apart_from_each_other(kind: str) -> None:
    one, other = setup_scene(KIT, kind, 1), setup_scene(KIT, kind, 2)
    assert one != other
    places = [(piece.pose.x, piece.pose.y) for piece in one.pieces]
    assert len(places) == 8
    near = min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for i, a in enumerate(places) for b in places[i + 1 :])
    assert near > 30.0**2


@pytest.mark.parametrize("what", ["token:7", "box:purple-green", "box:red-red-red", "box:red-white-blue"])
def test_what_is_not_in_the_box_of_the_game_is_refused(table: Table, what: str) -> None:
    director = Director(table, BOTS, STANDIN, lambda scene: None, seed=1)
    with pytest.raises(Refused, match="not in the box of this game"):
        director.lay_out(what)
