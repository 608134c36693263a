"""Bounds on what a live channel takes in and keeps for sending, which its library leaves to whoever uses it."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from engineio.async_drivers.threading import _async
from socketio.packet import EVENT, Packet

from web.serving.requests import CountingLog
from web.serving.websocket import WebSocket

RESERVED = frozenset(
    {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener", "*"}
)
"""Events that the library itself makes of packets; no screen may send one by name."""
MOST_UNSENT = 256
"""Packets that are kept for a screen that does not read."""
MOST_UNSENT_BYTES = 4 * 1024 * 1024
_DIGITS = 100
_IN_FLIGHT = 4
"""Events of one screen that are handled at a time; the next one is not read before."""
_HANDLERS = 8
"""Threads that handle events."""


class _Json:
    """JSON of packets: a number of very many digits is read as infinite, so that it is refused with an answer."""

    dumps = staticmethod(json.dumps)

    @staticmethod
    def loads(text: str) -> Any:
        """Parse a text. Raises ValueError."""
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else float("inf"))


class NoAttachments(Packet):  # type: ignore[misc]
    """A message in plain JSON; one that announces binary parts is refused before any is waited for."""

    most = 0
    json = _Json

    def decode(self, encoded_packet: Any) -> int:
        """Decode a message and return how many binary parts follow.

        Raises ValueError where they are too many, or where the message is no event that a screen may send.
        """
        try:
            count: int = super().decode(encoded_packet) or 0
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if count > self.most:
            raise ValueError("too many attachments")
        if self.packet_type == EVENT:
            check_event(self.data)
        return count


class OneAttachment(NoAttachments):
    """A message with one binary part at most. Announced ones are kept until all are there, so they are few."""

    most = 1


def check_event(data: Any) -> None:
    """Raise ValueError where this is no event that a screen may send."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or data[0] in RESERVED:
        raise ValueError("no event of a screen")


class SendQueue(queue.Queue):  # type: ignore[type-arg]
    """The packets that wait to be sent to one screen; one that does not read loses them, and its connection."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = 0
        self._dropped = False

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Keep a packet for sending; None, or too much, ends the connection."""
        with self.mutex:
            self._bytes += _size(item)
            if len(self.queue) >= MOST_UNSENT or self._bytes > MOST_UNSENT_BYTES:
                self._dropped = True
                self.queue.clear()
            if self._dropped:
                self._bytes, item = 0, None
                self.queue.clear()
            self.queue.append(item)
            self.not_empty.notify()

    def _get(self) -> Any:
        item = super()._get()
        self._bytes -= _size(item)
        return item

    def task_done(self) -> None:
        """Do nothing: nobody waits for a screen to have read everything."""

    def join(self) -> None:
        """Return at once: a screen that does not read is not waited for."""


def _size(packet: Any) -> int:
    data = getattr(packet, "data", None)
    return len(data) if isinstance(data, (str, bytes)) else 0


def bound(server: Any, largest: int) -> None:
    """Bound a `socketio.Server`: messages of up to `largest` bytes, send queues, threads that handle events.

    Malformed packets are counted in the log, in single lines.
    """
    eio = server.eio
    eio._async = {
        **_async,
        "queue": SendQueue,
        "websocket": partial(WebSocket, largest=largest),
    }
    server.logger = eio.logger = CountingLog("web.channel.events")
    if server.async_handlers:
        server._handle_event = _Handlers(server).handle


class _Handlers:
    """Handles events in a few threads that all screens share, so many of one screen at a time.

    A screen whose events are all in hand is not read until one is done, so whoever sends faster waits in its own
    buffers.
    """

    def __init__(self, server: Any) -> None:
        self._server = server
        self._pool = ThreadPoolExecutor(_HANDLERS, thread_name_prefix="event")

    def handle(self, eio_sid: str, namespace: str | None, id: int | None, data: list[Any]) -> None:
        """Handle an event of a connected screen; waits where too many of its events are being handled."""
        server, namespace = self._server, namespace or "/"
        sid = server.manager.sid_from_eio_sid(eio_sid, namespace)
        if not server.manager.is_connected(sid, namespace):
            return
        act: Callable[[], None] = partial(server._handle_event_internal, server, sid, eio_sid, data, namespace, id)
        if not server.async_handlers:
            act()
            return
        screen = server.eio.sockets.get(eio_sid)
        if screen is None:
            return
        turn = screen.session.setdefault("turns", threading.BoundedSemaphore(_IN_FLIGHT))
        turn.acquire()
        self._pool.submit(self._act, act, turn)

    def _act(self, act: Callable[[], None], turn: threading.BoundedSemaphore) -> None:
        try:
            act()
        except Exception:
            self._server.logger.exception("An event failed")
        finally:
            turn.release()
