"""The events by which screens connect and change their role, and by which hosts manage roles and seats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from flask import request
from flask_socketio import ConnectionRefusedError, SocketIO
from pydantic import Field, StringConstraints

from calibration.translatable import say
from companion.table.views import Refused
from web.channel.channels import Channels
from web.channel.commands import Decision, Identifier
from web.channel.router import CommandRouter, caller
from web.languages import language_of, text_of
from web.people.access_control import AccessControl
from web.people.roles import HOST, ROLES
from web.serving.websocket import lift_join_deadline, set_join_deadline

Code = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""A table code or host code as a person typed it."""
Seat = Annotated[int, Field(ge=0, le=20)]
"""Index of a seat."""

_SECOND_HOST = say(
    "Another device is also a host. If both tap, the first tap counts, and the other device shows that it was too "
    "late."
)
_WITHDRAWN = say("The host withdrew your role. You are a spectator now.")
_SEAT_REASSIGNED = say("The host gave your seat to another device. You are a spectator now.")
_SEAT_ASSIGNED = say("The host assigned you a seat. You can play now.")
_HOST_NOW = say("You are a host now.")


class TakeSeat(Decision):
    """Take a seat of the running game with the table code."""

    code: Code
    game: Identifier
    seat: Seat


class BecomeHost(Decision):
    """Become a host with the host code, which the serving machine's console shows."""

    code: Code


class BecomeSpectator(Decision):
    """Become a spectator."""


class RestoreLocalHost(Decision):
    """Become a host again without a code, in a browser on the serving machine."""


class GiveSeat(Decision):
    """Assign a seat of the running game to a device."""

    device: Identifier
    game: Identifier
    seat: Seat


class FreeSeat(Decision):
    """Release a seat of the running game."""

    game: Identifier
    seat: Seat


class DeviceCommand(Decision):
    """Make a connected device a host, or withdraw its role, depending on the event."""

    device: Identifier


class RenewCode(Decision):
    """Generate a new table code."""


def add_joining_events(
    socketio: SocketIO, router: CommandRouter, access: AccessControl, channels: Channels
) -> None:
    """Register the handlers of connecting, disconnecting, and of all events that change a screen's role or seat."""

    def connect() -> None:
        try:
            access.connect(caller(), request.environ)
        except Refused as refused:
            raise ConnectionRefusedError(text_of(str(refused), language_of(request))) from None
        lift_join_deadline(request.environ)
        channels.add(caller())

    def disconnect(*reason: object) -> None:
        access.disconnect(caller())
        channels.remove(caller())
        set_join_deadline(request.environ)

    socketio.on_event("connect", connect)
    socketio.on_event("disconnect", disconnect)

    @contextmanager
    def updating_channels() -> Iterator[None]:
        """Update all channels after the block, even if the block raises because a change could not be stored."""
        try:
            yield
        finally:
            channels.update()

    def notify_device(device: str | None, line: str) -> None:
        if device is not None:
            channels.notify(access.screens_of(device), line)

    def notify_hosts() -> None:
        hosts = channels.hosts()
        if len({access.device_of(sid) for sid in hosts}) > 1:
            channels.notify(hosts, _SECOND_HOST)

    @router.on("take_seat", TakeSeat, *ROLES)
    def _take_seat(command: TakeSeat) -> None:
        access.take_seat(caller(), command.code, command.game, command.seat)
        channels.update()

    @router.on("pair", BecomeHost, *ROLES)
    def _become_host(command: BecomeHost) -> None:
        access.become_host(caller(), command.code)
        channels.update()
        notify_hosts()

    @router.on("step_back", BecomeSpectator, *ROLES)
    def _become_spectator(_: BecomeSpectator) -> None:
        with updating_channels():
            access.become_spectator(caller())

    @router.on("keep_table", RestoreLocalHost, *ROLES)
    def _restore_local_host(_: RestoreLocalHost) -> None:
        with updating_channels():
            access.restore_local_host(caller())

    @router.on("give_seat", GiveSeat, HOST)
    def _give_seat(command: GiveSeat) -> None:
        before = access.give_seat(command.device, command.game, command.seat)
        channels.update()
        notify_device(command.device, _SEAT_ASSIGNED)
        notify_device(before, _SEAT_REASSIGNED)

    @router.on("free_seat", FreeSeat, HOST)
    def _free_seat(command: FreeSeat) -> None:
        with updating_channels():
            before = access.free_seat(command.game, command.seat)
        notify_device(before, _WITHDRAWN)

    @router.on("make_host", DeviceCommand, HOST)
    def _make_host(command: DeviceCommand) -> None:
        access.make_host(command.device)
        channels.update()
        notify_device(command.device, _HOST_NOW)
        notify_hosts()

    @router.on("withdraw", DeviceCommand, HOST)
    def _withdraw(command: DeviceCommand) -> None:
        if command.device == access.device_of(caller()):
            raise Refused("not_now", say("That is this device. To give up its role, choose “Become a spectator”."))
        with updating_channels():
            access.withdraw(command.device)
        notify_device(command.device, _WITHDRAWN)

    @router.on("renew_code", RenewCode, HOST)
    def _renew_code(_: RenewCode) -> None:
        access.renew_code()
        channels.update()
