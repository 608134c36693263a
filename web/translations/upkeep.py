"""Finding every text that people may read, and keeping the catalogues in step with them."""

from __future__ import annotations

import io
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from web.languages import po_file

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ("calibration", "vision", "companion", "web")
_METHODS = (
    *(("python", f"{folder}/**/*.py") for folder in PYTHON),
    ("javascript", "web/static/js/*.js"),
    ("jinja2.ext:babel_extract", "web/templates/*.html"),
)
_KEYWORDS: Mapping[str, Any] = {
    "say": None,
    "counted": (2, 3),
    "many": (2, 3),
    "t": None,
    "tn": (2, 3),
}
Text = str | tuple[str, ...]


def said() -> Catalog:
    """Collect every text from the sources, with the files that it stands in."""
    found = Catalog(project="The Wicked Labyrinth: companion", charset="utf-8")
    for method, pattern in _METHODS:
        for path in sorted(ROOT.glob(pattern)):
            where = path.relative_to(ROOT).as_posix()
            for text in _texts(method, path):
                found.add(text, locations=[(where, 0)])
    return found


def _texts(method: str, path: Path) -> Iterator[Text]:
    source = io.BytesIO(path.read_bytes())
    for _, text, *_ in extract(method, source, keywords=_KEYWORDS, options={"encoding": "utf-8"}):
        if text and text != ("",):
            yield text


def read(language: str) -> Catalog:
    """Read a language's catalogue as translators left it."""
    with po_file(language).open("rb") as file:
        return read_po(file)


def update(language: str, found: Catalog) -> None:
    """Put new texts into a catalogue, without guesses, and take those out that nobody says any more."""
    catalogue = read(language)
    catalogue.update(found, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for message in catalogue:
        if message.id:
            message.locations = sorted({(file, 0) for file, _ in message.locations})
    with po_file(language).open("wb") as file:
        write_po(file, catalogue, width=110, sort_output=True, include_lineno=False, omit_header=False)


def unsaid(language: str, found: Catalog) -> list[str]:
    """List the texts that a catalogue has no translation for."""
    catalogue = read(language)
    missing = []
    for message in found:
        if not message.id:
            continue
        kept = catalogue.get(message.id)
        forms = () if kept is None else kept.string if isinstance(kept.string, tuple) else (kept.string,)
        if kept is None or kept.fuzzy or not forms or not all(forms):
            missing.append(message.id if isinstance(message.id, str) else message.id[0])
    return missing


def places(text: str) -> frozenset[str]:
    """Name the places of a template in which something is filled in."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)
