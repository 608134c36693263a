"""The first moments of a page: it shows the table before its live channel is through."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from companion.games.wicked.components import PLAYER_COLOURS
from companion.table import Table
from companion.table.views import SeatView
from tests.waiting import eventually
from tests.web.browser.conftest import Serve, Visit, over_web_sockets

pytestmark = pytest.mark.browser

SEATS = tuple(
    SeatView(name, colour) for name, colour in zip(("Ada", "Bruno", "Chie"), PLAYER_COLOURS, strict=False)
)


def test_the_table_is_seen_and_tapped_before_the_channel_is_through(
    table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game(SEATS)
    waiting: list[WebSocketRoute] = []

    def held_back(page: Page) -> None:
        page.route_web_socket("**/socket.io/**", lambda route: waiting.append(route))

    page = visit(serve(table) + "#more", before=held_back)
    hints = page.locator("[data-test=hints-on]")
    expect(hints).not_to_be_checked()
    expect(page.locator(".band.lost")).to_have_count(0)
    hints.click()

    def connecting() -> bool:
        page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))")  # sockets are reported during calls
        return waiting != []

    eventually(connecting)
    assert table.view.settings is not None
    assert not table.view.settings.hints
    for route in waiting:
        route.connect_to_server()
    expect(hints).to_be_checked()
    assert table.view.settings.hints


def test_a_page_whose_channel_never_comes_says_so_and_shows_the_table(
    table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game(SEATS)
    page = visit(serve(table) + "#table", before=lambda page: over_web_sockets(page, lambda ws: ws.close()))
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    expect(page.get_by_text("Chie").first).to_be_visible()
