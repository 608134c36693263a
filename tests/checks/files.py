"""The repository's files that people write."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_WRITTEN = {".py", ".js", ".css", ".html", ".md", ".toml", ".yml", ".yaml"}
_VENDORED = ("web/static/vendor/",)
_MOST_BYTES = {".onnx": 4 << 20, ".game.zip": 2 << 20, "": 512 << 10}
"""Largest size by how a file's name ends: weights, recorded games, everything else."""
_MOST_LINES = {".py": 420, ".js": 560, ".css": 900}
"""Longest module that is read in one sitting, by suffix; style sheets have one declaration a line."""
_MOST_COLUMNS = 110
"""Widest line of the page's JavaScript and CSS; a line may be wider for the sake of one long string."""
_MOST_CALLS = 4
"""Calls inside one another on one line of JavaScript."""
_STRING = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""")
_CALLEE = re.compile(r"(?<!\bif)(?<!\bfor)(?<!\bwhile)(?<!\bswitch)(?<!\bcatch)(?<!\bfunction)(?<=[\w\])])$")


@cache
def _listed() -> tuple[Path, ...]:
    """Return the tracked files and the new ones that git does not ignore, sorted."""
    listing = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(ROOT / name for name in sorted(set(names)))


def written() -> tuple[Path, ...]:
    """Return the text files that people write: neither vendored nor generated."""
    paths = [path for path in _listed() if not relative(path).startswith(_VENDORED)]
    return tuple(path for path in paths if path.suffix in _WRITTEN and path.is_file())


def relative(path: Path) -> str:
    """Return a path as it is written in reports, from the repository's root."""
    return path.relative_to(ROOT).as_posix()


def large() -> Iterator[str]:
    """Yield a line for each tracked or new file that is larger than its kind may be."""
    for path in _listed():
        most = next((size for ending, size in _MOST_BYTES.items() if path.name.endswith(ending)), _MOST_BYTES[""])
        if path.is_file() and path.stat().st_size > most:
            yield f"{relative(path)}: {path.stat().st_size // 1024} KB, at most {most // 1024}: keep it out of git"


def long_modules() -> Iterator[str]:
    """Yield a line for each module that is too long to be read in one sitting."""
    for path in written():
        lines, most = len(path.read_text(encoding="utf-8").splitlines()), _MOST_LINES.get(path.suffix)
        if most is not None and lines > most:
            yield f"{relative(path)}: {lines} lines, at most {most}: divide it by concern"


def dense_lines() -> Iterator[str]:
    """Yield a line for each line of the page's code that is too wide or nests too many calls."""
    for path in written():
        if path.suffix not in {".js", ".css"}:
            continue
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            bare = _STRING.sub('""', text)
            if len(text) > _MOST_COLUMNS and (bare == text or len(bare) > _MOST_COLUMNS):
                yield f"{relative(path)}:{number}: {len(text)} columns, at most {_MOST_COLUMNS}"
            if path.suffix == ".js" and _nested_calls(bare) > _MOST_CALLS:
                yield f"{relative(path)}:{number}: more than {_MOST_CALLS} calls inside one another: name a part"


def _nested_calls(line: str) -> int:
    """Return how many calls on a line of JavaScript, without its strings, lie inside one another at most."""
    open_calls: list[bool] = []
    most = 0
    for position, character in enumerate(line):
        if character == "(":
            open_calls.append(_CALLEE.search(line[:position]) is not None)
            most = max(most, sum(open_calls))
        elif character == ")" and open_calls:
            open_calls.pop()
    return most
