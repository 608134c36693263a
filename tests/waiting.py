"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_WAIT = 30.0
"""Seconds for which tests wait for a thread, process or socket: long, because a busy machine is slow."""


def eventually(true: Callable[[], object], seconds: float = LONGEST_WAIT) -> None:
    """Poll a condition until it holds; fail after a number of seconds."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"not within {seconds} s"
        time.sleep(0.005)
