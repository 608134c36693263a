"""What somebody has begun to enter, while others enter something else."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import ChooseColours, DealOracles, Hand, NameOracle
from companion.table import Table
from companion.table.views import Refused
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.network import Network
from tests.web.browser.playing import play_until

pytestmark = pytest.mark.browser


def test_counts_stay_on_the_pad_while_a_player_names_an_oracle(table: Table, serve: Serve, visit: Visit) -> None:
    to_the_pad(table)
    page = visit(serve(table))
    page.get_by_role("button", name="Ada shows 3 search pieces").click()
    page.get_by_role("button", name="Bruno shows 2 search pieces").click()
    table.play(NameOracle(2, "G01"), game_of(table).number)
    expect(page.locator(".last-line")).to_contain_text("Chie has an oracle card")
    page.get_by_role("button", name="Chie shows 1 search piece").click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("corridor 1 of")  # entered by itself
    outcome = game_of(table).state.outcome
    assert outcome is not None
    assert outcome.hands == (Hand(3), Hand(2), Hand(1))
    page.goto(f"{page.url.split('#')[0]}#history")
    expect(page.get_by_role("heading", name="Round 1 · corridor 1")).to_be_visible()
    expect(page.get_by_role("heading", name="souls")).to_have_count(0)


def test_a_choice_in_progress_stays_while_another_player_chooses(table: Table, serve: Serve, visit: Visit) -> None:
    for seed in range(60):
        play_until(table, "gain", seed=seed)
        whites = [
            seat
            for seat, player in enumerate(game_of(table).state.players)
            if player.pending is not None and player.pending.whites == 1
        ]
        if len(whites) > 1:
            break
    else:
        pytest.fail("no seed leads to white fragments of two players")
    page = visit(f"{serve(table)}#player/{whites[0]}")
    page.get_by_role("button", name="blue: one more").click()
    table.play(ChooseColours(whites[1], ("red",)), game_of(table).number)
    expect(page.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    expect(page.get_by_role("button", name="blue: one more")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-test=option]").click()
    expect(page.locator("[data-test=option]")).to_have_count(0)
    assert game_of(table).history[-1].player == whites[0]


def test_what_is_counted_while_the_connection_is_lost_is_entered_once_it_is_back(
    table: Table, serve: Serve, visit: Visit
) -> None:
    to_the_pad(table)
    network = Network()
    page = visit(serve(table), before=network.over)
    expect(page.locator("body")).to_have_attribute("data-live", "on")
    network.gone()
    expect(page.locator(".band.lost")).to_be_visible()
    count_everybody(page)
    page.locator("[data-test=enter]").click()
    expect(page.locator(".toast.wrong")).to_contain_text("nothing was sent")
    expect(page.locator(".hand-title")).to_contain_text("All are counted: tap Enter.")
    page.get_by_role("button", name="Chie shows 1 search piece").click()
    network.back()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("corridor 1 of")  # entered by itself
    outcome = game_of(table).state.outcome
    assert outcome is not None
    assert outcome.hands == (Hand(3), Hand(2), Hand(1))


def test_a_count_that_was_refused_is_entered_by_a_tap(
    table: Table, serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_the_pad(table)
    page = visit(serve(table))

    def refuse(*_: object) -> None:
        raise Refused("not_now", "The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(table, "play", refuse)
        count_everybody(page)
        expect(page.locator(".toast.wrong")).to_contain_text("The disk is full.")
    expect(page.locator(".hand-title")).to_contain_text("All are counted: tap Enter.")
    page.locator("[data-test=enter].gold").click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("corridor 1 of")


def test_a_deck_that_cannot_be_loaded_is_reported_in_its_sheet_until_the_game_moves_on(
    table: Table, serve: Serve, visit: Visit, refusals: list[int]
) -> None:
    table.start_game(SEATS, "hand")
    refusal = {"error": {"code": "not_now", "message": "No cards are being dealt or laid now."}}

    def refuse(page: Page) -> None:
        page.route("**/api/choices", lambda route: route.fulfill(status=404, json=refusal))

    page = visit(serve(table), before=refuse)
    refusals.append(404)
    expect(page.get_by_role("dialog")).to_contain_text("No cards are being dealt or laid now.")
    expect(page.locator(".toast")).to_have_count(0)
    page.unroute("**/api/choices")
    table.play(DealOracles(((),) * 3, ((),) * 3), game_of(table).number)
    expect(page.get_by_role("dialog")).to_contain_text("which corridors lie round the tile?")


def to_the_pad(table: Table) -> None:
    """Start a game by hand and bring it to its first reveal."""
    table.start_game(SEATS, "hand")
    table.play(DealOracles(((),) * 3, ((),) * 3), game_of(table).number)
    table.play(random_move(game_of(table).state, random.Random(4)), game_of(table).number)


def count_everybody(page: Page) -> None:
    for shown in ("Ada shows 3 search pieces", "Bruno shows 2 search pieces", "Chie shows 1 search piece"):
        page.get_by_role("button", name=shown).click()
