from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Seat, Session

SEATS = (Seat("Ada", "purple"), Seat("Bo", "green"), Seat("Cy", "red"))

NewGame: TypeAlias = Callable[..., Session]


@pytest.fixture
def new_game(tmp_path: Path) -> Iterator[NewGame]:
    """Start games for three in `tmp_path`, closed when the test ends."""
    sessions = []

    def start(name: str = "friday", seed: int | None = 5) -> Session:
        session = Session.create(tmp_path / f"{name}.journal", WICKED, SEATS, WickedSetup(STANDIN, seed))
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.close()
