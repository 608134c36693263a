"""The files of the repository, and limits on their sizes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_WRITTEN = {".py", ".js", ".css", ".html", ".md", ".toml", ".yml", ".yaml"}
_VENDORED = ("web/static/vendor/",)
_MAX_BYTES = {".onnx": 4 << 20, ".game.zip": 2 << 20, "": 512 << 10}
"""Largest file by the end of its name: weights, recorded games, everything else."""
_MODULES = {".py", ".js", ".css"}
"""Suffixes of modules."""
_MAX_LINES = 420
"""Lines of the longest module."""


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
    """Yield a line for each tracked or new file that is too large for its type."""
    for path in _listed():
        most = next((size for ending, size in _MAX_BYTES.items() if path.name.endswith(ending)), _MAX_BYTES[""])
        if path.is_file() and path.stat().st_size > most:
            yield f"{relative(path)}: {path.stat().st_size // 1024} KB, at most {most // 1024}: keep it out of git"


def long_modules() -> Iterator[str]:
    """Yield a line for each module that is too long."""
    for path in written():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if path.suffix in _MODULES and lines > _MAX_LINES:
            yield f"{relative(path)}: {lines} lines, at most {_MAX_LINES}: divide it by concern"
