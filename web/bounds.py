"""Bounds on what a live channel takes in, which its library leaves to whoever uses it."""

from __future__ import annotations

from functools import partial
from typing import Any

from engineio.async_drivers.threading import _async
from socketio.packet import Packet


class NoAttachments(Packet):  # type: ignore[misc]
    """A message in plain JSON; one that announces binary parts is refused before any is waited for."""

    most = 0

    def decode(self, encoded_packet: Any) -> int:
        """Read a message and tell how many binary parts follow. Raises ValueError where they are too many."""
        count: int = super().decode(encoded_packet) or 0
        if count > self.most:
            raise ValueError("too many attachments")
        return count


class OneAttachment(NoAttachments):
    """A message with one binary part at most. Announced ones are kept until all are there, so they are few."""

    most = 1


def bound(server: Any, largest: int) -> None:
    """Let a `socketio.Server` close web sockets whose message grows beyond `largest` bytes while it arrives.

    Its own limit is looked at when the whole message is in memory.
    """
    eio = server.eio
    eio._async = {
        **_async,
        "websocket": partial(_async["websocket"], max_message_size=largest, receive_bytes=16384),
    }
