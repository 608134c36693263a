"""The latest lines of the log, kept in memory for the diagnostic file, less what nobody else should read."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterable
from pathlib import Path

_MOST_LINES = 400
_LONGEST_LINE = 4000
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
_ASKED = re.compile(r"([?&](?:token|password|passwd|pwd|key|code|auth)=)[^&\s\"']+", re.IGNORECASE)


class RecentLines(logging.Handler):
    """A handler that remembers the latest lines of warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Remember one line, with its trace where it has one."""
        try:
            self._lines.append(self.format(record)[:_LONGEST_LINE])
        except Exception:
            self.handleError(record)

    @property
    def text(self) -> str:
        """All of them, the oldest first."""
        return "".join(f"{line}\n" for line in tuple(self._lines))


_KEPT = RecentLines()


def remember_log() -> RecentLines:
    """Remember what is logged from now on, and give what remembers; calling it again changes nothing."""
    root = logging.getLogger()
    if _KEPT not in root.handlers:
        # Where nobody handles a line, logging prints it; with a handler that only remembers, it would be silent.
        if not root.handlers and logging.lastResort is not None:
            root.addHandler(logging.lastResort)
        root.addHandler(_KEPT)
    return _KEPT


def harmless(text: str, secrets: Iterable[str] = ()) -> str:
    """Leave out what opens something: passwords in addresses, these secrets; and the name of the user's home."""
    text = _ASKED.sub(r"\1…", _CREDENTIALS.sub("…@", text))
    for secret in secrets:
        if secret:
            text = re.sub(re.escape(secret), "…", text, flags=re.IGNORECASE)
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
