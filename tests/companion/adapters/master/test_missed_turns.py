"""What players missed is shown at a table once the game is over, and not before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters.master.missed_turns_service import MOST_MISSED, MasterServices
from companion.games.master.adviser.bot_turns import choose
from companion.games.master.components import FORMULAS
from companion.games.master.moves import EndGame, NoteFormula
from companion.games.master.rules.setup import MasterSetup
from companion.table import SavedGames, Table
from companion.table.views import Refused, SeatView

SEATS = (SeatView("Ada", "red"), SeatView("Bruno", "blue"))


@pytest.fixture(name="table")
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr("secrets.randbelow", lambda _: 5)  # the seed of the random board
    table = Table(SavedGames(tmp_path / "games"), MasterSetup(), game="master")
    table.start_game(SEATS, "hand")
    yield table
    table.close()


def play(table: Table, move: object) -> None:
    game = table.view.game
    assert game is not None
    table.play(move, game.number, "hand")


def services_of(table: Table) -> MasterServices:
    services = table.services("master")
    assert isinstance(services, MasterServices)
    return services


def test_nothing_is_shown_before_the_end_and_all_afterwards(table: Table) -> None:
    rng = random.Random(1)
    for _ in range(14):
        assert table.view.game is not None
        state = table.view.game.state
        for move in choose(state, state.mover, "novice", rng):
            play(table, move)
    with pytest.raises(Refused, match="when the game is over"):
        services_of(table).missed()
    play(table, EndGame())
    with pytest.raises(Refused, match="when the game is over"):
        services_of(table).missed()
    for seat in range(2):
        play(table, NoteFormula(seat, FORMULAS[seat]))
    view = services_of(table).missed()
    assert table.view.game is not None
    assert view.game == table.view.game.id
    assert 1 <= len(view.turns) <= MOST_MISSED
    assert [one.number for one in view.turns] == sorted(one.number for one in view.turns)
    assert services_of(table).missed() is view
