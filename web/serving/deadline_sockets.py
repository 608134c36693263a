"""Connected sockets with deadlines, on which one thread receives while others send; a silent peer blocks none."""

from __future__ import annotations

import errno
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar

SEND_STALL = 15.0
"""Seconds without any byte accepted by the peer after which sending fails."""
_Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""poll needs no file descriptor of its own, unlike epoll and kqueue."""

T = TypeVar("T")


class _Deadlines:
    """Mixin for a plain and a TLS socket: receiving and sending with deadlines on a non-blocking socket.

    receive_until: time (monotonic seconds) at which receiving raises TimeoutError; None waits without limit.
    `send` sends everything, as web socket code expects of a blocking socket; a TLS call sends at most 16 KiB.
    One call at a time runs under a lock, because OpenSSL requires that, and none blocks while it holds the lock.
    """

    receive_until: float | None
    _call: threading.Lock
    _message: threading.Lock

    def prepare(self) -> None:
        """Make the socket non-blocking, and create its locks, without a deadline; call it once after creation."""
        self.receive_until = None
        self._call, self._message = threading.Lock(), threading.Lock()
        super().setblocking(False)  # type: ignore[misc]

    def setblocking(self, flag: bool) -> None:
        """Do nothing: deadlines replace the blocking mode."""

    def settimeout(self, value: float | None) -> None:
        """Do nothing: deadlines replace timeouts."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Receive up to `buflen` bytes; b"" once the peer has closed. Raises TimeoutError at the deadline."""
        receive = partial(super().recv, buflen, flags)  # type: ignore[misc]
        received: bytes = self._retry_until_ready(receive, selectors.EVENT_READ, self._time_to_receive)
        return received

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        """Receive into a buffer and return the number of bytes. Raises TimeoutError at the deadline."""
        receive = partial(super().recv_into, buffer, nbytes or len(buffer), flags)  # type: ignore[misc]
        size: int = self._retry_until_ready(receive, selectors.EVENT_READ, self._time_to_receive)
        return size

    def send(self, data: Any, flags: int = 0) -> int:
        """Send everything and return its length.

        Raises OSError if the peer accepts no byte for `SEND_STALL` seconds.
        """
        left = view = memoryview(data).cast("B")
        with self._message:
            while left:
                send = partial(super().send, left, flags)  # type: ignore[misc]
                left = left[self._retry_until_ready(send, selectors.EVENT_WRITE, _within(SEND_STALL)) :]
        return len(view)

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send everything. Raises OSError if the peer accepts no byte for `SEND_STALL` seconds."""
        self.send(data, flags)

    def send_at_once(self, data: bytes) -> None:
        """Send what the peer accepts without waiting, and drop the rest."""
        with suppress(OSError), self._call:
            self._check_open()
            super().send(data)  # type: ignore[misc]

    def shutdown(self, how: int) -> None:
        """Shut the connection down; calls that are sending or receiving fail at once."""
        socket.socket.shutdown(self, how)  # type: ignore[arg-type]

    def close(self) -> None:
        """Close the socket, after any call that is running."""
        with self._call:
            super().close()  # type: ignore[misc]

    def abort(self) -> None:
        """Shut the connection down from any thread without waiting for the peer; idempotent."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def _time_to_receive(self) -> float | None:
        return None if self.receive_until is None else self.receive_until - time.monotonic()

    def _check_open(self) -> None:
        """Raise OSError if the connection is closed."""
        if self.fileno() < 0:  # type: ignore[attr-defined]
            raise OSError(errno.EBADF, "The connection is closed.")

    def _retry_until_ready(self, call: Callable[[], T], event: int, seconds_left: Callable[[], float | None]) -> T:
        """Return the result of a non-blocking call, repeated each time the socket becomes ready.

        event: of `selectors`, to wait for after BlockingIOError. seconds_left: returns the seconds until the
        deadline, None without one. Raises TimeoutError at the deadline.
        """
        while True:
            try:
                with self._call:
                    self._check_open()
                    return call()
            except BlockingIOError:
                self._wait(event, seconds_left)
            except ssl.SSLWantReadError:
                self._wait(selectors.EVENT_READ, seconds_left)
            except ssl.SSLWantWriteError:
                self._wait(selectors.EVENT_WRITE, _within(SEND_STALL))
            except ssl.SSLError as error:
                # As a ConnectionError it is not logged: a peer that disconnects is no fault of the server.
                raise ConnectionResetError(errno.ECONNRESET, f"The connection broke: {error.reason}") from error

    def _wait(self, event: int, seconds_left: Callable[[], float | None]) -> None:
        """Wait until the socket is ready for an event of `selectors`. Raises TimeoutError at the deadline.

        seconds_left: returns the seconds until the deadline, None without one; called repeatedly, because a
        deadline may be lifted.
        """
        self._check_open()
        with _Selector() as readiness:
            readiness.register(self.fileno(), event)  # type: ignore[attr-defined]
            while (left := seconds_left()) is None or left > 0:
                if readiness.select(left):
                    return
        raise TimeoutError(errno.ETIMEDOUT, "The peer takes too long.")


def _within(seconds: float) -> Callable[[], float]:
    """Return a function that returns how many seconds are left of these, counted from now."""
    ends = time.monotonic() + seconds
    return lambda: ends - time.monotonic()


class PlainSocket(_Deadlines, socket.socket):
    """An accepted connection without TLS."""

    @classmethod
    def of(cls, accepted: socket.socket) -> Self:
        """Return a socket with deadlines for an accepted connection; the original socket object is detached."""
        plain = cls(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        plain.prepare()
        with suppress(OSError):  # send small packets at once, without Nagle's algorithm
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain


class TlsSocket(_Deadlines, ssl.SSLSocket):
    """An accepted connection with TLS; its context creates it as `sslsocket_class`."""

    _sslobj: object

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        """Return a new socket that has its locks already, because `wrap_socket` does not call `__init__`."""
        made = super().__new__(cls, *args, **fields)
        made.receive_until = None
        made._call, made._message = threading.Lock(), threading.Lock()
        return made

    def setblocking(self, flag: bool) -> None:
        """Set the blocking mode while `wrap_socket` creates the socket; do nothing afterwards."""
        if self._sslobj is None:
            super(_Deadlines, self).setblocking(flag)

    def settimeout(self, value: float | None) -> None:
        """Set the timeout while `wrap_socket` creates the socket; do nothing afterwards."""
        if self._sslobj is None:
            super(_Deadlines, self).settimeout(value)

    def shake_hands(self) -> None:
        """Make the TLS handshake. Raises OSError if it fails, and TimeoutError at the deadline."""
        self._retry_until_ready(self.do_handshake, selectors.EVENT_READ, self._time_to_receive)

    def _check_open(self) -> None:
        if self._sslobj is None:
            raise OSError(errno.EBADF, "The connection is closed.")
        super()._check_open()
