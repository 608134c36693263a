"""The latest warnings and errors of the log, kept in memory for the diagnostic file, and redaction of secrets."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterable
from pathlib import Path

_MAX_LINES = 400
"""Number of log records that are kept; the oldest is dropped first."""
_MAX_LINE_CHARACTERS = 4000
"""Number of characters of a log record; further ones are cut off."""
_CREDENTIALS = re.compile(r"(?<=://)[^/\s\"']+@")
"""User and password in a URL."""
_SECRET_PARAMETER = re.compile(
    r"([?&][^=&\s]*(?:token|pas|pwd|key|code|auth|secret|user|login)[^=&\s]*=)[^&\s\"']+", re.IGNORECASE
)
"""Parameter of a URL whose name suggests a secret."""


class RecentLines(logging.Handler):
    """Logging handler that keeps the latest warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=_MAX_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record as text, with its traceback if it has one."""
        try:
            self._lines.append(self.format(record)[:_MAX_LINE_CHARACTERS])
        except Exception:
            self.handleError(record)

    @property
    def text(self) -> str:
        """The kept records as one text, the oldest first."""
        return "".join(f"{line}\n" for line in tuple(self._lines))


_RECENT_LINES = RecentLines()


def keep_recent_log() -> RecentLines:
    """Add to the root logger, once, the handler that keeps the latest warnings and errors; return that handler."""
    root = logging.getLogger()
    if _RECENT_LINES not in root.handlers:
        # logging prints lines by itself only while the root logger has no handler; keep that output.
        if not root.handlers and logging.lastResort is not None:
            root.addHandler(logging.lastResort)
        root.addHandler(_RECENT_LINES)
    return _RECENT_LINES


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text in which passwords in URLs, these secrets, and the path of the home folder are replaced."""
    text = _SECRET_PARAMETER.sub(r"\1…", _CREDENTIALS.sub("…@", text))
    for secret in secrets:
        if secret:
            text = re.sub(re.escape(secret), "…", text, flags=re.IGNORECASE)
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
