from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.session.errors import NotAJournal
from companion.session.journal import Journal

IMPOSSIBLE = 300 * "x"
"""A name that is too long for a file."""


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_game_with_an_impossible_name_is_reported_in_one_line(tmp_path: Path) -> None:
    done = _run("game", "export", IMPOSSIBLE, "-o", tmp_path / "game.zip")
    assert done.exit_code == 3
    assert done.stderr == "There is no saved game of that name. Choose one of the list.\n"
    with pytest.raises(NotAJournal):
        Journal.open(tmp_path / IMPOSSIBLE)


def test_a_home_with_an_impossible_name_has_no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", IMPOSSIBLE)
    done = _run("game", "list")
    assert (done.exit_code, done.stderr) == (0, "No games are saved yet.\n")
    assert _run("game", "export", "a", "-o", "game.zip").exit_code == 3
