"""Oracles of people's own cards, which are named one by one on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.games.wicked.components import GreatOracle
from companion.games.wicked.moves import DealOracles, NameOracle
from companion.games.wicked.rules.player_described_cards import OWN_CARDS
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of
from tests.web.browser.conftest import Serve, Visit

pytestmark = pytest.mark.browser


def test_an_oracle_is_named_after_an_earlier_one_was_taken_back(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(SEATS, "hand", OWN_CARDS)
    table.play(DealOracles(((),) * 3, ((),) * 3), game_of(table).number)
    table.play(NameOracle(0, "O1", GreatOracle("O1", ("red", "blue"))), game_of(table).number)
    first = game_of(table).number
    table.play(NameOracle(1, "O2", GreatOracle("O2", ("green", "yellow"))), game_of(table).number)
    table.undo(game_of(table).number, first)
    page = visit(f"{serve(table)}#player/0")
    page.locator("[data-test=name-oracle]").click()
    page.locator("[data-test=great-red]").click()
    page.locator("[data-test=great-red]").click()
    expect(page.get_by_role("img", name="Great oracle O1: high red and high red")).to_be_visible()
    assert [player.great for player in game_of(table).state.players] == [("O1",), ("O2",), ()]
