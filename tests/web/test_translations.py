"""Every text that people may read is in every language's catalogue, and none bypasses the translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from flask import Flask
from flask_socketio import SocketIO, SocketIOTestClient

from companion.table.views import Refused
from tests.web.conftest import SEATS
from tests.web.small_table import SmallTable
from web.languages import TAGS, catalogue, form_of, languages, po_file, translated
from web.translations.extraction import PYTHON_PACKAGES, ROOT, extracted, placeholders, read, untranslated

SOURCES = sorted(path for folder in PYTHON_PACKAGES for path in (ROOT / folder).rglob("*.py"))
SCRIPTS = sorted((ROOT / "web/static/js").rglob("*.js"))
RAISED = {"Refused", "IllegalMove", "NoSuchEntry", "PhoneRefused", "CameraError", "SheetError", "EnrolError"}
UNTRANSLATED = {
    # Texts of the command line.
    "companion/cli",
    # Errors for programmers.
    "calibration/art",
}


@pytest.fixture(name="found", scope="module")
def _found() -> Catalog:
    return extracted()


@pytest.mark.parametrize("language", languages())
def test_no_text_is_untranslated(found: Catalog, language: str) -> None:
    assert untranslated(language, found) == [], f"run: python -m web.translations, then edit {po_file(language)}"


@pytest.mark.parametrize("language", languages())
def test_no_translation_is_unused(found: Catalog, language: str) -> None:
    assert [message.id for message in read(language) if message.id and found.get(message.id) is None] == []


@pytest.mark.parametrize("language", languages())
def test_every_translation_has_the_placeholders_of_the_english_text(language: str) -> None:
    for message in read(language):
        if not message.id:
            continue
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        for form in forms:
            assert placeholders(str(form)) <= placeholders(texts[-1]), form
            if len(forms) == len(texts) == 1:
                assert placeholders(str(form)) == placeholders(texts[0]), form
        # A plural form must contain the number.
        assert not ({"n"} & placeholders(texts[-1])) or "n" in placeholders(str(forms[-1])), forms


@pytest.mark.parametrize("language", languages())
def test_plural_forms_follow_the_catalogues_rule(language: str) -> None:
    messages = read(language)
    rule = messages.plural_expr
    for number in (0, 1, 2, 3, 12):
        index = int(eval(rule.replace("?", " and "), {"n": number})) if messages.num_plurals > 1 else 0
        assert min(form_of(number), messages.num_plurals - 1) == index


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_text_in_python_is_a_literal_that_can_be_extracted(path: Path) -> None:
    where = path.relative_to(ROOT).as_posix()
    if where in ("calibration/wording.py", "companion/games/wicked/telling.py"):
        return
    for call in calls(path):
        if name_of(call) == "say":
            assert isinstance(call.args[0], ast.Constant), f"{where}:{call.lineno}: say() takes a literal text"
        elif name_of(call) == "counted" and isinstance(call.func, ast.Name) and len(call.args) > 1:
            assert all(isinstance(text, ast.Constant) for text in call.args[1:3]), f"{where}:{call.lineno}"
        elif name_of(call) in RAISED and not any(where.startswith(one) for one in UNTRANSLATED):
            for text in call.args:
                untranslatable = isinstance(text, ast.JoinedStr) or (
                    isinstance(text, ast.Constant) and isinstance(text.value, str) and " " in text.value
                )
                assert not untranslatable, f"{where}:{call.lineno}: wrap it in say(), so that it can be translated"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_text_in_the_page_goes_through_the_translation(path: Path) -> None:
    source = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for match in re.finditer(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""", source):
        text = match[2]
        is_sentence = re.match(r"[A-Z][a-z]+('s)? [a-z]|[A-Z][a-z]+[.…?!]$", text)
        before = source[: match.start()]
        line = before.rsplit("\n", 1)[-1]
        inside = re.search(r"\btn?\((?:[^()]|\([^()]*\))*$", before[-400:])
        if is_sentence and not line.lstrip().startswith("import"):
            assert inside, f"{path.name}: {text!r} bypasses t()"
    for call in re.finditer(r"(?<![\w.$])t\(([^\"\s])", source):
        if path.name != "i18n.js":
            pytest.fail(f"{path.name}: t() takes a literal text: {source[call.start() : call.start() + 60]}")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_in_the_page_is_missed_by_the_extraction(path: Path, found: Catalog) -> None:
    """Also in a call that is nested in another call."""
    source = path.read_text(encoding="utf-8")
    text = r'"((?:[^"\\]|\\.)*)"'
    for one in re.finditer(rf"(?<![\w.$])t\(\s*{text}", source):
        assert found.get(one[1]) is not None, one[1]
    for one in re.finditer(rf'(?<![\w.$])tn\([^"]*?{text},\s*{text}', source):
        assert found.get((one[1], one[2])) is not None, one[1]


@pytest.fixture(name="japanese")
def _japanese(app: Flask, table: SmallTable) -> Iterator[SocketIOTestClient]:
    table.start_game(SEATS)
    socketio: SocketIO = app.extensions["socketio"]
    screen = socketio.test_client(app, headers={"Cookie": "language=ja"})
    yield screen
    screen.disconnect()


def test_a_refusal_is_translated_into_the_devices_language(japanese: SocketIOTestClient) -> None:
    japanese.get_received()
    answer = japanese.emit("undo", {"game": "another", "at": 3}, callback=True)
    assert answer["error"]["code"] == "not_allowed"
    assert "プレイヤー" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("accepted", "tag"), [("pt-BR,pt;q=0.9", "pt-BR"), ("ja", "ja"), ("de", "en"), ("en-GB", "en")]
)
def test_the_page_is_in_the_browsers_language(app: Flask, accepted: str, tag: str) -> None:
    page = app.test_client().get("/", headers={"Accept-Language": accepted}).text
    assert f'<html lang="{tag}"' in page


def test_a_device_keeps_the_language_chosen_on_it(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("language", "ja")
    page = client.get("/", headers={"Accept-Language": "pt"}).text
    assert '<html lang="ja"' in page
    script = re.search(r'src="(/words/ja-\w+\.js)"', page)
    assert script is not None
    words = client.get(script[1])
    assert "immutable" in words.headers["Cache-Control"]
    assert "探索コマ" in words.text


def test_a_connecting_page_names_its_language_in_the_query(app: Flask, table: SmallTable) -> None:
    """Browsers may omit Accept-Language on a web socket."""
    table.start_game(SEATS)
    socketio: SocketIO = app.extensions["socketio"]
    screen = socketio.test_client(app, query_string="language=ja")
    screen.get_received()
    answer = screen.emit("undo", {"game": "another", "at": 3}, callback=True)
    screen.disconnect()
    assert "プレイヤー" in answer["error"]["message"]


def test_an_unknown_language_is_english(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("language", "../../etc")
    assert '<html lang="en"' in client.get("/").text
    assert client.get("/words/..-1.js").status_code == 404


def test_a_refusal_with_names_is_translated(table: SmallTable) -> None:
    table.start_game(SEATS)
    with pytest.raises(Refused) as refused:
        table.resume_game("nowhere")
    assert translated({"text": str(refused.value)}, "ja")
    words = catalogue("ja")
    assert words.text("wolf") == "狼"
    assert set(TAGS) == {"en", *languages()}
