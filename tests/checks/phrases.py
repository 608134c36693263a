"""Given-up phrases must not come back, and old files may only lose them.

`phrases.txt` lists them; `exceptions.txt` lists how many lines of each file still contain one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.checks.files import relative, written

_FOLDER = Path(__file__).parent
_PHRASES, _EXCEPTIONS = _FOLDER / "phrases.txt", _FOLDER / "exceptions.txt"
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


def _excepted() -> Mapping[str, int]:
    lines = [line.split(maxsplit=1) for line in _EXCEPTIONS.read_text(encoding="utf-8").splitlines()]
    return {name: int(count) for count, name in lines}


def _now() -> dict[str, list[tuple[int, str, str]]]:
    return {
        relative(path): found for path in written() if relative(path) not in _NAMES_THEM and (found := _found(path))
    }


def problems() -> Iterator[str]:
    """Yield a line for each phrase in a file with more of them than `exceptions.txt` allows."""
    excepted = _excepted()
    for name, found in _now().items():
        most = excepted.get(name, 0)
        if len(found) > most:
            before = f" ({len(found)} lines, {most} before)" if most else ""
            for number, phrase, instead in found[:_MAX_REPORTED]:
                yield f"{name}:{number}: “{phrase}”: write {instead}{before}"


def write_exceptions() -> None:
    """Write how many lines of each file contain a phrase."""
    lines = [f"{len(found)} {name}" for name, found in _now().items()]
    _EXCEPTIONS.write_text("\n".join(lines) + "\n", encoding="utf-8")
