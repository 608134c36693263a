"""TLS for the threaded server: a slow or silent visitor holds up nobody, and http:// is sent on to https://."""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import ssl
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Self, TypeVar

from werkzeug.serving import ThreadedWSGIServer

_GREETING = 10.0
"""Seconds for a visitor to begin, and for its handshake."""
_HANDSHAKE_RECORD = 0x16
_LONGEST_HEAD = 4096
_SENDING = 20.0
"""Seconds for which the other side may take nothing of what is sent to it."""

T = TypeVar("T")


class SteadySocket(ssl.SSLSocket):
    """A TLS socket that a live channel can use: one thread receives while others send, all of them blocking.

    OpenSSL allows one call at a time on a connection, so calls take turns and none waits for the network in its
    turn. `send` sends everything: it would stop after a record of 16 KiB, which code for plain sockets, as that
    of the channel, does not expect.
    """

    _sslobj: object
    _call: threading.Lock
    _message: threading.Lock

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        """Make the socket as `wrap_socket` does, past any __init__ of ours."""
        made = super().__new__(cls, *args, **fields)
        made._call, made._message = threading.Lock(), threading.Lock()
        return made

    def send(self, data: Any, flags: int = 0) -> int:
        """Send all of it and give its length. Raises OSError where the other side takes nothing for a while."""
        left = view = memoryview(data).cast("B")
        with self._message:
            while left:
                left = left[self._in_turn(partial(super().send, left, flags), _SENDING) :]
        return len(view)

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Wait until there is something and take it."""
        return self._in_turn(partial(super().recv, buflen, flags), None)

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        """Wait until there is something and take it into the buffer."""
        return self._in_turn(partial(super().recv_into, buffer, nbytes, flags), None)

    def shutdown(self, how: int) -> None:
        """End the connection; what is still sent meanwhile fails, where the library would send it in the clear."""
        socket.socket.shutdown(self, how)

    def close(self) -> None:
        """Close it when nobody is in the middle of a call."""
        with self._call:
            super().close()

    def _in_turn(self, call: Callable[[], T], patience: float | None) -> T:
        while True:
            try:
                with self._call:
                    if self._sslobj is None:
                        raise OSError(errno.EBADF, "The connection is closed.")
                    return call()
            except ssl.SSLWantReadError:
                self._wait(selectors.EVENT_READ, patience)
            except ssl.SSLWantWriteError:
                self._wait(selectors.EVENT_WRITE, _SENDING)
            except ssl.SSLError as error:
                # A visitor that goes away is no failure of ours, and the server keeps quiet about it.
                raise ConnectionResetError(errno.ECONNRESET, f"The connection broke: {error.reason}") from error

    def _wait(self, event: int, patience: float | None) -> None:
        if self.fileno() < 0:
            raise OSError(errno.EBADF, "The connection is closed.")
        with selectors.DefaultSelector() as readiness:
            readiness.register(self, event)
            if not readiness.select(patience):
                raise TimeoutError("The other side takes nothing any more.")


class TlsServer(ThreadedWSGIServer):
    """Serves https; each visitor's handshake happens in the visitor's own thread."""

    def secure(self, context: ssl.SSLContext) -> None:
        """Serve with this certificate from now on; to be called before the first request."""
        context.sslsocket_class = SteadySocket
        self.ssl_context = context  # this makes addresses https://, and live channels compare their origin with it

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Greet one visitor and handle what it asks, or end it quietly where it never gets that far."""
        try:
            secured = self._greet(request)
        except OSError:  # a broken handshake too: most often a browser that has not accepted the certificate yet
            return
        if secured is None:
            return
        try:
            super().finish_request(secured, client_address)
        finally:
            with contextlib.suppress(OSError):
                secured.shutdown(socket.SHUT_RDWR)
            secured.close()

    def _greet(self, request: socket.socket) -> ssl.SSLSocket | None:
        request.settimeout(_GREETING)
        first = request.recv(1, socket.MSG_PEEK)
        if not first:
            return None
        if first[0] != _HANDSHAKE_RECORD:
            request.sendall(_sent_on(request.recv(_LONGEST_HEAD), self.port))
            return None
        if self.ssl_context is None:
            raise RuntimeError("`secure` was not called")
        secured = self.ssl_context.wrap_socket(request, server_side=True)
        secured.setblocking(False)
        return secured


def _sent_on(head: bytes, port: int) -> bytes:
    """Answer a plain request: the same page is at https://. What does not look like a request gets a short no."""
    lines = head.decode("latin-1").split("\r\n")
    parts = lines[0].split(" ")
    host = next((line[5:].strip() for line in lines[1:] if line.lower().startswith("host:")), "")
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    plain = name.strip("[]").replace("-", "").replace(".", "").replace(":", "")
    target = parts[1] if len(parts) == 3 and parts[1].startswith("/") and parts[1].isprintable() else "/"
    if not (plain.isascii() and plain.isalnum()):
        return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    location = f"https://{name}:{port}{target}"
    return (
        f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    ).encode("latin-1")
