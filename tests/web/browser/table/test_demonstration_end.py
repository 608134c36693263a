"""What the page says at the end of a demonstration, by how its moves were read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.session.game_settings import GameSettings
from companion.table.views import DirectorView
from tests.companion.table.playing import SEATS
from tests.web.browser.conftest import Serve, Visit
from tests.web.small_table import SmallTable

pytestmark = pytest.mark.browser
ALONE = "Every count came from the camera alone."


@pytest.mark.parametrize(
    ("shown", "corrections", "unread", "line"),
    [
        (4, 0, 0, f"4 reveals were read from the picture; 1 needed confirmation. {ALONE}"),
        (4, 0, 1, "3 reveals were read from the picture; 1 needed confirmation."),
        (2, 1, 0, "2 reveals were read from the picture; 1 needed confirmation."),
    ],
)
def test_the_end_of_a_demonstration_counts_only_what_was_read(
    serve: Serve, visit: Visit, shown: int, corrections: int, unread: int, line: str
) -> None:
    table = SmallTable(simulated=True)
    table.start_game(SEATS)
    figures = DirectorView(False, 1.0, "", shown, 1, corrections, unread, over=True)
    table.change(director=figures, settings=GameSettings(way="demo"))
    page = visit(serve(table))
    expect(page.locator("[data-test=demo-end] span")).to_have_text(line)
