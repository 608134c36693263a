"""Rate limit on attempts to enter a code: token buckets per address and for all addresses together."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MAX_ADDRESSES = 4096
"""Addresses whose attempts are counted; the least recent is dropped first."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The size and the refill time of a token bucket."""

    burst: int
    """Attempts that may be made at once."""
    seconds: float
    """Seconds until one more attempt is allowed."""


PER_ADDRESS = RateLimit(5, 20.0)
"""Attempts of one address."""
ALL_ADDRESSES = RateLimit(30, 2.0)
"""Attempts of all addresses together."""
UNSHARED = RateLimit(2, 600.0)
"""Attempts of one address that are allowed even while all addresses together exceed their limit."""


class _TokenBucket:
    """Counts attempts against one rate limit. now: monotonic seconds."""

    def __init__(self, limit: RateLimit, now: float) -> None:
        self._limit = limit
        self._tokens = float(limit.burst)
        self._at = now

    def wait(self, now: float) -> float:
        """Refill the bucket; return the seconds until the next attempt is allowed, 0 if it is allowed now."""
        refilled = self._tokens + (now - self._at) / self._limit.seconds
        self._tokens, self._at = min(float(self._limit.burst), refilled), now
        return max(0.0, (1.0 - self._tokens) * self._limit.seconds)

    def add(self, tokens: float) -> None:
        """Add tokens, one per allowed attempt; a negative number removes them."""
        burst = float(self._limit.burst)
        self._tokens = max(-burst, min(burst, self._tokens + tokens))


class AttemptLimiter:
    """Limits the attempts at codes; each kind of code has its own buckets per address.

    The limit on all addresses applies only to an address that has made several wrong attempts, so nobody can lock
    out a person who has mistyped the right code once. clock: monotonic seconds. Callable from any thread.
    """

    def __init__(
        self,
        per_address: RateLimit = PER_ADDRESS,
        all_addresses: RateLimit = ALL_ADDRESSES,
        clock: Callable[[], float] = time.monotonic,
        unshared: RateLimit = UNSHARED,
    ) -> None:
        self._per_address = per_address
        self._unshared = unshared
        self._clock = clock
        self._all = _TokenBucket(all_addresses, clock())
        self._addresses: OrderedDict[tuple[str, str], tuple[_TokenBucket, _TokenBucket]] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, address: str, kind: str = "") -> float:
        """Count an attempt and return 0; if none is allowed now, return the seconds to wait instead.

        address: IP address. kind: of the code, "host" or "table".
        """
        with self._lock:
            now, key = self._clock(), (kind, _counted_network(address))
            if key not in self._addresses:
                self._addresses[key] = (_TokenBucket(self._per_address, now), _TokenBucket(self._unshared, now))
            own, unshared = self._addresses[key]
            self._addresses.move_to_end(key)
            while len(self._addresses) > _MAX_ADDRESSES:
                self._addresses.popitem(last=False)
            wait = max(own.wait(now), self._all.wait(now) if unshared.wait(now) > 0.0 else 0.0)
            if wait <= 0.0:
                own.add(-1.0)
                unshared.add(-1.0)
                self._all.wait(now)
                self._all.add(-1.0)
            return wait

    def succeed(self, address: str, kind: str = "") -> None:
        """Reset the limits of an address that entered the right code, and give back its attempt to all addresses.

        kind: of the code, "host" or "table".
        """
        with self._lock:
            self._addresses.pop((kind, _counted_network(address)), None)
            self._all.add(1.0)


def _counted_network(address: str) -> str:
    """Return the address or network whose attempts are counted together: an IPv4 address, or an IPv6 /64 network.

    An invalid address is counted as "unknown".
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
