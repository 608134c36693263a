"""Hints and reminders over the live channel: who may switch them, and who may ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_socketio import SocketIOTestClient

from companion.games.wicked.standin import STANDIN
from companion.table import SavedGames, Table
from tests.companion.table.test_advising import to_souls
from tests.web.channel_client import game_of, send
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable
from web import create_app


@pytest.fixture(name="real")
def _real(tmp_path: Path) -> Iterator[Table]:
    """Return a real table in the soul phase."""
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
    """Return the phone of the player at seat 1."""
    phone = screen("192.168.1.5")
    code = app.extensions["door"].table_code
    assert send(phone, "take_seat", {"code": code, "game": game_of(real).id, "seat": 1}) == {"ok": True}
    phone.get_received()
    return phone


def about(table: Table, seat: int) -> dict[str, Any]:
    return {"game": game_of(table).id, "seat": seat}


def settings(table: Table, *, hints: bool = False, reminders: bool = True) -> dict[str, Any]:
    return {"game": game_of(table).id, "hints": hints, "reminders": reminders}


def received(screen: SocketIOTestClient, name: str) -> list[dict[str, Any]]:
    return [message["args"][0] for message in screen.get_received() if message["name"] == name]


def test_hints_are_refused_until_the_host_switches_them_on(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    for asking, seat in ((host, 0), (player, 1)):
        refused = send(asking, "hint", about(real, seat))["error"]
        assert refused["code"] == "not_now"
        assert refused["message"] == "Hints are off at this table. The host can switch them on under More."
    assert send(player, "choose_settings", settings(real, hints=True))["error"]["code"] == "not_allowed"
    assert send(host, "choose_settings", settings(real, hints=True)) == {"ok": True}
    hint = send(player, "hint", about(real, 1))["result"]
    assert hint["line"]
    assert {"move", "text"} == set(hint["steps"][0])
    assert send(host, "choose_settings", settings(real)) == {"ok": True}
    assert send(player, "hint", about(real, 1))["error"]["code"] == "not_now"


def test_a_player_asks_about_their_own_board_only_and_a_spectator_about_none(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient, screen: Connect
) -> None:
    send(host, "choose_settings", settings(real, hints=True))
    spectator = screen("192.168.1.6")
    for event in ("hint", "forgotten"):
        assert send(player, event, about(real, 0))["error"]["code"] == "not_allowed"
        assert send(spectator, event, about(real, 0))["error"]["code"] == "not_allowed"
        assert send(player, event, about(real, 1))["ok"]
        assert send(host, event, about(real, 0))["ok"]
        assert send(host, event, {"game": "another", "seat": 0})["error"]["code"] == "stale"
        assert send(host, event, {**about(real, 0), "seat": -1})["error"]["code"] == "bad_request"
        assert send(host, event, about(real, 9))["error"]["code"] == "bad_request"


def test_every_screen_is_notified_that_hints_are_on(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    number = game_of(real).number
    send(host, "choose_settings", settings(real, hints=True))
    (notice,) = received(player, "told")
    assert notice["message"].startswith("The host has switched hints on")
    send(player, "refresh")
    assert received(player, "table")[-1]["settings"] == {"hints": True, "reminders": True, "way": "camera"}
    send(host, "choose_settings", settings(real, hints=True, reminders=False))
    assert received(player, "told") == []  # a switched reminder does not concern players
    assert game_of(real).number == number


def test_the_reminder_lists_only_the_players_own_moves(
    real: Table, host: SocketIOTestClient, player: SocketIOTestClient
) -> None:
    left = send(player, "forgotten", about(real, 1))["result"]
    assert all(move["player"] == 1 for move in left["moves"])
    assert bool(left["line"]) == bool(left["moves"])
    send(host, "choose_settings", settings(real, reminders=False))
    assert send(player, "forgotten", about(real, 1))["result"] == {"moves": [], "line": ""}


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("hint", {"game": "x"}),
        ("hint", {"game": "x", "seat": "0"}),
        ("hint", {"game": "x", "seat": 0, "more": 1}),
        ("forgotten", {"seat": 10**9, "game": "x"}),
        ("choose_settings", {"game": "x", "hints": 1, "reminders": True}),
        ("choose_settings", {"game": "x", "hints": True}),
        ("choose_settings", {"game": "", "hints": True, "reminders": True}),
    ],
    ids=json.dumps,
)
def test_malformed_questions_are_refused(host: SocketIOTestClient, event: str, payload: dict[str, Any]) -> None:
    assert send(host, event, payload)["error"]["code"] == "bad_request"


def test_a_table_without_an_adviser_refuses(table: SmallTable) -> None:
    table.start_game(SEATS)
    app = create_app(table, secret="for tests only")
    client = app.extensions["socketio"].test_client(app, flask_test_client=app.test_client())
    assert "no advice" in send(client, "hint", {"game": "game-1", "seat": 0})["error"]["message"]
    client.disconnect()
