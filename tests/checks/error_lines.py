"""docs/troubleshooting.md quotes lines as programs print them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.checks.files import ROOT, written

_PAGE = "docs/troubleshooting.md"
_TABLE = re.compile(r"^\| line \| do \|\n\|[-|]+\|\n((?:\|.*\n?)+)", re.MULTILINE)
_PACKAGES = ("calibration", "companion", "vision", "web")
_PLACEHOLDER = "\0"
_MOST_BETWEEN = 90
"""Characters that `…` stands for at most."""
_SCRIPT_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`([^`]*)`")


def problems() -> Iterator[str]:
    """Yield each quoted line that no program prints; descriptions in italics are not quoted."""
    texts = "\n".join(_texts())
    page = (ROOT / _PAGE).read_text(encoding="utf-8")
    for table in _TABLE.findall(page):
        for row in table.splitlines():
            quoted = row.split(" | ")[0].removeprefix("| ")
            for line in () if quoted.startswith("*") else quoted.split(";"):
                if not _pattern(line.strip()).search(texts):
                    yield f"{_PAGE}: nothing prints “{line.strip()}”"


def _pattern(line: str) -> re.Pattern[str]:
    """Return what finds a quoted line in texts, one each line: from their beginning, unless it begins with `…`."""
    parts = [re.escape(part.strip()) for part in line.split("…") if part.strip()]
    begin = "" if line.startswith("…") else "^"
    return re.compile(begin + f".{{0,{_MOST_BETWEEN}}}?".join(parts), re.MULTILINE)


def _texts() -> Iterator[str]:
    """Yield the texts of all programs, with a placeholder for each part that is filled in."""
    yield from re.findall(r'echo "([^"]*)', (ROOT / "Makefile").read_text(encoding="utf-8"))
    for path in written():
        if path.relative_to(ROOT).parts[0] in _PACKAGES:
            found = {".py": _python_texts, ".js": _script_texts}.get(path.suffix)
            yield from () if found is None else found(path)


def _python_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module, without docstrings and without the markup of the terminal."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield re.sub(r"\{[^}]*\}", _PLACEHOLDER, node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = (str(one.value) if isinstance(one, ast.Constant) else _PLACEHOLDER for one in node.values)
            yield re.sub(r"\[/?\w+\]", "", "".join(parts))


def _script_texts(path: Path) -> Iterator[str]:
    for plain, template in _SCRIPT_TEXT.findall(path.read_text(encoding="utf-8")):
        yield re.sub(r"\$?\{[^}]*\}", _PLACEHOLDER, plain or template)
