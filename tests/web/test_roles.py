"""Access control: every event and every route, with every role."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO, SocketIOTestClient
from pydantic import TypeAdapter

from companion.games.wicked.bots import random_move
from companion.games.wicked.moves import Move, chooser
from tests.web.channel_client import reveal, send, state_of
from tests.web.conftest import SEATS, Connect, browser_at
from tests.web.small_table import SmallTable
from web.people.access import AccessControl
from web.people.roles import HOST, PLAYER, ROLES, SPECTATOR, Role
from web.people.security import PAGE_HEADER, roles_of

_MOVE: TypeAdapter[Move] = TypeAdapter(Move)

# All others are for hosts only: a new one is closed to others until it is listed here.
OPEN_EVENTS = {"connect", "disconnect", "refresh", "take_seat", "pair", "step_back", "keep_table"}
PLAYERS_EVENTS = {"play", "undo", "hint", "forgotten"}
OPEN_ROUTES = {
    "/",
    "/api/evidence/<int:entry>.jpg",
    "/api/proposal/<int:seat>.jpg",
    "/api/health",
    "/api/history/<id>",
    "/api/history/<id>/<int:place>",
    "/api/history/<id>/evidence/<int:entry>.jpg",
    "/api/scores.csv",
    "/api/scores.json",
    "/api/state",
    "/art/back/<kind>.svg",
    "/art/board/<colour>.svg",
    "/art/deck/<name>/<card>.svg",
    "/art/icon/<name>.svg",
    "/art/tile.svg",
    "/art/described/corridor/<upper>/<lower>.svg",
    "/art/described/great/<colours>.svg",
    "/art/described/small/<needs>/<reward>.svg",
    "/icon-<int:size>.png",
    "/manifest.webmanifest",
    "/not-reached",
    "/service-worker.js",
    "/static/<version>/<path:filename>",
    "/version",
    "/words/<language>-<mark>.js",
}
PLAYERS_ROUTES = {"/api/options/<int:player>"}

LAN = "192.168.1.9"
OURS = {"Origin": "http://localhost", PAGE_HEADER: "1"}


@pytest.fixture(name="access")
def _access(app: Flask) -> AccessControl:
    access: AccessControl = app.extensions["door"]
    return access


class ConnectedBrowser(NamedTuple):
    """A connected screen and its browser."""

    screen: SocketIOTestClient
    browser: FlaskClient


As = Callable[[Role], ConnectedBrowser]


@pytest.fixture(name="as_")
def _as(app: Flask, screen: Connect, access: AccessControl, table: SmallTable) -> As:
    """Return a function that connects from another address in the network with a role; a player has seat 1."""
    table.start_game(SEATS)

    def come(role: Role) -> ConnectedBrowser:
        browser = browser_at(app, LAN)
        browser.get("/")
        client = screen(browser=browser)
        if role == HOST:
            assert send(client, "pair", {"code": access.host_code}) == {"ok": True}
        if role == PLAYER:
            access.free_seat("game-1", 1)
            assert send(client, "take_seat", {"code": access.table_code, "game": "game-1", "seat": 1}) == {
                "ok": True
            }
        client.get_received()
        return ConnectedBrowser(client, browser)

    return come


def events(app: Flask) -> set[str]:
    socketio: SocketIO = app.extensions["socketio"]
    return set(socketio.server.handlers["/"])


def allowed(name: str, open_: set[str], players: set[str]) -> frozenset[Role]:
    return frozenset(ROLES if name in open_ else (HOST, PLAYER) if name in players else (HOST,))


@pytest.mark.parametrize("role", ROLES)
def test_every_event_is_refused_to_roles_that_may_not_send_it(
    app: Flask, as_: As, role: Role, table: SmallTable
) -> None:
    """Every registered event is sent with an empty payload and with an unknown field."""
    assert events(app) >= OPEN_EVENTS | PLAYERS_EVENTS
    client = as_(role).screen
    for event in sorted(events(app) - {"connect", "disconnect", "step_back"}):
        before = table.view
        for payload in (None, {"nonsense": 1}):
            answer = send(client, event, payload)
            if role not in allowed(event, OPEN_EVENTS, PLAYERS_EVENTS):
                assert answer["error"]["code"] == "not_allowed", f"{event} is open to a {role}"
                assert table.view is before, f"{event} of a {role} changed something"
            elif payload is not None:
                assert answer["error"]["code"] == "bad_request", f"{event} of a {role} accepts an unknown field"


def routes(app: Flask) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield each route: its rule, an address that matches it, and its methods."""
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<(?:(\w+):)?\w+>", lambda part: "1" if part[1] == "int" else "x", rule.rule)
        yield rule.rule, address, frozenset(rule.methods or ()) - {"OPTIONS", "HEAD"}


def test_every_route_declares_its_roles(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        expected = allowed(rule.rule, OPEN_ROUTES, PLAYERS_ROUTES)
        assert roles_of(app, rule.endpoint) == expected, f"{rule.rule} is not for {set(expected)}"


@pytest.mark.parametrize("role", ROLES)
def test_every_route_is_refused_to_roles_that_may_not_use_it(
    app: Flask, as_: As, role: Role, table: SmallTable
) -> None:
    browser, before = as_(role).browser, table.view
    for rule, address, methods in routes(app):
        for method in methods:
            if role not in allowed(rule, OPEN_ROUTES, PLAYERS_ROUTES):
                answer = browser.open(address, method=method, headers=OURS)
                assert answer.status_code == 403, f"{method} {rule} is open to a {role}"
            elif method == "GET" and rule not in PLAYERS_ROUTES:
                assert browser.get(address).status_code != 403, f"GET {rule} is closed to a {role}"
            if method != "GET":
                foreign = browser.open(address, method=method, headers={"Origin": "http://elsewhere.example"})
                assert foreign.status_code == 403, f"{method} {rule} is accepted from another site's page"
        assert table.view is before, f"{rule} changed something"


def test_a_player_chooses_for_their_own_seat_only(as_: As, table: SmallTable) -> None:
    client, browser = as_(PLAYER)
    assert send(client, "play", {**state_of(table), "move": reveal(1, 1, 1, 1)})["error"]["code"] == "not_allowed"
    rng, mine, others = random.Random(3), 0, 0
    while min(mine, others) < 3:
        move = random_move(table.states[-1], rng)
        if chooser(move) is not None:
            before = len(table.states)
            answer = send(client, "play", {**state_of(table), "move": _MOVE.dump_python(move, mode="json")})
            if chooser(move) == 1:
                assert answer == {"ok": True}
                assert send(client, "undo", state_of(table)) == {"ok": True}
                mine += 1
            else:
                assert answer["error"]["code"] == "not_allowed"
                others += 1
            assert len(table.states) == before
        table.play(move, len(table.states) - 1)
        if chooser(move) != 1:
            assert send(client, "undo", state_of(table))["error"]["code"] == "not_allowed"
    assert browser.get("/api/options/1").status_code == 200
    assert browser.get("/api/options/0").status_code == 403


def test_nothing_hidden_is_sent_to_players_and_spectators(
    app: Flask, as_: As, access: AccessControl, table: SmallTable
) -> None:
    """Search all responses for the order of the pile, codes, addresses and the camera's picture."""
    table.picture = b"\xff\xd8 what lies behind the screens"
    as_(HOST)
    visitors = [as_(PLAYER), as_(SPECTATOR)]
    pile = table.states[-1].pile
    assert pile
    table.play(random_move(table.states[-1], random.Random(1)), 0)
    table.change(notices=("/home/somebody/games cannot be read",))
    for visitor in visitors:
        send(visitor.screen, "refresh")
        messages = json.dumps(visitor.screen.get_received())
        read = [
            messages,
            *(
                visitor.browser.get(address).text
                for _, address, methods in routes(app)
                if "GET" in methods
                if "evidence" not in address
            ),
        ]
        for text in read:
            plain = text.replace(" ", "")
            for secret in (",".join(f'"{card}"' for card in pile[:3]), access.host_code, LAN, "somebody", "behind"):
                assert secret not in plain
        assert access.table_code not in messages
        assert '"pile": null' in messages


def test_hosts_get_the_join_details(as_: As, access: AccessControl, screen: Connect) -> None:
    host = as_(HOST).screen
    send(host, "refresh")
    keys = next(one["args"][0] for one in reversed(host.get_received()) if one["name"] == "door")["keys"]
    assert keys["code"] == access.table_code
    assert keys["pairing"] is None  # only the serving machine's own screens get it
    assert keys["people"][0]["address"] == LAN
    here = screen()
    view_here = [one["args"][0] for one in here.get_received() if one["name"] == "door"][-1]
    assert view_here["keys"]["pairing"] == access.host_code
    assert view_here["hosts"] == 2
