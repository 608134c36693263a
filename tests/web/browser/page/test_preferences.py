"""What a device wants, and how the page comes back when the network, the device or the companion was away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Start, Visit
from tests.web.browser.games.master.mazes import begin as begin_maze
from tests.web.browser.looking import PHONE, TABLET
from tests.web.browser.playing import play_until
from tests.web.browser.served import port_of
from web.languages import NAMES

pytestmark = pytest.mark.browser

MOST_BYTES = 300 * 1024
"""Of the largest page over the wire, without pictures."""


def weigh(page: Page, go: Callable[[], object]) -> int:
    """Count the bytes that come over the wire while a page opens, pictures left out."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    session.on(
        "Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]})
    )
    go()
    session.detach()
    return round(sum(size for request, size in sizes.items() if kinds.get(request) != "Image"))


@pytest.mark.parametrize("begin", [lambda table: play_until(table, "search"), begin_maze], ids=["wicked", "master"])
def test_the_page_is_light(table: Table, serve: Serve, visit: Visit, begin: Callable[[Table], None]) -> None:
    begin(table)
    page = visit("about:blank")
    page.unroute_all()  # what watches the rendering passes the script on unpacked

    def go() -> None:
        page.goto(serve(table))
        expect(page.locator("main.screen")).to_be_visible()
        page.wait_for_load_state("networkidle")

    weight = weigh(page, go)
    assert 20 * 1024 < weight <= MOST_BYTES


def test_a_device_keeps_its_language_and_its_colours(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(table)}#more", PHONE)
    ground = "() => getComputedStyle(document.documentElement).getPropertyValue('--ink')"
    dark = page.evaluate(ground)
    page.locator("[data-test=theme-light]").click()
    expect(page.locator("[data-test=theme-light]")).to_have_attribute("aria-checked", "true")
    assert page.evaluate(ground) != dark
    page.locator("[data-test=language-pt]").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect(page.locator("[data-test=language-pt]")).to_have_text(NAMES["pt"])
    expect(page.locator("[data-test=language-pt]")).to_have_attribute("aria-checked", "true")
    expect(page.get_by_role("heading", name="Este aparelho")).to_be_visible()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) != dark
    play_until(table, "deal")
    page.evaluate("location.hash = '#table'")
    expect(page.locator(".row-seat .who small")).to_have_text(["0 ponto"] * 3)


def test_the_screen_stays_awake_while_a_game_is_on(table: Table, serve: Serve, visit: Visit) -> None:
    counting = """() => {
      window.asked = 0;
      const lock = Object.getPrototypeOf(navigator.wakeLock);
      const request = lock.request;
      lock.request = async function (kind) {
        window.asked += 1;
        await new Promise((answer) => setTimeout(answer, 500));
        return request.call(this, kind);
      };
    }"""
    page = visit(serve(table), before=lambda page: page.add_init_script(f"({counting})()"))
    expect(page.locator("main.screen")).to_be_visible()
    assert page.evaluate("() => window.asked") == 0
    play_until(table, "search")
    page.wait_for_function("() => window.asked === 1")
    table.play(Reveal((Hand(1), Hand(0), Hand(0))), game_of(table).number)
    page.wait_for_function("(now) => document.body.dataset.number === now", arg=str(game_of(table).number))
    assert page.evaluate("() => window.asked") == 1, "asked again before the browser had answered"


def test_a_host_whose_screen_may_go_dark_is_informed_once_and_how_to_help(
    table: Table, serve: Serve, visit: Visit
) -> None:
    plain_http = """
      Object.defineProperty(Navigator.prototype, "wakeLock", { value: undefined });
      Object.defineProperty(window, "isSecureContext", { value: false });
    """
    play_until(table, "search")
    page = visit(serve(table), before=lambda page: page.add_init_script(plain_http))
    line = page.locator(".toast")
    expect(line).to_contain_text("--tls")
    line_box, doing = line.bounding_box(), page.locator(".doing").bounding_box()
    assert line_box is not None
    assert doing is not None
    assert line_box["y"] + line_box["height"] <= doing["y"], "the line lies over what has to be tapped"
    line.click()
    expect(line).to_have_count(0)
    page.reload()
    expect(page.locator("[data-test=by-hand]")).to_be_visible()
    expect(line).to_have_count(0)


def test_a_browser_that_is_too_old_gets_one_line_with_the_versions_that_work(
    table: Table, serve: Serve, visit: Visit
) -> None:
    page = visit(serve(table), before=lambda page: page.add_init_script("CSS.supports = () => false"))
    expect(page.locator("#app")).to_contain_text("Safari 16.4")
    expect(page.locator("main.screen")).to_have_count(0)


def test_a_phone_goes_offline_and_comes_back_to_the_present_state(
    table: Table, serve: Serve, chromium: Browser
) -> None:
    play_until(table, "search")
    context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(serve(table))
    expect(page.locator("body[data-live=on] [data-test=by-hand]")).to_be_visible()
    context.set_offline(True)
    expect(page.locator(".band.lost")).to_be_visible(timeout=30_000)
    table.play(Reveal((Hand(4), Hand(1), Hand(0))), game_of(table).number)
    number, game = game_of(table).number, game_of(table).id
    context.set_offline(False)
    expect(page.locator(".band.lost")).to_have_count(0, timeout=30_000)
    expect(page.locator(".toast")).to_contain_text("Connected again")
    page.wait_for_function("(now) => document.body.dataset.number === now", arg=str(number))
    assert game_of(table).id == game
    context.close()


def test_a_companion_that_was_killed_comes_back_with_its_game_on_every_page(
    tmp_path: Path, start: Start, chromium: Browser
) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    play_until(table, "search", corridor=1)
    played, heading = game_of(table), "Round 1 · corridor 2"
    table.close()
    companion = start(0)
    port = port_of(companion)
    context = chromium.new_context(viewport={"width": TABLET[0], "height": TABLET[1]}, reduced_motion="reduce")
    context.set_default_timeout(30_000)
    stays, reloads = context.new_page(), context.new_page()
    for page in (stays, reloads):
        page.goto(f"http://127.0.0.1:{port}/#table")
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    reloads.evaluate("() => navigator.serviceWorker.ready.then(() => true)")

    companion.kill()
    companion.wait()
    expect(stays.locator(".band.lost")).to_be_visible()
    reloads.reload()
    expect(reloads.locator("[data-test=not-reached]")).to_be_visible()

    port_of(start(port))
    expect(stays.locator(".toast")).to_contain_text(re.compile("was restarted|updated"), timeout=30_000)
    for page in (stays, reloads):
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading, timeout=30_000)
        expect(page.locator("body")).to_have_attribute("data-number", str(played.number))
    expect(stays.locator(".band.lost")).to_have_count(0)
    assert [path.name for path in (tmp_path / "games").glob("*.journal")] == [f"{played.id}.journal"]
    context.close()


def test_a_notice_that_comes_again_is_shown_again(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(table))
    line = page.locator(".toast")
    for _ in range(2):
        table.notice("The camera is back.")
        expect(line).to_have_text("The camera is back.")
        box = line.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 5, box["y"] + 5)
        expect(line).to_have_count(0)
