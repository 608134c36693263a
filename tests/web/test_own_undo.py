"""What a player may take back: the own choices of the present phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.table.views import HistoryLine, Refused, TableView
from tests.web.conftest import SEATS
from tests.web.small_table import SmallTable
from web.channel import check_undo
from web.commands import Undo
from web.roles import HOST, PLAYER, Reader

LINES = (
    HistoryLine(2, "reveals", "reveal"),
    HistoryLine(3, "promotes in the round before", "promote", player=1),
    HistoryLine(4, "the next corridors are laid", "lay"),
    HistoryLine(5, "reveals", "reveal"),
    HistoryLine(6, "promotes", "promote", player=1),
    HistoryLine(7, "promotes, too", "promote", player=2),
)


@pytest.fixture(name="view")
def _view(table: SmallTable) -> TableView:
    table.start_game(SEATS)
    assert table.view.game is not None
    return replace(table.view, game=replace(table.view.game, number=7, history=LINES))


def undo(entry: int | None) -> Undo:
    return Undo(game="game-1", at=7, entry=entry)


def test_the_own_choice_is_taken_back_while_another_has_gone_on(view: TableView) -> None:
    check_undo(Reader(PLAYER, 1), undo(6), view)
    check_undo(Reader(PLAYER, 2), undo(None), view)


@pytest.mark.parametrize(("seat", "entry"), [(1, 7), (1, None), (1, 3), (1, 5), (1, 99), (0, 6)])
def test_nothing_else_is_taken_back_by_a_player(view: TableView, seat: int, entry: int | None) -> None:
    with pytest.raises(Refused) as refused:
        check_undo(Reader(PLAYER, seat), undo(entry), view)
    assert refused.value.code == "not_allowed"


def test_the_host_takes_anything_back(view: TableView) -> None:
    check_undo(Reader(HOST), undo(3), view)
