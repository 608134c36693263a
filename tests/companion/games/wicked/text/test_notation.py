"""Moves are written and read as short lines."""

from __future__ import annotations

import pytest

from companion.games.wicked.text.notation import read_move, write_move

LINES = (
    "deal G01,G02/S03,S04 G05,G06/S01,S02 G07,G08/S05,S06",
    "lay C01 C02 C03 C04",
    "reveal 4s 0 2w 1ws",
    "0 colours rb",
    "0 keep rrggbb",
    "1 promote red low",
    "1 promote red middle for blue",
    "1 promotion red low",
    "1 promotion nothing",
    "1 change low red blue",
    "1 change nothing",
    "2 small S05",
    "2 small S05 colours r keep rrggbb lift red low for green",
    "2 great G01",
    "deal later 3",
    "lay C01 D1.2=rw/b D1.3=p/cy D1.4=/",
    "0 oracle G01",
    "0 oracle D5 great red blue",
    "0 oracle D6 small rl,bm gives wp",
    "2 done",
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_was_read_is_written_alike(line: str) -> None:
    assert write_move(read_move(line)) == line


NO_MOVES = [
    "",
    "dance",
    "x done",
    "0 dance",
    "0 colours rq",
    "0 promote red",
    "0 promote red low over blue",
    "0 small S01 because",
    "0 change low red",
    "reveal 4x",
    "deal G01",
]


def test_a_line_that_is_no_move_is_named(subtests: pytest.Subtests) -> None:
    for line in NO_MOVES:
        with subtests.test(f"{line!r:.60}"):
            with pytest.raises(ValueError, match="This line is not a move") as refused:
                read_move(line)

            assert repr(line) in str(refused.value)
