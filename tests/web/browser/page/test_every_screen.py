"""Every screen, as it is looked at: in both themes, all sizes and all languages nothing is out of place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.serving import served
from tests.waiting import LONGEST_WAIT
from tests.web.browser.looking import PHONE, TABLET, check_accessible, look
from tests.web.browser.page.played_tables import counted_to, played_to
from tests.web.browser.rendering import watch_rendering

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


def shown(page: Page, address: str, screen: str) -> None:
    """Show a screen, and wait until everything on it is there."""
    page.goto("about:blank")
    page.goto(f"{address}#{screen}")
    expect(page.locator("main.screen")).to_be_visible()
    expect(page.locator("main .opening")).to_have_count(0)
    page.wait_for_function("() => [...document.images].every((picture) => picture.complete)")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("state", "screen"), [*(("search", screen) for screen in SCREENS), *STATES])
def test_a_screen_fits_and_everybody_can_use_it(
    addresses: dict[str, str],
    page: Page,
    errors: list[str],
    state: str,
    screen: str,
    theme: Literal["dark", "light"],
) -> None:
    errors.clear()
    page.context.add_cookies([{"name": "theme", "value": "auto", "url": addresses[state]}])
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
    shown(page, addresses[state], screen)
    look(page, f"{state}-{screen.replace('/', '-')}-{theme}", SIZES)
    assert errors == []
    check_accessible(page)


_WIDTH = """() => {
  const one = document.createElement("span");
  one.textContent = "記録";
  document.body.append(one);
  const width = one.getBoundingClientRect().width / parseFloat(getComputedStyle(one).fontSize);
  one.remove();
  return width;
}"""


@pytest.mark.parametrize(("state", "screen"), [*(("search", screen) for screen in SCREENS), *STATES])
@pytest.mark.parametrize("language", ["ja", "pt"])
def test_a_screen_fits_in_every_language(
    addresses: dict[str, str], with_boxes: Browser, state: str, screen: str, language: str
) -> None:
    with with_boxes.new_context(
        locale={"ja": "ja-JP", "pt": "pt-BR"}[language], reduced_motion="reduce", color_scheme="dark"
    ) as context:
        page = context.new_page()
        shown(page, addresses[state], screen)
        assert (page.locator("html").get_attribute("lang") or "").startswith(language)
        assert page.evaluate(_WIDTH) == pytest.approx(2.0, abs=0.05)
        # What the companion says over the live channel is shown in the page's language, too.
        expect(page.locator("body")).not_to_contain_text("by hand")
        look(page, f"{state}-{screen.replace('/', '-')}-{language}", SIZES)
