"""A turn of Master Labyrinth entered with the keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.table import Table
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import begin, state_of

pytestmark = pytest.mark.browser

STOPS = 40
"""More stops of the Tab key than lie between two controls of a turn."""


def test_a_turn_is_entered_with_the_keyboard_alone(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    page = visit(f"{serve(table)}#table")
    expect(page.locator("[data-test=maze]")).to_be_visible()

    def tab_to(selector: str) -> str:
        """Go on with the Tab key to the first control that matches; return the name of its test hook."""
        for _ in range(STOPS):
            page.keyboard.press("Tab")
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return str(page.evaluate("document.activeElement.dataset.test"))
        pytest.fail(f"{selector} is not reached by {STOPS} stops of the Tab key.")

    first = tab_to("[role=radio][data-test^=spare-]")
    page.keyboard.press("ArrowRight")
    chosen = page.locator("[data-test^=spare-][aria-checked=true]")
    expect(chosen).to_be_focused()
    assert chosen.get_attribute("data-test") != first
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f"[data-test={first}]")).to_have_attribute("aria-checked", "true")

    tab_to("[data-test^=arrow-]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-test^=place-]").first).to_be_visible()
    assert state_of(table).closed is not None
    expect(page.locator("body")).not_to_be_focused()

    mover = state_of(table).mover
    tab_to("[data-test^=place-]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-test^=spare-]").first).to_be_visible()
    assert state_of(table).mover != mover
    expect(page.locator("body")).not_to_be_focused()
