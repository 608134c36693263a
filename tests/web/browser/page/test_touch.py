"""A finger on a phone: real touches through the browser's own input, not a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.wicked.moves import FinishSoul
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE
from tests.web.browser.own_board import lit, to_the_souls, tokens

pytestmark = pytest.mark.browser

Spot = tuple[float, float]


def middle(thing: Locator) -> Spot:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """One finger on the page's glass."""

    def __init__(self, page: Page) -> None:
        self._glass = page.context.new_cdp_session(page)

    def down(self, at: Spot) -> None:
        self._touch("touchStart", at)

    def move(self, *through: Spot) -> None:
        for at in through:
            self._touch("touchMove", at)

    def up(self) -> None:
        self._touch("touchEnd")

    def drag(self, start: Spot, end: Spot) -> None:
        """Put it down, go there in small steps as fingers do, and lift it."""
        self.down(start)
        (x, y), (to_x, to_y) = start, end
        self.move(*((x + (to_x - x) * step / 6, y + (to_y - y) * step / 6) for step in range(1, 7)))
        self.up()

    def _touch(self, kind: str, *at: Spot) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_token_is_dragged_onto_its_like_with_a_finger(table: Table, serve: Serve, visit: Visit) -> None:
    seat, colour = to_the_souls(table)
    before = game_of(table)
    page = visit(f"{serve(table)}#me/{seat}", PHONE, touch=True)
    finger, pair = Finger(page), tokens(page, f"low {colour}")
    expect(pair.first).to_have_class("spot-at low can ")
    one, other = middle(pair.first), middle(pair.last)

    # Halfway it follows the finger, and what takes it is lit; let go over nothing, it stays where it was.
    finger.down(one)
    finger.move((one[0], one[1] + 20), (other[0], other[1]))
    expect(page.locator(".ghost")).to_be_visible()
    expect(pair.last).to_have_class("spot-at low can takes over")
    finger.move((other[0], other[1] - 60), (4, 4))
    finger.up()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator("[data-test=act-promote]")).to_have_count(0)
    assert game_of(table).number == before.number

    finger.drag(one, other)
    expect(tokens(page, f"middle {colour}")).to_have_count(before.state.players[seat].middle[colour] + 1)
    expect(pair).to_have_count(0)
    assert game_of(table).number == before.number + 1
    assert page.evaluate("scrollY") == 0


def test_a_swipe_turns_to_the_table_and_back(table: Table, serve: Serve, visit: Visit) -> None:
    seat, _ = to_the_souls(table)
    page = visit(f"{serve(table)}#me/{seat}", PHONE, touch=True)
    finger = Finger(page)
    expect(page.locator(".spot-at.can").first).to_be_visible()
    x, y = middle(page.locator(".dock-title"))
    finger.drag((x + 90, y), (x - 90, y))
    expect(page.locator("[data-test=me-table]")).to_have_attribute("aria-selected", "true")
    x, y = middle(page.locator(".row-seat").first)
    finger.drag((x - 90, y), (x + 90, y))
    expect(page.locator("[data-test=me-board]")).to_have_attribute("aria-selected", "true")


def test_what_another_player_does_leaves_a_half_made_choice_as_it_is(
    table: Table, serve: Serve, visit: Visit
) -> None:
    seat, colour = to_the_souls(table)
    page = visit(f"{serve(table)}#me/{seat}", PHONE, touch=True)
    lit(page, f"low {colour}").tap()
    promote = page.locator("[data-test=act-promote]")
    expect(promote).to_have_attribute("aria-disabled", "false")
    table.play(FinishSoul((seat + 1) % len(SEATS)), game_of(table).number)
    page.wait_for_function("(now) => document.body.dataset.number === now", arg=str(game_of(table).number))
    promote.tap(timeout=2000)
    expect(tokens(page, f"low {colour}")).to_have_count(0)
    assert game_of(table).history[-1].type == "promote"
