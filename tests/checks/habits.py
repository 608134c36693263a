"""Tests do not sleep, reach no private attribute and import no other test module; what is left may only shrink.

`habits.txt` lists how many such lines old files still contain. Benchmarks, the soak and the README's pictures are
programs that run against the clock: they may sleep.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.checks.files import relative, written

_LIST = Path(__file__).parent / "habits.txt"
_PROGRAMS = ("tests/bench/", "tests/soak/", "tests/pictures.py")
_POLLS = "tests/waiting.py"
"""The one module that polls."""
_SLEEPS = {"sleep", "wait_for_timeout"}
_TEST_MODULE = re.compile(r"^tests\.(?:\w+\.)*test_\w+$")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _found(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a test file that break a rule: number, what to do instead."""
    name = relative(path)
    sleeps = not name.startswith(_PROGRAMS) and name != _POLLS
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _SLEEPS
            and sleeps
        ):
            yield node.lineno, "pass a clock in, or poll with tests.waiting.eventually"
        elif isinstance(node, ast.Attribute) and _is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls", "os"}):
                yield node.lineno, f"{node.attr} is private: use what the class offers, or make it public"
        elif isinstance(node, ast.ImportFrom) and any(_is_private(one.name) for one in node.names):
            yield node.lineno, "a private name is imported"
        elif isinstance(node, ast.ImportFrom) and node.module and _TEST_MODULE.match(node.module):
            yield node.lineno, f"{node.module} is a test module: move what is shared to a module named for it"


@cache
def _now() -> dict[str, list[tuple[int, str]]]:
    paths = [path for path in written() if path.suffix == ".py" and relative(path).startswith("tests/")]
    return {relative(path): found for path in paths if (found := list(_found(path)))}


def problems() -> Iterator[str]:
    """Yield a line for each test file with more of these than the list holds."""
    lines = [line.split(maxsplit=1) for line in _LIST.read_text(encoding="utf-8").splitlines()]
    most = Counter({name: int(count) for count, name in lines})
    for name, found in _now().items():
        if len(found) > most[name]:
            yield from (f"{name}:{number}: {instead}" for number, instead in found)


def write_list() -> None:
    """Write what is left now."""
    lines = [f"{len(found)} {name}" for name, found in _now().items()]
    _LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
