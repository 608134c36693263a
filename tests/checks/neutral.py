"""Neutral files import no game and use none of its words.

A file belongs to a game when it lies in a folder `games/GAME` or `adapters/GAME`; all others of the four packages
and of the page are neutral, `companion/games/game.py` too: modules, style sheets and templates.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.checks.files import relative, written

_PACKAGES = ("calibration/", "vision/", "companion/", "web/")
_GAME = re.compile(r"(?:^|[./])(?:games|adapters)[./](?!game\b)(\w+)")
_WORDS = re.compile(
    "wicked|corridor|oracle|(?<!s)witch|soul|fragment|impurity|promotion|colour_change|purple|rabbit|wolf|reveal"
    r"|search pieces?\b|\bspells?\b"
    r"|master labyrinth|formula card|mandrake|mistletoe|\bwands?\b|\bwizards?\b|\bmazes?\b",
    re.IGNORECASE,
)
"""Words of The Wicked Labyrinth and of Master Labyrinth."""
_READ = frozenset({".py", ".js", ".css", ".html"})
_IMPORTED = re.compile(r'(?:from|@import) "(\.{1,2}/[^"]+)"')


def _is_neutral(name: str) -> bool:
    return name.startswith(_PACKAGES) and not _GAME.search(name) and "/translations/" not in name


def _imports(path: Path) -> Iterator[str]:
    """Yield the game modules that a file imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for address in _IMPORTED.findall(text):
            target = (path.parent / address).resolve()
            if _GAME.search(target.as_posix()):
                yield relative(target)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and _GAME.search(node.module):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if _GAME.search(name.name))


@cache
def _now() -> tuple[frozenset[str], dict[str, int]]:
    """Return "FILE imports MODULE" for each import of a game, and the number of lines with its words by file."""
    imports, words = set[str](), dict[str, int]()
    for path in written():
        name = relative(path)
        if path.suffix not in _READ or not _is_neutral(name):
            continue
        imports.update(f"{name} imports {module}" for module in _imports(path))
        if lines := sum(bool(_WORDS.search(line)) for line in path.read_text(encoding="utf-8").splitlines()):
            words[name] = lines
    return frozenset(imports), words


def problems() -> Iterator[str]:
    """Yield a line for each import of a game, and for each file that uses words of one."""
    imports, words = _now()
    for line in sorted(imports):
        yield f"{line}: neutral files import no game"
    for name, count in words.items():
        yield f"{name}: {count} lines use words of a game"
