"""A log for errors that anybody in the network can provoke: one line per kind, and a count of the repeats."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable

_MAX_KINDS = 256
"""Kinds of errors whose repeats are counted; beyond that, counting starts again."""
_KIND_CHARACTERS = 60
"""Characters at the beginning of a line by which it is recognised as a repeat."""
_MAX_CHARACTERS = 300
"""Characters of a logged text; the rest is cut off."""


class RateLimitedLog:
    """Logs at most one line per kind of error in an interval, with the number of repeats since the last line.

    name: of the logger. interval: seconds. Callable from any thread.
    """

    def __init__(self, name: str, interval: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = logging.getLogger(name)
        self._interval = interval
        self._clock = clock
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[float, int]] = {}

    def exception(self, message: str, *args: object) -> None:
        """Log the exception being handled as one line, with the file and line that raised it."""
        error = sys.exc_info()[1]
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        place = f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else "?"
        what = _one_line(message % args if args else message)
        self.error(f"{type(error).__name__} at {place}: {what}: {_one_line(str(error))}".replace("%", "%%"))

    def error(self, message: str, *args: object) -> None:
        """Log a line, or count it if one that begins alike was logged within the interval."""
        line = _one_line(message % args)
        kind = line[:_KIND_CHARACTERS]
        with self._lock:
            now = self._clock()
            logged_at, repeats = self._kinds.get(kind, (-self._interval, 0))
            if now - logged_at < self._interval:
                self._kinds[kind] = (logged_at, repeats + 1)
                return
            if len(self._kinds) >= _MAX_KINDS:
                self._kinds.clear()
            self._kinds[kind] = (now, 0)
        self._log.error("%s%s", line, f" ({repeats} more like it)" if repeats else "")

    def info(self, message: str, *args: object) -> None:
        """Do nothing: gunicorn reports successes here."""

    debug = warning = info


def _one_line(text: str) -> str:
    """Return a text without line breaks and control characters, cut to the maximum length."""
    return "".join(character if character.isprintable() else " " for character in text[:_MAX_CHARACTERS])


RATE_LIMITED_LOG = RateLimitedLog("web.serving")
"""The server's own log."""
