"""Connected sockets with deadlines: one thread receives while others send, and no peer holds either for ever."""

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
"""Seconds for which a peer may accept nothing of what is sent to it before the connection counts as broken."""
_Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Polling needs no file descriptor of its own, unlike epoll and kqueue."""

T = TypeVar("T")


class _Deadlines:
    """Receiving and sending on a non-blocking socket; mixed into a plain and into a TLS socket.

    receive_until: monotonic seconds at which receiving raises TimeoutError; None waits for ever.
    `send` sends everything: web socket code written for plain sockets expects that, and TLS stops after 16 KiB.
    Calls take turns, because OpenSSL allows one at a time on a connection, and none waits during its turn.
    """

    receive_until: float | None
    _call: threading.Lock
    _message: threading.Lock

    def prepare(self) -> None:
        """Make the socket ready for use; call it once after creation."""
        self.receive_until = None
        self._call, self._message = threading.Lock(), threading.Lock()
        super().setblocking(False)  # type: ignore[misc]

    def setblocking(self, flag: bool) -> None:
        """Do nothing: waiting is up to the deadlines here."""

    def settimeout(self, value: float | None) -> None:
        """Do nothing: waiting is up to the deadlines here."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Receive up to `buflen` bytes, b"" at the end. Raises TimeoutError at the deadline."""
        receive = partial(super().recv, buflen, flags)  # type: ignore[misc]
        received: bytes = self._in_turn(receive, selectors.EVENT_READ, self._time_to_receive)
        return received

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        """Receive into a buffer and return the number of bytes. Raises TimeoutError at the deadline."""
        receive = partial(super().recv_into, buffer, nbytes or len(buffer), flags)  # type: ignore[misc]
        size: int = self._in_turn(receive, selectors.EVENT_READ, self._time_to_receive)
        return size

    def send(self, data: Any, flags: int = 0) -> int:
        """Send all of it and return its length. Raises OSError where the peer accepts nothing for a while."""
        left = view = memoryview(data).cast("B")
        with self._message:
            while left:
                send = partial(super().send, left, flags)  # type: ignore[misc]
                left = left[self._in_turn(send, selectors.EVENT_WRITE, _within(SEND_STALL)) :]
        return len(view)

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send all of it. Raises OSError where the peer accepts nothing for a while."""
        self.send(data, flags)

    def send_at_once(self, data: bytes) -> None:
        """Send what the peer accepts right now and drop the rest."""
        with suppress(OSError), self._call:
            self._check_open()
            super().send(data)  # type: ignore[misc]

    def shutdown(self, how: int) -> None:
        """End the connection; what still sends or receives meanwhile fails at once."""
        socket.socket.shutdown(self, how)  # type: ignore[arg-type]

    def close(self) -> None:
        """Close the socket when nobody is in the middle of a call."""
        with self._call:
            super().close()  # type: ignore[misc]

    def abort(self) -> None:
        """End the connection from any thread without waiting for the peer; closing twice does no harm."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def _time_to_receive(self) -> float | None:
        return None if self.receive_until is None else self.receive_until - time.monotonic()

    def _check_open(self) -> None:
        """Raise OSError where the connection is closed."""
        if self.fileno() < 0:  # type: ignore[attr-defined]
            raise OSError(errno.EBADF, "The connection is closed.")

    def _in_turn(self, call: Callable[[], T], event: int, patience: Callable[[], float | None]) -> T:
        """Make a call once the socket is ready for it; event: what BlockingIOError means that it waits for."""
        while True:
            try:
                with self._call:
                    self._check_open()
                    return call()
            except BlockingIOError:
                self._wait(event, patience)
            except ssl.SSLWantReadError:
                self._wait(selectors.EVENT_READ, patience)
            except ssl.SSLWantWriteError:
                self._wait(selectors.EVENT_WRITE, _within(SEND_STALL))
            except ssl.SSLError as error:
                # A peer that goes away is no failure of the server, which stays silent about it.
                raise ConnectionResetError(errno.ECONNRESET, f"The connection broke: {error.reason}") from error

    def _wait(self, event: int, patience: Callable[[], float | None]) -> None:
        """Wait until the socket is ready. patience: seconds left; asked again, as deadlines can be lifted."""
        self._check_open()
        with _Selector() as readiness:
            readiness.register(self.fileno(), event)  # type: ignore[attr-defined]
            while (left := patience()) is None or left > 0:
                if readiness.select(left):
                    return
        raise TimeoutError(errno.ETIMEDOUT, "The peer takes too long.")


def _within(seconds: float) -> Callable[[], float]:
    """Return how much is left of so many seconds from now on."""
    ends = time.monotonic() + seconds
    return lambda: ends - time.monotonic()


class PlainSocket(_Deadlines, socket.socket):
    """An accepted connection in the clear."""

    @classmethod
    def of(cls, accepted: socket.socket) -> Self:
        """Take over an accepted socket."""
        plain = cls(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        plain.prepare()
        with suppress(OSError):  # small replies go out at once, and not with the acknowledgement of the one before
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain


class TlsSocket(_Deadlines, ssl.SSLSocket):
    """A connection by TLS; set as `sslsocket_class` of its context."""

    _sslobj: object

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        """Make the socket as `wrap_socket` does, past any __init__ of ours."""
        made = super().__new__(cls, *args, **fields)
        made.receive_until = None
        made._call, made._message = threading.Lock(), threading.Lock()
        return made

    def setblocking(self, flag: bool) -> None:
        """Block only while `wrap_socket` sets the connection up, which is before `prepare`."""
        if self._sslobj is None:
            super(_Deadlines, self).setblocking(flag)

    def settimeout(self, value: float | None) -> None:
        """Take a timeout only while `wrap_socket` sets the connection up."""
        if self._sslobj is None:
            super(_Deadlines, self).settimeout(value)

    def shake_hands(self) -> None:
        """Make the TLS handshake. Raises OSError where it fails or takes too long."""
        self._in_turn(self.do_handshake, selectors.EVENT_READ, self._time_to_receive)

    def _check_open(self) -> None:
        if self._sslobj is None:
            raise OSError(errno.EBADF, "The connection is closed.")
        super()._check_open()
