"""What was undone is not entered by itself again, whatever it was read from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from companion.games.game import Stage
from companion.session import Played, Undone
from companion.table.proposal_and_comparison import repeats_undone

NOW = datetime(2026, 11, 26, tzinfo=UTC)
STAGE = Stage("search", 1)


def played(number: int, move: str) -> Played[str]:
    return Played(number, NOW, STAGE, move, "camera")


def undone(number: int, entry: int) -> Undone:
    return Undone(number, NOW, STAGE, entry)


def owner(move: str) -> int | None:
    """Return the seat of "0 promote"; None for moves of all together."""
    return int(move[0]) if move[0].isdigit() else None


@pytest.mark.parametrize(
    ("entries", "moves", "expected"),
    [
        ([played(2, "reveal a")], ["reveal a"], False),
        ([played(2, "reveal a"), undone(3, 2)], ["reveal a"], True),
        ([played(2, "reveal a"), undone(3, 2)], ["reveal b"], False),
        ([played(2, "reveal a"), undone(3, 2), played(4, "reveal b")], ["reveal a"], False),
        ([played(2, "a"), played(3, "b"), undone(4, 3), undone(5, 2)], ["a"], True),
        ([played(2, "a"), undone(3, 2), undone(4, 3)], ["a"], False),  # the undo was undone
        ([played(2, "0 promote"), undone(3, 2)], ["1 finish", "0 finish"], True),  # the same player moves again
        ([played(2, "0 promote"), undone(3, 2)], ["1 finish"], False),
    ],
)
def test_moves_bring_back_what_was_undone_since_the_last_move(
    entries: list[Played[str] | Undone], moves: list[str], expected: bool
) -> None:
    # Entry 1 is the start of the game.
    assert repeats_undone([played(1, "start"), *entries], moves, owner) is expected
