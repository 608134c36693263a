"""Looking at a page: nothing may stick out or be too small to read; SCREENSHOTS=1 keeps pictures of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Request, expect

ARTEFACTS = Path(__file__).parents[3] / "artefacts" / "screenshots"
TABLET = (1024, 768)
PHONE = (390, 844)
SMALLEST_TEXT = 16
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Resolves once the page has drawn what was asked for."""

SMALL_TARGETS = """() => [...document.querySelectorAll('.board-face button')].filter((button) => {
  const { width, height } = button.getBoundingClientRect();
  return width < 44 || height < 44;
}).map((button) => button.getAttribute('aria-label'))"""
"""Parts of a player's board that are too small to be tapped surely."""

_LOADED = """() => document.fonts.status === 'loaded'
  && [...document.images].every((picture) => picture.complete || picture.loading === 'lazy')"""
"""Pictures that wait until they are scrolled to need not be there."""
_TO_SCREEN = """(screen) => new Promise((done) => {
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
  if (location.hash === `#${screen}`) return drawn();
  addEventListener("hashchange", drawn, { once: true });
  location.hash = screen;
})"""
"""Resolves once the page, which listens to the same event before, has drawn the screen."""
_WIDTHS = "() => { const page = document.documentElement; return [page.scrollWidth, page.clientWidth]; }"
_STICKS_OUT = """() => [...document.querySelectorAll(
    'dialog, .panel, .row-seat, .ledger, .board:not(.me-side), .proposal, .button, .hand, .stepper')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.className)"""
_TOO_SMALL = """(least) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
    if (node.data.trim() && node.parentElement.checkVisibility() && size < least) small.push(node.data);
  }
  return small;
}"""


_WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_COLOURS = ["color-contrast"]
"""The one rule on which colours bear."""


def go(page: Page, screen: str) -> None:
    """Show another screen of the page as a tap on a link does, with all that the page fetches for it."""
    fetched: list[Request] = []

    def note(request: Request) -> None:
        if "/api/" in request.url:
            fetched.append(request)

    page.on("request", note)
    page.evaluate(_TO_SCREEN, screen)
    page.remove_listener("request", note)
    for request in fetched:
        if (response := request.response()) is not None:
            response.finished()
    page.evaluate(DRAWN)
    wait_for_screen(page)


def wait_for_screen(page: Page) -> None:
    """Wait until everything on the screen is there."""
    expect(page.locator("main.screen")).to_be_visible()
    expect(page.locator("main .opening")).to_have_count(0)
    page.wait_for_function(_LOADED)


def check_accessible(
    page: Page, sizes: Sequence[tuple[int, int]] = (TABLET, PHONE), *, colours_only: bool = False
) -> None:
    """Assert that axe finds no violation of the WCAG on a tablet and on a phone.

    colours_only: check contrasts alone, where all else has been checked in other colours.
    """
    axe = Axe()
    if page.evaluate("() => typeof axe === 'undefined'"):
        page.evaluate(axe.axe_script)
    options = {"runOnly": _COLOURS if colours_only else _WCAG, "resultTypes": ["violations"]}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        violations = page.evaluate("(options) => axe.run(options)", options)["violations"]
        found = [
            f"{one['id']}: {node['target']} {node['failureSummary']}" for one in violations for node in one["nodes"]
        ]
        assert found == [], f"at {width} pixels"


def look(page: Page, name: str, sizes: Sequence[tuple[int, int]] = (TABLET, PHONE)) -> None:
    """Assert that everything on the page fits and can be read, on a tablet and on a phone for one.

    SCREENSHOTS=1 in the environment keeps a picture of each.
    """
    before = page.viewport_size
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        page.wait_for_function(_LOADED)
        if os.environ.get("SCREENSHOTS") == "1":
            ARTEFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTEFACTS / f"{name}-{width}x{height}.png")
        wide, room = page.evaluate(_WIDTHS)
        assert wide <= room, f"{name} is {wide} pixels wide on a screen of {room}"
        assert page.evaluate(_STICKS_OUT) == [], f"something sticks out on {name} at {width} pixels"
        assert page.evaluate(_TOO_SMALL, SMALLEST_TEXT) == [], f"text too small on {name}"
    if before is not None:
        page.set_viewport_size(before)
