"""Given-up phrases, listed in `phrases.txt`, must not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.checks.files import relative, written

_PHRASES = Path(__file__).with_name("phrases.txt")
_NAMES_THEM = {"CONTRIBUTING.md", "docs/glossary.md"}
"""Files whose purpose is to list the phrases."""
_MAX_REPORTED = 3
"""Lines reported of one file."""


@cache
def _given_up() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the phrases: a regular expression each, and what to write instead."""
    lines = [line for line in _PHRASES.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return tuple((re.compile(pattern), instead) for pattern, instead in (line.split("\t") for line in lines))


def _found(path: Path) -> list[tuple[int, str, str]]:
    """Return the lines of a file with a phrase: number, phrase, what to write instead."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for pattern, instead in _given_up():
            if match := pattern.search(line):
                found.append((number, match.group().strip('"'), instead))
                break
    return found


def problems() -> Iterator[str]:
    """Yield a line for each given-up phrase, at most some lines of each file."""
    for path in written():
        if (name := relative(path)) in _NAMES_THEM:
            continue
        for number, phrase, instead in _found(path)[:_MAX_REPORTED]:
            yield f"{name}:{number}: “{phrase}”: write {instead}"
