"""A game without page, adapter or styles of its own: chosen, played, corrected and exported on every screen."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.games import added
from companion.table import Table
from tests.companion.table.playing import game_of
from tests.games.pebbles.game import PEBBLES
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, check_accessible, look

pytestmark = pytest.mark.browser

ADA, BRUNO = 0, 1


@pytest.fixture(name="registered", autouse=True)
def _registered() -> Iterator[None]:
    with added(PEBBLES):
        yield


@pytest.fixture(name="tablet")
def _tablet(table: Table, serve: Serve, visit: Visit) -> Page:
    """The host's page, on which Ada and Bruno have begun a game of Pebbles."""
    page = visit(f"{serve(table)}#new")
    page.locator("[data-test=game-pebbles]").click()
    expect(page.locator("[data-test=way-camera]")).to_have_count(0)
    look(page, "games")
    page.locator("[data-test=way-hand]").click()
    names = page.get_by_label("Name of seat")
    expect(names).to_have_count(2)
    names.nth(ADA).fill("Ada")
    names.nth(BRUNO).fill("Bruno")
    look(page, "pebbles-new")
    page.locator("[data-test=begin]").click()
    expect(page.locator(".plain-middle")).to_be_visible()
    return page


def choose(page: Page, text: str) -> None:
    """Tap an option by its line."""
    page.locator("[data-test=option]", has_text=text).click()


def hide(table: Table) -> None:
    """Enter a hidden number for both players."""
    for seat in (ADA, BRUNO):
        table.play(PEBBLES.legal_moves(game_of(table).state, seat)[0], game_of(table).number)


def take_all(table: Table) -> None:
    """Play until no pebbles are left: both players take one at a time."""
    while moves := [move for seat in (ADA, BRUNO) for move in PEBBLES.legal_moves(game_of(table).state, seat)]:
        table.play(moves[0], game_of(table).number)


def test_a_tablet_and_two_phones_play_with_a_secret_each(tablet: Page, table: Table, visit: Visit) -> None:
    address = tablet.url.split("#")[0]
    tablet.goto(f"{address}#join")
    ada, bruno = (join(visit, address, code_of(tablet), seat) for seat in (ADA, BRUNO))
    choose(ada, "Ada hides the number 2")
    choose(bruno, "Bruno hides the number 3")
    expect(ada.locator(".plain-place ol li")).to_have_text(["Ada hides the number 2"])
    expect(bruno.locator(".plain-place ol li")).to_have_text(["Bruno hides the number 3"])
    for page in (ada, bruno):  # whatever the other one hides meanwhile
        expect(page.locator("[data-test=undo-own]")).to_be_visible()
    for hidden, page in (("number 2", bruno), ("number 3", ada), ("number 2", tablet), ("number 3", tablet)):
        page.goto(f"{address}#history")
        expect(page.get_by_text("hides a number").first).to_be_visible()
        assert hidden not in page.content()
    tablet.goto(f"{address}#table")
    expect(tablet.get_by_text("Waiting for Ada.")).to_be_visible()
    look(tablet, "pebbles-table")
    check_accessible(ada)

    ada.goto(f"{address}#me")
    look(ada, "pebbles-me", [PHONE])
    choose(ada, "Ada takes 3")
    expect(tablet.get_by_text("Waiting for Bruno.")).to_be_visible()
    expect(tablet.locator(".row-seat", has_text="Ada")).to_contain_text("3 points")


def test_it_is_played_on_one_screen(tablet: Page, table: Table) -> None:
    address = tablet.url.split("#")[0]
    tablet.locator(f"[data-test=choose-{ADA}]").click()
    expect(tablet.locator("[data-test=own-phone]")).to_be_visible()
    expect(tablet.locator("[data-test=option]")).to_have_count(0)
    look(tablet, "pebbles-secret")
    hide(table)
    expect(tablet.locator(".plain-place ol li")).to_have_text(["Ada hides a number"])
    tablet.locator("[data-test=big]").click()
    tablet.locator(f"[data-test=choose-{ADA}]").click()
    look(tablet, "pebbles-place")
    choose(tablet, "Ada takes 2")
    tablet.goto(f"{address}#table")
    tablet.locator("[data-test=undo]").click()
    expect(tablet.get_by_text("Waiting for Ada.")).to_be_visible()
    take_all(table)
    tablet.goto(f"{address}#scores")
    expect(tablet.locator("[data-test=hero]")).to_be_visible()
    expect(tablet.locator(".ledger").first).to_contain_text("pebbles")


def test_a_move_is_corrected_and_the_game_exported(tablet: Page, table: Table) -> None:
    address = tablet.url.split("#")[0]
    hide(table)
    table.play(PEBBLES.from_text("0 take 3"), game_of(table).number)
    tablet.goto(f"{address}#history")
    expect(tablet.get_by_text("Ada takes 3").first).to_be_visible()
    expect(tablet.get_by_role("heading", name="What happened so far", exact=True)).to_be_visible()  # oldest first
    tablet.locator("[data-test=correct]").last.click()
    choose(tablet, "Ada takes 1")
    expect(tablet.locator("[data-test=difference]")).to_contain_text("Ada takes 1")
    look(tablet, "pebbles-correction")
    tablet.locator("[data-test=accept]").click()
    expect(tablet.locator(".chapter", has_text="Ada takes 1")).to_be_visible()
    assert game_of(table).state.taken == (1, 0)

    tablet.goto(f"{address}#history/{game_of(table).id}")
    expect(tablet.locator("[data-test=replay]")).to_be_visible()
    expect(tablet.locator("[data-test=export]")).to_have_count(0)
    take_all(table)
    with tablet.expect_download() as download:
        tablet.locator("[data-test=export]").click()
    archive = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
    assert any(b'"pebbles"' in archive.read(name) for name in archive.namelist())
