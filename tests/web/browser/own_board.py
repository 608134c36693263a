"""A player's own board on a phone, in the soul phase."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import COLOURS, Colour
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of


def to_the_souls(table: Table) -> tuple[int, Colour]:
    """Play to a soul phase with two low tokens of one colour and no spell at a seat; return both."""
    for seed in range(40):
        table.start_game(SEATS)
        rng = random.Random(seed)
        while (state := game_of(table).state).phase != "soul":
            table.play(random_move(state, rng), game_of(table).number, "bot")
        for seat, player in enumerate(state.players):
            for colour in COLOURS:
                if player.low[colour] == 2 and not player.promotion and not player.colour_change:
                    return seat, colour
    pytest.fail("no seed leads to a pair in the soul phase")


def tokens(page: Page, name: str) -> Locator:
    return page.locator(".board-face").get_by_label(name, exact=True)


def lit(page: Page, name: str) -> Locator:
    """Wait until the page offers moves of such a token; return the first one."""
    first = tokens(page, name).first
    expect(first).to_have_class(re.compile(r"\bcan\b"))
    return first
