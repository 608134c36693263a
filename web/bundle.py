"""Bundles of the page's JavaScript modules and style sheets, built in memory for few requests on a first visit.

What a page imports only by `import("…")` becomes a second bundle, which it loads late. The sources stay plain
modules that browsers also load one by one. Only the forms of import and export that the page and its vendored
libraries use are supported; if another form occurs, the modules are served separately.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
SEPARATE = ("vendor/socket.io.esm.min.js",)
"""Modules that stay files of their own and are imported by the bundle: the camera page loads them as well."""
_MINIFIED_STATEMENT = re.compile(r'\b((?:import|export)\{[^}]*\}(?:from"\./[^"]+")?);?')
"""An import or export of a vendored module, anywhere in a line."""
_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"([./][^"]+)";[ \t]*$', re.MULTILINE)
_REEXPORT = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([./][^"]+)";[ \t]*$', re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s*\{([^}]*)\};[ \t]*$", re.MULTILINE)
_EXPORTED_DECLARATION = re.compile(
    r"^export\s+((?:async\s+function|function|const|class)\s*\*?\s*([\w$]+))", re.MULTILINE
)
_LATE_IMPORT = re.compile(r'\bimport\("([./][^"]+)"\)')
_COMMENT_LINE_OR_INDENT = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)
_STYLE_COMMENT_OR_INDENT = re.compile(r"/\*.*?\*/\n*|^[ \t]+", re.MULTILINE | re.DOTALL)
_STYLE_IMPORT = re.compile(r'^@import "(\.{1,2}/[^"]+)";$', re.MULTILINE)
_UNSUPPORTED = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)
"""What is left of an import or export in a form that no pattern above matches."""


@cache
def modules(entry: str) -> tuple[str, ...]:
    """Return the paths of a module and of all that it imports statically, each after its own imports.

    entry: path below the static folder. Raises ValueError if modules import each other in a circle.
    """
    return _in_import_order((entry,), ())


@cache
def late_modules(entry: str) -> tuple[str, ...]:
    """Return the paths of the modules that a page loads only by `import()`, with their own imports before each.

    entry: path of the page's first module. Raises ValueError if modules import each other in a circle.
    """
    known = first = modules(entry)
    while entries := [other for name in known for other in _imported_late(name) if other not in known]:
        known = (*known, *_in_import_order(entries, known))
    return known[len(first) :]


def _in_import_order(entries: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the paths of modules and of what they import statically, imports first, except those in `known`.

    Raises ValueError if modules import each other in a circle.
    """
    before = tuple(known)
    order: list[str] = []
    importing: list[str] = []

    def visit(name: str) -> None:
        if name in order or name in before:
            return
        if name in importing:
            raise ValueError(f"{name} imports itself by {importing[-1]}")
        importing.append(name)
        for other in _imported(name):
            visit(other)
        importing.remove(name)
        order.append(name)

    for entry in entries:
        visit(entry)
    return tuple(order)


def _imported(name: str) -> Iterator[str]:
    """Yield the paths of the modules that a module imports statically."""
    if name in SEPARATE:
        return
    source = _source(name)
    for pattern in (_IMPORT, _REEXPORT):
        for _, address in pattern.findall(source):
            yield _resolved(name, address)


def _imported_late(name: str) -> Iterator[str]:
    """Yield the paths of the modules that a module imports by `import()`."""
    if name not in SEPARATE and not name.startswith("vendor/"):
        for address in _LATE_IMPORT.findall(_source(name)):
            yield _resolved(name, address)


def _source(name: str) -> str:
    """Return a module's text; in a minified one of `vendor/`, imports and exports are put on their own lines."""
    text = (STATIC / name).read_text(encoding="utf-8")
    return _MINIFIED_STATEMENT.sub(r"\n\1;\n", text) if name.startswith("vendor/") else text


def _resolved(name: str, address: str) -> str:
    """Return the path, below the static folder, to which a relative address in the static file `name` refers."""
    return ((STATIC / name).parent / address).resolve().relative_to(STATIC).as_posix()


@dataclass(frozen=True, slots=True)
class Bundle:
    """The text of the two modules into which a page's modules are joined; served from the folder `page`."""

    first: str
    """The module that the page loads at its start."""
    late: str
    """The module that it loads later, which imports from the first; "" if nothing is imported by `import()`."""


@cache
def bundle(entry: str, first_name: str, late_name: str) -> Bundle | None:
    """Return a page's modules as two texts, loaded at its start and later; None where bundling is impossible.

    It is impossible if modules import each other in a circle or use an unsupported form of import or export. entry:
    path of the page's first module. first_name, late_name: file names under which the two texts are served.
    """
    try:
        first, late = modules(entry), late_modules(entry)
    except ValueError:
        return None
    variables = {name: f"m{number}" for number, name in enumerate((*first, *late))}
    try:
        both = [_joined(names, variables, late_name) for names in (first, late)]
    except ValueError:
        return None
    opened = {other for name in (*first, *late) for other in _imported_late(name)}
    needed = {other for name in late for other in _imported(name)} | opened
    listed = f"{{ {', '.join(sorted(variables[name] for name in needed.intersection(first)))} }}"
    exported = ", ".join(sorted(variables[name] for name in opened))
    return Bundle(
        f"{both[0]}export {listed};\n" if late else both[0],
        f'import {listed} from "./{first_name}";\n{both[1]}export {{ {exported} }};\n' if late else "",
    )


def _joined(names: Iterable[str], variables: Mapping[str, str], late_name: str) -> str:
    """Return the text of one module that contains these modules, each as a function that returns its exports.

    variables: the variable of each module's exports, by the module's path. late_name: file name of the late bundle.
    Raises ValueError for an unsupported form of import or export.
    """
    parts: list[str] = []
    for name in names:
        if name in SEPARATE:
            parts.insert(0, f'import * as {variables[name]} from "../{name}";')
        else:
            body = _function_body(name, variables, late_name)
            parts.append(f"// {name}\nconst {variables[name]} = (() => {{\n{body}\n}})();")
    return "\n".join(parts) + "\n"


def _function_body(name: str, variables: Mapping[str, str], late_name: str) -> str:
    """Return a module's text as the body of a function that returns its exports.

    variables: the variable of each module's exports, by the module's path. late_name: file name of the late bundle.
    Raises ValueError for an unsupported form of import or export.
    """
    source = _compacted(_source(name))
    exports = [f"get {one}() {{ return {one}; }}" for _, one in _EXPORTED_DECLARATION.findall(source)]
    for inside in _EXPORT_LIST.findall(source):
        exports.extend(f"get {other}() {{ return {one}; }}" for one, other in _renamings(inside))
    for inside, address in _REEXPORT.findall(source):
        origin = variables[_resolved(name, address)]
        exports.extend(f"get {other}() {{ return {origin}.{one}; }}" for one, other in _renamings(inside))
    imports = [
        f"const {{ {_destructuring(inside)} }} = {variables[_resolved(name, address)]};"
        for inside, address in _IMPORT.findall(source)
        if inside.strip()
    ]
    for pattern in (_IMPORT, _REEXPORT, _EXPORT_LIST):
        source = pattern.sub("", source)
    body = _EXPORTED_DECLARATION.sub(r"\1", source)
    if _UNSUPPORTED.search(_LATE_IMPORT.sub("", body)):
        raise ValueError(f"{name} has an unsupported form of import or export")

    def of_late_bundle(found: re.Match[str]) -> str:
        return f'import("./{late_name}").then((late) => late.{variables[_resolved(name, found[1])]})'

    if not name.startswith("vendor/"):
        body = _LATE_IMPORT.sub(of_late_bundle, body)
    return "\n".join([*imports, body, f"return {{ {', '.join(exports)} }};"])


def _compacted(source: str) -> str:
    """Return a module's text without comment lines and indentation; unchanged if a template string spans lines."""
    code = _COMMENT_LINE_OR_INDENT.sub("", source)
    return source if any(line.count("`") % 2 for line in code.splitlines()) else code


def _destructuring(inside: str) -> str:
    """Return the names of an import as those of a destructuring assignment: `a: a, b: c` for `a, b as c`."""
    return ", ".join(f"{one}: {other}" for one, other in _renamings(inside))


def _renamings(inside: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the new name of each import or export: ("a", "a") and ("b", "c") for `a, b as c`."""
    for part in filter(None, (part.strip() for part in inside.split(","))):
        one, _, other = part.partition(" as ")
        yield one.strip(), (other or one).strip()


@cache
def styles(entry: str) -> str:
    """Return the texts of all style sheets that a sheet imports, without comments and indentation, joined.

    Raises FileNotFoundError.
    """
    sheets = ((STATIC / name).read_text(encoding="utf-8") for name in imported_styles(entry))
    return "\n".join(_STYLE_COMMENT_OR_INDENT.sub("", sheet) for sheet in sheets)


def imported_styles(entry: str) -> tuple[str, ...]:
    """Return the paths of the style sheets that a sheet imports, in cascade order.

    An imported sheet that itself imports others is replaced by these.
    """
    found: list[str] = []
    for address in _STYLE_IMPORT.findall((STATIC / entry).read_text(encoding="utf-8")):
        name = _resolved(entry, address)
        found.extend(imported_styles(name) or (name,))
    return tuple(found)
