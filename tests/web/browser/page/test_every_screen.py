"""Every screen, as it is looked at: in both themes, all sizes and all languages nothing is out of place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.serving import served
from tests.waiting import LONGEST_WAIT
from tests.web.browser.looking import PHONE, TABLET, check_accessible, go, look, wait_for_screen
from tests.web.browser.page.played_tables import counted_to, played_to
from tests.web.browser.rendering import watch_rendering
from web.bundle import STATIC

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), TABLET, (768, 1024), PHONE)
SCREENS = ("table", "me/3", "player/1", "scores", "history", "new", "camera", "join", "health", "more", "scoring")
STATES = (
    *((state, "table") for state in ("soul", "over")),
    ("none", "new"),
    ("over", "scores"),
    ("soul", "player/1"),
    ("soul", "scoring"),
    ("over", "scoring/winner"),
)
OF_ONE_GAME = (
    *(("search", screen) for screen in ("me/3", "health", "scoring")),
    *(("soul", screen) for screen in ("table", "player/1", "scoring")),
    ("over", "scoring/winner"),
    ("none", "new"),
)
"""Screens and states besides those that are checked of every game (`tests/web/browser/games/test_contract.py`)."""
LIGHT = STATIC / "page" / "light.css"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COLOUR = re.compile(
    r"color-scheme: light"
    r"|--[\w-]+: (#[0-9a-f]{6}|\d+ \d+ \d+|rgb\(\d+ \d+ \d+ / \d+%\))"
)
"""A declaration of a colour."""
_TEXT_COLOUR = "() => getComputedStyle(document.body).color"


@pytest.fixture(name="addresses", scope="module")
def _addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Tables without a camera, by how far their game is."""
    addresses = {}
    with ExitStack() as stack:
        for state in ("search", "soul", "over", "none"):
            table = stack.enter_context(closing(Table(SavedGames(tmp_path_factory.mktemp(state)), STANDIN)))
            played_to(table, state)
            counted_to(table, state)
            addresses[state] = stack.enter_context(served(table))
        yield addresses


@pytest.fixture(name="errors", scope="module")
def _errors() -> list[str]:
    """What the page has logged as an error."""
    return []


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, errors: list[str]) -> Iterator[Page]:
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(1000 * LONGEST_WAIT)
    page = watch_rendering(context.new_page())
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda line: errors.append(line.text) if line.type == "error" and not refused(line) else None
    )
    yield page
    context.close()


def refused(line: ConsoleMessage) -> bool:
    """Return whether it is the browser's own report of what the page says itself: this table has no set-up."""
    return "/api/teaching/" in str(line.location.get("url"))


@pytest.mark.parametrize(("state", "screen"), OF_ONE_GAME)
def test_a_screen_fits_and_everybody_can_use_it_in_both_themes(
    addresses: dict[str, str], page: Page, errors: list[str], state: str, screen: str
) -> None:
    errors.clear()
    page.context.add_cookies([{"name": "theme", "value": "auto", "url": addresses[state]}])
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
    page.goto("about:blank")
    page.goto(f"{addresses[state]}#{screen}")
    wait_for_screen(page)
    name = f"{state}-{screen.replace('/', '-')}"
    look(page, f"{name}-dark", SIZES)
    check_accessible(page)
    dark = page.evaluate(_TEXT_COLOUR)
    page.emulate_media(color_scheme="light")
    look(page, f"{name}-light", SIZES)
    assert page.evaluate(_TEXT_COLOUR) != dark
    check_accessible(page, colours_only=True)
    assert errors == []


def test_the_light_theme_differs_from_the_dark_one_in_colours_alone() -> None:
    """So that the rules on which colours bear are all that has to be checked in it."""
    (block,) = re.findall(r":root \{(.*?)\}", _COMMENT.sub("", LIGHT.read_text("utf-8")), re.DOTALL)
    for declaration in filter(None, map(str.strip, block.split(";"))):
        assert _COLOUR.fullmatch(declaration), declaration


_WIDTH = """() => {
  const one = document.createElement("span");
  one.textContent = "記録";
  document.body.append(one);
  const width = one.getBoundingClientRect().width / parseFloat(getComputedStyle(one).fontSize);
  one.remove();
  return width;
}"""


@pytest.fixture(name="translated", scope="module")
def _translated(with_boxes: Browser, addresses: dict[str, str]) -> Iterator[Callable[[str, str], Page]]:
    """Opens the page of a table in a language, once each."""
    with ExitStack() as stack:

        @cache
        def opened(state: str, language: str) -> Page:
            context = with_boxes.new_context(
                locale={"ja": "ja-JP", "pt": "pt-BR"}[language], reduced_motion="reduce", color_scheme="dark"
            )
            page = stack.enter_context(context).new_page()
            page.goto(addresses[state])
            return page

        yield opened


@pytest.mark.parametrize(("state", "screen"), [*(("search", screen) for screen in SCREENS), *STATES])
@pytest.mark.parametrize("language", ["ja", "pt"])
def test_a_screen_fits_in_every_language(
    translated: Callable[[str, str], Page], state: str, screen: str, language: str
) -> None:
    page = translated(state, language)
    wait_for_screen(page)
    go(page, screen)
    assert (page.locator("html").get_attribute("lang") or "").startswith(language)
    assert page.evaluate(_WIDTH) == pytest.approx(2.0, abs=0.05)
    # What the companion says over the live channel is shown in the page's language, too.
    expect(page.locator("body")).not_to_contain_text("by hand")
    look(page, f"{state}-{screen.replace('/', '-')}-{language}", SIZES)
