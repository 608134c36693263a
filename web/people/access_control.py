"""Access control: which screens are connected, with which role, and how a device gets a seat or becomes host."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.translatable import say
from companion.table.views import Refused, SeatView, TableView
from web.people.access_codes import HOST_CODE_LENGTH, TABLE_CODE_LENGTH, new_code, same_code
from web.people.attempt_limit import AttemptLimiter
from web.people.device_identification import Device, Devices
from web.people.device_roles import DeviceRegister
from web.people.roles import HOST, PLAYER, SPECTATOR, Principal, Role

MAX_SCREENS = 100
"""Screens that may be connected at once."""
MAX_SPECTATORS = 80
"""Screens of spectators; the rest is reserved for hosts and players."""
MAX_SPECTATORS_PER_ADDRESS = 24
"""Screens of spectators from one address."""

_OLD_CODE = say("That code is not valid; it may be an old one. Enter the one that is shown now.")
_MOVED_ON = say("Another game has started, so nothing was changed. Choose your seat in the new game.")
_GONE = say("That device is no longer connected. Choose another one from the list.")


@dataclass(frozen=True, slots=True)
class OwnDevice:
    """A screen's own device and role."""

    device: str
    """Id of the device."""
    role: Role
    """Role of the device."""
    seat: int | None
    """Index of a player's own seat."""
    local: bool
    """Whether it is a browser on the serving machine that may be host without a code."""


@dataclass(frozen=True, slots=True)
class SeatOccupancy:
    """State of a seat."""

    taken: bool
    """Whether the seat is assigned to a device."""
    here: bool
    """Whether that device has a screen connected."""


@dataclass(frozen=True, slots=True)
class ConnectedDevice:
    """A connected device, for hosts' screens."""

    device: str
    """Id of the device."""
    number: int
    """Number by which hosts distinguish devices, from 1; the lowest free one at connection."""
    kind: str
    """One of "phone", "tablet" and "computer"."""
    address: str
    """IP address."""
    role: Role
    """Role of the device."""
    seat: int | None
    """Index of a player's seat."""


@dataclass(frozen=True, slots=True)
class JoinDetails:
    """The codes and addresses that hosts show to others, and the connected devices."""

    code: str
    """The table code."""
    address: str | None
    """Address of this server in the network."""
    others: tuple[str, ...]
    """Its addresses in other networks."""
    pairing: str | None
    """The host code; only on the serving machine itself."""
    people: tuple[ConnectedDevice, ...]
    """All connected devices, by number."""


@dataclass(frozen=True, slots=True)
class AccessView:
    """The `door` message to one screen: its own role, and who is connected."""

    you: OwnDevice
    """The screen's own device."""
    game: str | None
    """Id of the running game; None without one."""
    seats: tuple[SeatOccupancy, ...]
    """Occupancy of each seat of the running game."""
    hosts: int
    """Number of connected devices that are host."""
    onlookers: int
    """Number of connected devices that are spectators."""
    keys: JoinDetails | None
    """Codes, addresses and devices; None for screens that are not host."""


@dataclass(frozen=True, slots=True)
class _Screen:
    """A connected screen."""

    device: Device
    """The device that shows it."""
    number: int
    """Number by which hosts distinguish devices."""


class AccessControl:
    """The connected screens and their roles. A command that is not allowed raises `Refused` and changes nothing.

    view: returns the table's present view.
    announce: called with each new host code, to print it on the serving machine's console.
    reserve: called with the address of each host or player that connects, to reserve connections for it.

    In the methods, sid is the connection id of a screen, and device the id of a device. Attribute find_addresses:
    returns this server's URLs for other devices as they are now, the likeliest first. Callable from any thread.
    """

    def __init__(
        self,
        view: Callable[[], TableView],
        devices: Devices,
        register: DeviceRegister,
        *,
        attempts: AttemptLimiter | None = None,
        announce: Callable[[str], None] = lambda code: None,
        reserve: Callable[[str], None] = lambda address: None,
    ) -> None:
        self._reserve = reserve
        self._view = view
        self._devices = devices
        self._register = register
        self._attempts = attempts or AttemptLimiter()
        self._announce = announce
        self._screens: dict[str, _Screen] = {}
        self._lock = threading.RLock()
        self.find_addresses: Callable[[], Sequence[str]] = lambda: ()
        self.table_code = new_code(TABLE_CODE_LENGTH)
        self.host_code = new_code(HOST_CODE_LENGTH)

    # Queries

    def principal(self, environ: Mapping[str, Any]) -> Principal:
        """Return the principal (role, seat and language) of a request. environ: its WSGI environment."""
        return self._register.principal(self._devices.of(environ), self._current_seats())

    def principal_of(self, sid: str) -> Principal:
        """Return the principal (role, seat, language) of a connected screen; a spectator if it has disconnected."""
        screen = self._screens.get(sid)
        if screen is None:
            return Principal(SPECTATOR)
        return self._register.principal(screen.device, self._current_seats())

    def device_of(self, sid: str) -> str:
        """Return the device id of a connected screen; its connection id if it has disconnected."""
        screen = self._screens.get(sid)
        return sid if screen is None else screen.device.id

    def principals(self) -> dict[str, Principal]:
        """Return the principal (role, seat and language) of every connected screen, by connection id."""
        seats = self._current_seats()
        return {sid: self._register.principal(screen.device, seats) for sid, screen in list(self._screens.items())}

    def screens_of(self, device: str) -> list[str]:
        """Return the connection ids of a device's screens. device: its id."""
        return [sid for sid, screen in list(self._screens.items()) if screen.device.id == device]

    def is_connected(self, sid: str) -> bool:
        """Return whether a screen is still connected."""
        return sid in self._screens

    def views(self) -> dict[str, AccessView]:
        """Return, by connection id, what each connected screen is told of roles, seats and who is connected."""
        seats, game, principals = self._current_seats(), self._view().game, self.principals()
        screens = {sid: screen for sid, screen in list(self._screens.items()) if sid in principals}
        here = {(principals[sid].role, principals[sid].seat) for sid in screens}
        occupancy = tuple(
            SeatOccupancy(self._register.holder(seat) is not None, (PLAYER, index) in here)
            for index, seat in enumerate(seats)
        )
        devices = {screen.device.id: _connected(screen, principals[sid]) for sid, screen in screens.items()}
        people = tuple(sorted(devices.values(), key=lambda one: one.number))
        hosts = sum(one.role == HOST for one in people)
        spectators = sum(one.role == SPECTATOR for one in people)

        addresses = tuple(self.find_addresses()) if hosts else ()

        def view(device: Device, principal: Principal) -> AccessView:
            host_code = self.host_code if device.local else None
            first = addresses[0] if addresses else None
            keys = JoinDetails(self.table_code, first, addresses[1:], host_code, people)
            return AccessView(
                OwnDevice(device.id, principal.role, principal.seat, self._register.needs_no_code(device)),
                None if game is None else game.id,
                occupancy,
                hosts,
                spectators,
                keys if principal.role == HOST else None,
            )

        return {sid: view(screen.device, principals[sid]) for sid, screen in screens.items()}

    # Connections

    def connect(self, sid: str, environ: Mapping[str, Any]) -> None:
        """Add a screen that connects. Raises `Refused` if too many are connected. environ: of its request."""
        with self._lock:
            device = self._devices.of(environ)
            self._check_capacity(device)
            taken = {screen.number for screen in self._screens.values()}
            known = next((one.number for one in self._screens.values() if one.device.id == device.id), None)
            number = known or next(n for n in range(1, MAX_SCREENS + 2) if n not in taken)
            self._screens[sid] = _Screen(device, number)

    def disconnect(self, sid: str) -> None:
        """Remove a screen; an unknown one is ignored."""
        self._screens.pop(sid, None)

    # Commands of a screen about its own device

    def take_seat(self, sid: str, code: str, game: str, seat: int) -> None:
        """Assign a free seat of the running game to a screen's device.

        code: as typed; it has to be the table code. game: id of the game that the screen shows.
        """
        screen = self._screen(sid)
        self._check_code(screen.device, self.table_code, code)
        with self._lock:
            seat_view = self._seat(game, seat)
            holder = self._register.holder(seat_view)
            if holder not in (None, screen.device.id):
                raise Refused(
                    "not_now",
                    say("{name}'s seat is taken. The host can give it to this device.", name=seat_view.name),
                )
            self._register.assign_seat(screen.device.id, seat_view)

    def become_host(self, sid: str, code: str) -> None:
        """Make a screen's device a host, and renew the host code. code: as typed; it has to be the host code."""
        screen = self._screen(sid)
        with self._lock:
            self._check_code(screen.device, self.host_code, code)
            self.host_code = new_code(HOST_CODE_LENGTH)
            self._register.assign_role(screen.device.id, HOST)
        self._announce(self.host_code)

    def become_spectator(self, sid: str) -> None:
        """Make a screen's device a spectator."""
        self._make_spectator(self._screen(sid).device)

    def restore_local_host(self, sid: str) -> None:
        """Make a browser on the serving machine host again, without a code. Raises `Refused` for other devices."""
        screen = self._screen(sid)
        if not self._register.needs_no_code(screen.device):
            raise Refused(
                "not_allowed",
                say("Only the machine that runs the companion can do that without a code. Enter the host code."),
            )
        self._register.remove(screen.device.id)

    # Commands of a host about other devices

    def give_seat(self, device: str, game: str, seat: int) -> str | None:
        """Assign a seat to a connected device; return the id of the device that had it before, None for none.

        game: id of the game that the host's screen shows.
        """
        with self._lock:
            self._device(device)
            return self._register.assign_seat(device, self._seat(game, seat))

    def make_host(self, device: str) -> None:
        """Make a connected device host; the present hosts remain hosts."""
        self._device(device)
        self._register.assign_role(device, HOST)

    def withdraw(self, device: str) -> None:
        """Make a connected device a spectator."""
        self._make_spectator(self._device(device))

    def free_seat(self, game: str, seat: int) -> str | None:
        """Release a seat, even if its device is not connected; return the id of that device, None if it was free.

        The device becomes a spectator.

        game: id of the game that the host's screen shows.
        """
        with self._lock:
            holder = self._register.holder(self._seat(game, seat))
            if holder is not None:
                self._register.withdraw(holder)
            return holder

    def renew_code(self) -> None:
        """Generate a new table code; seats stay assigned."""
        self.table_code = new_code(TABLE_CODE_LENGTH)

    def _check_capacity(self, device: Device) -> None:
        """Raise `Refused` if one more screen of this device would exceed the limits on screens.

        The limits are on all screens, on those of spectators, and on those of spectators at one address.
        """
        seats = self._current_seats()
        spectators = [
            one.device.address
            for one in self._screens.values()
            if self._register.principal(one.device, seats).role == SPECTATOR
        ]
        if self._register.principal(device, seats).role == SPECTATOR:
            full = (
                len(spectators) >= MAX_SPECTATORS or spectators.count(device.address) >= MAX_SPECTATORS_PER_ADDRESS
            )
        else:
            full = len(self._screens) - len(spectators) >= MAX_SCREENS - MAX_SPECTATORS
            self._reserve(device.address)
        if full or len(self._screens) >= MAX_SCREENS:
            raise Refused("not_now", say("Too many screens are connected. Close some of them."))

    def _current_seats(self) -> Sequence[SeatView]:
        """Return the seats of the running game; none without one."""
        game = self._view().game
        return () if game is None else game.seats

    def _seat(self, game: str, seat: int) -> SeatView:
        """Return a seat of the running game. Raises `Refused` for another game and for a seat that it lacks."""
        now = self._view().game
        if now is None or now.id != game:
            raise Refused("stale", _MOVED_ON)
        if not 0 <= seat < len(now.seats):
            raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
        return now.seats[seat]

    def _screen(self, sid: str) -> _Screen:
        """Return a connected screen. Raises `Refused` if it has disconnected."""
        screen = self._screens.get(sid)
        if screen is None:
            raise Refused("not_now", say("The connection was lost. Try again."))
        return screen

    def _device(self, device: str) -> Device:
        """Return a connected device by its id. Raises `Refused` if it has disconnected."""
        for screen in list(self._screens.values()):
            if screen.device.id == device:
                return screen.device
        raise Refused("not_now", _GONE)

    def _make_spectator(self, device: Device) -> None:
        """Make a device a spectator: remove its role or, on the serving machine, store that it is a spectator."""
        if device.local:
            self._register.assign_role(device.id, SPECTATOR)
        else:
            self._register.remove(device.id)

    def _check_code(self, device: Device, code: str, typed: str) -> None:
        """Raise `Refused` for a wrong code, and for too many attempts. code: the right one.

        typed: that of the device.
        """
        kind = "host" if code == self.host_code else "table"
        wait = self._attempts.begin(device.address, kind)
        if wait > 0:
            text = say("Too many wrong codes were tried. Wait {n} seconds and try again.", n=int(wait) + 1)
            raise Refused("not_now", text)
        if not same_code(code, typed):
            raise Refused("not_allowed", _OLD_CODE)
        self._attempts.succeed(device.address, kind)


def _connected(screen: _Screen, principal: Principal) -> ConnectedDevice:
    device = screen.device
    return ConnectedDevice(device.id, screen.number, device.kind, device.address, principal.role, principal.seat)
