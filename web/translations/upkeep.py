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
_PYTHON: Mapping[str, Any] = {"say": None, "counted": (2, 3), "many": (2, 3)}
_SCRIPT: Mapping[str, Any] = {"t": None}
_SCRIPT_MANY: Mapping[str, Any] = {"tn": (2, 3)}
_METHODS = (
    *(("python", f"{folder}/**/*.py", _PYTHON) for folder in PYTHON),
    # One after the other: what stands inside the brackets of a call that is looked for is overlooked.
    ("javascript", "web/static/js/**/*.js", _SCRIPT),
    ("javascript", "web/static/js/**/*.js", _SCRIPT_MANY),
    ("jinja2.ext:babel_extract", "web/templates/*.html", _SCRIPT),
)
_NOISE = (
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
Text = str | tuple[str, ...]


def said() -> Catalog:
    """Collect every text from the sources, with the files that it stands in."""
    found = Catalog(project="The Wicked Labyrinth: companion", charset="utf-8")
    for method, pattern, keywords in _METHODS:
        for path in sorted(ROOT.glob(pattern)):
            where = path.relative_to(ROOT).as_posix()
            for text in _texts(method, path, keywords):
                found.add(text, locations=[(where, 0)])
    return found


def _texts(method: str, path: Path, keywords: Mapping[str, Any]) -> Iterator[Text]:
    source = io.BytesIO(path.read_bytes())
    for _, text, *_ in extract(method, source, keywords=keywords, options={"encoding": "utf-8"}):
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
    catalogue.header_comment = _GLOSSARY[language]
    written = io.BytesIO()
    write_po(written, catalogue, width=110, sort_output=True, include_lineno=False)
    lines = written.getvalue().decode().splitlines(keepends=True)
    # Dates and empty names would make every update look like a change.
    po_file(language).write_text("".join(line for line in lines if not line.startswith(_NOISE)), encoding="utf-8")


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
