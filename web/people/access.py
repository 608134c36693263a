"""The door: which screens are connected, as what, and how somebody comes to a seat or to keeping the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.wording import say
from companion.table.views import Refused, SeatView, TableView
from web.people.attempts import Tries
from web.people.codes import HOST_CODE, TABLE_CODE, new_code, same_code
from web.people.devices import Device, Devices
from web.people.register import People
from web.people.roles import HOST, ONLOOKER, PLAYER, Reader, Role

MOST_CONNECTED = 100
MOST_SPECTATORS = 80
"""Of these, so that hosts, players and the serving machine itself always find a place."""
MOST_SPECTATORS_OF_ADDRESS = 24

_OLD_CODE = say("That code does not open anything here; it may be an old one. Type the one that is shown now.")
_MOVED_ON = say("Another game began meanwhile, so nothing was changed. Choose your seat in this one.")
_GONE = say("That device is not here any more. Look at the list again.")


@dataclass(frozen=True, slots=True)
class You:
    """The screen itself. local: on the serving machine."""

    device: str
    role: Role
    seat: int | None
    local: bool


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Whether somebody plays for a seat, and has a screen open."""

    taken: bool
    here: bool


@dataclass(frozen=True, slots=True)
class Somebody:
    """A connected device, for hosts. number: in the order in which they came."""

    device: str
    number: int
    kind: str
    address: str
    role: Role
    seat: int | None


@dataclass(frozen=True, slots=True)
class Keys:
    """What hosts may show to let others in.

    others: further addresses, in other networks; pairing: the host's code, only on the serving machine itself.
    """

    code: str
    address: str | None
    others: tuple[str, ...]
    pairing: str | None
    people: tuple[Somebody, ...]


@dataclass(frozen=True, slots=True)
class DoorView:
    """What a screen is told of who is there."""

    you: You
    game: str | None
    seats: tuple[SeatTaken, ...]
    hosts: int
    onlookers: int
    keys: Keys | None


@dataclass(frozen=True, slots=True)
class _Screen:
    device: Device
    number: int


class Door:
    """Who is connected and may do what. Every command raises `Refused` where it may not be, and changes nothing.

    view: the table as it is now; announce: says a new pairing code on the serving machine's console; know: called
    with the address of each host or player that comes, for whom the server keeps places. `address` is where others
    of the network reach this server, where they do. Callable from any thread.
    """

    def __init__(
        self,
        view: Callable[[], TableView],
        devices: Devices,
        people: People,
        *,
        tries: Tries | None = None,
        announce: Callable[[str], None] = lambda code: None,
        know: Callable[[str], None] = lambda address: None,
    ) -> None:
        self._know = know
        self._view = view
        self._devices = devices
        self._people = people
        self._tries = tries or Tries()
        self._announce = announce
        self._screens: dict[str, _Screen] = {}
        self._lock = threading.RLock()
        self.address: str | None = None
        self.others: tuple[str, ...] = ()
        self.table_code = new_code(TABLE_CODE)
        self.host_code = new_code(HOST_CODE)

    # Who is who

    def reader(self, environ: Mapping[str, Any]) -> Reader:
        """Tell what whoever sent a request may do."""
        return self._people.reader(self._devices.of(environ), self._seats())

    def reader_of(self, sid: str) -> Reader:
        """Tell what a connected screen may do."""
        screen = self._screens.get(sid)
        return Reader(ONLOOKER) if screen is None else self._people.reader(screen.device, self._seats())

    def device_of(self, sid: str) -> str:
        """Name the device of a connected screen."""
        screen = self._screens.get(sid)
        return sid if screen is None else screen.device.id

    def readers(self) -> dict[str, Reader]:
        """Tell what every connected screen may do."""
        seats = self._seats()
        return {sid: self._people.reader(screen.device, seats) for sid, screen in list(self._screens.items())}

    def enter(self, sid: str, environ: Mapping[str, Any]) -> None:
        """Note a screen that has connected. Raises `Refused` where too many are."""
        with self._lock:
            device = self._devices.of(environ)
            self._check_room(device)
            taken = {screen.number for screen in self._screens.values()}
            again = next((one.number for one in self._screens.values() if one.device.id == device.id), None)
            number = again or next(n for n in range(1, MOST_CONNECTED + 2) if n not in taken)
            self._screens[sid] = _Screen(device, number)

    def leave(self, sid: str) -> None:
        """Note that a screen is gone."""
        self._screens.pop(sid, None)

    def screens_of(self, device: str) -> list[str]:
        """Name the connections of one device."""
        return [sid for sid, screen in list(self._screens.items()) if screen.device.id == device]

    def is_here(self, sid: str) -> bool:
        """Tell whether a screen is still connected."""
        return sid in self._screens

    def told(self) -> dict[str, DoorView]:
        """Say what each connected screen is told of who is there."""
        seats, game, readers = self._seats(), self._view().game, self.readers()
        screens = {sid: screen for sid, screen in list(self._screens.items()) if sid in readers}
        here = {(readers[sid].role, readers[sid].seat) for sid in screens}
        taken = tuple(
            SeatTaken(self._people.holder(seat) is not None, (PLAYER, index) in here)
            for index, seat in enumerate(seats)
        )
        devices = {screen.device.id: _somebody(screen, readers[sid]) for sid, screen in screens.items()}
        people = tuple(sorted(devices.values(), key=lambda one: one.number))
        hosts = sum(one.role == HOST for one in people)
        onlookers = sum(one.role == ONLOOKER for one in people)

        def of(device: Device, reader: Reader) -> DoorView:
            pairing = self.host_code if device.local else None
            return DoorView(
                You(device.id, reader.role, reader.seat, device.local),
                None if game is None else game.id,
                taken,
                hosts,
                onlookers,
                Keys(self.table_code, self.address, self.others, pairing, people) if reader.role == HOST else None,
            )

        return {sid: of(screen.device, readers[sid]) for sid, screen in screens.items()}

    # What a screen does for itself

    def take_seat(self, sid: str, code: str, game: str, seat: int) -> None:
        """Let a screen's device play for a free seat, for whoever knows the table's code."""
        screen = self._present(sid)
        self._check_code(screen.device, self.table_code, code)
        with self._lock:
            wanted = self._seat(game, seat)
            holder = self._people.holder(wanted)
            if holder not in (None, screen.device.id):
                raise Refused(
                    "not_now", say("{name}'s seat is taken. The host can give it to this device.", name=wanted.name)
                )
            self._people.seat(screen.device.id, wanted)

    def pair(self, sid: str, code: str) -> None:
        """Let a screen's device keep the table, for whoever knows the host's code, which is then used up."""
        screen = self._present(sid)
        with self._lock:
            self._check_code(screen.device, self.host_code, code)
            self.host_code = new_code(HOST_CODE)
            self._people.make(screen.device.id, HOST)
        self._announce(self.host_code)

    def step_back(self, sid: str) -> None:
        """Let a screen's device look on from now on."""
        self._look_on(self._present(sid).device)

    def keep(self, sid: str) -> None:
        """Let the serving machine itself keep the table again."""
        screen = self._present(sid)
        if not screen.device.local:
            raise Refused("not_allowed", say("Only the serving machine itself does that without a code."))
        self._people.forget(screen.device.id)

    # What a host does for others

    def give_seat(self, device: str, game: str, seat: int) -> str | None:
        """Let a device play for a seat; gives the one that did so before."""
        with self._lock:
            self._here(device)
            return self._people.seat(device, self._seat(game, seat))

    def make_host(self, device: str) -> None:
        """Let another device keep the table, too."""
        self._here(device)
        self._people.make(device, HOST)

    def withdraw(self, device: str) -> None:
        """Let a device look on from now on."""
        self._look_on(self._here(device))

    def free_seat(self, game: str, seat: int) -> str | None:
        """Let nobody play for a seat, also where its device is not here; gives the one that did so before."""
        with self._lock:
            holder = self._people.holder(self._seat(game, seat))
            if holder is not None:
                self._people.forget(holder)
            return holder

    def renew_code(self) -> None:
        """Make a new table code; whoever has a seat keeps it."""
        self.table_code = new_code(TABLE_CODE)

    # Inside

    def _check_room(self, device: Device) -> None:
        """Raise `Refused` where another screen of this device does not fit any more."""
        seats = self._seats()
        spectators = [
            one.device.address
            for one in self._screens.values()
            if self._people.reader(one.device, seats).role == ONLOOKER
        ]
        if self._people.reader(device, seats).role == ONLOOKER:
            full = (
                len(spectators) >= MOST_SPECTATORS or spectators.count(device.address) >= MOST_SPECTATORS_OF_ADDRESS
            )
        else:
            full = len(self._screens) - len(spectators) >= MOST_CONNECTED - MOST_SPECTATORS
            self._know(device.address)
        if full or len(self._screens) >= MOST_CONNECTED:
            raise Refused("not_now", say("Too many screens are open here. Close some of them."))

    def _seats(self) -> Sequence[SeatView]:
        game = self._view().game
        return () if game is None else game.seats

    def _seat(self, game: str, seat: int) -> SeatView:
        now = self._view().game
        if now is None or now.id != game:
            raise Refused("stale", _MOVED_ON)
        if not 0 <= seat < len(now.seats):
            raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
        return now.seats[seat]

    def _present(self, sid: str) -> _Screen:
        screen = self._screens.get(sid)
        if screen is None:
            raise Refused("not_now", say("The connection was lost. Try again."))
        return screen

    def _here(self, device: str) -> Device:
        for screen in list(self._screens.values()):
            if screen.device.id == device:
                return screen.device
        raise Refused("not_now", _GONE)

    def _look_on(self, device: Device) -> None:
        """Only the serving machine needs a place to look on from: everybody else does so without one."""
        if device.local:
            self._people.make(device.id, ONLOOKER)
        else:
            self._people.forget(device.id)

    def _check_code(self, device: Device, code: str, typed: str) -> None:
        kind = "host" if code == self.host_code else "table"
        wait = self._tries.take(device.address, kind)
        if wait > 0:
            text = say("Too many wrong codes were tried. Wait {n} seconds and try again.", n=int(wait) + 1)
            raise Refused("not_now", text)
        if not same_code(code, typed):
            raise Refused("not_allowed", _OLD_CODE)
        self._tries.right(device.address, kind)


def _somebody(screen: _Screen, reader: Reader) -> Somebody:
    device = screen.device
    return Somebody(device.id, screen.number, device.kind, device.address, reader.role, reader.seat)
