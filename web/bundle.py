"""Modules and styles put together as they are, so that a first visit asks for a few files and not for sixty.

What people read and edit stays plain modules; a bundle is made of them in memory when it is first asked for. Only
the forms of import and export are understood that the page uses; where there is another, modules go out singly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"([./][^"]+)";[ \t]*$', re.MULTILINE)
_PASSED_ON = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([./][^"]+)";[ \t]*$', re.MULTILINE)
_DECLARED = re.compile(r"^export\s+((?:async\s+function|function|const|class)\s*\*?\s*([\w$]+))", re.MULTILINE)
_SPACE = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)
"""Lines that are only a comment, and indentation."""
_STYLE_SPACE = re.compile(r"/\*.*?\*/\n*|^[ \t]+", re.MULTILINE | re.DOTALL)
_LEFT = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)


@lru_cache(maxsize=4)
def modules(entry: str) -> tuple[str, ...]:
    """List the modules that one needs with those that they need, each after its own imports, the given one last.

    Raises ValueError where they import each other in a circle.
    """
    order: list[str] = []
    open_ones: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in open_ones:
            raise ValueError(f"{name} imports itself by {open_ones[-1]}")
        open_ones.append(name)
        for other in _imported(name):
            visit(other)
        open_ones.remove(name)
        order.append(name)

    visit(entry)
    return tuple(order)


def _imported(name: str) -> Iterator[str]:
    if name.startswith("vendor/"):
        return
    source = (STATIC / name).read_text(encoding="utf-8")
    for pattern in (_IMPORT, _PASSED_ON):
        for _, address in pattern.findall(source):
            yield _place(name, address)


def _place(name: str, address: str) -> str:
    return ((STATIC / name).parent / address).resolve().relative_to(STATIC).as_posix()


@lru_cache(maxsize=4)
def bundle(entry: str) -> str | None:
    """Put a module and all that it needs into one, to lie in the same folder; None where that cannot be done."""
    try:
        names = modules(entry)
    except ValueError:
        return None
    known = {name: f"m{number}" for number, name in enumerate(names)}
    parts: list[str] = []
    for name in names:
        if name.startswith("vendor/"):
            parts.insert(0, f'import * as {known[name]} from "../{name}";')
            continue
        body = _wrapped(name, known)
        if body is None:
            return None
        parts.append(f"// {name}\nconst {known[name]} = (() => {{\n{body}\n}})();")
    return "\n".join(parts) + "\n"


def _wrapped(name: str, known: dict[str, str]) -> str | None:
    source = _without_space((STATIC / name).read_text(encoding="utf-8"))
    given: list[str] = [f"get {one}() {{ return {one}; }}" for _, one in _DECLARED.findall(source)]
    for inside, address in _PASSED_ON.findall(source):
        for one, other in _pairs(inside):
            given.append(f"get {other}() {{ return {known[_place(name, address)]}.{one}; }}")
    taken = [
        f"const {{ {_taken(inside)} }} = {known[_place(name, address)]};"
        for inside, address in _IMPORT.findall(source)
        if inside.strip()
    ]
    body = _DECLARED.sub(r"\1", _PASSED_ON.sub("", _IMPORT.sub("", source)))
    if _LEFT.search(body):
        return None
    return "\n".join([*taken, body, f"return {{ {', '.join(given)} }};"])


def _without_space(source: str) -> str:
    """Return a module without comment lines and indentation, unchanged where a text runs over several lines."""
    code = _SPACE.sub("", source)
    return source if any(line.count("`") % 2 for line in code.splitlines()) else code


def _taken(inside: str) -> str:
    return ", ".join(f"{one}: {other}" for one, other in _pairs(inside))


def _pairs(inside: str) -> Iterator[tuple[str, str]]:
    """Read `a, b as c`: each name and what it is called on the other side."""
    for part in filter(None, (part.strip() for part in inside.split(","))):
        one, _, other = part.partition(" as ")
        yield one.strip(), (other or one).strip()


@lru_cache(maxsize=8)
def styles(names: tuple[str, ...]) -> str:
    """Put style sheets into one, in this order. Raises FileNotFoundError."""
    sheets = ((STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in names)
    return "\n".join(_STYLE_SPACE.sub("", sheet) for sheet in sheets)
