"""Bundles of the page's scripts and styles, so that a first visit loads a few files instead of sixty.

The sources stay plain ES modules; a bundle is built in memory on the first request, without minifying. It supports
only the forms of import and export that the page uses; a module with another form is served unbundled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
"""Folder of the static files."""
_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"([./][^"]+)";[ \t]*$', re.MULTILINE)
_REEXPORT = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([./][^"]+)";[ \t]*$', re.MULTILINE)
_EXPORTED_DECLARATION = re.compile(
    r"^export\s+((?:async\s+function|function|const|class)\s*\*?\s*([\w$]+))", re.MULTILINE
)
_UNSUPPORTED = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)


@lru_cache(maxsize=4)
def modules(entry: str) -> tuple[str, ...]:
    """Return a module and all that it imports, in topological order: each after its imports, `entry` last.

    Raises ValueError for a circular import.
    """
    order: list[str] = []
    visiting: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in visiting:
            raise ValueError(f"{name} imports itself through {visiting[-1]}")
        visiting.append(name)
        for imported in _imports(name):
            visit(imported)
        visiting.remove(name)
        order.append(name)

    visit(entry)
    return tuple(order)


def _imports(name: str) -> Iterator[str]:
    """Yield the modules that a module imports or re-exports from."""
    if name.startswith("vendor/"):
        return
    source = (STATIC / name).read_text(encoding="utf-8")
    for pattern in (_IMPORT, _REEXPORT):
        for _, address in pattern.findall(source):
            yield _resolve(name, address)


def _resolve(name: str, address: str) -> str:
    """Return the path, below the static folder, of an address that a module imports."""
    return ((STATIC / name).parent / address).resolve().relative_to(STATIC).as_posix()


@lru_cache(maxsize=4)
def bundle(entry: str) -> str | None:
    """Return a module and all that it imports as one script for the same folder; None if a form is unsupported."""
    try:
        names = modules(entry)
    except ValueError:
        return None
    variables = {name: f"m{number}" for number, name in enumerate(names)}
    parts: list[str] = []
    for name in names:
        if name.startswith("vendor/"):
            parts.insert(0, f'import * as {variables[name]} from "../{name}";')
            continue
        body = _function_body(name, variables)
        if body is None:
            return None
        parts.append(f"// {name}\nconst {variables[name]} = (() => {{\n{body}\n}})();")
    return "\n".join(parts) + "\n"


def _function_body(name: str, variables: dict[str, str]) -> str | None:
    """Return a module as the body of a function that returns its exports; None if a form is unsupported.

    variables: the variable that holds each module's exports. Getters keep exports live.
    """
    source = (STATIC / name).read_text(encoding="utf-8")
    exports: list[str] = [f"get {one}() {{ return {one}; }}" for _, one in _EXPORTED_DECLARATION.findall(source)]
    for clause, address in _REEXPORT.findall(source):
        for name_there, name_here in _bindings(clause):
            exports.append(f"get {name_here}() {{ return {variables[_resolve(name, address)]}.{name_there}; }}")
    imports = [
        f"const {{ {_destructuring(clause)} }} = {variables[_resolve(name, address)]};"
        for clause, address in _IMPORT.findall(source)
        if clause.strip()
    ]
    body = _EXPORTED_DECLARATION.sub(r"\1", _REEXPORT.sub("", _IMPORT.sub("", source)))
    if _UNSUPPORTED.search(body):
        return None
    return "\n".join([*imports, body, f"return {{ {', '.join(exports)} }};"])


def _destructuring(clause: str) -> str:
    return ", ".join(f"{name_there}: {name_here}" for name_there, name_here in _bindings(clause))


def _bindings(clause: str) -> Iterator[tuple[str, str]]:
    """Yield the names of an import clause such as `a, b as c`: in the imported module, and in this one."""
    for part in filter(None, (part.strip() for part in clause.split(","))):
        name_there, _, name_here = part.partition(" as ")
        yield name_there.strip(), (name_here or name_there).strip()


@lru_cache(maxsize=8)
def styles(names: tuple[str, ...]) -> str:
    """Return style sheets concatenated in this order. Raises FileNotFoundError."""
    return "\n".join((STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in names)
