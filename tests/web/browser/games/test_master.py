"""Master Labyrinth on the page: chosen, played by hand on the maze, a formula card on its own phone alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.games.master.state import State
from companion.table import Table
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import DRAWN, check_accessible, look

pytestmark = pytest.mark.browser


@pytest.fixture(name="tablet")
def _tablet(table: Table, serve: Serve, visit: Visit) -> Page:
    """The host's page, on which a game has begun."""
    page = visit(f"{serve(table)}#new")
    page.locator("[data-test=game-master]").click()
    page.locator("[data-test=way-hand]").click()
    page.locator("[data-test=begin]").click()
    expect(page.locator("[data-test=maze]")).to_be_visible()
    return page


def state_of(table: Table) -> State:
    state = game_of(table).state
    assert isinstance(state, State)
    return state


def test_a_turn_takes_two_taps_and_can_be_undone(tablet: Page, table: Table) -> None:
    look(tablet, "master-shift")
    before = state_of(table)
    tablet.locator("[data-test=arrow-T1]").click()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    look(tablet, "master-walk")
    check_accessible(tablet)
    assert state_of(table).closed == "B1"
    here = state_of(table).wizards[0]
    tablet.locator(f"[data-test=place-{here}]").click()
    expect(tablet.locator("[data-test=wand]")).to_be_visible()
    assert state_of(table).mover == 1
    tablet.locator("[data-test=undo]").click()
    expect(tablet.locator(f"[data-test=place-{here}]")).to_be_visible()
    tablet.locator("[data-test=undo]").click()
    expect(tablet.locator("[data-test=arrow-B1]")).to_be_visible()
    assert state_of(table) == before


def test_the_spare_is_turned_before_it_is_pushed_in(tablet: Page, table: Table) -> None:
    spare = tablet.locator("[data-test=spare]")
    expect(spare).to_be_enabled()
    path = spare.locator(".way").get_attribute("d")
    spare.click()
    expect(spare.locator(".way")).not_to_have_attribute("d", path or "")
    tablet.locator("[data-test=arrow-L3]").click()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    assert state_of(table).pushed is not None


def test_a_player_uses_a_wand_on_the_own_phone(tablet: Page, table: Table, visit: Visit) -> None:
    address = tablet.url.split("#")[0]
    tablet.goto(f"{address}#join")
    phone = join(visit, address, code_of(tablet), 0)
    phone.locator("[data-test=arrow-R1]").click()
    phone.locator(f"[data-test=place-{state_of(table).wizards[0]}]").click()
    phone.locator("[data-test=wand]").click()
    expect(phone.locator("[data-test=spare]")).to_be_enabled()
    assert (state_of(table).mover, state_of(table).extra, state_of(table).players[0].wands) == (0, True, 2)


def test_a_game_is_ended_and_scored_with_everybodys_formula_card(tablet: Page, table: Table) -> None:
    tablet.locator("[data-test=end]").click()
    tablet.locator("[data-test=end-now]").click()
    for seat, card in enumerate(("11-3-14", "19-7-15", "1-10-13", "20-17-3")):
        tablet.goto(f"{tablet.url.split('#')[0]}#table")
        tablet.locator(f"[data-test=choose-{seat}]").click()
        tablet.locator(f"[data-test=formula-{card}]").click()
    tablet.goto(f"{tablet.url.split('#')[0]}#scores")
    expect(tablet.locator("[data-test=hero]")).to_be_visible()
    expect(tablet.locator(".ledger").first).to_contain_text("unused wands")
    look(tablet, "master-scores")
    check_accessible(tablet)


def test_a_formula_card_is_shown_on_its_own_phone_alone(tablet: Page, table: Table, visit: Visit) -> None:
    address = tablet.url.split("#")[0]
    tablet.goto(f"{address}#join")
    phone = join(visit, address, code_of(tablet), 0)
    phone.locator("[data-test=formula-18-11-19]").click()
    phone.get_by_role("button", name="Show it").click()
    expect(phone.get_by_text("18 · 11 · 19")).to_be_visible()
    look(phone, "master-formula")
    check_accessible(phone)
    for page in ("table", "player/0", "history", "scores"):
        tablet.goto(f"{address}#{page}")
        tablet.evaluate(DRAWN)
        assert "18 · 11 · 19" not in tablet.content()
        assert "18-11-19" not in tablet.content()
    assert state_of(table).players[0].formula == (18, 11, 19)
