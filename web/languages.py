"""The languages of the page: whose device wants which, and what is said in it. Catalogues are read with Babel."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from flask import Flask, Request, has_request_context, request
from flask.json.provider import DefaultJSONProvider

from calibration.wording import Line

FOLDER = Path(__file__).parent / "translations"
NAMES = {"en": "English", "ja": "日本語", "pt": "Português"}
"""Each language in its own words; the first is the one that everything is written in."""
TAGS = {"en": "en", "ja": "ja", "pt": "pt-BR"}
"""What a document in this language names as its own."""
ENGLISH = "en"
COOKIE = "language"
"""Kept by the page on each device; without it, the browser's own languages decide."""

Forms = str | tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """What is said in one language. texts: by the English text, one form or as many as the language has.

    page: those texts that the page says itself.
    """

    texts: Mapping[str, Forms]
    page: Mapping[str, Forms]

    def template_of(self, line: Line) -> str:
        """Give the template for a line in this language, the English one where there is none."""
        found = self.texts.get(line.template if line.forms is None else line.forms[0])
        if found is None:
            return line.template
        if isinstance(found, str):
            return found
        return found[0] if line.forms is None else found[min(form_of(abs(line.number)), len(found) - 1)]

    def text(self, text: str) -> str:
        """Give one text in this language."""
        found = self.texts.get(text, text)
        return found if isinstance(found, str) else found[0]


def form_of(number: int) -> int:
    """Give which form a number takes: Portuguese says none in the singular, Japanese has one form for all."""
    return int(number > 1)


def po_file(language: str) -> Path:
    """Name the file that translators edit."""
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


@lru_cache(maxsize=len(NAMES))
def catalogue(language: str) -> Catalogue:
    """Read the catalogue of a language once; that of English is empty."""
    if language == ENGLISH:
        return Catalogue({}, {})
    with po_file(language).open("rb") as file:
        return of_messages(read_po(file))


def of_messages(messages: Catalog) -> Catalogue:
    """Make a catalogue of what was read, less what is not translated yet or only guessed."""
    texts: dict[str, Forms] = {}
    page: dict[str, Forms] = {}
    for message in messages:
        forms: Any = message.string
        done = all(forms) if isinstance(forms, tuple) else bool(forms)
        if not message.id or not done or message.fuzzy:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        texts[key] = forms
        if any(file.endswith(".js") for file, _ in message.locations):
            page[key] = forms
    return Catalogue(texts, page)


@lru_cache(maxsize=len(NAMES))
def page_words(language: str) -> tuple[str, str]:
    """Give the script that tells the page its words in a language, and the name of that version of it."""
    words = json.dumps(catalogue(language).page, ensure_ascii=False, sort_keys=True)
    script = f"globalThis.companionWords = {words};\n"
    return script, hashlib.blake2b(script.encode(), digest_size=6).hexdigest()


def language_of(asked: Request) -> str:
    """Tell which language whoever asks wants: as chosen on the device, else the browser's, else English.

    A page that is shown already names its own when it connects, as browsers may leave theirs out there.
    """
    for chosen in (asked.cookies.get(COOKIE), asked.args.get(COOKIE)):
        if chosen in NAMES:
            return chosen
    return asked.accept_languages.best_match(list(NAMES), default=ENGLISH) or ENGLISH


def in_language(value: Any, language: str) -> Any:
    """Tell every line in a plain value in a language; mappings and sequences are gone through."""
    if language == ENGLISH:
        return value
    return _told(value, catalogue(language))


def _told(value: Any, words: Catalogue) -> Any:
    if isinstance(value, Line):
        return value.told(words.template_of)
    if isinstance(value, dict):
        return {key: _told(each, words) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each, words) for each in value]
    return value


def plain(value: Any) -> Any:
    """Make what only JSON would not know plain, and leave lines as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value


class SpokenJSON(DefaultJSONProvider):
    """Answers in the language of whoever asks."""

    def dumps(self, obj: Any, **options: Any) -> str:
        """Write JSON, every line in it in the language of the present request."""
        if has_request_context():
            obj = in_language(plain(obj), language_of(request))
        return super().dumps(obj, **options)


def speak(app: Flask) -> None:
    """Let an application answer and draw its pages in the language of whoever asks."""
    app.json = SpokenJSON(app)

    @app.context_processor
    def words() -> dict[str, Any]:
        language = language_of(request)
        return {"t": catalogue(language).text, "language": language, "tag": TAGS[language], "names": NAMES}


def languages(besides: Iterable[str] = (ENGLISH,)) -> tuple[str, ...]:
    """List the languages that have a catalogue of their own."""
    return tuple(code for code in NAMES if code not in besides)
