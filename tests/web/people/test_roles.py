"""Whoever connects does only what their role allows: every event and every route there is, with every role."""

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

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Move, acting_player
from tests.web.commands import now, reveal, say
from tests.web.conftest import SEATS, Connect, browser_at
from tests.web.small_table import SmallTable
from web.people.access_control import AccessControl
from web.people.request_guards import PAGE_HEADER, roles_of
from web.people.roles import HOST, PLAYER, ROLES, SPECTATOR, Role

_MOVE: TypeAdapter[Move] = TypeAdapter(Move)

# Everything else is the host's: what is added is closed to others until it is named here.
OPEN_EVENTS = {"connect", "disconnect", "refresh", "take_seat", "pair", "step_back", "keep_table"}
PLAYERS_EVENTS = {"play", "undo", "hint", "forgotten"}
OPEN_ROUTES = {
    "/",
    "/api/evidence/<int:entry>.jpg",
    "/api/proposal/<int:seat>.jpg",
    "/api/health",
    "/api/master/missed",
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
    "/art/master/tile/<shape>.svg",
    "/art/master/token/<number>.svg",
    "/art/master/wizard.svg",
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
    access: AccessControl = app.extensions["access"]
    return access


class Visitor(NamedTuple):
    """ConnectedDevice with a screen open, and the browser that it is open in."""

    screen: SocketIOTestClient
    browser: FlaskClient


As = Callable[[Role], Visitor]


@pytest.fixture(name="as_")
def _as(app: Flask, screen: Connect, access: AccessControl, table: SmallTable) -> As:
    """Comes as a role, the player at seat 1, from elsewhere in the network."""
    table.start_game(SEATS)

    def come(role: Role) -> Visitor:
        browser = browser_at(app, LAN)
        browser.get("/")
        client = screen(browser=browser)
        if role == HOST:
            assert say(client, "pair", {"code": access.host_code}) == {"ok": True}
        if role == PLAYER:
            access.free_seat("game-1", 1)
            assert say(client, "take_seat", {"code": access.table_code, "game": "game-1", "seat": 1}) == {
                "ok": True
            }
        client.get_received()
        return Visitor(client, browser)

    return come


def events(app: Flask) -> set[str]:
    socketio: SocketIO = app.extensions["socketio"]
    return set(socketio.server.handlers["/"])


def allowed(name: str, open_: set[str], players: set[str]) -> frozenset[Role]:
    return frozenset(ROLES if name in open_ else (HOST, PLAYER) if name in players else (HOST,))


@pytest.mark.parametrize("role", ROLES)
def test_every_event_is_refused_to_whom_it_is_not_open(app: Flask, as_: As, role: Role, table: SmallTable) -> None:
    """Each registered event is sent, empty and with nonsense in it, whoever registered it and whenever."""
    assert events(app) >= OPEN_EVENTS | PLAYERS_EVENTS
    client = as_(role).screen
    for event in sorted(events(app) - {"connect", "disconnect", "step_back"}):
        before = table.view
        for payload in (None, {"nonsense": 1}):
            answer = say(client, event, payload)
            if role not in allowed(event, OPEN_EVENTS, PLAYERS_EVENTS):
                assert answer["error"]["code"] == "not_allowed", f"{event} is open to a {role}"
                assert table.view is before, f"{event} of a {role} changed something"
            elif payload is not None:
                assert answer["error"]["code"] == "bad_request", f"{event} takes nonsense from a {role}"


def routes(app: Flask) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Return every route: its rule, an address that it takes, its methods."""
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<(?:(\w+):)?\w+>", lambda part: "1" if part[1] == "int" else "x", rule.rule)
        yield rule.rule, address, frozenset(rule.methods or ()) - {"OPTIONS", "HEAD"}


def test_every_route_says_for_whom_it_is(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        wanted = allowed(rule.rule, OPEN_ROUTES, PLAYERS_ROUTES)
        assert roles_of(app, rule.endpoint) == wanted, f"{rule.rule} is not for {set(wanted)}"


@pytest.mark.parametrize("role", ROLES)
def test_every_route_is_refused_to_whom_it_is_not_open(app: Flask, as_: As, role: Role, table: SmallTable) -> None:
    browser, before = as_(role).browser, table.view
    for rule, address, methods in routes(app):
        for method in methods:
            if role not in allowed(rule, OPEN_ROUTES, PLAYERS_ROUTES):
                answer = browser.open(address, method=method, headers=OURS)
                assert answer.status_code == 403, f"{method} {rule} is open to a {role}"
            elif method == "GET" and rule not in PLAYERS_ROUTES:
                assert browser.get(address).status_code != 403, f"GET {rule} is closed to a {role}"
            if method != "GET":
                elsewhere = browser.open(address, method=method, headers={"Origin": "http://elsewhere.example"})
                assert elsewhere.status_code == 403, f"{method} {rule} is taken from another site's page"
        assert table.view is before, f"{rule} changed something"


def test_a_player_chooses_for_the_own_seat_only(as_: As, table: SmallTable) -> None:
    client, browser = as_(PLAYER)
    assert say(client, "play", {**now(table), "move": reveal(1, 1, 1, 1)})["error"]["code"] == "not_allowed"
    rng, mine, others = random.Random(3), 0, 0
    while min(mine, others) < 3:
        move = random_move(table.states[-1], rng)
        if acting_player(move) is not None:
            before = len(table.states)
            answer = say(client, "play", {**now(table), "move": _MOVE.dump_python(move, mode="json")})
            if acting_player(move) == 1:
                assert answer == {"ok": True}
                assert say(client, "undo", now(table)) == {"ok": True}
                mine += 1
            else:
                assert answer["error"]["code"] == "not_allowed"
                others += 1
            assert len(table.states) == before
        table.play(move, len(table.states))
        if acting_player(move) != 1:
            assert say(client, "undo", now(table))["error"]["code"] == "not_allowed"
    assert browser.get("/api/options/1").status_code == 200
    assert browser.get("/api/options/0").status_code == 403


def test_nothing_hidden_is_ever_sent_to_others(
    app: Flask, as_: As, access: AccessControl, table: SmallTable
) -> None:
    """The bytes themselves are searched: for the order of the pile, codes, addresses, the camera's picture."""
    table.picture = b"\xff\xd8 what lies behind the screens"
    as_(HOST)
    visitors = [as_(PLAYER), as_(SPECTATOR)]
    pile = table.states[-1].pile
    assert pile
    table.play(random_move(table.states[-1], random.Random(1)), 1)
    table.change(notices=("/home/somebody/games cannot be read",))
    for visitor in visitors:
        say(visitor.screen, "refresh")
        heard = json.dumps(visitor.screen.get_received())
        read = [
            heard,
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
        assert access.table_code not in heard
        assert '"pile": null' in heard


def test_hosts_receive_what_they_may_show(as_: As, access: AccessControl, screen: Connect) -> None:
    host = as_(HOST).screen
    say(host, "refresh")
    keys = next(one["args"][0] for one in reversed(host.get_received()) if one["name"] == "door")["keys"]
    assert keys["code"] == access.table_code
    assert keys["pairing"] is None  # that is for the serving machine's own screens
    assert keys["people"][0]["address"] == LAN
    here = screen()
    message = [one["args"][0] for one in here.get_received() if one["name"] == "door"][-1]
    assert message["keys"]["pairing"] == access.host_code
    assert message["hosts"] == 2
