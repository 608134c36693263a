"""Joining the table: events by which screens come to a seat or to keeping the table, and the code to scan."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import segno
from flask import Blueprint, Response, make_response, request
from flask_socketio import ConnectionRefusedError as Unwelcome
from flask_socketio import SocketIO
from pydantic import Field, StringConstraints

from calibration.wording import say
from companion.table.views import Refused
from web.channel.commands import Decision, Identifier
from web.channel.router import Guarded, caller
from web.channel.screens import Rooms
from web.people.access import Door
from web.people.roles import HOST, ROLES
from web.people.security import open_to
from web.serving.websocket import leave_soon, stay

Code = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Seat = Annotated[int, Field(ge=0, le=20)]

_SECOND_HOST = say(
    "Another device keeps the table, too. Who taps first counts; the other is told that it was too late."
)
_WITHDRAWN = say("The host has taken your place at this table back, so you look on now.")
_GIVEN_AWAY = say("The host gave your seat to another device, so you look on now.")
_SEATED = say("The host gave you a seat: it is yours now.")
_HOST_NOW = say("You keep the table now.")


class TakeSeat(Decision):
    """Play for a seat of the game that is on, by the table's code."""

    code: Code
    game: Identifier
    seat: Seat


class Pair(Decision):
    """Keep the table, by the code on the serving machine's console."""

    code: Code


class StepBack(Decision):
    """Look on from now on."""


class KeepTable(Decision):
    """Keep the table again, on the serving machine itself."""


class GiveSeat(Decision):
    """Let a device play for a seat of the game that is on."""

    device: Identifier
    game: Identifier
    seat: Seat


class FreeSeat(Decision):
    """Let nobody play for a seat of the game that is on."""

    game: Identifier
    seat: Seat


class Named(Decision):
    """Something about one connected device."""

    device: Identifier


class RenewCode(Decision):
    """Make a new table code."""


def joining(socketio: SocketIO, guarded: Guarded, door: Door, rooms: Rooms) -> None:
    """Put everything on the channel by which screens come and go."""

    def connect() -> None:
        try:
            door.enter(caller(), request.environ)
        except Refused as refused:
            raise Unwelcome(str(refused)) from None
        stay(request.environ)
        rooms.welcome(caller())

    def disconnect(*reason: object) -> None:
        door.leave(caller())
        rooms.gone(caller())
        leave_soon(request.environ)

    socketio.on_event("connect", connect)
    socketio.on_event("disconnect", disconnect)

    @contextmanager
    def settled() -> Iterator[None]:
        """Bring all screens to their channels afterwards, also where the disk did not keep what was done."""
        try:
            yield
        finally:
            rooms.settle()

    def tell_device(device: str | None, line: str) -> None:
        if device is not None:
            rooms.tell(door.screens_of(device), line)

    def tell_hosts() -> None:
        hosts = rooms.hosts()
        if len({door.device_of(sid) for sid in hosts}) > 1:
            rooms.tell(hosts, _SECOND_HOST)

    @guarded.on("take_seat", TakeSeat, *ROLES)
    def _take_seat(command: TakeSeat) -> None:
        door.take_seat(caller(), command.code, command.game, command.seat)
        rooms.settle()

    @guarded.on("pair", Pair, *ROLES)
    def _pair(command: Pair) -> None:
        door.pair(caller(), command.code)
        rooms.settle()
        tell_hosts()

    @guarded.on("step_back", StepBack, *ROLES)
    def _step_back(_: StepBack) -> None:
        with settled():
            door.step_back(caller())

    @guarded.on("keep_table", KeepTable, *ROLES)
    def _keep(_: KeepTable) -> None:
        with settled():
            door.keep(caller())

    @guarded.on("give_seat", GiveSeat, HOST)
    def _give_seat(command: GiveSeat) -> None:
        before = door.give_seat(command.device, command.game, command.seat)
        rooms.settle()
        tell_device(command.device, _SEATED)
        tell_device(before, _GIVEN_AWAY)

    @guarded.on("free_seat", FreeSeat, HOST)
    def _free_seat(command: FreeSeat) -> None:
        with settled():
            before = door.free_seat(command.game, command.seat)
        tell_device(before, _WITHDRAWN)

    @guarded.on("make_host", Named, HOST)
    def _make_host(command: Named) -> None:
        door.make_host(command.device)
        rooms.settle()
        tell_device(command.device, _HOST_NOW)
        tell_hosts()

    @guarded.on("withdraw", Named, HOST)
    def _withdraw(command: Named) -> None:
        if command.device == door.device_of(caller()):
            raise Refused("not_now", say("That is this device itself. Choose Look on for it."))
        with settled():
            door.withdraw(command.device)
        tell_device(command.device, _WITHDRAWN)

    @guarded.on("renew_code", RenewCode, HOST)
    def _renew(_: RenewCode) -> None:
        door.renew_code()
        rooms.settle()


def join_code(door: Door) -> Blueprint:
    """Make the blueprint of the code that a phone scans to join."""
    blueprint = Blueprint("joining", __name__)

    @blueprint.get("/join/qr.svg")
    @open_to(HOST)
    def qr() -> Response:
        if door.address is None:
            return make_response("There is no address for others to show.\n", 404)
        picture = io.BytesIO()
        # What stands behind # stays in the browser: the code is in no log and in no other page's hands.
        text = f"{door.address}/#join/{door.table_code}"
        segno.make(text, error="m").save(picture, kind="svg", scale=4, dark="#14121a", light="#efe6d3")
        response = make_response(picture.getvalue())
        response.mimetype = "image/svg+xml"
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint
