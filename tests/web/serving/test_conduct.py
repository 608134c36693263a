"""A served companion among strangers: guesses, forgeries, floods, two hosts. A clear line, and nothing changes."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import simple_websocket
from flask import Flask

from companion.table.views import Refused
from tests.serving import running
from tests.waiting import LONGEST_WAIT, eventually
from tests.web.commands import now, reveal, say
from tests.web.conftest import SEATS, Connect, browser_at
from tests.web.small_table import SmallTable
from web import create_app
from web.people.access_control import MAX_SPECTATORS, MAX_SPECTATORS_PER_ADDRESS, AccessControl


@pytest.fixture(name="app")
def _app(table: SmallTable) -> Flask:
    """On the tests' machine everybody is local, so here that counts for nothing."""
    table.start_game(SEATS)
    return create_app(table, secret="for tests only", local_host=False)


@pytest.fixture(name="access")
def _access(app: Flask) -> AccessControl:
    access: AccessControl = app.extensions["access"]
    return access


@pytest.fixture(name="port")
def _port(app: Flask) -> Iterator[int]:
    with running(app) as server:
        yield server.port


class Screen:
    """A browser's side of the channel over a real web socket."""

    def __init__(self, port: int) -> None:
        address = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        self.socket = simple_websocket.Client(address)
        # The library keeps a first message that came with the handshake until another one follows, here the answer.
        self.socket.send("40")
        self.messages: list[Any] = []
        self._taps = 0
        self.until(lambda text: text.startswith(("40", "44")))

    def say(self, event: str, payload: object = None) -> dict[str, Any]:
        """Send an event and give its answer."""
        self._taps += 1
        self.socket.send(f"42{self._taps}" + json.dumps([event] if payload is None else [event, payload]))
        text = self.until(lambda text: text.startswith(f"43{self._taps}["))
        answer: dict[str, Any] = json.loads(text[len(f"43{self._taps}") :])[0]
        return answer

    def until(self, true: Callable[[str], bool]) -> str:
        while True:
            text = self.socket.receive(timeout=LONGEST_WAIT)
            assert isinstance(text, str), "the companion said nothing"
            if text == "2":
                self.socket.send("3")
            elif text.startswith("42"):
                self.messages.append(json.loads(text[2:]))
            elif true(text):
                return text


Come = Callable[[], Screen]


@pytest.fixture(name="come")
def _come(port: int) -> Iterator[Come]:
    """Opens as many screens of the served companion as a test wants."""
    screens: list[Screen] = []

    def come() -> Screen:
        screens.append(Screen(port))
        return screens[-1]

    yield come
    for one in screens:
        with suppress(simple_websocket.ConnectionClosed):
            one.socket.close()


@pytest.mark.slow
def test_ten_thousand_guesses_are_refused_in_plain_words_and_shut_nobody_out(
    come: Come, access: AccessControl, table: SmallTable, screen: Connect
) -> None:
    guessing, before, code = come(), table.view, access.host_code
    for number in range(200):
        guessing.socket.send(f'42{number}["pair",{{"code":"GUESS{number:03}"}}]')
    answer = json.loads(guessing.until(lambda text: text.startswith("43199["))[len("43199") :])[0]
    assert answer["error"]["code"] == "not_now"
    assert "Too many wrong codes" in answer["error"]["message"]
    assert "Wait" in answer["error"]["message"]
    (sid,) = access.principals()
    for number in range(10_000):
        with pytest.raises(Refused):
            access.become_host(sid, f"GUESS{number}")
    assert guessing.say("pair", {"code": code})["error"]["code"] == "not_now"  # not even looked at
    assert table.view is before
    assert access.host_code == code
    assert say(screen("192.168.1.5"), "pair", {"code": code}) == {"ok": True}


def test_a_used_or_renewed_code_opens_nothing(access: AccessControl, screen: Connect) -> None:
    host_code, table_code = access.host_code, access.table_code
    host = screen("192.168.1.5")
    assert say(host, "pair", {"code": host_code}) == {"ok": True}
    assert say(host, "renew_code") == {"ok": True}
    late = screen("192.168.1.6")
    answer = say(late, "pair", {"code": host_code})
    assert answer["error"]["code"] == "not_allowed"
    assert "old one" in answer["error"]["message"]
    assert host_code not in answer["error"]["message"]
    assert (
        say(late, "take_seat", {"code": table_code, "game": "game-1", "seat": 0})["error"]["code"] == "not_allowed"
    )
    assert say(late, "take_seat", {"code": access.table_code, "game": "game-1", "seat": 0}) == {"ok": True}


NO_SEATS: list[tuple[dict[str, Any], str]] = [
    ({"seat": 0}, "bad_request"),
    ({"game": "game-1", "seat": "0"}, "bad_request"),
    ({"game": "game-1", "seat": -1}, "bad_request"),
    ({"game": "game-1", "seat": 4}, "bad_request"),
    ({"game": "game-0", "seat": 0}, "stale"),
    ({"game": "game-1", "seat": 0, "role": "host"}, "bad_request"),
]


def test_a_seat_that_is_not_there_is_not_taken(
    access: AccessControl, screen: Connect, subtests: pytest.Subtests
) -> None:
    for payload, code in NO_SEATS:
        with subtests.test(f"{payload!r:.60} {code!r:.60}"):
            answer = say(screen(), "take_seat", {"code": access.table_code, **payload})
            assert answer["error"]["code"] == code


def test_a_seat_is_taken_once(access: AccessControl, screen: Connect, app: Flask) -> None:
    seat = {"code": access.table_code, "game": "game-1", "seat": 2}
    browser = browser_at(app, "192.168.1.6")
    browser.get("/")
    phone = screen(browser=browser)
    assert say(phone, "take_seat", seat) == {"ok": True}
    answer = say(screen("192.168.1.7"), "take_seat", seat)
    assert "Chie's seat is taken" in answer["error"]["message"]
    phone.disconnect()
    again = screen(browser=browser)  # as after a lost network
    assert [one for one in again.get_received() if one["name"] == "door"][-1]["args"][0]["you"]["seat"] == 2


def test_two_hosts_are_both_notified_and_the_state_number_settles_who_was_first(
    access: AccessControl, screen: Connect, table: SmallTable
) -> None:
    one, other = screen("192.168.1.5"), screen("192.168.1.6")
    assert say(one, "pair", {"code": access.host_code}) == {"ok": True}
    assert say(other, "pair", {"code": access.host_code}) == {"ok": True}
    for host in (one, other):
        lines = [message["args"][0]["message"] for message in host.get_received() if message["name"] == "told"]
        assert lines == [
            "Another device is also a host. If both tap, the first tap counts, and the other device shows that it "
            "was too late."
        ]
    both = {**now(table), "move": reveal(1, 1, 1, 1)}
    assert say(one, "play", both) == {"ok": True}
    assert say(other, "play", both)["error"]["code"] == "stale"
    assert len(table.states) == 2


def test_a_withdrawn_place_is_gone_at_once(
    access: AccessControl, screen: Connect, table: SmallTable, app: Flask
) -> None:
    host, phone = screen("192.168.1.5"), screen("192.168.1.6")
    say(host, "pair", {"code": access.host_code})
    say(phone, "take_seat", {"code": access.table_code, "game": "game-1", "seat": 0})
    device = [one for one in phone.get_received() if one["name"] == "door"][-1]["args"][0]["you"]["device"]
    assert say(host, "withdraw", {"device": device}) == {"ok": True}
    assert say(phone, "undo", now(table))["error"]["code"] == "not_allowed"
    lines = [message["args"][0]["message"] for message in phone.get_received() if message["name"] == "told"]
    assert lines == ["The host withdrew your role. You are a spectator now."]
    assert say(host, "withdraw", {"device": "nobody"})["error"]["code"] == "not_now"


FORGED = [
    '42["play"]',
    '421["play",{"game":"game-1","at":0,"move":{"type":"reveal","hands":[]},"role":"host"}]',
    '421["start_game",{"game":"game-1","at":0,"seats":[]}]',
    '421["__proto__",{}]',
    '421["connect"]',
    '421["disconnect"]',
    '421["pause",{"on":true}]',
    "42[]",
    "42{}",
    "4nonsense",
    "421[" + "[" * 4000,
    '451-1["play",{"_placeholder":true,"num":0}]',
    "\x00\x01",
    "9",
]


@pytest.mark.parametrize("packet", FORGED, ids=range(len(FORGED)))
def test_forged_packets_change_nothing_and_the_next_visitor_is_served(
    come: Come, table: SmallTable, packet: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = table.view
    come().socket.send(packet)
    assert come().say("refresh") == {"ok": True}
    assert table.view is before
    assert table.started == 1


def test_an_oversized_message_ends_only_its_own_connection(come: Come, table: SmallTable) -> None:
    flooding, before = come(), table.view
    flooding.socket.send("421" + json.dumps(["pair", {"code": "x" * 100_000}]))
    with pytest.raises(simple_websocket.ConnectionClosed):
        flooding.until(lambda text: False)
    assert come().say("refresh") == {"ok": True}
    assert table.view is before


def test_a_page_of_another_site_changes_nothing(port: int, table: SmallTable) -> None:
    before = table.view
    for path in ("/api/state", "/api/games"):
        asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method="POST", data=b"{}")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=LONGEST_WAIT)
        assert refused.value.code in (403, 405)
        refused.value.close()
    assert table.view is before


def test_many_screens_that_go_at_once_leave_the_others_updated(
    port: int, access: AccessControl, table: SmallTable
) -> None:
    stays, many = Screen(port), [Screen(port) for _ in range(12)]
    for one in many:
        one.socket.sock.shutdown(socket.SHUT_RDWR)
    eventually(lambda: len(access.principals()) == 1)
    table.change(notices=())
    assert stays.say("refresh") == {"ok": True}
    messages = [message[1] for message in stays.messages if message[0] == "door"]
    assert messages[-1]["onlookers"] == 1
    stays.socket.close()


def test_too_many_spectators_are_turned_away_and_hosts_still_find_a_place(
    access: AccessControl, screen: Connect
) -> None:
    one_address = [screen("192.168.1.5") for _ in range(MAX_SPECTATORS_PER_ADDRESS)]
    assert not screen("192.168.1.5").is_connected()
    while len(access.principals()) < MAX_SPECTATORS:
        screen(f"192.168.2.{len(access.principals())}")
    assert not screen("192.168.1.6").is_connected()
    one_address[0].disconnect()
    phone = screen("192.168.1.6")
    assert say(phone, "pair", {"code": access.host_code}) == {"ok": True}
    assert screen("192.168.1.7").is_connected()  # the host's place is not one of the spectators'
    assert not screen("192.168.1.8").is_connected()
