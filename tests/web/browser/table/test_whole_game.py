"""The simulated table on the page: a demonstration, and the last round of a game to its final scoring.

`tests.companion.director.test_whole_game` reads a whole game from its pictures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.simulated_table import Simulation
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN
from companion.table import Table
from companion.table.views import SeatView
from tests.companion.table.playing import game_of
from tests.waiting import eventually
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, look
from tests.web.browser.measuring import cumulative_layout_shift, measured, shifts

pytestmark = pytest.mark.browser

MOST_SHIFT = 0.02
"""Layout shift over the round and the final scoring, without what follows a tap."""
LAST_ROUND = 4
REVEALS = 4
"""Reveals of a round."""
SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
HOSTS_CONTROLS = ("by-hand", "pick", "undo", "take", "alternative", "correct")
LONGEST = 240
"""Seconds for the round; what has to be read takes the time that it takes."""


@pytest.fixture(name="simulated")
def _simulated(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """The table with its simulated camera, as `make run` has it."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    simulation = Simulation(table, BOTS, STANDIN)
    simulation.start()
    yield table
    simulation.close()


@pytest.mark.journey
def test_a_demonstration_begins_at_one_tap_and_nobody_has_to_do_anything(
    simulated: Table, serve: Serve, visit: Visit
) -> None:
    page = visit(serve(simulated))
    page.locator("[data-test=show-me]").click()
    expect(page.locator("[data-test=demo]")).to_be_visible()
    expect(page.locator(".demo-player .number")).to_have_count(4, timeout=150_000)
    look(page, "demonstration-begins", [PHONE])
    for test in HOSTS_CONTROLS:
        expect(page.locator(f"[data-test={test}]")).to_have_count(0)
    assert simulated.director.view.running  # type: ignore[union-attr]


@pytest.mark.timeout(480)
def test_a_demonstration_is_watched_and_then_a_last_round_to_its_final_scoring(
    simulated: Table, serve: Serve, visit: Visit
) -> None:
    page = visit(serve(simulated), (1280, 800), before=measured)
    page.locator("[data-test=show-me]").click()
    expect(page.locator("[data-test=demo]")).to_be_visible()
    expect(page.locator(".demo-player .number")).to_have_count(4, timeout=150_000)
    look(page, "demonstration", [(1280, 800), (1024, 768), PHONE])
    # Nothing of the host's is on the page: people watch.
    for test in HOSTS_CONTROLS:
        expect(page.locator(f"[data-test={test}]")).to_have_count(0)
    # The first reveal is read from the picture, as fast as people play.
    eventually(lambda: any(line.evidence for line in simulated.view.game.history), LONGEST / 2)  # type: ignore[union-attr]
    simulated.director.set_speed(20)  # type: ignore[union-attr]
    expect(page.locator("[data-test=demo-end]")).to_be_visible(timeout=240_000)
    expect(page.locator("[data-test=demo-end]")).to_contain_text(re.compile(r"\d+ reveals? (was|were) read"))
    look(page, "demonstration-over", [(1280, 800), PHONE])
    page.locator("[data-test=own-game]").click()
    expect(page.locator("[data-test=way-hand]")).to_be_visible()
    assert simulated.games() == (), "a demonstration is nobody's saved game"

    demonstration, bots = simulated.view.director, simulated.director
    assert demonstration is not None
    assert bots is not None
    bots.run(False)
    simulated.start_game(SEATS, "demo")
    play_to_the_last_round(simulated)
    bots.run(True)
    bots.set_speed(20)
    page.goto(f"{page.url.split('#')[0]}#table")
    expect(page.get_by_role("heading", level=1)).to_have_text("Final scoring", timeout=LONGEST * 1000)

    game, director = simulated.view.game, simulated.view.director
    assert game is not None
    assert director is not None
    assert game.state.phase == "over"
    assert director.shown == demonstration.shown + REVEALS
    unread = director.unread - demonstration.unread
    assert unread < REVEALS, f"{unread} reveals were never read from the pictures"
    assert any(line.evidence for line in game.history if line.type == "reveal")
    page.goto(f"{page.url.split('#')[0]}#scores")
    expect(page.locator("[data-test=final] .ledger")).to_have_count(3)
    for score in game.scores:
        name = page.locator("h3", has_text=game.seats[score.player].name)
        ledger = page.locator(".ledger").filter(has=name)
        expect(ledger.locator(".total")).to_have_text(str(score.total).replace("-", "−"))
    moved = shifts(page)
    assert cumulative_layout_shift(moved) < MOST_SHIFT, max(moved, key=lambda one: one["value"])
    look(page, "watched-to-the-end")
    page.get_by_role("link", name="History").click()
    picture = page.get_by_role("link", name="picture").first
    answer = page.request.get(f"{page.url.split('/#')[0]}{picture.get_attribute('href')}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.body().startswith(b"\xff\xd8")
    look(page, "watched-history")


def play_to_the_last_round(table: Table) -> None:
    rng = random.Random(4)
    while (game_of(table).state.round, game_of(table).state.phase) != (LAST_ROUND, "search"):
        table.play(random_move(game_of(table).state, rng), game_of(table).number, "bot")
