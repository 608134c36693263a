"""Looking at a page: pictures of it are kept, and nothing may stick out or be too small to read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

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

_LOADED = "() => [...document.images].every((picture) => picture.complete || picture.loading === 'lazy')"
"""Pictures that wait until they are scrolled to need not be there."""
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


_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}


def check_accessible(page: Page, sizes: Sequence[tuple[int, int]] = (TABLET, PHONE)) -> None:
    """Assert that axe finds no violation of the WCAG on a tablet and on a phone."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        violations = Axe().run(page, options=_RULES).response["violations"]
        found = [
            f"{one['id']}: {node['target']} {node['failureSummary']}" for one in violations for node in one["nodes"]
        ]
        assert found == [], f"at {width} pixels"


def look(page: Page, name: str, sizes: Sequence[tuple[int, int]] = (TABLET, PHONE)) -> None:
    """Keep a picture of the page, on a tablet and on a phone for one; on each everything fits and can be read."""
    before = page.viewport_size
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        page.wait_for_function(_LOADED)
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=ARTEFACTS / f"{name}-{width}x{height}.png")
        wide, room = page.evaluate(_WIDTHS)
        assert wide <= room, f"{name} is {wide} pixels wide on a screen of {room}"
        assert page.evaluate(_STICKS_OUT) == [], f"something sticks out on {name} at {width} pixels"
        assert page.evaluate(_TOO_SMALL, SMALLEST_TEXT) == [], f"text too small on {name}"
    if before is not None:
        page.set_viewport_size(before)
