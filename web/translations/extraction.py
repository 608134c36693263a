"""Extracts every translatable text from the sources and updates the catalogues with them."""

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
"""The repository's root."""
PYTHON_PACKAGES = ("calibration", "vision", "companion", "web")
"""Packages that contain translatable texts."""
_PYTHON_CALLS: Mapping[str, Any] = {"say": None, "counted": (2, 3), "many": (2, 3)}
"""Functions that mark a text, with the positions of singular and plural, as Babel expects them."""
_SCRIPT_CALLS: Mapping[str, Any] = {"t": None}
"""Functions that mark a text without a plural, in the page's scripts and templates."""
_SCRIPT_PLURAL_CALLS: Mapping[str, Any] = {"tn": (2, 3)}
"""Functions that mark a text with singular and plural, in the page's scripts."""
_METHODS = (
    *(("python", f"{folder}/**/*.py", _PYTHON_CALLS) for folder in PYTHON_PACKAGES),
    # In two passes: Babel finds no call that is nested in another one that it searches for.
    ("javascript", "web/static/page/**/*.js", _SCRIPT_CALLS),
    ("javascript", "web/static/page/**/*.js", _SCRIPT_PLURAL_CALLS),
    ("jinja2.ext:babel_extract", "web/templates/*.html", _SCRIPT_CALLS),
)
"""Babel's extraction method, the files it reads, and the calls that mark a text."""
_VOLATILE_HEADERS = (
    '"POT-Creation-Date',
    '"PO-Revision-Date',
    '"Last-Translator',
    '"Language-Team',
    '"Report-Msgid',
    '"Generated-By',
)
_GLOSSARY = {
    "ja": """# The Wicked Labyrinth: companion, in Japanese. Glossary:
# reveal 公開 · search piece 探索コマ · corridor 回廊 · great oracle 大神託 · small oracle 小神託
# token トークン · low 下位 · middle 中位 · high 上位 · soul phase 魂フェイズ · fragment かけら
# impurity 穢れ · witch's sign 魔女の印 · soul's sign 魂の印 · promotion spell 昇格の呪文
# colour-change spell 色変えの呪文 · spot マス · round ラウンド · board ボード · seat 席
# host ホスト · sheet シート · deck デッキ · profile プロファイル · journal entry 記録""",
    "pt": """# The Wicked Labyrinth: companion, in Brazilian Portuguese. Glossary:
# reveal revelação · search piece peça de busca · corridor corredor · great oracle grande oráculo
# small oracle pequeno oráculo · token ficha · low, middle, high (nível) baixo, médio, alto
# soul phase fase das almas · fragment fragmento · impurity impureza · witch's sign sinal da bruxa
# soul's sign sinal da alma · promotion spell feitiço de promoção · colour-change spell feitiço de
# troca de cor · spot espaço · round rodada · board tabuleiro · seat lugar · host anfitrião
# sheet folha · deck baralho · profile perfil · journal entry registro · companion companheiro""",
}
"""Comment at the top of each catalogue."""
Text = str | tuple[str, ...]
"""An English text: one form, or singular and plural."""


def extracted() -> Catalog:
    """Return a gettext catalogue of every translatable text in the sources, with the files that contain it."""
    found = Catalog(project="The Wicked Labyrinth: companion", charset="utf-8")
    for method, pattern, keywords in _METHODS:
        for path in sorted(ROOT.glob(pattern)):
            where = path.relative_to(ROOT).as_posix()
            for text in _texts(method, path, keywords):
                found.add(text, locations=[(where, 0)])
    return found


def _texts(method: str, path: Path, keywords: Mapping[str, Any]) -> Iterator[Text]:
    """Yield the translatable texts in a file. method, keywords: as for Babel's `extract`."""
    source = path.read_bytes()
    if not any(f"{name}(".encode() in source for name in keywords):
        return  # most files, and Babel takes long to read one
    for _, text, *_ in extract(method, io.BytesIO(source), keywords=keywords, options={"encoding": "utf-8"}):
        if text and text != ("",):
            yield text


def read(language: str) -> Catalog:
    """Return a language's gettext catalogue as it is on disk."""
    with po_file(language).open("rb") as file:
        return read_po(file)


def update(language: str, texts: Catalog) -> None:
    """Add new texts to a catalogue on disk, without fuzzy matches, and remove those that no source contains."""
    catalogue = read(language)
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for message in catalogue:
        if message.id:
            message.locations = sorted({(file, 0) for file, _ in message.locations})
    catalogue.header_comment = _GLOSSARY[language]
    written = io.BytesIO()
    write_po(written, catalogue, width=110, sort_output=True, include_lineno=False)
    lines = written.getvalue().decode().splitlines(keepends=True)
    # Headers with dates and empty names would show every update as a change.
    lines = [line for line in lines if not line.startswith(_VOLATILE_HEADERS)]
    po_file(language).write_text("".join(lines), encoding="utf-8")


def untranslated(language: str, texts: Catalog) -> list[str]:
    """Return those of `texts` that a language's catalogue on disk lacks, or has untranslated or marked fuzzy."""
    catalogue = read(language)
    missing = []
    for message in texts:
        if not message.id:
            continue
        entry = catalogue.get(message.id)
        forms = () if entry is None else entry.string if isinstance(entry.string, tuple) else (entry.string,)
        if entry is None or entry.fuzzy or not forms or not all(forms):
            missing.append(message.id if isinstance(message.id, str) else message.id[0])
    return missing


def placeholders(text: str) -> frozenset[str]:
    """Return the names of a text's placeholders, such as "age" in `{age} s`."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)
