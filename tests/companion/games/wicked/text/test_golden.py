"""Recorded games are replayed from their text and described again, word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.companion.games.wicked.text.golden import moves_of, tell

FOLDER = Path(__file__).parents[4] / "golden"
GAMES = sorted(FOLDER.glob("wicked-*.txt"))


def test_there_are_golden_games_for_a_pile_and_for_a_real_table() -> None:
    headers = {path.read_text(encoding="utf-8").splitlines()[0] for path in GAMES}

    assert any("seed none" in header for header in headers)
    assert any("seed none" not in header for header in headers)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_goes_as_it_went(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()

    assert list(tell(lines[0], moves_of(lines))) == lines
