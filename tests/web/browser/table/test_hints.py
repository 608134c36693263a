"""Hints that the host has to switch on, and the reminder of what lies open, on a player's phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from companion.games.wicked.moves import FinishSoul
from companion.session.game_settings import GameSettings
from companion.table import Table
from tests.companion.adapters.wicked.services import services_of
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, look
from tests.web.browser.own_board import lit, to_the_souls, tokens

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), PHONE)


def test_a_phone_asks_for_a_hint_once_the_host_has_them_on(table: Table, serve: Serve, visit: Visit) -> None:
    seat, colour = to_the_souls(table)
    address = serve(table)
    host = visit(f"{address}#join")
    phone = join(visit, address, code_of(host), seat)
    expect(phone.locator("[data-test=finish]")).to_be_visible()
    expect(phone.locator("[data-test=hint], [data-test=hints-notice]")).to_have_count(0)

    host.goto(f"{address}#more")
    host.locator("[data-test=hints-on]").click()
    expect(host.locator("[data-test=hints-on]")).to_be_checked()
    look(host, "more-host", SIZES)
    expect(phone.locator(".toast")).to_contain_text("The host turned hints on")
    expect(phone.locator("[data-test=hints-notice]")).to_have_text(re.compile("Hints are on for everybody"))

    hint = services_of(table).advice.hint(seat)
    assert hint.steps
    button = phone.locator("[data-test=hint]")
    button.click()
    expect(phone.locator(".dock-title")).to_have_text(f"{hint.steps[0].text}.")
    expect(phone.locator(".dock-in")).to_contain_text(hint.line)
    expect(phone.locator(".board-face .named, .oracle-row .named").first).to_be_visible()
    look(phone, "hint", SIZES)
    if len(hint.steps) > 1:
        button.click()
        expect(phone.locator(".hint-steps li")).to_have_text([step.text for step in hint.steps])
        look(phone, "hint-steps", SIZES)
    expect(button).to_have_text("Hide")
    button.click()
    expect(phone.locator(".named")).to_have_count(0)

    other = (seat + 1) % len(SEATS)
    phone.goto(f"{address}#player/{other}")
    expect(phone.locator("[data-test=hints-notice]")).to_be_visible()
    expect(button).to_have_count(0)
    phone.goto(f"{address}#more")
    expect(phone.locator("[data-test=hints]")).to_have_text("On")
    host.locator("[data-test=hints-off]").click()
    expect(phone.locator("[data-test=hints]")).to_have_text("Off")
    phone.goto(f"{address}#me")
    lit(phone, f"low {colour}").click()
    expect(button).to_have_count(0)


def test_a_player_done_too_soon_is_reminded_once_and_goes_back_or_leaves_it(
    table: Table, serve: Serve, visit: Visit
) -> None:
    seat, colour = to_the_souls(table)
    other = (seat + 1) % len(SEATS)
    page = visit(f"{serve(table)}#me/{seat}", PHONE)
    finish = page.locator("[data-test=finish]")
    finish.click()
    line = services_of(table).advice.forgotten(seat).line
    assert f"two {colour} low tokens" in line
    expect(page.locator(".dock-title")).to_have_text(line)
    expect(tokens(page, f"low {colour}").first).to_have_class(re.compile("named"))
    look(page, "nothing-forgotten", SIZES)

    table.play(FinishSoul(other), game_of(table).number)  # nobody waits for it
    expect(page.locator(".dock-title")).to_have_text(line)
    page.locator("[data-test=go-back]").click()
    expect(finish).to_have_text("Done with my souls")
    expect(page.locator(".named")).to_have_count(0)
    assert not game_of(table).state.players[seat].finished
    finish.click()
    expect(finish).to_have_text("Finish anyway")
    finish.click()
    expect(page.locator(".dock-title")).to_contain_text(f"{SEATS[seat].name} is done.")

    page.locator("[data-test=undo-own]").click()
    expect(finish).to_be_visible()
    table.settings.choose(GameSettings(reminders=False))
    expect(finish).to_have_text("Done with my souls")
    finish.click()
    expect(page.locator(".dock-title")).to_contain_text(f"{SEATS[seat].name} is done.")
