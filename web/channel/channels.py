"""The channels of connected screens: all screens of one principal share one, and get the same messages."""

from __future__ import annotations

import threading
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from flask_socketio import SocketIO
from pydantic import TypeAdapter

from companion.table.views import SeatView, TableView
from web.channel.role_filtered_messages import Broadcast, whole_message
from web.languages import translated
from web.people.access_control import AccessControl, AccessView
from web.people.roles import HOST, Principal
from web.table_interface import RunningTable

_NAMESPACE = "/"
_JSON = TypeAdapter(AccessView)


class Channels:
    """Sends the table's view and the access view to every screen. Callable from any thread.

    sid: connection id of a screen.
    """

    def __init__(self, socketio: SocketIO, table: RunningTable, access: AccessControl) -> None:
        self._socketio = socketio
        self._table = table
        self._access = access
        self._joined: dict[str, Principal] = {}
        self._sent: dict[str, AccessView] = {}
        self._seats: tuple[str | None, tuple[SeatView, ...]] = (None, ())
        self._lock = threading.RLock()
        self._broadcast = Broadcast(self._principals, self._send)

    def publish(self, view: TableView) -> None:
        """Send a view that the table has published to all screens."""
        game = view.game
        now: tuple[str | None, tuple[SeatView, ...]] = (None, ()) if game is None else (game.id, game.seats)
        if now != self._seats:
            self._seats = now
            self.update()
        self._broadcast.send(view)

    def add(self, sid: str) -> None:
        """Send the whole state to a screen that has connected, or that asks for it. sid: its connection id."""
        principal = self._access.principal_of(sid)
        with self._lock:
            self._sent.pop(sid, None)
            if self._joined.get(sid) == principal:
                self._send_table(sid, principal)
        self.update()

    def remove(self, sid: str) -> None:
        """Forget a screen that has disconnected, and update the others. sid: its connection id."""
        with self._lock:
            self._joined.pop(sid, None)
            self._sent.pop(sid, None)
        self.update()

    def update(self) -> None:
        """Move every screen to the channel of its present role, seat and language; send it its changed access view.

        The access view contains the screen's own role, and who is connected.
        """
        with self._lock:
            principals, views = self._access.principals(), self._access.views()
            for sid, principal in principals.items():
                # Sending may find that a screen is gone, which calls `remove` in the middle of this loop.
                if self._access.is_connected(sid):
                    with suppress(KeyError):
                        self._update_one(sid, principal, views.get(sid))

    def _update_one(self, sid: str, principal: Principal, view: AccessView | None) -> None:
        """Move one screen to its channel, and send it a changed access view.

        Raises KeyError if it is disconnected.
        """
        before = self._joined.get(sid)
        if before != principal:
            if before is not None:
                self._socketio.server.leave_room(sid, before.channel, namespace=_NAMESPACE)
            self._socketio.server.enter_room(sid, principal.channel, namespace=_NAMESPACE)
            self._joined[sid] = principal
        if view is not None and self._sent.get(sid) != view:
            self._sent[sid] = view
            self._socketio.emit("door", _JSON.dump_python(view, mode="json"), to=sid)
        if before != principal:
            self._send_table(sid, principal)

    def notify(self, sids: Collection[str], line: str) -> None:
        """Send one line of text to some screens, each in its language."""
        for sid in sids:
            language = self._access.principal_of(sid).language
            self._socketio.emit("told", {"message": translated(line, language)}, to=sid)

    def notify_all(self, line: str) -> None:
        """Send one line of text to every screen."""
        self.notify(list(self._access.principals()), line)

    def send_to_hosts(self, event: str, value: Any) -> None:
        """Send an event to every host's screen; each `Line` in its value is translated."""
        for sid in self.hosts():
            self._socketio.emit(event, translated(value, self._access.principal_of(sid).language), to=sid)

    def hosts(self) -> list[str]:
        """Return the connection ids of all hosts' screens."""
        return [sid for sid, principal in self._access.principals().items() if principal.role == HOST]

    def _principals(self) -> list[Principal]:
        return list(self._joined.copy().values())

    def _send(self, message: dict[str, Any], principal: Principal) -> None:
        self._socketio.emit("table", message, to=principal.channel)

    def _send_table(self, sid: str, principal: Principal) -> None:
        self._socketio.emit("table", whole_message(self._table, principal), to=sid)
