"""A web socket on the server, with limits on message size and rate, handled in the request's thread."""

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

_ACCEPT_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Appended to the client's nonce in the handshake (RFC 6455, section 1.3)."""
_NONCE_BYTES = 16
"""Length of the client's nonce (RFC 6455, section 4.1)."""
_RECEIVE_BYTES = 16384
"""Bytes requested by one call of `recv`."""
_LINGER = 0.5
"""Seconds for which a refused peer is still read, so that it gets the reason."""
BURST = 120.0
"""Messages that a screen may send at once, before `RATE` applies."""
JOIN_SECONDS = 10.0
"""Seconds for which a web socket may stay open without connecting to the channel."""
RATE = 30.0
"""Messages per second that are read from one screen."""

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class Hijacked(ConnectionResetError):
    """The connection was used as a web socket and has ended; the http server must send nothing more on it."""

    def __init__(self) -> None:
        super().__init__(errno.ECONNRESET, "The web socket is closed.")


class WebSocket:
    """One web socket with Engine.IO's interface: called as a WSGI application, then `wait` and `send`.

    A message longer than `max_message_bytes` ends the connection while it arrives. Back-pressure: messages beyond
    the rate stay unread in the peer's buffers. Compression is not negotiated, so no message can expand.
    """

    def __init__(
        self, handler: Callable[[WebSocket], Any], server: object = None, *, max_message_bytes: int
    ) -> None:
        self._handler = handler
        self._max_message_bytes = max_message_bytes
        self._protocol = Connection(ConnectionType.SERVER)
        self._sending = threading.Lock()
        self._open = True
        self._tokens, self._refilled_at = BURST, time.monotonic()

    def __call__(self, environ: Mapping[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Serve the web socket until it closes, then raise Hijacked; answer 400 if the request is no handshake."""
        response = _handshake_response(environ)
        if response is None:
            start_response("400 Bad Request", [("Content-Type", "text/plain")])
            return [b"This address is for web sockets.\n"]
        self._socket: Any = environ.get("gunicorn.socket") or environ["werkzeug.socket"]
        lift_join_deadline(environ)
        if "sid=" not in environ.get("QUERY_STRING", ""):  # with a sid, it upgrades a session that has joined
            set_join_deadline(environ)
        try:
            self._socket.send(response)
            self._handler(self)
        finally:
            self.close()
        raise Hijacked

    def send(self, message: str | bytes) -> None:
        """Send a message. Raises OSError if the connection is closed or its peer does not read."""
        event = BytesMessage(data=message) if isinstance(message, bytes) else TextMessage(data=message)
        self._send(event)

    def wait(self) -> str | bytes | None:
        """Wait for the next message and return it; None at the end of the connection."""
        parts: list[Any] = []
        size = 0
        while self._open and not self._overdue():
            try:
                for event in self._protocol.events():
                    if isinstance(event, (TextMessage, BytesMessage)):
                        size += len(event.data)
                        if size > self._max_message_bytes:
                            self._refuse(CloseReason.MESSAGE_TOO_BIG)
                            return None
                        parts.append(event.data)
                        if event.message_finished:
                            self._throttle()
                            return "".join(parts) if isinstance(event, TextMessage) else b"".join(parts)
                    elif isinstance(event, Ping):
                        self._throttle()
                        self._send(event.response())
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
        """Close the web socket; idempotent."""
        if not self._open:
            return
        self._open = False
        # Do not wait for a peer that does not read: send the closing frame only if no thread is sending.
        if self._sending.acquire(blocking=False):
            try:
                with suppress(LocalProtocolError):
                    self._socket.send_at_once(self._protocol.send(CloseConnection(reason)))
            finally:
                self._sending.release()
        self._socket.abort()

    def _refuse(self, reason: CloseReason) -> None:
        """Close because the peer violated a limit; wait briefly for the peer to receive the reason."""
        with suppress(OSError, LocalProtocolError):
            self._send(CloseConnection(reason))
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.receive_until = time.monotonic() + _LINGER
            while time.monotonic() < self._socket.receive_until and self._socket.recv(_RECEIVE_BYTES):
                pass
        self.close()

    def _send(self, event: Any) -> None:
        """Send an event of wsproto. Raises OSError if the connection is closed or its peer does not read."""
        with self._sending:
            if not self._open:
                raise OSError(errno.EPIPE, "The web socket is closed.")
            self._socket.send(self._protocol.send(event))

    def _overdue(self) -> bool:
        """Return whether the deadline for joining has passed."""
        until: float | None = self._socket.receive_until
        return until is not None and time.monotonic() > until

    def _throttle(self) -> None:
        """Sleep until the token bucket allows another message."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._refilled_at) * RATE) - 1.0
        self._refilled_at = now
        if self._tokens < 0.0:
            time.sleep(min(1.0, -self._tokens / RATE))


def lift_join_deadline(environ: Mapping[str, Any]) -> None:
    """Remove the deadline of `set_join_deadline`, because the web socket's screen has connected to the channel."""
    _set_deadline(environ, None)


def set_join_deadline(environ: Mapping[str, Any]) -> None:
    """Set a deadline: close a web socket after `JOIN_SECONDS` unless its screen connects to the channel."""
    _set_deadline(environ, time.monotonic() + JOIN_SECONDS)


def _set_deadline(environ: Mapping[str, Any], until: float | None) -> None:
    connection = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    if connection is not None:
        connection.receive_until = until


def _handshake_response(environ: Mapping[str, Any]) -> bytes | None:
    """Return the response to a web socket handshake; None if the request is no valid handshake."""
    nonce = str(environ.get("HTTP_SEC_WEBSOCKET_KEY", "")).strip()
    try:
        valid = len(base64.b64decode(nonce, validate=True)) == _NONCE_BYTES
    except ValueError:
        valid = False
    if not valid or environ.get("HTTP_SEC_WEBSOCKET_VERSION", "").strip() != "13":
        return None
    if environ.get("REQUEST_METHOD") != "GET" or "websocket" not in environ.get("HTTP_UPGRADE", "").lower():
        return None
    digest = base64.b64encode(hashlib.sha1(nonce.encode() + _ACCEPT_GUID).digest())  # noqa: S324 - required by RFC 6455
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"X-Content-Type-Options: nosniff\r\nSec-WebSocket-Accept: " + digest + b"\r\n\r\n"
    )
