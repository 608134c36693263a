"""How often somebody may try a code: a few times at once, then ever so slowly, by address and in all."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST_ADDRESSES = 4096


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many tries at once, and one more after each so many seconds."""

    tries: int
    seconds: float


EACH = Allowance(5, 20.0)
ALL = Allowance(30, 2.0)


class _Bucket:
    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance = allowance
        self._left = float(allowance.tries)
        self._at = now

    def wait(self, now: float) -> float:
        """Give the seconds until the next try is allowed, 0 where it is."""
        grown = self._left + (now - self._at) / self._allowance.seconds
        self._left, self._at = min(float(self._allowance.tries), grown), now
        return max(0.0, (1.0 - self._left) * self._allowance.seconds)

    def add(self, tries: float) -> None:
        self._left = min(float(self._allowance.tries), self._left + tries)


class Tries:
    """Counts tries at codes. One that was right is given back; one that may not be made is not looked at.

    The allowance of all together holds up only addresses that have been wrong lately, so that nobody who comes
    with the right code is kept out by others who guess. clock: monotonic seconds, so that setting the time
    changes nothing. Callable from any thread.
    """

    def __init__(
        self, each: Allowance = EACH, all_: Allowance = ALL, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each = each
        self._clock = clock
        self._all = _Bucket(all_, clock())
        self._addresses: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, address: str) -> float:
        """Begin a try and give 0, or give the seconds to wait where this address may not try now."""
        with self._lock:
            now, network = self._clock(), _network(address)
            fresh = network not in self._addresses
            bucket = self._addresses.setdefault(network, _Bucket(self._each, now))
            self._addresses.move_to_end(network)
            while len(self._addresses) > _MOST_ADDRESSES:
                self._addresses.popitem(last=False)
            wait = max(bucket.wait(now), 0.0 if fresh else self._all.wait(now))
            if wait <= 0.0:
                bucket.add(-1.0)
                self._all.wait(now)
                self._all.add(-1.0)
            return wait

    def right(self, address: str) -> None:
        """Give a try back: the code was right."""
        with self._lock:
            self._addresses.pop(_network(address), None)
            self._all.add(1.0)


def _network(address: str) -> str:
    """Give what stands for an address: of IPv6 its network, as one device has as many addresses as it likes."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
