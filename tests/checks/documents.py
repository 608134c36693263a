"""Documents: links that lead somewhere, agreed lengths, and everything listed that the code has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import click

from companion.cli import main as companion
from tests.checks.files import ROOT, relative, written

_MOST_LINES = {"README.md": 120, "docs/architecture.md": 120, "models/detector/MODEL_CARD.md": 120}
_NARROW = ("README.md", "CONTRIBUTING.md", "docs/architecture.md")
"""Pages whose prose is kept narrow, because most people read them first, often as plain text."""
_MOST_COLUMNS = 125
"""Widest line of prose on those pages; rows of tables, pictures and fenced text may be wider."""
_RULINGS = 16
"""Rulings W1 to W16 of The Wicked Labyrinth."""
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_EVENT = re.compile(r"@router\.on\(\s*\"([a-z_]+)\"")
_MODULE = re.compile(r"python -m ([\w.]+)")


def problems() -> Iterator[str]:
    """Yield one line for each fault of the documents."""
    pages = [path for path in written() if path.suffix == ".md"]
    for path in pages:
        yield from _dead_links(path)
    for name, most in _MOST_LINES.items():
        lines = len(_text(ROOT / name).splitlines())
        if lines > most:
            yield f"{name}: {lines} lines, at most {most}: move details into docs/"
    for folder in ("docs/decisions", "docs/experiments"):
        index = _text(ROOT / folder / "README.md")
        for path in sorted((ROOT / folder).rglob("*.md")):
            link = path.relative_to(ROOT / folder).as_posix()
            if link != "README.md" and f"({link})" not in index:
                yield f"{relative(path)}: not in {folder}/README.md"
    for name in _NARROW:
        yield from _wide_lines(ROOT / name)
    yield from _unlisted_rulings()
    yield from _unlisted_commands()
    yield from _unlisted_events()
    yield from _figures_without_target()


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a page's headings as GitHub makes them."""
    headings = _HEADING.findall(_FENCE.sub("", _text(path)))
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def _wide_lines(path: Path) -> Iterator[str]:
    fenced = False
    for number, line in enumerate(_text(path).splitlines(), 1):
        fenced ^= line.startswith("```")
        if len(line) > _MOST_COLUMNS and not fenced and not line.startswith(("|", "![")):
            yield f"{relative(path)}:{number}: {len(line)} columns, at most {_MOST_COLUMNS}"


def _dead_links(path: Path) -> Iterator[str]:
    for groups in _LINK.findall(_FENCE.sub("", _text(path))):
        link = groups[0] or groups[1]
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = unquote(link).partition("#")
        page = path if not target else path.parent / target
        if not page.exists():
            yield f"{relative(path)}: there is no {link}"
        elif anchor and page.suffix == ".md" and anchor not in _anchors(page.resolve()):
            yield f"{relative(path)}: there is no heading for {link}"


def _unlisted_rulings() -> Iterator[str]:
    listed = {
        int(number) for number in re.findall(r"^### W(\d+)\b", _text(ROOT / "docs/rules/wicked.md"), re.MULTILINE)
    }
    if listed != set(range(1, _RULINGS + 1)):
        yield f"docs/rules/wicked.md: W1 to W{_RULINGS} need a heading each"
    for path in written():
        if path.suffix == ".py":
            for number in re.findall(r"\(W(\d+)[),]", _text(path)):
                if int(number) not in listed:
                    yield f"{relative(path)}: W{number} is not in docs/rules/wicked.md"


def _unlisted_commands() -> Iterator[str]:
    """Yield each command or long option that docs/cli.md does not name."""
    page = _text(ROOT / "docs/cli.md")
    for name, command in _commands(companion, ""):
        if name not in page:
            yield f"docs/cli.md: `{name}` is missing"
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option not in ("--help", "--version") and option not in page:
                    yield f"docs/cli.md: `{option}` of `{name}` is missing"


def _commands(group: click.Group, before: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, f"{before}{name} ")
        elif command is not None:
            yield f"{before}{name}", command


def _unlisted_events() -> Iterator[str]:
    page = _text(ROOT / "docs/protocol.md")
    for path in sorted((ROOT / "web").rglob("*.py")):
        for event in _EVENT.findall(_text(path)):
            if f"`{event}`" not in page:
                yield f"docs/protocol.md: event `{event}` ({relative(path)}) is missing"


def _figures_without_target() -> Iterator[str]:
    """Yield each module that docs/accuracy.md measures with, but `make eval` does not run."""
    run = set(_MODULE.findall(_text(ROOT / "Makefile")))
    for module in sorted(set(_MODULE.findall(_text(ROOT / "docs/accuracy.md"))) - run):
        yield f"Makefile: `eval` does not run {module} of docs/accuracy.md"
