"""One player's place on a phone: the soul phase by tap, drag and keyboard, with undo inside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.games.wicked.moves import FinishSoul
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, SMALL_TARGETS, look
from tests.web.browser.own_board import lit, to_the_souls, tokens

pytestmark = pytest.mark.browser


def test_souls_are_promoted_by_tap_drag_and_undo_on_a_phone(table: Table, serve: Serve, visit: Visit) -> None:
    seat, colour = to_the_souls(table)
    other = (seat + 1) % len(SEATS)
    before = game_of(table).state.players[seat]
    page = visit(f"{serve(table)}#me/{seat}", PHONE)

    lit(page, f"low {colour}").click()
    expect(page.locator("[data-test=act-promote]")).to_have_attribute("aria-disabled", "false")
    page.locator("[data-test=act-promotion]").click(force=True)
    expect(page.locator(".why-not")).to_have_text("You have no promotion spell.")
    look(page, "my-phone")
    assert page.evaluate(SMALL_TARGETS) == []
    page.locator("[data-test=act-promote]").click()
    expect(tokens(page, f"low {colour}")).to_have_count(0)
    expect(tokens(page, f"middle {colour}")).to_have_count(before.middle[colour] + 1)

    table.play(FinishSoul(other), game_of(table).number)
    page.wait_for_function("(now) => document.body.dataset.number === now", arg=str(game_of(table).number))
    page.keyboard.press("Control+z")
    expect(tokens(page, f"low {colour}")).to_have_count(2)
    assert game_of(table).state.players[seat] == before
    assert game_of(table).state.players[other].finished
    expect(page.locator("[data-test=undo-own]")).to_be_disabled()

    pair = tokens(page, f"low {colour}")
    expect(pair.first).to_have_class("spot-at low can ")
    pair.first.drag_to(pair.last)
    expect(pair).to_have_count(0)
    page.locator("[data-test=undo-own]").click()
    expect(pair).to_have_count(2)

    finish = page.locator("[data-test=finish]")
    finish.click()
    expect(finish).to_have_text("Finish anyway")
    finish.click()
    expect(page.locator(".dock-title")).to_contain_text(f"{SEATS[seat].name} is done.")
    assert game_of(table).state.players[seat].finished
    page.locator("[data-test=undo-own]").click()
    expect(page.locator("[data-test=finish]")).to_be_visible()
    assert game_of(table).state.players[seat] == before


def test_a_players_phone_acts_for_the_own_seat_only(table: Table, serve: Serve, visit: Visit) -> None:
    seat, colour = to_the_souls(table)
    other = (seat + 1) % len(SEATS)
    address = serve(table)
    phone = join(visit, address, code_of(visit(f"{address}#join")), seat)
    expect(phone.locator(".people-tabs")).to_have_count(0)
    lit(phone, f"low {colour}").click()
    phone.locator("[data-test=act-promote]").click()
    expect(tokens(phone, f"low {colour}")).to_have_count(0)
    phone.locator("[data-test=undo-own]").click()
    expect(tokens(phone, f"low {colour}")).to_have_count(2)
    look(phone, "my-phone-player")
    phone.goto(f"{address}#player/{other}")
    expect(phone.locator(".dock-title")).to_have_text(f"{SEATS[other].name} is choosing.")
    expect(phone.locator(".board-face button, [data-test=finish], [data-test=undo-own]")).to_have_count(0)


def test_an_open_oracle_says_what_is_missing(table: Table, serve: Serve, visit: Visit) -> None:
    seat, _ = to_the_souls(table)
    page = visit(f"{serve(table)}#me/{seat}", PHONE)
    player = game_of(table).state.players[seat]
    deck = game_of(table).state.deck
    card = next(card for card in player.great if len(set(deck.great_oracle(card).colours)) == 2)
    page.locator(f"[data-test=oracle-{card}]").click()
    first, second = deck.great_oracle(card).colours
    expect(page.locator(".dock-title")).to_have_text(
        f"Still missing: one more high {first} and one more high {second}."
    )
    page.locator("[data-test=act-achieve]").click(force=True)
    expect(page.locator(".why-not")).to_contain_text("Still missing")
    page.locator("[data-test=me-table]").click()
    expect(page.locator(".row-seat")).to_have_count(3)
    page.locator("[data-test=me-table]").press("ArrowLeft")
    expect(page.locator(".board-face")).to_be_visible()
