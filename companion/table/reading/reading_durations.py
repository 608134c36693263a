"""Durations of recent readings, for the diagnostics page."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

_MOST = 2000
"""Readings kept."""
_BARS = 60
"""Bars of the chart."""


@dataclass(frozen=True, slots=True)
class TimingsView:
    """Durations of the readings in a recent period, ms; None where nothing was read."""

    seconds: int
    """Length of the period, s."""
    readings: int
    """Number of readings in it."""
    median: float | None
    """Median duration."""
    slowest20th: float | None
    """95th percentile."""
    latest: float | None
    """Duration of the latest reading."""
    bars: tuple[float, ...]
    """Longest duration in each of 60 equal slices of the period, oldest first; 0 where nothing was read."""


class Timings:
    """Records durations of readings. seconds: length of the period shown. clock: monotonic seconds. Thread-safe."""

    def __init__(self, seconds: int = 300, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._taken: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._lock = threading.Lock()

    def add(self, milliseconds: float) -> None:
        """Record the duration of a reading that has just ended."""
        with self._lock:
            self._taken.append((self._clock(), milliseconds))

    def recent(self) -> tuple[tuple[float, float], ...]:
        """Return (seconds ago, duration in ms) of each reading in the period shown, oldest first."""
        now = self._clock()
        with self._lock:
            return tuple((now - at, spent) for at, spent in self._taken if now - at < self._seconds)

    def view(self) -> TimingsView:
        """Return median, 95th percentile, latest and a chart of the recent durations, ms, for screens."""
        recent = self.recent()
        bars = [0.0] * _BARS
        for ago, spent in recent:
            place = _BARS - 1 - min(_BARS - 1, int(ago * _BARS / self._seconds))
            bars[place] = max(bars[place], round(spent, 1))
        if not recent:
            return TimingsView(self._seconds, 0, None, None, None, tuple(bars))
        median, slow = (round(float(each), 1) for each in np.percentile([spent for _, spent in recent], (50, 95)))
        return TimingsView(self._seconds, len(recent), median, slow, round(recent[-1][1], 1), tuple(bars))
