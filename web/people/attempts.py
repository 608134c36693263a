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
HONEST = Allowance(2, 600.0)
"""Wrong tries of one address that do not depend on how many others make."""


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
        most = float(self._allowance.tries)
        self._left = max(-most, min(most, self._left + tries))


class Tries:
    """Counts tries at codes. One that was right is returned; one that may not be made is not looked at.

    The allowance of all together holds up only addresses that have been wrong several times, so that others who
    guess keep out nobody who comes with the right code, mistyped once. Each kind of code is counted by
    itself: knowing one makes guessing another no quicker. clock: monotonic seconds, so that setting the time
    changes nothing. Callable from any thread.
    """

    def __init__(
        self,
        each: Allowance = EACH,
        all_: Allowance = ALL,
        clock: Callable[[], float] = time.monotonic,
        honest: Allowance = HONEST,
    ) -> None:
        self._each = each
        self._honest = honest
        self._clock = clock
        self._all = _Bucket(all_, clock())
        self._addresses: OrderedDict[tuple[str, str], tuple[_Bucket, _Bucket]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, address: str, kind: str = "") -> float:
        """Begin a try and return 0, or the seconds to wait where this address may not try now."""
        with self._lock:
            now, key = self._clock(), (kind, _network(address))
            if key not in self._addresses:
                self._addresses[key] = (_Bucket(self._each, now), _Bucket(self._honest, now))
            own, honest = self._addresses[key]
            self._addresses.move_to_end(key)
            while len(self._addresses) > _MOST_ADDRESSES:
                self._addresses.popitem(last=False)
            wait = max(own.wait(now), self._all.wait(now) if honest.wait(now) > 0.0 else 0.0)
            if wait <= 0.0:
                own.add(-1.0)
                honest.add(-1.0)
                self._all.wait(now)
                self._all.add(-1.0)
            return wait

    def right(self, address: str, kind: str = "") -> None:
        """Return a try: the code was right."""
        with self._lock:
            self._addresses.pop((kind, _network(address)), None)
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
