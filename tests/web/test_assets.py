"""Static files: kept for ever under an address that names what they hold, few, packed, and none from elsewhere."""

from __future__ import annotations

import gzip
import json
import re

import cv2
import numpy as np
import pytest
from flask import Flask

from web.assets import PageFiles, all_pages, names, page_files, version
from web.bundle import STATIC, imported_styles, late_modules, modules
from web.routes.app_installation import ICON_SIZES


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: page.entry)
def test_the_modules_of_a_page_can_be_put_together(page: PageFiles) -> None:
    assert page.bundle is not None, "a circle of imports, or an unsupported form of import or export"
    assert modules(page.entry)[-1] == page.entry
    assert {
        "page/core/text/i18n.js",
        "page/table/table_screen.js",
        "vendor/preact.js",
        "vendor/socket.io.esm.min.js",
    } <= set(modules(page.entry))


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: page.entry)
def test_the_first_screen_does_without_set_up_and_history(page: PageFiles) -> None:
    late = {"page/setup/setup_screen.js", "page/history/history_screen.js", "page/health/health_screen.js"}
    assert late <= set(late_modules(page.entry))
    assert not {*modules(page.entry)} & {*late_modules(page.entry)}
    assert page.bundle is not None
    assert "// page/setup/setup_screen.js\n" in page.bundle.late
    assert "// page/setup/setup_screen.js\n" not in page.bundle.first


LATE = re.compile(r'late\(\(\) => import\("(\.{1,2}/[^"]+)"\), "(\w+)"\)')


def test_every_component_that_is_loaded_late_is_exported() -> None:
    found = 0
    for path in (STATIC / "page").rglob("*.js"):
        for address, component in LATE.findall(path.read_text(encoding="utf-8")):
            source = (path.parent / address).resolve().read_text(encoding="utf-8")
            assert component in EXPORT.findall(source), f"{path.name} loads {component} late"
            found += 1
    assert found >= 8


IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.{1,2}/[^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+([\w$]+)", re.MULTILINE)


def test_every_imported_name_is_exported() -> None:
    scripts = {path.resolve(): path.read_text(encoding="utf-8") for path in (STATIC / "page").rglob("*.js")}
    for path, source in scripts.items():
        for imported, address in IMPORT.findall(source):
            target = (path.parent / address).resolve()
            if target in scripts:  # vendored modules export in their own forms
                wanted = {name.split(" as ")[0].strip() for name in imported.split(",") if name.strip()}
                assert wanted <= set(EXPORT.findall(scripts[target])), f"{path.name} imports from {target.name}"


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: page.entry)
def test_a_page_carries_the_modules_and_styles_of_one_game_alone(page: PageFiles) -> None:
    carried = (*modules(page.entry), *late_modules(page.entry), *imported_styles(page.style_entry))
    games = {name.split("/")[2] for name in carried if name.startswith("page/games/")}
    assert games == {name for name in page.entry.split("/")[2:3] if page.entry.startswith("page/games/")}


def test_a_game_without_modules_of_its_own_is_drawn_by_the_plain_page() -> None:
    assert page_files("none").entry == "page/plain_game.js"
    assert page_files("../core").entry == "page/plain_game.js"


def test_every_style_sheet_is_carried_by_a_page() -> None:
    entries = {page.style_entry for page in all_pages()}
    alone = {*entries, "page/light.css", "page/phone_camera/phone_camera.css"}
    carried = {name for entry in entries for name in imported_styles(entry)}
    assert {name for name in names() if name.endswith(".css")} == {*carried, *alone}


_WICKED = page_files("wicked")


@pytest.mark.parametrize(
    "name", [_WICKED.script_bundle, _WICKED.late_bundle, _WICKED.style, "page/light.css", "mark.svg"]
)
def test_a_file_is_kept_for_ever_and_comes_packed(app: Flask, name: str) -> None:
    client = app.test_client()
    plain = client.get(f"/static/{version()}/{name}")
    packed = client.get(f"/static/{version()}/{name}", headers={"Accept-Encoding": "gzip"})
    assert plain.status_code == 200
    assert "immutable" in plain.headers["Cache-Control"]
    assert "Content-Encoding" not in plain.headers
    if len(plain.data) > 1024:
        assert gzip.decompress(packed.data) == plain.data
        assert "Accept-Encoding" in packed.headers["Vary"]


def test_a_page_of_an_older_version_is_served_but_nothing_is_kept_under_its_name(app: Flask) -> None:
    answer = app.test_client().get("/static/older/page/app.js")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "name", ["../app.py", "%2e%2e/app.py", "page/../../x.css", "page/base+core/frame.css", "page/none.js"]
)
def test_nothing_else_is_served(app: Flask, name: str) -> None:
    assert app.test_client().get(f"/static/{version()}/{name}").status_code == 404


def test_the_page_asks_for_little_and_only_here(app: Flask) -> None:
    page = app.test_client().get("/").text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert all(address.startswith("/") for address in addresses)
    assert len(addresses) <= 12


def test_the_page_can_be_installed(app: Flask) -> None:
    client = app.test_client()
    manifest = json.loads(client.get("/manifest.webmanifest", headers={"Accept-Language": "ja"}).text)
    assert manifest["display"] == "standalone"
    assert "ラビリンス" in manifest["name"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for size in ICON_SIZES:
        icon = client.get(f"/icon-{size}.png")
        picture = cv2.imdecode(np.frombuffer(icon.data, np.uint8), cv2.IMREAD_UNCHANGED)
        assert picture is not None
        assert picture.shape[:2] == (size, size)
        assert tuple(picture[1, 1, :3]) == tuple(picture[size - 2, size - 2, :3])  # the ground reaches every edge
    assert client.get("/icon-100000.png").status_code == 404


def test_an_installed_page_keeps_static_files_alone_and_all_are_there(app: Flask) -> None:
    client = app.test_client()
    worker = client.get("/service-worker.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    kept = re.findall(r'"(/static/[^"]+)"', worker.text)
    assert any(address.endswith(_WICKED.script_bundle) for address in kept)
    assert any(address.endswith(_WICKED.late_bundle) for address in kept)
    for address in kept:
        assert address.startswith(f"/static/{version()}/")
        assert client.get(address).status_code == 200, address
    assert "/api/" not in worker.text
    assert client.get("/not-reached", headers={"Accept-Language": "pt"}).text.count("está inacessível") == 2
    # A browser replaces the worker, and with it the kept page, when the script differs.
    assert client.get("/service-worker.js", headers={"Accept-Language": "pt"}).data != worker.data
