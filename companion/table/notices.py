"""The lines that hosts were told about the table and the machine that serves it."""

from __future__ import annotations

from collections import deque

_MAX_SHOWN = 4
"""Notices that screens get; older ones are dropped."""


class Notices:
    """The latest notices, and how many there were in all, so that screens show a repeated one again."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_MAX_SHOWN)
        self.number = 0
        """Number of notices since the table was opened."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The latest notices, oldest first; one that came several times in a row is there once."""
        return tuple(self._lines)

    def add(self, line: str) -> None:
        """Add a notice."""
        self.number += 1
        if not self._lines or self._lines[-1] != line:
            self._lines.append(line)

    def clear(self) -> None:
        """Discard the lines, as those of another game; the number stays."""
        self._lines.clear()
