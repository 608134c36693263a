"""Who keeps the table and who sits where: a small register that a restart does not forget."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from calibration.storage import write_whole
from calibration.wording import say
from companion.games.wicked.components import PlayerColour
from companion.table.views import Refused, SeatView
from web.people.devices import Device
from web.people.roles import HOST, ONLOOKER, PLAYER, Reader, Role

_MOST = 64
"""Devices that have a place at once; far more than sit round a table."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a device may do. A player's seat is kept by name and colour, so it is found again in the next game."""

    device: str
    role: Role
    name: str = ""
    colour: PlayerColour | None = None

    def is_of(self, seat: SeatView) -> bool:
        """Tell whether this is the place of the player who sits there."""
        return self.role == PLAYER and (self.name, self.colour) == (seat.name, seat.colour)


_PLACES: TypeAdapter[tuple[Place, ...]] = TypeAdapter(tuple[Place, ...])


class People:
    """The places of all devices; one that has none looks on. Callable from any thread.

    file: where they are kept, for this user alone; None forgets them at the end. local_host: the serving machine
    itself keeps the table without being told to.
    """

    def __init__(self, file: Path | None = None, *, local_host: bool = True) -> None:
        self._file = file
        self._local_host = local_host
        self._lock = threading.Lock()
        self._places: dict[str, Place] = {place.device: place for place in _read(file)}

    def reader(self, device: Device, seats: Sequence[SeatView]) -> Reader:
        """Tell what a device may do in a game of these seats."""
        place = self._places.get(device.id)
        if place is None:
            role = HOST if device.local and self._local_host else ONLOOKER
            return Reader(role, None, device.language)
        if place.role != PLAYER:
            return Reader(place.role, None, device.language)
        seat = next((index for index, seat in enumerate(seats) if place.is_of(seat)), None)
        return Reader(ONLOOKER if seat is None else PLAYER, seat, device.language)

    def holder(self, seat: SeatView) -> str | None:
        """Tell which device plays for that seat."""
        return next((place.device for place in self._places.values() if place.is_of(seat)), None)

    def seat(self, device: str, seat: SeatView) -> str | None:
        """Let a device play for a seat and return the one that did so before, which is a spectator from now on.

        Raises `Refused` where the disk does not keep it; then nothing has changed.
        """
        with self._lock:
            before = self.holder(seat)
            self._keep(Place(device, PLAYER, seat.name, seat.colour), before)
        return None if before == device else before

    def make(self, device: str, role: Role) -> None:
        """Make a device host or spectator. Raises `Refused` where the disk does not keep it."""
        with self._lock:
            self._keep(Place(device, role))

    def forget(self, device: str) -> None:
        """Take a device's place away.

        Raises `Refused` where the disk does not keep that: the place is gone all the same, until the next start.
        """
        with self._lock:
            if device not in self._places:
                return
            self._places = {name: place for name, place in self._places.items() if name != device}
            try:
                self._write(self._places)
            except OSError as error:
                line = say(
                    "The place was taken back, but the disk did not keep that ({reason}): it comes back at the "
                    "next start. Free some space and take it back once more.",
                    reason=error.strerror or str(error),
                )
                raise Refused("not_now", line) from None

    def _keep(self, place: Place, instead: str | None = None) -> None:
        others = {name: one for name, one in self._places.items() if name not in (place.device, instead)}
        while len(others) >= _MOST:
            others.pop(next(iter(others)))
        places = {**others, place.device: place}
        try:
            self._write(places)
        except OSError as error:
            line = say(
                "The disk did not keep that ({reason}), so nothing was changed. Free some space and try again.",
                reason=error.strerror or str(error),
            )
            raise Refused("not_now", line) from None
        self._places = places

    def _write(self, places: Mapping[str, Place]) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(self._file, _PLACES.dump_json(tuple(places.values())), mode=0o600)


def _read(file: Path | None) -> tuple[Place, ...]:
    """Read the places kept in a file; nobody has one where it is missing or damaged."""
    if file is None:
        return ()
    try:
        return _PLACES.validate_json(file.read_bytes())[:_MOST]
    except (OSError, ValidationError):
        return ()
