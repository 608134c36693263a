"""A game's package is found by its id; what a game lacks means that it is entered by hand."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.profile import TableProfile
from companion.adapters import adapter, game_module
from companion.cli import main
from companion.cli.frame_source import simulated_feed
from companion.director.bot_interface import bots
from companion.games import GAMES, UnknownGame, added, game
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.game_adapter import Situation, StillReadings
from tests.games.pebbles.game import PEBBLES, Setup
from tests.games.samples import SAMPLES, random_game, steps_of


@pytest.fixture(name="pebbles", autouse=True)
def _pebbles() -> Iterator[None]:
    with added(PEBBLES):
        yield


@pytest.mark.parametrize("id", GAMES)
def test_every_registered_game_has_an_adapter_of_its_own_rules(id: str) -> None:
    assert adapter(id).game is game(id)
    assert game_module(id, "bots") is None or bots(id).game is game(id)


def test_a_game_without_an_adapter_is_entered_by_hand(seed: int) -> None:
    found = adapter("pebbles")
    assert found.game is PEBBLES
    assert (found.hands_reader, found.rest_reader, found.whole_table) == (None, None, None)
    assert found.components(TableProfile(4)) == Setup()
    for step in steps_of(PEBBLES, random_game(SAMPLES["pebbles"], random.Random(seed))):
        assert found.request(step.before).wanted is None
        situation = Situation(step.before, ("Ada", "Bruno"), lambda point: 0)
        assert found.interpret(situation, StillReadings()).proposal is None
    with pytest.raises(UnknownGame):
        adapter("chess")


def test_names_that_are_no_folder_of_a_game_find_nothing() -> None:
    assert game_module("pebbles", "commands") is None
    assert game_module("wicked", "nothing.here") is None
    assert game_module("..", "commands") is None
    with pytest.raises(LookupError, match="pebbles has no bots"):
        bots("pebbles")


def test_a_game_without_bots_is_served_without_a_camera(tmp_path: Path) -> None:
    setup, make = simulated_feed(None, None, "pebbles")
    assert setup == Setup()
    with closing(Table(SavedGames(tmp_path), STANDIN)) as table:
        feed = make(table)
        feed.start()
        assert table.view.camera.message.startswith("No camera reads this game.")
        assert table.director is None
        feed.close()


SERVED_BY_HAND = """
import sys
from pathlib import Path
from companion.cli.frame_source import simulated_feed
from companion.games import added
from companion.table import SavedGames, Table
from tests.games.pebbles.game import PEBBLES
with added(PEBBLES):
    setup, make = simulated_feed(None, None, "pebbles")
    table = Table(SavedGames(Path(sys.argv[1])), setup, game="pebbles")
    make(table).start()
    table.close()
print(*sorted(sys.modules), sep="\\n")
"""


def test_a_game_that_no_camera_reads_loads_no_networks_and_no_other_game(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVED_BY_HAND, str(tmp_path)]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert "companion.table.table" in loaded
    unneeded = ("openvino", "vision.cameras.simulated", "companion.director.simulated_table")
    others = ("companion.adapters.wicked.", "companion.games.wicked.", "calibration.games.wicked.")
    assert [name for name in loaded if name in unneeded or name.startswith(others)] == []


@pytest.mark.parametrize(
    ("options", "code", "line"),
    [
        (["--game", "chess"], 2, "There is no game “chess”. Choose one of these: wicked, master, pebbles."),
        (["--game", "pebbles", "--camera", "0", "--profile", "x"], 3, "pebbles is entered by hand"),
    ],
)
def test_a_game_that_cannot_be_served_is_refused_in_one_line(
    options: list[str], code: int, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    result = CliRunner().invoke(main, ["serve", *options])
    assert result.exit_code == code
    assert line in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["--help"], "score      Score a finished game from pictures."),
        (["read", "--help"], "corridors  Read every card on the table."),
        (["read", "reveal", "--help"], "Read every hand with its seat and pieces."),
        (["enrol", "--help"], "tokens  Enrol Master Labyrinth's tokens."),
        (["read", "nothing"], "No such command 'nothing'"),
        (["print", "--help"], "{calibration|deck|boards|master|master-a3}"),
    ],
)
def test_games_add_commands_and_sheets(command: list[str], line: str) -> None:
    assert line in CliRunner().invoke(main, command).output
