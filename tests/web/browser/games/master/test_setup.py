"""The start of Master Labyrinth on the page: options of the house, and a board that people laid."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.games.master.components import LOOSE, TOKEN_PLACES, TOKENS
from companion.games.master.maze import letters
from companion.table import Table
from tests.companion.table.playing import SEATS as WICKED_SEATS
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import begin, play_turns, state_of
from tests.web.browser.looking import PHONE, check_accessible, go, look

pytestmark = pytest.mark.browser


def test_house_rules_and_who_begins_are_chosen_before_the_game(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(table)}#new")
    page.locator("[data-test=game-master]").click()
    expect(page.locator("h1")).to_have_text("Master Labyrinth")
    page.locator("[data-test=way-hand]").click()
    page.get_by_role("textbox", name="Name of seat 2").fill("Bruno")
    page.locator("[data-test=option-first]").select_option("Bruno")
    page.locator("[data-test=option-chained_wands]").check()
    look(page, "master-options")
    check_accessible(page)
    page.locator("[data-test=begin]").click()
    expect(page.locator("[data-test=maze]")).to_be_visible()
    state = state_of(table)
    assert (state.phase, state.mover, state.chained_wands, state.tips) == ("shift", 1, True, False)
    page.goto(f"{page.url.split('#')[0]}#new/hand")
    expect(page.locator("[data-test=option-chained_wands]")).to_be_checked()
    expect(page.get_by_role("textbox", name="Name of seat 2")).to_have_value("Bruno")


def test_who_begins_begins_from_another_seat_too(table: Table, serve: Serve, visit: Visit) -> None:
    page = visit(f"{serve(table)}#new")
    page.locator("[data-test=game-master]").click()
    page.evaluate("location.hash = '#new/camera'")
    for number, name in enumerate(("Ada", "Bruno", "Chie", "Dora"), 1):
        page.get_by_label(f"Name of seat {number}").fill(name)
    page.locator("[data-test=option-first]").select_option("Bruno")
    page.locator("[data-test=seat-2]").press("Shift+ArrowRight")
    expect(page.get_by_label("Name of seat 3")).to_have_value("Bruno")
    expect(page.locator("[data-test=option-first]")).to_have_value("2")


def laid(page: Page, place: int) -> str:
    """Return the label of a place on the board that is laid."""
    return page.locator(f"[data-test=place-{place}]").get_attribute("aria-label") or ""


def test_a_game_of_another_kind_is_shown_on_its_table_where_games_were_offered(
    table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game(WICKED_SEATS)
    page = visit(f"{serve(table)}#new")
    expect(page.locator("[data-test=way-hand]")).to_be_visible()
    begin(table, 2)
    expect(page.locator("[data-test=maze]")).to_be_visible()
    expect(page.locator(".hand-step .question")).to_contain_text("Lay your board as it is drawn here. Ada: turn")
    page.locator("[data-test=arrow-T1]").click()
    expect(page.locator(".hand-step .question")).to_have_text("Ada: tap a lit place.")


def test_boards_of_another_game_are_scored_beside_the_running_game(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 3)
    address = serve(table)
    page = visit(f"{address}#new")
    expect(page.locator("[data-test=game-master]")).to_have_attribute("aria-checked", "true")
    expect(page.locator("[data-test=open-scoring]")).to_have_count(0)
    page.locator("[data-test=game-wicked]").click()
    page.locator("[data-test=open-scoring]").click()
    page.locator("[data-test=players-3]").click()
    page.get_by_role("link", name="Board by board").click()
    for colour in ("purple", "green", "red"):
        page.locator(f"[data-test=by-hand-{colour}]").click()
        page.locator("[data-test=token-red]").click()
        play_turns(table, 1)  # which changes nothing here
        page.locator("[data-test=done]").click()
        expect(page.locator("[data-test=done]")).to_have_count(0)
    page.locator("[data-test=winner]").click()
    expect(page.locator("[data-test=hero]")).to_be_visible()
    page.reload()
    expect(page.locator("[data-test=hero]")).to_be_visible()

    page.get_by_role("link", name="Games").click()
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()
    assert page.url == f"{address}#new"
    assert page.evaluate("document.body.dataset.game") == "master"


def test_people_tap_in_the_board_that_they_laid(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 2, own_board=1)
    page = visit(f"{serve(table)}#table")
    corner, straight = LOOSE[0], LOOSE[1]
    page.locator("[data-test=shape-TR]").click()
    page.locator(f"[data-test=place-{corner}]").click()
    page.locator(f"[data-test=place-{corner}]").click()
    page.locator(f"[data-test=place-{corner}]").click()
    page.locator("[data-test=shape-TB]").click()
    page.locator(f"[data-test=place-{straight}]").click()
    look(page, "master-laying")
    check_accessible(page)
    page.reload()
    assert re.search("corner, open at the bottom and left", laid(page, corner))
    page.locator("[data-test=lay-at-random]").click()
    page.locator("[data-test=now-tokens]").click()
    for place in reversed(TOKEN_PLACES[:3]):
        page.locator(f"[data-test=place-{place}]").click()
    page.locator(f"[data-test=place-{TOKEN_PLACES[0]}]").click()  # taken back
    page.locator("[data-test=lay-at-random]").click()
    look(page, "master-tokens")
    page.locator("[data-test=lay-board]").click()
    expect(page.locator("[data-test=maze]")).to_be_visible()
    state = state_of(table)
    assert state.phase == "shift"
    assert state.maze is not None
    assert (letters(state.maze.tile(corner)), letters(state.maze.tile(straight))) == ("BL", "TB")
    assert state.tokens[:2] == (TOKEN_PLACES[2], TOKEN_PLACES[1])
    assert len(set(state.tokens)) == len(TOKENS)


def test_the_wall_shows_a_board_that_is_laid_without_anything_to_tap(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 2, own_board=1)
    page = visit(f"{serve(table)}#table")
    expect(page.locator(f"[data-test=place-{LOOSE[0]}]")).to_be_visible()
    go(page, "wall")
    expect(page.locator("[data-test=laying]")).to_be_visible()
    expect(page.locator("main").get_by_role("button")).to_have_count(0)


def test_more_tiles_of_a_shape_than_the_box_has_are_refused(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 2, own_board=1)
    page = visit(f"{serve(table)}#table", PHONE)
    page.locator("[data-test=shape-TRL]").click()
    for place in LOOSE[:7]:
        page.locator(f"[data-test=place-{place}]").press("Enter")
    expect(page.locator(".toast")).to_have_text("All tiles of this shape are laid. Choose another shape.")
    expect(page.locator("[data-test=shape-TRL]")).to_have_attribute("aria-label", "T piece: 0 left")
    expect(page.locator("[data-test=now-tokens]")).to_be_disabled()
