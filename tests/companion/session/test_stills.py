"""The frames that a move was read from are kept with it, and files from before there were any still open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.games.wicked.moves import Hand, Reveal
from companion.session import Session, UnwritableJournal
from tests.companion.session.conftest import NewGame

MOVE = Reveal((Hand(1), Hand(2), Hand(0)))


def test_the_frames_of_a_move_are_kept_with_it_by_name(new_game: NewGame) -> None:
    session = new_game()
    session.play(MOVE, source="camera", evidence=b"drawn", stills={"frame-1": b"one", "background": b"empty"})
    session.play(MOVE)
    assert session.stills(2) == {"background": b"empty", "frame-1": b"one"}
    assert session.stills(3) == {}
    assert session.stills(99) == {}
    session.close()
    with Session.open(session.path, read_only=True) as again:
        assert again.stills(2) == {"background": b"empty", "frame-1": b"one"}


def test_frames_are_never_rewritten_nor_added_later(new_game: NewGame) -> None:
    session = new_game()
    session.play(MOVE, stills={"frame-1": b"one"})
    session.play(MOVE)
    session.close()
    with sqlite3.connect(session.path) as connection:
        for statement in (
            "UPDATE still SET picture = x'00'",
            "DELETE FROM still",
            "INSERT INTO still VALUES (2, 'frame-2', x'00')",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
    connection.close()


def _as_before_there_were_stills(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE still")
    connection.close()


def test_a_game_from_before_there_were_frames_is_read_and_goes_on(new_game: NewGame) -> None:
    session = new_game()
    session.play(MOVE, evidence=b"drawn")
    session.close()
    _as_before_there_were_stills(session.path)
    with Session.open(session.path, read_only=True) as looked_at:
        assert (looked_at.evidence(2), looked_at.stills(2)) == (b"drawn", {})
        with pytest.raises(UnwritableJournal):
            looked_at.play(MOVE)
    with Session.open(session.path) as again:
        again.play(MOVE, stills={"frame-1": b"one"})
        assert again.stills(3) == {"frame-1": b"one"}
