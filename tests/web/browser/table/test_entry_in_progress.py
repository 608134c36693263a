"""What somebody has begun to enter, while others enter something else."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import ChooseColours, DealOracles, Hand, NameOracle
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.playing import play_until

pytestmark = pytest.mark.browser


def test_counts_stay_on_the_pad_while_a_player_names_an_oracle(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(SEATS, "hand")
    table.play(DealOracles(((),) * 3, ((),) * 3), game_of(table).number)
    table.play(random_move(game_of(table).state, random.Random(4)), game_of(table).number)
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
