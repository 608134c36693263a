"""Chromium looking at a companion that is really served."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect, sync_playwright

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.chromium import MISSING, installed
from tests.serving import served
from tests.waiting import LONGEST_WAIT
from tests.web.browser.boxes import box_font
from tests.web.browser.looking import TABLET
from tests.web.browser.rendering import watch_rendering

_OMNIBOX_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Features that open two hidden pages below the address bar of every window: a third of Chromium's CPU time."""
_OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *_OMNIBOX_PAGES,
)
"""Features of Chromium that are off: Playwright's own list, which this one replaces, and the hidden pages."""
_ARGUMENTS = ("--no-sandbox", "--disable-background-networking", f"--disable-features={','.join(_OFF)}")

Serve = Callable[..., str]
Visit = Callable[..., Page]
Launch = Callable[..., Browser]
Start = Callable[[int], "subprocess.Popen[str]"]


def over_web_sockets(page: Page, carry: Callable[[WebSocketRoute], None]) -> None:
    """Route a page's live channel over web sockets alone, each through this function.

    Its plain requests are answered by somebody else, as on a network that wants to be signed in to.
    """
    page.route_web_socket("**/socket.io/**", carry)
    page.route("**/socket.io/**", lambda route: route.fulfill(body="Welcome to our hotel"))


@pytest.fixture(name="launch", scope="session")
def _launch() -> Iterator[Launch]:
    """Starts a Chromium of its own with these arguments. env: its environment, where that is another one."""
    path = installed()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        expect.set_options(timeout=1000 * LONGEST_WAIT)
        yield lambda *args, env=None: playwright.chromium.launch(
            executable_path=path, args=[*_ARGUMENTS, *args], env=env
        )


@pytest.fixture(name="chromium", scope="session")
def _chromium(launch: Launch) -> Iterator[Browser]:
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(name="with_boxes", scope="session")
def _with_boxes(launch: Launch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser on a device with a Japanese face, if only one of boxes: they take the room that any face takes."""
    folder = tmp_path_factory.mktemp("data") / "fonts"
    folder.mkdir()
    (folder / "boxes.ttf").write_bytes(box_font())
    browser = launch(env={**os.environ, "XDG_DATA_HOME": str(folder.parent)})
    yield browser
    browser.close()


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    """A table without a camera: everything is entered by hand."""
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    yield table
    table.close()


@pytest.fixture(name="start")
def _start(tmp_path: Path) -> Iterator[Start]:
    """Starts a companion in a process of its own; port 0 takes any."""
    running: list[subprocess.Popen[str]] = []

    def start(port: int) -> subprocess.Popen[str]:
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "tests.web.browser.served", str(tmp_path / "games"), str(port)],
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return running[-1]

    yield start
    for one in running:
        one.kill()
        one.wait()
        if one.stdout is not None:
            one.stdout.close()


@pytest.fixture(name="serve")
def _serve() -> Iterator[Serve]:
    """Serves a table on a free port and gives its address."""
    with ExitStack() as stack:
        yield lambda table, phone=None: stack.enter_context(served(table, phone))


@pytest.fixture(name="refusals")
def _refusals() -> list[int]:
    """The HTTP statuses by which the companion refuses something to a page on purpose, for a test to note in turn.

    A browser logs each of them as an error of the page.
    """
    return []


@pytest.fixture(name="visit")
def _visit(chromium: Browser, refusals: list[int]) -> Iterator[Visit]:
    """Opens a page at an address; afterwards no page may have logged an error but for the noted refusals."""
    errors: list[str] = []
    contexts = []

    def visit(
        address: str,
        size: tuple[int, int] = TABLET,
        *,
        before: Callable[[Page], None] | None = None,
        touch: bool = False,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            color_scheme="dark",
            has_touch=touch,
            is_mobile=touch,
        )
        context.set_default_timeout(1000 * LONGEST_WAIT)
        contexts.append(context)
        page = watch_rendering(context.new_page())
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        if before is not None:
            before(page)
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert len(errors) == len(refusals), errors
    for error, status in zip(errors, refusals, strict=True):
        assert error.startswith(f"Failed to load resource: the server responded with a status of {status} "), errors
