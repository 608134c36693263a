"""Both servers under ill treatment: bounded bodies, deadlines, admission, sockets that are not read."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from functools import partial

import pytest
import simple_websocket
from flask import Flask
from socketio.packet import Packet

from tests.serving import running
from tests.waiting import LONGEST_WAIT, eventually
from tests.web.conftest import SEATS
from tests.web.small_table import SmallTable
from web import create_app
from web.channel.socketio_limits import MAX_UNSENT_PACKETS, RESERVED, NoAttachments, SendQueue
from web.people.access_control import AccessControl
from web.serving.admission import Admission, ConnectionLimits
from web.serving.deadline_sockets import PlainSocket
from web.serving.rate_limited_log import RateLimitedLog
from web.serving.request_limits import HEAD_SECONDS
from web.serving.server_startup import Server


@pytest.fixture(name="app", scope="module")
def _app() -> Flask:
    table = SmallTable(simulated=True, seed=7)
    table.start_game(SEATS)
    return create_app(table, secret="for tests only", local_host=False, proxies=frozenset({"127.0.0.9"}))


@pytest.fixture(name="server", params=[False, True], ids=["gunicorn", "threads"], scope="module")
def _server(app: Flask, request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(app, threads=request.param) as server:
        yield server


def answer(server: Server, request: str, source: str = "127.0.0.1") -> str:
    """What comes back for a request until the connection closes; its body never ends."""
    with socket.create_connection(
        (server.host, server.port), timeout=LONGEST_WAIT, source_address=(source, 0)
    ) as asking:
        asking.sendall(request.replace("PORT", str(server.port)).encode("latin-1"))
        got = b""
        try:
            while part := asking.recv(65536):
                got += part
        except ConnectionResetError:
            pass
    return got.decode("latin-1")


REFUSED = [
    ("POST /nowhere HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 9999999999\r\n\r\nx", "413"),
    ("POST /nowhere HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 5000\r\n\r\nx", "404"),
    ("POST /nowhere HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: -1\r\n\r\nx", "400"),
    (
        "POST / HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "4",
    ),
    (
        "POST /api/history HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://[::1\r\n\r\n",
        "403",
    ),
    (f"GET /static/x/{'a' * 255} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n", "404"),
    ("nonsense\r\n\r\n", "4"),
]


def test_a_request_that_is_refused_is_answered_in_words_and_not_read_on(
    server: Server, subtests: pytest.Subtests
) -> None:
    for request_, status in REFUSED:
        with subtests.test(f"{request_!r:.60} {status!r:.60}"):
            if "Connection: close" not in request_:
                request_ = request_.replace("Host:", "Connection: close\r\nHost:")
            before = time.monotonic()
            got = answer(server, request_)
            assert time.monotonic() - before < HEAD_SECONDS, "the server waited for the body"
            assert got.split(" ")[1].startswith(status)
            assert "X-Content-Type-Options: nosniff" in got
            assert "Server:" not in got


def test_silent_connections_keep_nobody_out(server: Server, app: Flask) -> None:
    admission: Admission = app.extensions["admission"]
    whole, admission.limits = (
        admission.limits,
        ConnectionLimits(total=20, reserved=4, per_address=8, per_reserved_address=16),
    )
    try:
        silent = [socket.create_connection((server.host, server.port)) for _ in range(60)]
        address = f"http://localhost:{server.port}/version"
        with urllib.request.urlopen(address, timeout=LONGEST_WAIT) as page:
            assert page.status == 200
        assert len(admission) <= 20
        for one in silent:
            one.close()
    finally:
        admission.limits = whole


def test_a_web_socket_that_never_joins_is_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.websocket.JOIN_SECONDS", 0.2)
    client = simple_websocket.Client(f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket")
    said = iter(partial(client.receive, timeout=LONGEST_WAIT), None)
    with pytest.raises(simple_websocket.ConnectionClosed):
        assert not [text for text in said if str(text)[0] not in "02"]  # its greeting, and pings


def test_a_deadline_that_is_lifted_while_a_peer_is_waited_for_closes_nothing() -> None:
    ours, peer = socket.socketpair()
    with PlainSocket.of(ours) as connection, peer:
        connection.receive_until = time.monotonic() + 1.5
        lift = threading.Timer(0.1, setattr, (connection, "receive_until", None))
        answer = threading.Timer(2.0, peer.sendall, (b"late",))
        lift.start()
        answer.start()
        assert connection.recv(16) == b"late"
        connection.receive_until = time.monotonic() + 0.1
        with pytest.raises(TimeoutError):
            connection.recv(16)


def forgotten(access: AccessControl, sid: str) -> bool:
    return not access.is_connected(sid)


def test_a_reserved_event_by_name_leaves_the_screen_where_it_is(
    server: Server, app: Flask, subtests: pytest.Subtests
) -> None:
    access: AccessControl = app.extensions["access"]
    for event in sorted(RESERVED):
        with subtests.test(f"{event!r:.60}"):
            client = simple_websocket.Client(f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket")
            # The library keeps a first message that came with the handshake until another one follows.
            client.send("40")
            while not (connected := str(client.receive(timeout=LONGEST_WAIT))).startswith("40"):
                pass
            sid = json.loads(connected[2:])["sid"]
            client.send(f"42{json.dumps([event])}")
            client.send('421["refresh"]')
            while not str(client.receive(timeout=LONGEST_WAIT)).startswith("431"):
                pass
            assert access.is_connected(sid)
            client.close()
            eventually(partial(forgotten, access, sid))


def test_a_trusted_proxy_says_where_a_request_came_from_and_nobody_else_does(server: Server) -> None:
    """The origin of what a page sends is compared with the address that a trusted proxy forwards."""
    request = (
        "POST /api/history HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX-Forwarded-Proto: https\r\n"
        "X-Forwarded-Host: table.example\r\nX-Forwarded-For: 10.1.1.1\r\nOrigin: https://table.example\r\n"
        "X-Companion-Page: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    assert "Only a host can do that" in answer(server, request, "127.0.0.9")
    assert "did not come from a page of this companion" in answer(server, request, "127.0.0.8")


class TestAdmission:
    def bounds(self) -> Admission:
        return Admission(ConnectionLimits(total=10, reserved=4, per_address=3, per_reserved_address=5))

    def test_an_address_has_its_own_bound(self) -> None:
        admission = self.bounds()
        busy = [admission.admit("10.0.0.1", lambda: None) for _ in range(3)]
        for one in busy:
            assert one is not None
            admission.set_busy(one)
        assert admission.admit("10.0.0.1", lambda: None) is None
        assert admission.admit("10.0.0.2", lambda: None) is not None

    def test_places_are_kept_for_this_machine_and_those_who_play(self) -> None:
        admission = self.bounds()
        for number in range(6):
            one = admission.admit(f"10.0.1.{number}", lambda: None)
            assert one is not None
            admission.set_busy(one)
        assert admission.admit("10.0.2.1", lambda: None) is None
        admission.reserve("10.0.2.1")
        assert admission.admit("10.0.2.1", lambda: None) is not None
        assert admission.admit("127.0.0.1", lambda: None) is not None

    def test_the_longest_silent_connection_makes_room(self) -> None:
        admission, ended = self.bounds(), []
        for number in range(3):
            admission.admit("10.0.0.1", lambda number=number: ended.append(number))  # type: ignore[misc]
        assert admission.admit("10.0.0.1", lambda: None) is not None
        assert ended == [0]


def test_a_screen_that_does_not_read_loses_its_connection_and_its_packets() -> None:
    waiting = SendQueue()
    for _ in range(MAX_UNSENT_PACKETS + 5):
        waiting.put(Packet())
    assert waiting.get(block=False) is None  # the writer's sign to end the connection
    waiting.put(Packet())
    assert waiting.get(block=False) is None


def test_a_number_of_many_digits_is_read_so_that_it_can_be_refused() -> None:
    packet = NoAttachments(encoded_packet=f'21["pause",{{"on":{"9" * 400}}}]')
    assert packet.data == ["pause", {"on": float("inf")}]


def test_repeated_errors_are_one_line_and_a_count(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = RateLimitedLog("test", interval=60.0, clock=lambda: now[0])
    for _ in range(1000):
        try:
            raise ValueError("a\nb")
        except ValueError:
            log.exception("a packet")
    now[0] = 61.0
    log.error(caplog.messages[0].replace("%", "%%"))
    assert len(caplog.messages) == 2
    assert "\n" not in caplog.messages[0]
    assert caplog.messages[1].endswith("(999 more like it)")
