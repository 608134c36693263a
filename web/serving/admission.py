"""Admission control of connections: limits in total and per address, with connections reserved for players."""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MAX_RESERVED_ADDRESSES = 64
"""Addresses of hosts and players that are remembered; the least recent is dropped first."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Maximum numbers of open connections."""

    total: int = 448
    """Open connections in total."""
    reserved: int = 96
    """Those of the total that only the serving machine, hosts and players may use."""
    per_address: int = 48
    """Connections of one address, except loopback."""
    per_reserved_address: int = 96
    """Connections of one address from which a host or player has connected."""


class Connection:
    """An admitted connection. close: closes it; callable from any thread."""

    def __init__(self, address: str, close: Callable[[], None]) -> None:
        self.address = address
        self.close = close
        self.idle = True
        """Whether it waits for its peer; it may then be closed to admit another connection."""


class Admission:
    """Counts connections and decides which are admitted. Callable from any thread.

    At the limit, a new connection replaces the one that has been idle longest: a peer that connects and stays
    silent cannot lock others out.
    """

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.limits = limits or ConnectionLimits()
        self._lock = threading.Lock()
        self._open: OrderedDict[Connection, None] = OrderedDict()
        self._reserved: OrderedDict[str, None] = OrderedDict()
        self._proxies: frozenset[str] = frozenset()
        self.refused = 0

    def exempt(self, proxies: frozenset[str]) -> None:
        """Exempt the addresses of reverse proxies from the limits per address: each carries many clients."""
        self._proxies = proxies

    def admit(self, address: str, close: Callable[[], None]) -> Connection | None:
        """Return the connection if it is admitted, else None; an idle one may be closed in exchange.

        address: of the client. close: closes the connection; callable from any thread.
        """
        connection = Connection(address, close)
        with self._lock:
            replaced = self._replaceable(address)
            if replaced is not None:
                self._open.pop(replaced, None)
            elif not self._fits(address):
                self.refused += 1
                return None
            self._open[connection] = None
        if replaced is not None:
            replaced.close()
        return connection

    def release(self, connection: Connection) -> None:
        """Remove a connection that has ended; an unknown one is ignored."""
        with self._lock:
            self._open.pop(connection, None)

    def set_busy(self, connection: Connection) -> None:
        """Mark a connection as busy, because its request is being answered, so that it is not closed."""
        connection.idle = False

    def set_idle(self, connection: Connection) -> None:
        """Mark a connection as idle, because it waits for its peer again."""
        with self._lock:
            connection.idle = True
            if connection in self._open:
                self._open.move_to_end(connection)

    def close_all(self) -> None:
        """Close every open connection."""
        for connection in list(self._open):
            connection.close()

    def reserve(self, address: str) -> None:
        """Allow an address to use the reserved connections, because a host or player has connected from it."""
        with self._lock:
            self._reserved[address] = None
            self._reserved.move_to_end(address)
            while len(self._reserved) > _MAX_RESERVED_ADDRESSES:
                self._reserved.popitem(last=False)

    def __len__(self) -> int:
        return len(self._open)

    def _may_use_reserved(self, address: str) -> bool:
        """Return whether an address may use the reserved connections."""
        return is_loopback(address) or address in self._reserved or address in self._proxies

    def _limit_of(self, address: str) -> int:
        """Return the maximum number of connections of an address."""
        if is_loopback(address) or address in self._proxies:
            return self.limits.total
        return self.limits.per_reserved_address if address in self._reserved else self.limits.per_address

    def _fits(self, address: str) -> bool:
        """Return whether one more connection of an address is within all limits."""
        available = self.limits.total - (0 if self._may_use_reserved(address) else self.limits.reserved)
        own = sum(one.address == address for one in self._open)
        return len(self._open) < available and own < self._limit_of(address)

    def _replaceable(self, address: str) -> Connection | None:
        """Return the connection to close for a new one of an address; None if that fits, or none may be closed."""
        if self._fits(address):
            return None
        by_address = Counter(one.address for one in self._open)
        idle = [one for one in self._open if one.idle]
        if by_address[address] >= self._limit_of(address):
            return next((one for one in idle if one.address == address), None)
        if not idle:
            return None
        # Of the address with the most connections, addresses without reserved connections first.
        return max(idle, key=lambda one: (not self._may_use_reserved(one.address), by_address[one.address]))


def is_loopback(address: str) -> bool:
    """Return whether an IP address is a loopback address, IPv4-mapped ones included."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback
