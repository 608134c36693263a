"""The words of the camera's lamp: each can be read, and a warning or a question is never late."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.table.views import CameraState, CameraView
from tests.web.browser.conftest import Serve, Visit
from tests.web.small_table import SmallTable

pytestmark = pytest.mark.browser

READABLE_FOR = 1000
"""Milliseconds for which a word stays."""
SOON = 10_000
"""Milliseconds from now until the clock stands still: less than the channel waits for a sign of life."""
DRAWN = 50
"""Milliseconds within which the page draws what it is told."""


def test_a_word_of_the_lamp_stays_until_it_is_read_unless_somebody_has_to_act(serve: Serve, visit: Visit) -> None:
    table = SmallTable(simulated=True, seed=4)
    page = visit(serve(table), before=lambda page: page.clock.install(time=0))
    word = page.locator(".lamp-word")
    expect(word).to_have_text("ready")
    page.clock.pause_at((page.evaluate("Date.now()") + SOON) / 1000)

    def tell(state: CameraState) -> str:
        """Publish a state of the camera; return the word that is shown next."""
        table.change(camera=CameraView(state))
        expect(page.locator("body")).to_have_attribute("data-view", str(table.view.version))
        return after(DRAWN)

    def after(milliseconds: int) -> str:
        page.clock.run_for(milliseconds)
        return word.inner_text()

    assert tell("hands") == "hands"
    assert tell("settling") == "hands"
    assert tell("reading") == "hands"
    assert after(READABLE_FOR - 3 * DRAWN - 1) == "hands"
    assert after(DRAWN) == "reading"
    assert tell("needs_you") == "needs you"
    assert tell("watching") == "needs you"
    assert tell("hindered") == "poor view"
    assert tell("no_camera") == "no camera"
    assert tell("watching") == "no camera"
    assert after(READABLE_FOR) == "ready"
    expect(page.locator(".lamp")).to_have_attribute("data-state", "watching")
