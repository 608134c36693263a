"""The server's side of a web socket: bounded messages, a bounded rate, and no thread of its own."""

from __future__ import annotations

import base64
import errno
import hashlib
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_RECEIVE_BYTES = 16384
_LINGER = 0.5
"""Seconds for which a peer that is refused is still read."""
BURST = 120.0
"""Messages that a screen may send at once; the rest is read as slowly as `RATE` allows."""
JOIN_SECONDS = 10.0
"""For which a web socket may be open without belonging to a screen of the channel."""
RATE = 30.0
"""Messages a second that are read from one screen."""

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class Hijacked(ConnectionResetError):
    """The connection was used as a web socket and is over: the HTTP server has nothing more to send on it."""

    def __init__(self) -> None:
        super().__init__(errno.ECONNRESET, "The web socket is closed.")


class WebSocket:
    """One web socket, in the form in which Engine.IO expects it: called as a WSGI application, then `wait`, `send`.

    A message longer than `largest` bytes ends the connection while it arrives. Messages beyond the rate stay in the
    peer's own buffers until they are due. No compression is agreed on, so no message can swell.
    """

    def __init__(self, handler: Callable[[WebSocket], Any], server: object = None, *, largest: int) -> None:
        self._handler = handler
        self._largest = largest
        self._protocol = Connection(ConnectionType.SERVER)
        self._sending = threading.Lock()
        self._open = True
        self._budget, self._filled_at = BURST, time.monotonic()

    def __call__(self, environ: Mapping[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Serve the web socket until it closes. Raises Hijacked then; answers 400 where this is no handshake."""
        accepted = _accept(environ)
        if accepted is None:
            start_response("400 Bad Request", [("Content-Type", "text/plain")])
            return [b"This address is for web sockets.\n"]
        self._socket: Any = environ.get("gunicorn.socket") or environ["werkzeug.socket"]
        stay(environ)
        if "sid=" not in environ.get("QUERY_STRING", ""):  # one that upgrades a session has joined before
            leave_soon(environ)
        try:
            self._socket.send(accepted)
            self._handler(self)
        finally:
            self.close()
        raise Hijacked

    def send(self, message: str | bytes) -> None:
        """Send a message. Raises OSError where the connection is closed or its peer does not read."""
        event = BytesMessage(data=message) if isinstance(message, bytes) else TextMessage(data=message)
        self._say(event)

    def wait(self) -> str | bytes | None:
        """Wait for the next message and return it; None at the end."""
        parts: list[Any] = []
        size = 0
        while self._open and not self._overdue():
            try:
                for event in self._protocol.events():
                    if isinstance(event, (TextMessage, BytesMessage)):
                        size += len(event.data)
                        if size > self._largest:
                            self._refuse(CloseReason.MESSAGE_TOO_BIG)
                            return None
                        parts.append(event.data)
                        if event.message_finished:
                            self._throttle()
                            return "".join(parts) if isinstance(event, TextMessage) else b"".join(parts)
                    elif isinstance(event, Ping):
                        self._throttle()
                        self._say(event.response())
                    elif isinstance(event, CloseConnection):
                        self.close()
                        return None
                received = self._socket.recv(_RECEIVE_BYTES)
                if not received:
                    break
                self._protocol.receive_data(received)
            except (OSError, LocalProtocolError, RemoteProtocolError, UnicodeDecodeError):
                break
        self._open = False
        return None

    def close(self, reason: CloseReason = CloseReason.NORMAL_CLOSURE) -> None:
        """Close the web socket; twice does no harm."""
        if not self._open:
            return
        self._open = False
        # A peer that does not read is not waited for: the closing frame goes out only where nobody is sending.
        if self._sending.acquire(blocking=False):
            try:
                with suppress(LocalProtocolError):
                    self._socket.send_at_once(self._protocol.send(CloseConnection(reason)))
            finally:
                self._sending.release()
        self._socket.abort()

    def _refuse(self, reason: CloseReason) -> None:
        """Close because of what the peer sends, and read on for a moment so that it learns the reason."""
        with suppress(OSError, LocalProtocolError):
            self._say(CloseConnection(reason))
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.receive_until = time.monotonic() + _LINGER
            while time.monotonic() < self._socket.receive_until and self._socket.recv(_RECEIVE_BYTES):
                pass
        self.close()

    def _say(self, event: Any) -> None:
        with self._sending:
            if not self._open:
                raise OSError(errno.EPIPE, "The web socket is closed.")
            self._socket.send(self._protocol.send(event))

    def _overdue(self) -> bool:
        until: float | None = self._socket.receive_until
        return until is not None and time.monotonic() > until

    def _throttle(self) -> None:
        """Wait until another message is due."""
        now = time.monotonic()
        self._budget = min(BURST, self._budget + (now - self._filled_at) * RATE) - 1.0
        self._filled_at = now
        if self._budget < 0.0:
            time.sleep(min(1.0, -self._budget / RATE))


def stay(environ: Mapping[str, Any]) -> None:
    """Keep a web socket open as long as its screen likes: it has joined the channel."""
    _set_deadline(environ, None)


def leave_soon(environ: Mapping[str, Any]) -> None:
    """Close a web socket in a moment, unless its screen joins the channel."""
    _set_deadline(environ, time.monotonic() + JOIN_SECONDS)


def _set_deadline(environ: Mapping[str, Any], until: float | None) -> None:
    connection = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    if connection is not None:
        connection.receive_until = until


def _accept(environ: Mapping[str, Any]) -> bytes | None:
    """Return the answer to a handshake, None where the request is none."""
    key = str(environ.get("HTTP_SEC_WEBSOCKET_KEY", "")).strip()
    try:
        known = len(base64.b64decode(key, validate=True)) == 16
    except ValueError:
        known = False
    if not known or environ.get("HTTP_SEC_WEBSOCKET_VERSION", "").strip() != "13":
        return None
    if environ.get("REQUEST_METHOD") != "GET" or "websocket" not in environ.get("HTTP_UPGRADE", "").lower():
        return None
    digest = base64.b64encode(hashlib.sha1(key.encode() + _MAGIC).digest())  # noqa: S324 - RFC 6455 asks for it
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"X-Content-Type-Options: nosniff\r\nSec-WebSocket-Accept: " + digest + b"\r\n\r\n"
    )
