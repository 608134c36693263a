"""The roles of devices (host, or player of a seat), stored in a file."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from calibration.files.crash_safe_files import write_whole
from calibration.translatable import say
from companion.table.views import Refused, SeatView
from web.people.device_identification import Device
from web.people.roles import HOST, PLAYER, SPECTATOR, Principal, Role

_MAX_DEVICES = 64
"""Registered devices; the oldest is dropped first. Far more than sit at a table."""


@dataclass(frozen=True, slots=True)
class Registration:
    """The role of one device. A seat is stored by name and colour, so it is found again in the next game."""

    device: str
    """Id of the device."""
    role: Role
    """Role of the device."""
    name: str = ""
    """The player's name; players only."""
    colour: str | None = None
    """The player's colour; players only."""

    def is_for(self, seat: SeatView) -> bool:
        """Return whether the device plays for a seat: whether the player's name and colour are the same."""
        return self.role == PLAYER and (self.name, self.colour) == (seat.name, seat.figure)


_REGISTRATIONS: TypeAdapter[tuple[Registration, ...]] = TypeAdapter(tuple[Registration, ...])


class DeviceRegister:
    """The roles of all devices; an unregistered one is a spectator. Callable from any thread.

    file: where they are stored, readable by this user alone; None keeps them in memory.
    local_host: whether an unregistered browser on the serving machine is host.
    """

    def __init__(self, file: Path | None = None, *, local_host: bool = True) -> None:
        self._file = file
        self._local_host = local_host
        self._lock = threading.Lock()
        self._registrations: dict[str, Registration] = {one.device: one for one in _read(file)}

    def needs_no_code(self, device: Device) -> bool:
        """Return whether a device may be host without a code: a browser on the serving machine, by default."""
        return device.local and self._local_host

    def principal(self, device: Device, seats: Sequence[SeatView]) -> Principal:
        """Return the role, seat and language of a device in a game with these seats.

        A player without a seat in this game is a spectator.
        """
        registration = self._registrations.get(device.id)
        if registration is None:
            role = HOST if self.needs_no_code(device) else SPECTATOR
            return Principal(role, None, device.language)
        if registration.role != PLAYER:
            return Principal(registration.role, None, device.language)
        seat = next((index for index, seat in enumerate(seats) if registration.is_for(seat)), None)
        return Principal(SPECTATOR if seat is None else PLAYER, seat, device.language)

    def holder(self, seat: SeatView) -> str | None:
        """Return the id of the device that plays for a seat; None if it is free."""
        return next((one.device for one in self._registrations.values() if one.is_for(seat)), None)

    def assign_seat(self, device: str, seat: SeatView) -> str | None:
        """Make a device the player of a seat; return the id of the device that had it before, None for none.

        That device becomes a spectator. Raises `Refused` if it cannot be stored; then nothing has changed.
        """
        with self._lock:
            before = self.holder(seat)
            self._store(Registration(device, PLAYER, seat.name, seat.figure), before)
        return None if before == device else before

    def assign_role(self, device: str, role: Role) -> None:
        """Make a device host or spectator. Raises `Refused` if it cannot be stored; then nothing has changed."""
        with self._lock:
            self._store(Registration(device, role))

    def withdraw(self, device: str) -> None:
        """Make a registered device a spectator, also on the serving machine. Raises `Refused` as `remove` does."""
        with self._lock:
            if device in self._registrations:
                self._replace({**self._registrations, device: Registration(device, SPECTATOR)})

    def remove(self, device: str) -> None:
        """Remove a device's registration.

        Raises `Refused` if that cannot be stored; the removal then lasts until the next start.
        """
        with self._lock:
            if device in self._registrations:
                self._replace({name: one for name, one in self._registrations.items() if name != device})

    def _replace(self, registrations: dict[str, Registration]) -> None:
        """Replace the registrations by ones with fewer rights, and save them; see `remove`."""
        self._registrations = registrations
        try:
            self._write(registrations)
        except OSError as error:
            line = say(
                "The role was withdrawn, but that could not be saved ({reason}): it returns at the next start. "
                "Free some disk space and withdraw it again.",
                reason=error.strerror or str(error),
            )
            raise Refused("not_now", line) from None

    def _store(self, registration: Registration, replaced: str | None = None) -> None:
        """Add and save a registration; the device `replaced` becomes a spectator. Raises `Refused` if it fails."""
        others = {name: one for name, one in self._registrations.items() if name != registration.device}
        if replaced in others:
            others[replaced] = Registration(replaced, SPECTATOR)
        while len(others) >= _MAX_DEVICES:
            others.pop(next(iter(others)))
        registrations = {**others, registration.device: registration}
        try:
            self._write(registrations)
        except OSError as error:
            line = say(
                "That could not be saved ({reason}), so nothing was changed. Free some disk space and try again.",
                reason=error.strerror or str(error),
            )
            raise Refused("not_now", line) from None
        self._registrations = registrations

    def _write(self, registrations: Mapping[str, Registration]) -> None:
        """Write registrations to the file, if there is one. Raises OSError."""
        if self._file is None:
            return
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(self._file, _REGISTRATIONS.dump_json(tuple(registrations.values())), mode=0o600)


def _read(file: Path | None) -> tuple[Registration, ...]:
    """Return the registrations in a file; none if it is missing or damaged."""
    if file is None:
        return ()
    try:
        return _REGISTRATIONS.validate_json(file.read_bytes())[:_MAX_DEVICES]
    except (OSError, ValidationError):
        return ()
