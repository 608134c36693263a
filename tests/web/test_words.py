"""Every text that people may read is in every language's catalogue, and nothing is said past them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from click.testing import CliRunner
from flask import Flask
from flask_socketio import SocketIO, SocketIOTestClient

from calibration.translatable import by_side, say
from companion.table.views import Refused
from tests.web.conftest import SEATS
from tests.web.small_table import SmallTable
from web import create_app
from web.languages import TAGS, catalogue, form_of, languages, po_file, text_of, translated
from web.translations.__main__ import main
from web.translations.extraction import PYTHON_PACKAGES, ROOT, extracted, placeholders, read, untranslated

SOURCES = sorted(path for folder in PYTHON_PACKAGES for path in (ROOT / folder).rglob("*.py"))
SCRIPTS = sorted((ROOT / "web/static/page").rglob("*.js"))
RAISED = {"Refused", "IllegalMove", "NoSuchEntry", "PhoneRefused", "CameraError", "SheetError", "EnrolError"}
UNTRANSLATED = {
    # What only a command line says.
    "companion/cli",
    # The rules' borders towards programmers, and what is set up by code.
    "calibration/art",
}


@pytest.fixture(name="found", scope="module")
def _found() -> Catalog:
    return extracted()


@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("--check", 2)])
def test_an_argument_writes_no_catalogue(monkeypatch: pytest.MonkeyPatch, argument: str, code: int) -> None:
    written: list[str] = []
    monkeypatch.setattr("web.translations.__main__.update", lambda language, _: written.append(language))
    assert CliRunner().invoke(main, [argument]).exit_code == code
    assert written == []


@pytest.mark.parametrize("language", languages())
def test_nothing_that_is_said_is_untranslated(found: Catalog, language: str) -> None:
    assert untranslated(language, found) == [], f"run: python -m web.translations, then edit {po_file(language)}"


@pytest.mark.parametrize("language", languages())
def test_nothing_is_translated_that_nobody_says(found: Catalog, language: str) -> None:
    assert [message.id for message in read(language) if message.id and found.get(message.id) is None] == []


@pytest.mark.parametrize("language", languages())
def test_every_translation_fills_in_what_the_english_text_does(language: str) -> None:
    for message in read(language):
        if not message.id:
            continue
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        first, last = str(texts[0]), str(texts[-1])
        for form in forms:
            assert placeholders(str(form)) <= placeholders(last), form
            if len(forms) == len(texts) == 1:
                assert placeholders(str(form)) == placeholders(first), form
        # Of several, the number must be stated.
        assert not ({"n"} & placeholders(last)) or "n" in placeholders(str(forms[-1])), forms


@pytest.mark.parametrize("language", languages())
def test_numbers_take_the_form_that_the_catalogue_says(language: str) -> None:
    messages = read(language)
    rule = messages.plural_expr
    for number in (0, 1, 2, 3, 12):
        says = int(eval(rule.replace("?", " and "), {"n": number})) if messages.num_plurals > 1 else 0
        assert min(form_of(number), messages.num_plurals - 1) == says


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def test_what_is_said_stands_there_word_for_word(subtests: pytest.Subtests) -> None:
    for path in SOURCES:
        where = path.relative_to(ROOT).as_posix()
        with subtests.test(where):
            if where in ("calibration/translatable.py", "companion/games/wicked/text/words.py"):
                continue
            for call in calls(path):
                if name_of(call) == "say":
                    assert isinstance(call.args[0], ast.Constant), (
                        f"{where}:{call.lineno}: say() takes a literal text"
                    )
                elif name_of(call) == "counted" and isinstance(call.func, ast.Name) and len(call.args) > 1:
                    assert all(isinstance(text, ast.Constant) for text in call.args[1:3]), f"{where}:{call.lineno}"
                elif name_of(call) in RAISED and not any(where.startswith(one) for one in UNTRANSLATED):
                    for text in call.args:
                        unmarked = isinstance(text, ast.JoinedStr) or (
                            isinstance(text, ast.Constant) and isinstance(text.value, str) and " " in text.value
                        )
                        assert not unmarked, (
                            f"{where}:{call.lineno}: say it with say(), so that it can be translated"
                        )


def test_every_text_of_the_page_can_be_translated(subtests: pytest.Subtests) -> None:
    for path in SCRIPTS:
        with subtests.test(path.name):
            source = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            for match in re.finditer(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""", source):
                text = match[2]
                looks_said = re.match(r"[A-Z][a-z]+('s)? [a-z]|[A-Z][a-z]+[.…?!]$", text)
                before = source[: match.start()]
                line = before.rsplit("\n", 1)[-1]
                inside = re.search(r"\btn?\((?:[^()]|\([^()]*\))*$", before[-400:])
                if looks_said and not line.lstrip().startswith("import"):
                    assert inside, f"{path.name}: {text!r} is shown past t()"
            for call in re.finditer(r"(?<![\w.$])t\(([^\"\s])", source):
                if path.name != "i18n.js":
                    pytest.fail(
                        f"{path.name}: t() takes a literal text: {source[call.start() : call.start() + 60]}"
                    )


def test_no_text_of_the_page_is_overlooked_by_the_catalogues(found: Catalog, subtests: pytest.Subtests) -> None:
    """Wherever a text stands: inside another one's brackets, or inside another call."""
    for path in SCRIPTS:
        with subtests.test(path.name):
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


def test_a_refusal_is_shown_in_the_language_of_the_device(japanese: SocketIOTestClient) -> None:
    japanese.get_received()
    answer = japanese.emit("undo", {"game": "another", "at": 3}, callback=True)
    assert answer["error"]["code"] == "not_allowed"
    assert "プレイヤー" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("wants", "tag"), [("pt-BR,pt;q=0.9", "pt-BR"), ("ja", "ja"), ("de", "en"), ("en-GB", "en")]
)
def test_the_page_speaks_what_the_browser_asks_for(app: Flask, wants: str, tag: str) -> None:
    page = app.test_client().get("/", headers={"Accept-Language": wants}).text
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


def test_a_page_that_connects_names_its_language_itself(app: Flask, table: SmallTable) -> None:
    """Browsers may leave theirs out on a web socket."""
    table.start_game(SEATS)
    socketio: SocketIO = app.extensions["socketio"]
    screen = socketio.test_client(app, query_string="language=ja")
    screen.get_received()
    answer = screen.emit("undo", {"game": "another", "at": 3}, callback=True)
    screen.disconnect()
    assert "プレイヤー" in answer["error"]["message"]


def test_a_screen_that_is_one_too_many_is_refused_in_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.people.access_control.MAX_SCREENS", 0)
    client = create_app(SmallTable(), polling=True).test_client()
    client.set_cookie("language", "ja")
    channel = "/socket.io/?EIO=4&transport=polling"
    opened = json.loads(client.get(channel).text[1:])
    client.post(f"{channel}&sid={opened['sid']}", data="40")
    refusal = client.get(f"{channel}&sid={opened['sid']}").text
    assert refusal.startswith("44")
    assert "画面が多すぎます" in json.loads(refusal[2:])["message"]


def test_an_unknown_language_is_english(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("language", "../../etc")
    assert '<html lang="en"' in client.get("/").text
    assert client.get("/words/..-1.js").status_code == 404


def test_a_game_is_described_in_japanese_with_its_names_as_they_are(table: SmallTable) -> None:
    table.start_game(SEATS)
    with pytest.raises(Refused) as refused:
        table.resume_game("nowhere")
    assert translated({"text": str(refused.value)}, "ja")
    words = catalogue("ja")
    assert words.text("wolf") == "狼"
    assert set(TAGS) == {"en", *languages()}


@pytest.mark.parametrize(("language", "left"), [("en", "left"), ("ja", "左"), ("pt", "à esquerda")])
def test_a_line_that_names_a_side_is_translated_once_for_each_side(language: str, left: str) -> None:
    line = by_side([say("top"), say("right"), say("bottom"), say("left")])
    sides = translated({"text": [line]}, language)["text"][0]["sides"]
    assert len(sides) == 4
    assert sides[3] == left
    assert text_of(line, language) == sides[0]
