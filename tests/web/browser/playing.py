"""A game of three that is played and entered on the page."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Page

from companion.games.wicked.bots.random_moves import random_move
from companion.table import Table
from tests.companion.table.playing import SEATS, game_of


def play_until(table: Table, phase: str, *, corridor: int = 0, seed: int = 4) -> None:
    """Play a new game with bots until it reaches a phase, and in the search phase a corridor."""
    table.start_game(SEATS)
    rng = random.Random(seed)
    while (state := game_of(table).state).phase != phase or (phase == "search" and state.corridor != corridor):
        table.play(random_move(state, rng), game_of(table).number, "bot")


def show(page: Page, name: str, number: int, *, soul: bool = False) -> None:
    """Enter a player's count on the pad."""
    # Only within the sheet that is opening: the table behind it shows the counts too.
    page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{name}: [0-9]+ search piece")).click()
    if soul:
        page.get_by_role("button", name="soul's sign").click()
    page.get_by_role("button", name=re.compile(f"^{name} shows {number} search piece")).click()


def enter(page: Page) -> None:
    page.locator("[data-test=enter]").click()
