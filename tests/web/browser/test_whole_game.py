"""A whole game on the simulated table, read from its pictures and watched on the page to its final scoring."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.director.simulation import Simulation
from companion.games.wicked.standin import STANDIN
from companion.table import Table
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import look
from tests.web.browser.measuring import cumulative_layout_shift, measured, shifts

pytestmark = pytest.mark.browser

SEED = 11
MOST_SHIFT = 0.02
"""Layout shift over the whole game, without what follows a tap."""
LONGEST = 300
"""Seconds for the whole game; what has to be read takes the time that it takes."""


@pytest.fixture(name="simulated")
def _simulated(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """The table with its simulated camera, taught anew, and bots that play the same game each time."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    simulation = Simulation(table, STANDIN, SEED)
    simulation.start()
    yield table
    simulation.close()


@pytest.mark.timeout(480)
def test_a_whole_game_is_watched_to_its_final_scoring(simulated: Table, serve: Serve, visit: Visit) -> None:
    page = visit(serve(simulated), before=measured)
    begin_with_three(page)
    heading = page.get_by_role("heading", level=1)
    set_speed(page, 20)
    expect(heading).to_contain_text("Round 1 · corridor 1", timeout=150_000)
    set_speed(page, 1)
    answer_first_proposal(page)
    set_speed(page, 20)
    page.locator("[data-test=run]").click()

    ends = time.monotonic() + LONGEST
    while heading.inner_text() != "Final scoring":
        assert time.monotonic() < ends, f"after {LONGEST} s the game is at: {heading.inner_text()}"
        page.wait_for_timeout(250)

    game, director = simulated.view.game, simulated.view.director
    assert game is not None
    assert director is not None
    assert game.state.phase == "over"
    assert director.reveals == 16
    assert director.unread <= 12, f"{director.unread} of 16 reveals were never read from the pictures"
    assert any(line.evidence for line in game.history if line.type == "reveal")
    expect(page.locator("[data-test=final] .ledger")).to_have_count(3)
    for score in game.scores:
        ledger = page.locator(".ledger").filter(has_text=game.seats[score.player].name)
        expect(ledger.locator(".total")).to_have_text(str(score.total).replace("-", "−"))
    moved = shifts(page)
    assert cumulative_layout_shift(moved) < MOST_SHIFT, max(moved, key=lambda one: one["value"])
    look(page, "watched-to-the-end")
    page.get_by_role("link", name="History").click()
    picture = page.get_by_role("link", name="picture").first
    answer = page.request.get(f"{page.url.split('/#')[0]}{picture.get_attribute('href')}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.body().startswith(b"\xff\xd8")
    look(page, "watched-history")


def begin_with_three(page: Page) -> None:
    """Begin the shortest game on the start screen."""
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    page.get_by_role("radio", name="3 players").click()
    page.locator("[data-test=begin]").click()
    expect(page.locator(".director")).to_be_visible()


def set_speed(page: Page, times: int) -> None:
    button = page.get_by_role("button", name=f"{times} times as fast", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def answer_first_proposal(page: Page) -> None:
    """Stop the bots when something is proposed, look at it in peace, and answer it as a person would."""
    answer = page.locator("[data-test=take], [data-test=alternative]").first
    hold = page.locator("[data-test=hold]")
    for _ in range(4):
        page.locator(".proposal").wait_for(timeout=60_000)
        page.locator("[data-test=run]").click()
        if hold.is_visible():
            hold.click()
        if answer.is_visible():
            break
        # The one at the table was quicker this time.
        page.locator("[data-test=run]").click()
    look(page, "proposed")
    answer.click()
    expect(page.locator(".proposal")).to_have_count(0)
