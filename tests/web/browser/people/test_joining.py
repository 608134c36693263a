"""A tablet that is host, phones that join it, and taps that get lost on the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from companion.table import Table
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit, over_web_sockets
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, look
from tests.web.browser.playing import play_until

pytestmark = pytest.mark.browser


@pytest.mark.journey
def test_a_phone_joins_by_code_and_the_host_gives_and_takes_seats(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "search")
    address = serve(table)
    host = visit(f"{address}#join")
    look(host, "join-host")
    phone = visit(f"{address}#join", PHONE)
    phone.locator("[data-test=step_back]").click()
    expect(phone.get_by_role("heading", name="You are a spectator")).to_be_visible()
    look(phone, "join-onlooker")
    phone.locator("[data-test=code-seat]").fill("WRONG")
    phone.locator("[data-test=take-1]").click()
    expect(phone.get_by_role("alert")).to_contain_text("That code is not valid")
    phone.locator("[data-test=code-seat]").fill(code_of(host).lower())
    expect(phone.get_by_role("alert")).to_have_count(0)
    # Also in mid-game the way to a seat stands on top of the page; the host's code lies folded elsewhere.
    phone.goto(f"{address}#table")
    phone.locator("[data-test=take-a-seat]").click()
    expect(host.locator("[data-test=host-code]")).to_be_hidden()
    phone.locator("[data-test=take-1]").click()
    expect(phone.locator("[data-test=me-board]")).to_contain_text("Bruno")
    expect(host.locator("[data-test=as-2]")).to_have_value("seat-1")
    host.locator("[data-test=as-2]").select_option("onlooker")
    expect(phone.locator(".toast")).to_contain_text("The host withdrew your role")
    host.locator("[data-test=as-2]").select_option("host")
    expect(host.locator(".toast")).to_contain_text("Another device is also a host")
    expect(phone.locator(".toast")).to_contain_text("Another device is also a host")


def test_a_phone_reaches_neither_another_seat_nor_the_hosts_controls(
    table: Table, serve: Serve, visit: Visit
) -> None:
    play_until(table, "soul", seed=8)
    address = serve(table)
    host = visit(f"{address}#join")
    phone = join(visit, address, code_of(host), 1)
    for closed in ("api/options/0", "api/choices", "preview.jpg", "join/qr.svg"):
        assert phone.request.get(f"{address}{closed}").status == 403
    assert phone.request.get(f"{address}api/options/1").status == 200
    phone.goto(f"{address}#table")
    expect(phone.locator(".row-seat, [data-test=table]").first).to_be_visible()
    expect(phone.locator("figure.picture")).to_have_count(0)
    expect(phone.locator(".lamp")).to_be_disabled()
    phone.goto(f"{address}#history")
    expect(phone.locator("li.reveal").first).to_be_visible()
    expect(phone.locator("main [data-test=undo], main [data-test=correct]")).to_have_count(0)


def test_a_tap_whose_answer_is_lost_is_entered_once_and_the_page_comes_back(
    table: Table, serve: Serve, visit: Visit
) -> None:
    play_until(table, "soul", seed=8)
    sent: list[str] = []

    def lose_one_answer(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if isinstance(message, str) and '["undo"' in message:
                sent.append(message)
            server.send(message)

        def from_server(message: str | bytes) -> None:
            if isinstance(message, str) and message.startswith("43") and len(sent) == 1:
                route.close(code=1001)
                return
            route.send(message)

        route.on_message(from_page)
        server.on_message(from_server)

    page = visit(f"{serve(table)}#history", before=lambda page: over_web_sockets(page, lose_one_answer))
    number = game_of(table).number
    page.locator("[data-test=undo]").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    expect(page.locator(".band.lost")).to_have_count(0)
    page.wait_for_function("(before) => document.body.dataset.number !== before", arg=str(number))
    expect(page.locator(".toast.wrong")).to_have_count(0)
    assert game_of(table).number == number + 1
    taps = [re.search(r'"tap":"([0-9a-f]+)"', message) for message in sent]
    assert len(taps) >= 2, "the tap was not sent again"
    assert len({tap and tap.group() for tap in taps}) == 1, "it was sent again as another tap"
    assert taps[0] is not None
