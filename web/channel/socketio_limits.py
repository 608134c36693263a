"""Limits that Socket.IO's server lacks: on content of packets, length of send queues, concurrent events."""

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

from web.serving.rate_limited_log import RateLimitedLog
from web.serving.websocket import WebSocket

RESERVED = frozenset(
    {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener", "*"}
)
"""Event names that the library uses itself; a screen may not send them."""
MAX_UNSENT_PACKETS = 256
"""Packets queued for a screen that does not read."""
MAX_UNSENT_BYTES = 4 * 1024 * 1024
"""Bytes queued for a screen that does not read."""
_MAX_DIGITS = 100
"""Digits of an integer in a payload; Python converts very long ones slowly."""
_MAX_CONCURRENT_EVENTS = 4
"""Events of one screen that are handled at a time; the next one is read when one of them is done."""
_HANDLER_THREADS = 8
"""Threads that handle events, shared by all screens."""


class _Json:
    """JSON codec of packets; an integer of too many digits becomes infinity, which validation refuses later."""

    dumps = staticmethod(json.dumps)

    @staticmethod
    def loads(text: str) -> Any:
        """Return the value of a JSON text, with infinity for an integer of too many digits. Raises ValueError."""
        return json.loads(
            text, parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else float("inf")
        )


class NoAttachments(Packet):  # type: ignore[misc]
    """A packet without binary attachments; one that announces any is refused before they are read."""

    max_attachments = 0
    json = _Json

    def decode(self, encoded_packet: Any) -> int:
        """Decode a packet and return how many binary attachments follow.

        Raises ValueError for too many attachments and for an event that a screen may not send.
        """
        try:
            count: int = super().decode(encoded_packet) or 0
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if count > self.max_attachments:
            raise ValueError("too many attachments")
        if self.packet_type == EVENT:
            check_event(self.data)
        return count


class OneAttachment(NoAttachments):
    """A packet with at most one binary attachment."""

    max_attachments = 1


def check_event(data: Any) -> None:
    """Raise ValueError if the data of a decoded packet is not an event that a screen may send."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or data[0] in RESERVED:
        raise ValueError("no event of a screen")


class SendQueue(queue.Queue):  # type: ignore[type-arg]
    """The bounded send queue of one screen; when it overflows, it is emptied and the connection closed."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes = 0
        self._overflowed = False

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Queue a packet; None ends the connection, and so does an overflow. block, timeout: ignored."""
        with self.mutex:
            self._bytes += _size(item)
            if len(self.queue) >= MAX_UNSENT_PACKETS or self._bytes > MAX_UNSENT_BYTES:
                self._overflowed = True
                self.queue.clear()
            if self._overflowed:
                self._bytes, item = 0, None
                self.queue.clear()
            self.queue.append(item)
            self.not_empty.notify()

    def _get(self) -> Any:
        item = super()._get()
        self._bytes -= _size(item)
        return item

    def task_done(self) -> None:
        """Do nothing: no caller waits until a screen has read everything."""

    def join(self) -> None:
        """Return at once, without waiting for a screen that does not read."""


def _size(packet: Any) -> int:
    """Return the size of a packet's data: bytes, or characters of text; 0 for other data."""
    data = getattr(packet, "data", None)
    return len(data) if isinstance(data, (str, bytes)) else 0


def limit_server(server: Any, max_message_bytes: int) -> None:
    """Install the limits on a `socketio.Server`; malformed packets are logged rate-limited."""
    eio = server.eio
    eio._async = {
        **_async,
        "queue": SendQueue,
        "websocket": partial(WebSocket, max_message_bytes=max_message_bytes),
    }
    server.logger = eio.logger = RateLimitedLog("web.channel.table_events")
    if server.async_handlers:
        server._handle_event = _EventPool(server).handle


class _EventPool:
    """Handles events in a thread pool that all screens share, with a maximum of concurrent events per screen.

    Back-pressure: while a screen has reached its maximum, nothing more is read from its connection.
    """

    def __init__(self, server: Any) -> None:
        self._server = server
        self._pool = ThreadPoolExecutor(_HANDLER_THREADS, thread_name_prefix="event")

    def handle(self, eio_sid: str, namespace: str | None, id: int | None, data: list[Any]) -> None:
        """Handle an event of a connected screen; blocks while too many of its events are being handled."""
        server, namespace = self._server, namespace or "/"
        sid = server.manager.sid_from_eio_sid(eio_sid, namespace)
        if not server.manager.is_connected(sid, namespace):
            return
        handler: Callable[[], None] = partial(
            server._handle_event_internal, server, sid, eio_sid, data, namespace, id
        )
        if not server.async_handlers:
            handler()
            return
        screen = server.eio.sockets.get(eio_sid)
        if screen is None:
            return
        slots = screen.session.setdefault("event slots", threading.BoundedSemaphore(_MAX_CONCURRENT_EVENTS))
        slots.acquire()
        self._pool.submit(self._run, handler, slots)

    def _run(self, handler: Callable[[], None], slots: threading.BoundedSemaphore) -> None:
        try:
            handler()
        except Exception:
            self._server.logger.exception("An event failed")
        finally:
            slots.release()
