"""Localisation: the language of a request, and the translation of texts by catalogues in gettext's format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from flask import Flask, Request, has_request_context, request
from flask.json.provider import DefaultJSONProvider

from calibration.translatable import Line

FOLDER = Path(__file__).parent / "translations"
"""Folder of the catalogues."""
NAMES = {"en": "English", "ja": "日本語", "pt": "Português"}
"""Name of each language in itself; the first is the source language."""
TAGS = {"en": "en", "ja": "ja", "pt": "pt-BR"}
"""BCP 47 tag of each language, for the page's `lang` attribute."""
ENGLISH = "en"
COOKIE = "language"
"""Cookie, or query parameter, with the language chosen on a device."""

Forms = str | tuple[str, ...]
"""A translation: one form, or the singular and plural forms of its language."""


@dataclass(frozen=True)
class Catalogue:
    """The translations into one language, by their English text."""

    texts: Mapping[str, Forms]
    """All texts."""
    page: Mapping[str, Forms]
    """The texts that the page's scripts use."""

    def template_of(self, line: Line) -> str:
        """Return a line's template in this language; the English one if there is no translation."""
        found = self.texts.get(line.template if line.forms is None else line.forms[0])
        if found is None:
            return line.template
        if isinstance(found, str):
            return found
        return found[0] if line.forms is None else found[min(form_of(abs(line.number)), len(found) - 1)]

    def text(self, text: str) -> str:
        """Return a text in this language; the English text if there is no translation."""
        found = self.texts.get(text, text)
        return found if isinstance(found, str) else found[0]


def form_of(number: int) -> int:
    """Return the index of the plural form for a number: 0 (singular) for 0 and 1, as in Portuguese, else 1."""
    return int(number > 1)


def po_file(language: str) -> Path:
    """Return the path of a language's gettext catalogue, which translators edit."""
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


@lru_cache(maxsize=len(NAMES))
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, read once; that of English is empty."""
    if language == ENGLISH:
        return Catalogue({}, {})
    with po_file(language).open("rb") as file:
        return _without_unfinished(read_po(file))


def _without_unfinished(messages: Catalog) -> Catalogue:
    """Return a gettext catalogue as a `Catalogue`, without messages that are untranslated or marked fuzzy."""
    texts: dict[str, Forms] = {}
    page: dict[str, Forms] = {}
    for message in messages:
        forms: Any = message.string
        translated = all(forms) if isinstance(forms, tuple) else bool(forms)
        if not message.id or not translated or message.fuzzy:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        texts[key] = forms
        if any(file.endswith(".js") for file, _ in message.locations):
            page[key] = forms
    return Catalogue(texts, page)


@lru_cache(maxsize=len(NAMES))
def page_words(language: str) -> tuple[str, str]:
    """Return the script that defines the page's texts in a language, and the script's hash (hexadecimal)."""
    words = json.dumps(catalogue(language).page, ensure_ascii=False, sort_keys=True)
    script = f"globalThis.companionWords = {words};\n"
    return script, hashlib.blake2b(script.encode(), digest_size=6).hexdigest()


def language_of(source: Request) -> str:
    """Return the language of a request: the device's cookie or query parameter, else Accept-Language, else English.

    The query parameter exists because browsers may omit Accept-Language when they open a web socket.
    """
    for chosen in (source.cookies.get(COOKIE), source.args.get(COOKIE)):
        if chosen in NAMES:
            return chosen
    return source.accept_languages.best_match(list(NAMES), default=ENGLISH) or ENGLISH


def translated(value: Any, language: str) -> Any:
    """Return a copy of a value for the page with every `Line` in it translated, also in nested dicts and lists.

    A line that reads differently from each side of the table becomes `{"sides": [...]}`, by quarter turns: the page
    chooses as it draws the table.
    """
    if isinstance(value, Line):
        sides = [text_of(side, language) for side in value.sides()]
        return sides[0] if len(sides) == 1 else {"sides": sides}
    if isinstance(value, dict):
        return {key: translated(each, language) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [translated(each, language) for each in value]
    return value


def text_of(line: str, language: str) -> str:
    """Return one line in a language, worded for a reader at seat 0; a plain string is returned unchanged."""
    if language == ENGLISH or not isinstance(line, Line):
        return line
    return line.translated(catalogue(language).template_of)


def plain(value: Any) -> Any:
    """Return a copy of a value for JSON: dataclasses as dicts, collections as lists; each `Line` stays as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value


class TranslatingJSONProvider(DefaultJSONProvider):
    """Flask's JSON provider, which translates into the language of the present request."""

    def dumps(self, obj: Any, **options: Any) -> str:
        """Return JSON in which every `Line` is translated into the language of the present request, if any."""
        if has_request_context():
            obj = translated(plain(obj), language_of(request))
        return super().dumps(obj, **options)


def localise(app: Flask) -> None:
    """Make an application translate its JSON answers and its templates into the language of each request."""
    app.json = TranslatingJSONProvider(app)

    @app.context_processor
    def words() -> dict[str, Any]:
        language = language_of(request)
        return {"t": catalogue(language).text, "language": language, "tag": TAGS[language], "names": NAMES}


def languages() -> tuple[str, ...]:
    """Return the codes of all languages but English, which needs no catalogue."""
    return tuple(code for code in NAMES if code != ENGLISH)
