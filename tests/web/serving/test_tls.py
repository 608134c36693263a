"""The server by https: whole answers, nobody held up, and plain http sent on."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator

import pytest
import simple_websocket
from flask import Flask, request
from werkzeug.serving import BaseWSGIServer

from tests.serving import running
from tests.waiting import LONGEST_WAIT
from web.serving.certificate import Certificate, certificate
from web.serving.request_limits import HEAD_SECONDS
from web.serving.server_startup import Server

LARGE = 1_000_000


@pytest.fixture(name="own", scope="module")
def _own(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(name="server", scope="module")
def _server(own: Certificate) -> Iterator[Server]:
    app = Flask(__name__)

    @app.get("/")
    def page() -> str:
        return request.url_root + "." * LARGE

    @app.route("/echo", websocket=True)
    def echo() -> str:
        channel = simple_websocket.Server.accept(request.environ)
        many = threading.Thread(target=lambda: [channel.send("s" * 100_000) for _ in range(50)])
        many.start()
        for _ in range(50):
            channel.send(channel.receive())
        many.join()
        channel.close()
        return ""

    with running(app, certificate=own) as server:
        yield server


@pytest.fixture(name="trusting")
def _trusting(own: Certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(own.path))


def ask(server: BaseWSGIServer, trusting: ssl.SSLContext, host: str = "localhost") -> bytes:
    connection = http.client.HTTPSConnection(host, server.port, context=trusting, timeout=LONGEST_WAIT)
    connection.request("GET", "/")
    answer = connection.getresponse().read()
    connection.close()
    return answer


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_browser_that_accepts_the_certificate_gets_whole_pages(
    server: BaseWSGIServer, trusting: ssl.SSLContext, host: str
) -> None:
    answer = ask(server, trusting, host)
    assert answer.startswith(f"https://{host}:{server.port}/.".encode())
    assert answer.count(b".") >= LARGE


def test_visitors_that_say_nothing_or_nonsense_hold_up_nobody(
    server: BaseWSGIServer, trusting: ssl.SSLContext
) -> None:
    silent = [socket.create_connection((server.host, server.port)) for _ in range(20)]
    nonsense = socket.create_connection((server.host, server.port))
    nonsense.sendall(b"\x16\x03\x01" + b"\x00" * 500)
    broken = socket.create_connection((server.host, server.port))
    broken.sendall(b"\x16")
    broken.close()
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(server, ssl.create_default_context())
    before = time.monotonic()
    ask(server, trusting)
    assert time.monotonic() - before < HEAD_SECONDS, "the server waited for silent visitors"
    for one in [*silent, nonsense]:
        one.close()


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("GET /camera?a=1 HTTP/1.1\r\nHost: 192.168.1.5:{port}\r\n\r\n", "Location: https://192.168.1.5:{port}/camera?a=1"),
        ("GET / HTTP/1.1\r\nHost: den.local\r\n\r\n", "Location: https://den.local:{port}/"),
        ("GET / HTTP/1.1\r\nHost: [fd00::5]\r\n\r\n", "Location: https://[fd00::5]:{port}/"),
        ("GET http://elsewhere/ HTTP/1.1\r\nHost: den\r\n\r\n", "Location: https://den:{port}/"),
        ("GET / HTTP/1.1\r\nHost: den/@elsewhere\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\n\r\n", "400"),
        ("\x00\x01\x02", "400"),
    ],
)  # fmt: skip # a table of cases
def test_a_plain_request_is_sent_on_to_https(server: BaseWSGIServer, request_: str, answer: str) -> None:
    with socket.create_connection((server.host, server.port), timeout=LONGEST_WAIT) as plain:
        plain.sendall(request_.format(port=server.port).encode("latin-1"))
        got = b""
        while part := plain.recv(4096):
            got += part
    assert answer.format(port=server.port) in got.decode("latin-1")
    assert got.count(b"\r\n\r\n") == 1


def test_a_live_channel_gets_large_messages_whole_while_both_sides_talk(
    server: BaseWSGIServer, trusting: ssl.SSLContext
) -> None:
    client = simple_websocket.Client(f"wss://localhost:{server.port}/echo", ssl_context=trusting)
    sent = ["c" * 12_000 + str(number) for number in range(50)]
    client_sends = threading.Thread(target=lambda: [client.send(text) for text in sent])
    client_sends.start()
    got = [client.receive(timeout=LONGEST_WAIT) for _ in range(100)]
    client_sends.join(LONGEST_WAIT)
    assert [text for text in got if text and text[0] == "c"] == sent
    assert sum(text == "s" * 100_000 for text in got) == 50
    # The server closes as well, and may be first.
    with contextlib.suppress(simple_websocket.ConnectionClosed, OSError):
        client.close()
