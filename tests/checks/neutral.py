"""Neutral files import no game and use none of its words; the list of those that still do may only shrink.

A file belongs to a game when it lies in a folder `games/GAME` or `adapters/GAME`; all others of the four packages
and of the page are neutral, `companion/games/game.py` too. `neutral.txt` lists the imports and the lines with words
of a game that are left.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.checks.files import relative, written

_LIST = Path(__file__).parent / "neutral.txt"
_PACKAGES = ("calibration/", "vision/", "companion/", "web/")
_GAME = re.compile(r"(?:^|[./])(?:games|adapters)[./](?!game\b)(\w+)")
_WORDS = re.compile(
    "wicked|corridor|oracle|(?<!s)witch|soul|fragment|impurity|promotion|colour_change|purple|rabbit|wolf|reveal",
    re.IGNORECASE,
)
"""Words of The Wicked Labyrinth."""
_IMPORTED = re.compile(r'from "(\.{1,2}/[^"]+)"')


def _is_neutral(name: str) -> bool:
    return name.startswith(_PACKAGES) and not _GAME.search(name) and "/translations/" not in name


def _imports(path: Path) -> Iterator[str]:
    """Yield the game modules that a file imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
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
        if path.suffix not in {".py", ".js"} or not _is_neutral(name):
            continue
        imports.update(f"{name} imports {module}" for module in _imports(path))
        if lines := sum(bool(_WORDS.search(line)) for line in path.read_text(encoding="utf-8").splitlines()):
            words[name] = lines
    return frozenset(imports), words


def problems() -> Iterator[str]:
    """Yield a line for each import of a game, and for each file with more words of one, beyond the list."""
    lines = _LIST.read_text(encoding="utf-8").splitlines()
    known = {line for line in lines if " imports " in line}
    counts = [line.split(maxsplit=1) for line in lines if " imports " not in line]
    most = {name: int(count) for count, name in counts}
    imports, words = _now()
    for line in sorted(imports - known):
        yield f"{line}: neutral files import no game"
    for name, count in words.items():
        if count > most.get(name, 0):
            yield f"{name}: {count} lines use words of a game, {most.get(name, 0)} before"


def write_list() -> None:
    """Write the present imports and numbers of lines."""
    imports, words = _now()
    lines = [*sorted(imports), *(f"{count} {name}" for name, count in words.items())]
    _LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
