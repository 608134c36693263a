"""What a player may take back: their own choices of the present phase."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask import Flask

from companion.games.master.adviser.turn_search import best_turn
from companion.games.master.moves import Deal
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import HistoryLine, Refused
from tests.companion.table.playing import game_of
from tests.web.browser.games.master.mazes import begin, play_turns, state_of
from tests.web.commands import say
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable
from web.channel.commands import Undo
from web.channel.table_events import undone_entry
from web.people.access_control import AccessControl
from web.people.roles import HOST, PLAYER, Principal

LINES = (
    HistoryLine(2, "reveals", "reveal"),
    HistoryLine(3, "promotes in the round before", "promote", player=1),
    HistoryLine(4, "the next corridors are laid", "lay"),
    HistoryLine(5, "reveals", "reveal"),
    HistoryLine(6, "promotes", "promote", player=1),
    HistoryLine(7, "promotes, too", "promote", player=2),
)


def undo(entry: int | None) -> Undo:
    return Undo(game="game-1", at=7, entry=entry)


def test_the_own_choice_is_taken_back_while_another_has_gone_on() -> None:
    assert undone_entry(Principal(PLAYER, 1), undo(6), LINES) == 6


def test_the_latest_move_of_a_player_is_undone_but_no_correction_after_it() -> None:
    assert undone_entry(Principal(PLAYER, 2), undo(None), LINES) == 7


@pytest.mark.parametrize(("seat", "entry"), [(1, 7), (1, None), (1, 3), (1, 5), (1, 99), (0, 6)])
def test_nothing_else_is_taken_back_by_a_player(seat: int, entry: int | None) -> None:
    with pytest.raises(Refused) as refused:
        undone_entry(Principal(PLAYER, seat), undo(entry), LINES)
    assert refused.value.code == "not_allowed"


def test_the_host_takes_anything_back() -> None:
    assert undone_entry(Principal(HOST), undo(3), LINES) == 3
    assert undone_entry(Principal(HOST), undo(None), LINES) is None


def test_a_promise_that_was_paid_is_taken_back_by_a_host_alone(tmp_path: Path) -> None:
    with closing(Table(SavedGames(tmp_path), STANDIN)) as table:
        begin(table, 2)
        (turn,) = best_turn(state_of(table), 0).turns
        table.play(Deal(0, 1, None, turn.arrow, turn.openings, turn.place), 1)
        assert undone_entry(Principal(PLAYER, 0), undo(2), game_of(table).history) == 2
        play_turns(table, 1)
        with pytest.raises(Refused, match="Undo that first"):
            undone_entry(Principal(PLAYER, 0), undo(2), game_of(table).history)
        assert undone_entry(Principal(PLAYER, 0), undo(4), game_of(table).history) == 4
        play_turns(table, 1)
        with pytest.raises(Refused, match="moved on"):
            undone_entry(Principal(PLAYER, 0), undo(2), game_of(table).history)
        assert undone_entry(Principal(HOST), undo(2), game_of(table).history) == 2


def test_a_player_does_not_take_back_what_was_entered_meanwhile(
    app: Flask, table: SmallTable, screen: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start_game(SEATS)
    access: AccessControl = app.extensions["access"]
    phone = screen("192.168.1.5")
    assert say(phone, "take_seat", {"code": access.table_code, "game": "game-1", "seat": 0}) == {"ok": True}

    @contextmanager
    def after_another_move() -> Iterator[None]:
        with SmallTable.locked(table):
            table.play(Reveal((Hand(1), Hand(2), Hand(3), Hand(4))), 1)
            yield

    monkeypatch.setattr(table, "locked", after_another_move)
    answer = say(phone, "undo", {"game": "game-1", "at": 2})
    assert answer["error"]["code"] == "not_allowed"
    assert len(table.states) == 2


def test_a_place_that_is_taken_back_meanwhile_counts_no_more(
    app: Flask, table: SmallTable, screen: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start_game(SEATS)
    access: AccessControl = app.extensions["access"]
    phone = screen("192.168.1.5")
    assert say(phone, "pair", {"code": access.host_code}) == {"ok": True}
    (sid,) = access.principals()

    @contextmanager
    def after_the_withdrawal() -> Iterator[None]:
        with SmallTable.locked(table):
            access.withdraw(access.device_of(sid))
            yield

    monkeypatch.setattr(table, "locked", after_the_withdrawal)
    move = {"type": "reveal", "hands": [{"search": 1, "witch": 0, "soul": 0}] * 4}
    assert say(phone, "play", {"game": "game-1", "at": 1, "move": move})["error"]["code"] == "not_allowed"
    assert len(table.states) == 1
