"""Tests do not sleep, wait long enough, reach no private attribute and import no other test module.

Benchmarks, the soak and the README's pictures are programs that run against the clock: they may sleep.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.checks.files import relative, written

_PROGRAMS = ("tests/bench/", "tests/soak/", "tests/pictures.py")
_POLLS = "tests/waiting.py"
"""The one module that polls."""
_SLEEPS = {"sleep", "wait_for_timeout"}
_WAITS = {"wait", "join", "receive", "acquire", "urlopen", "create_connection"}
"""Calls whose timeout, s, is their first argument or the one of that name."""
_SHORT = range(1, 20)
"""Seconds that are a limit, not a pace, and pass on a busy machine."""
_TEST_MODULE = re.compile(r"^tests\.(?:\w+\.)*test_\w+$")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _timeout(call: ast.Call) -> object:
    """Return the constant number of seconds that a call waits at most; None where there is none."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "timeout"]
    return next((value.value for value in (*named, *call.args[:1]) if isinstance(value, ast.Constant)), None)


def _found(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a test file that break a rule: number, what to do instead."""
    name = relative(path)
    is_test = not name.startswith(_PROGRAMS) and name != _POLLS
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if is_test and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _SLEEPS:
                yield node.lineno, "pass a clock in, or poll with tests.waiting.eventually"
            elif node.func.attr in _WAITS and _timeout(node) in _SHORT:
                yield node.lineno, "too short for a busy machine: use tests.waiting.LONGEST_WAIT"
        elif isinstance(node, ast.Attribute) and _is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls", "os"}):
                yield node.lineno, f"{node.attr} is private: use what the class offers, or make it public"
        elif isinstance(node, ast.ImportFrom) and any(_is_private(one.name) for one in node.names):
            yield node.lineno, "a private name is imported"
        elif isinstance(node, ast.ImportFrom) and node.module and _TEST_MODULE.match(node.module):
            yield node.lineno, f"{node.module} is a test module: move what is shared to a module named for it"


def problems() -> Iterator[str]:
    """Yield a line for each line of a test file that breaks a rule."""
    for path in written():
        name = relative(path)
        if path.suffix == ".py" and name.startswith("tests/"):
            yield from (f"{name}:{number}: {instead}" for number, instead in _found(path))
