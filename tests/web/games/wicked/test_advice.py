"""Hints and the reminder over the live channel: who may choose, who may ask, and what everybody receives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_socketio import SocketIOTestClient

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.table.playing import game_of, to_souls
from tests.web.commands import say
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable
from web import create_app


@pytest.fixture(name="real")
def _real(tmp_path: Path) -> Iterator[Table]:
    """A real table in the soul phase."""
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game(SEATS)
    to_souls(table)
    yield table
    table.close()


@pytest.fixture(name="app")
def _app(real: Table) -> Flask:
    return create_app(real, secret="for tests only")


@pytest.fixture(name="host")
def _host(screen: Connect) -> SocketIOTestClient:
    return screen()


@pytest.fixture(name="player")
def _player(app: Flask, screen: Connect, real: Table) -> SocketIOTestClient:
    """The phone of seat 1."""
    phone = screen("192.168.1.5")
    code = app.extensions["access"].table_code
    assert say(phone, "take_seat", {"code": code, "game": game_of(real).id, "seat": 1}) == {"ok": True}
    phone.get_received()
    return phone


def about(table: Table, seat: int) -> dict[str, Any]:
    return {"game": game_of(table).id, "seat": seat}


def wish(table: Table, *, hints: bool = False, reminders: bool = True) -> dict[str, Any]:
    return {"game": game_of(table).id, "hints": hints, "reminders": reminders}


def heard(screen: SocketIOTestClient, name: str) -> list[dict[str, Any]]:
    return [message["args"][0] for message in screen.get_received() if message["name"] == name]


def test_hints_are_refused_until_the_host_has_them_on(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    for asking, seat in ((host, 0), (player, 1)):
        refused = say(asking, "hint", about(real, seat))["error"]
        assert refused["code"] == "not_now"
        assert refused["message"] == "Hints are off at this table. The host can switch them on under More."
    assert say(player, "choose_settings", wish(real, hints=True))["error"]["code"] == "not_allowed"
    assert say(host, "choose_settings", wish(real, hints=True)) == {"ok": True}
    hint = say(player, "hint", about(real, 1))["result"]
    assert hint["line"]
    assert {"move", "text"} == set(hint["steps"][0])
    assert say(host, "choose_settings", wish(real)) == {"ok": True}
    assert say(player, "hint", about(real, 1))["error"]["code"] == "not_now"


def test_a_player_asks_about_the_own_board_only_and_who_looks_on_about_none(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient, screen: Connect
) -> None:
    say(host, "choose_settings", wish(real, hints=True))
    spectator = screen("192.168.1.6")
    for event in ("hint", "forgotten"):
        assert say(player, event, about(real, 0))["error"]["code"] == "not_allowed"
        assert say(spectator, event, about(real, 0))["error"]["code"] == "not_allowed"
        assert say(player, event, about(real, 1))["ok"]
        assert say(host, event, about(real, 0))["ok"]
        assert say(host, event, {"game": "another", "seat": 0})["error"]["code"] == "stale"
        assert say(host, event, {**about(real, 0), "seat": -1})["error"]["code"] == "bad_request"
        assert say(host, event, about(real, 9))["error"]["code"] == "bad_request"


def test_everybody_is_notified_that_hints_are_on(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    number = game_of(real).number
    say(host, "choose_settings", wish(real, hints=True))
    (notice,) = heard(player, "told")
    assert notice["message"].startswith("The host turned hints on")
    say(player, "refresh")
    assert heard(player, "table")[-1]["settings"] == {"hints": True, "reminders": True, "way": "camera"}
    say(host, "choose_settings", wish(real, hints=True, reminders=False))
    assert heard(player, "told") == []  # nothing that concerns the others
    assert game_of(real).number == number


def test_the_reminder_names_only_what_is_the_players(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    left = say(player, "forgotten", about(real, 1))["result"]
    assert all(move["player"] == 1 for move in left["moves"])
    assert bool(left["line"]) == bool(left["moves"])
    say(host, "choose_settings", wish(real, reminders=False))
    assert say(player, "forgotten", about(real, 1))["result"] == {"moves": [], "line": ""}


MALFORMED = [
    ("hint", {"game": "x"}),
    ("hint", {"game": "x", "seat": "0"}),
    ("hint", {"game": "x", "seat": 0, "more": 1}),
    ("forgotten", {"seat": 10**9, "game": "x"}),
    ("choose_settings", {"game": "x", "hints": 1, "reminders": True}),
    ("choose_settings", {"game": "x", "hints": True}),
    ("choose_settings", {"game": "", "hints": True, "reminders": True}),
]


def test_malformed_questions_are_refused(host: SocketIOTestClient, subtests: pytest.Subtests) -> None:
    for event, payload in MALFORMED:
        with subtests.test(f"{event!r:.60} {payload!r:.60}"):
            assert say(host, event, payload)["error"]["code"] == "bad_request"


def test_a_table_without_an_adviser_says_so(table: SmallTable) -> None:
    table.start_game(SEATS)
    app = create_app(table, secret="for tests only")
    client = app.extensions["socketio"].test_client(app, flask_test_client=app.test_client())
    assert "no hints" in say(client, "hint", {"game": "game-1", "seat": 0})["error"]["message"]
    client.disconnect()
