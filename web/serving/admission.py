"""Which connections are let in: bounded in all and per address, with places kept for those who play."""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_KNOWN_ADDRESSES = 64
"""Addresses of hosts and players that are remembered."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many connections there may be.

    most: in all; reserved: of these, only for the serving machine, hosts and players; per_address: of one address,
    loopback excepted; per_known: of one address from which a host or player came.
    """

    most: int = 448
    reserved: int = 96
    per_address: int = 48
    per_known: int = 96


class Connection:
    """A connection that was let in. end: closes it from any thread."""

    def __init__(self, address: str, end: Callable[[], None]) -> None:
        self.address = address
        self.end = end
        self.waits = True
        """Whether it waits for its peer, so that it may be closed to make room for another one."""


class Admission:
    """Counts connections and decides which are let in; callable from any thread.

    A new connection takes the place of the one that has waited longest for its peer where there is no other place:
    somebody who only connects and stays silent keeps nobody out.
    """

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._lock = threading.Lock()
        self._open: OrderedDict[Connection, None] = OrderedDict()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._exempt: frozenset[str] = frozenset()
        self.refused = 0

    def exempt(self, proxies: frozenset[str]) -> None:
        """Count the connections of these proxies only in all: each carries those of many people."""
        self._exempt = proxies

    def enter(self, address: str, end: Callable[[], None]) -> Connection | None:
        """Return the admitted connection, or None where it is to be refused."""
        came = Connection(address, end)
        with self._lock:
            dropped = self._room_for(address)
            if dropped is not None:
                self._open.pop(dropped, None)
            elif not self._fits(address):
                self.refused += 1
                return None
            self._open[came] = None
        if dropped is not None:
            dropped.end()
        return came

    def leave(self, connection: Connection) -> None:
        """Forget a connection that has ended; twice does no harm."""
        with self._lock:
            self._open.pop(connection, None)

    def works(self, connection: Connection) -> None:
        """Note that a request of this connection is being answered, so that it is not closed for another."""
        connection.waits = False

    def waits(self, connection: Connection) -> None:
        """Note that this connection waits for its peer again."""
        with self._lock:
            connection.waits = True
            if connection in self._open:
                self._open.move_to_end(connection)

    def end_all(self) -> None:
        """End every connection that is still open."""
        for connection in list(self._open):
            connection.end()

    def know(self, address: str) -> None:
        """Keep a place for this address: a host or player came from there."""
        with self._lock:
            self._known[address] = None
            self._known.move_to_end(address)
            while len(self._known) > _KNOWN_ADDRESSES:
                self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._open)

    def _favoured(self, address: str) -> bool:
        return is_loopback(address) or address in self._known or address in self._exempt

    def _most_of(self, address: str) -> int:
        if is_loopback(address) or address in self._exempt:
            return self.bounds.most
        return self.bounds.per_known if address in self._known else self.bounds.per_address

    def _fits(self, address: str) -> bool:
        places = self.bounds.most - (0 if self._favoured(address) else self.bounds.reserved)
        own = sum(one.address == address for one in self._open)
        return len(self._open) < places and own < self._most_of(address)

    def _room_for(self, address: str) -> Connection | None:
        """Return the connection to close for one of this address; None where it fits, or nothing may be closed."""
        if self._fits(address):
            return None
        by_address = Counter(one.address for one in self._open)
        waiting = [one for one in self._open if one.waits]
        if by_address[address] >= self._most_of(address):
            return next((one for one in waiting if one.address == address), None)
        if not waiting:
            return None
        # Whoever holds the most connections makes room.
        return max(waiting, key=lambda one: (not self._favoured(one.address), by_address[one.address]))


def is_loopback(address: str) -> bool:
    """Return whether an address is the serving machine's own."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
