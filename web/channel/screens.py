"""Keeps every connected screen in the room of those that are told the same, and tells it of who is there."""

from __future__ import annotations

import threading
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from flask_socketio import SocketIO
from pydantic import TypeAdapter

from companion.table.views import SeatView, TableView
from web.channel.publication import Broadcast, whole_message
from web.languages import in_language
from web.people.access import Door, DoorView
from web.people.roles import HOST, Reader
from web.running_table import RunningTable

_NAMESPACE = "/"
_JSON = TypeAdapter(DoorView)


class Rooms:
    """The screens of one table, each told what it may know. Callable from any thread."""

    def __init__(self, socketio: SocketIO, table: RunningTable, door: Door) -> None:
        self._socketio = socketio
        self._table = table
        self._door = door
        self._settled: dict[str, Reader] = {}
        self._told: dict[str, DoorView] = {}
        self._seats: tuple[str | None, tuple[SeatView, ...]] = (None, ())
        self._lock = threading.RLock()
        self._broadcast = Broadcast(self._readers, self._send)

    def take(self, view: TableView) -> None:
        """Tell everybody of a view that the table publishes."""
        game = view.game
        now: tuple[str | None, tuple[SeatView, ...]] = (None, ()) if game is None else (game.id, game.seats)
        if now != self._seats:
            self._seats = now
            self.settle()
        self._broadcast.take(view)

    def welcome(self, sid: str) -> None:
        """Tell a screen that has connected, or asks, how everything stands."""
        reader = self._door.reader_of(sid)
        with self._lock:
            self._told.pop(sid, None)
            if self._settled.get(sid) == reader:
                self._tell_table(sid, reader)
        self.settle()

    def gone(self, sid: str) -> None:
        """Forget a screen that is not there any more."""
        with self._lock:
            self._settled.pop(sid, None)
            self._told.pop(sid, None)
        self.settle()

    def settle(self) -> None:
        """Bring every screen to the room where it belongs now, and tell it what has changed about who is there."""
        with self._lock:
            readers, told = self._door.readers(), self._door.told()
            for sid, reader in readers.items():
                # Sending may find out that a screen is gone, which comes back here before this is through.
                if self._door.is_here(sid):
                    with suppress(KeyError):
                        self._settle_one(sid, reader, told.get(sid))

    def _settle_one(self, sid: str, reader: Reader, told: DoorView | None) -> None:
        """Bring one screen to its room. Raises KeyError where it has gone meanwhile."""
        before = self._settled.get(sid)
        if before != reader:
            if before is not None:
                self._socketio.server.leave_room(sid, before.room, namespace=_NAMESPACE)
            self._socketio.server.enter_room(sid, reader.room, namespace=_NAMESPACE)
            self._settled[sid] = reader
        if told is not None and self._told.get(sid) != told:
            self._told[sid] = told
            self._socketio.emit("door", _JSON.dump_python(told, mode="json"), to=sid)
        if before != reader:
            self._tell_table(sid, reader)

    def tell(self, sids: Collection[str], line: str) -> None:
        """Tell some screens one plain line."""
        for sid in sids:
            language = self._door.reader_of(sid).language
            self._socketio.emit("told", {"message": in_language(line, language)}, to=sid)

    def tell_all(self, line: str) -> None:
        """Tell every screen one plain line."""
        self.tell(list(self._door.readers()), line)

    def show_hosts(self, event: str, value: Any) -> None:
        """Send plain values, in which lines are still lines, to every screen that keeps the table."""
        for sid in self.hosts():
            self._socketio.emit(event, in_language(value, self._door.reader_of(sid).language), to=sid)

    def hosts(self) -> list[str]:
        """Name the connections of all screens that keep the table."""
        return [sid for sid, reader in self._door.readers().items() if reader.role == HOST]

    def _readers(self) -> list[Reader]:
        return list(self._settled.copy().values())

    def _send(self, message: dict[str, Any], reader: Reader) -> None:
        self._socketio.emit("table", message, to=reader.room)

    def _tell_table(self, sid: str, reader: Reader) -> None:
        self._socketio.emit("table", whole_message(self._table.view, reader), to=sid)
