"""The boards on the page: a soul phase taken at a tap, questions looked at closer, and the score by the camera."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.rules.soul_phase import finish
from tests.companion.adapters.wicked.board_readings import table as lying
from tests.companion.adapters.wicked.soul_phase import Evening, evening_with, exhausted, lying_otherwise
from tests.companion.director.rehearsal import AtOnce
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, TABLET, look
from vision.games.wicked.readings import BoardsReading

pytestmark = pytest.mark.browser


@pytest.fixture(name="evening")
def _evening(tmp_path: Path) -> Iterator[Evening]:
    evening = evening_with(tmp_path, AtOnce())
    evening.look(0.3)
    yield evening
    evening.table.close()


def test_certain_souls_are_stopped_and_then_taken_at_one_tap(evening: Evening, serve: Serve, visit: Visit) -> None:
    page = visit(serve(evening.table))
    boards = page.locator("[data-test=boards]")
    expect(boards).to_contain_text("read when nothing moves")
    evening.lay(exhausted(evening.game.state))
    evening.look(2.0)
    expect(boards).to_contain_text("Souls entered in")
    page.locator("[data-test=hold]").click()
    expect(boards).to_contain_text("Is it right?")
    evening.look(4.0)
    assert evening.game.state.phase == "soul"
    page.locator("[data-test=take]").click()
    expect(page.locator("h1")).to_contain_text("Round 2")
    assert evening.game.state.phase == "lay"


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_what_is_asked_is_looked_at_closer_and_answered_for_each_player(
    evening: Evening, serve: Serve, visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(serve(evening.table), size)
    reading = lying(tuple(map(finish, evening.game.state.players)))
    evening.lay((), BoardsReading(reading.boards[:2], ("2 of 3 boards are seen.",)))
    evening.look(2.0)
    page.locator("[data-test=look-boards]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 of 3 boards are seen.")
    expect(dialog).to_contain_text("Chie: the board is not seen")
    expect(dialog.locator("img.evidence:not(.missing)")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    small = dialog.evaluate(
        "node => [...node.querySelectorAll('button')].map((one) => one.getBoundingClientRect().height)"
        ".filter((high) => high < 44)"
    )
    assert small == []
    dialog.get_by_role("radiogroup").nth(0).get_by_role("radio").last.click()
    page.locator("[data-test=take-seen]").click()
    expect(dialog).to_have_count(0)
    assert evening.game.waiting_for == (0, 2)


def test_keeping_the_journal_changes_nothing(evening: Evening, serve: Serve, visit: Visit) -> None:
    page = visit(serve(evening.table))
    evening.lay(tuple(map(finish, evening.game.state.players)))
    evening.look(2.0)
    before = evening.game.number
    page.locator("[data-test=look-boards]").click()
    page.locator("[data-test=keep-journal]").click()
    expect(page.locator("[data-test=boards]")).to_contain_text("read when nothing moves")
    assert evening.game.number == before


def test_the_final_score_by_camera_and_what_differs_stand_below_the_journals(
    evening: Evening, serve: Serve, visit: Visit
) -> None:
    rng = random.Random(4)
    while evening.game.state.phase != "over":
        evening.table.play(random_move(evening.game.state, rng), evening.game.number)
    page = visit(serve(evening.table))
    players = evening.game.state.players
    evening.lay(players)
    evening.look(2.0)
    boards = page.locator("[data-test=boards]")
    expect(boards).to_contain_text("agrees with the journal.")
    evening.lay((replace(players[0], impurity=players[0].impurity + 1), *players[1:]))
    evening.look(2.0)
    expect(boards).to_contain_text("one of the two is wrong")
    expect(boards).to_contain_text("Ada: the camera sees")
    # From what differs straight to the move by which it came about.
    entry = evening.view.differences[0].entry
    assert entry is not None
    page.locator("[data-test=correct-there]").click()
    dialog = page.get_by_role("dialog", name="Correct a move")
    expect(dialog.locator(".revision-edit b").first).to_have_text(str(entry))
    page.locator("[data-test=leave]").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("phase", ["soul", "over"])
def test_impurity_is_put_right_at_one_tap(evening: Evening, serve: Serve, visit: Visit, phase: str) -> None:
    seen = lying_otherwise(evening, phase)
    page = visit(serve(evening.table))
    if phase == "soul":
        page.locator("[data-test=look-boards]").click()
    expect(page.locator("[data-test=put-right]")).to_have_count(len(evening.view.corrections))
    look(page, f"boards-impurity-{phase}")
    page.locator("[data-test=put-right]").first.click()
    expect(page.locator("[data-test=put-right]")).to_have_count(0)
    assert [one.impurity for one in evening.game.state.players] == [one.impurity for one in seen]


def test_boards_are_read_on_demand_while_corridors_are_searched(
    evening: Evening, serve: Serve, visit: Visit
) -> None:
    evening.lay(exhausted(evening.game.state))
    evening.look(6.0)
    page: Page = visit(serve(evening.table))
    page.locator("[data-test=read-boards]").click()
    expect(page.locator("[data-test=read-boards]")).to_contain_text("Cancel the reading")
    evening.lay(evening.game.state.players)
    evening.look(2.0)
    expect(page.locator("[data-test=boards]")).to_contain_text("agrees with the journal.")


def test_at_the_end_a_phase_that_was_entered_otherwise_is_taken_anew(
    evening: Evening, serve: Serve, visit: Visit
) -> None:
    rng = random.Random(6)
    while evening.game.state.round < 4 or evening.game.state.phase != "soul":
        evening.table.play(random_move(evening.game.state, rng), evening.game.number)
    seen = exhausted(evening.game.state)
    for seat in range(3):
        evening.table.play(FinishSoul(seat), evening.game.number)
    page = visit(serve(evening.table), PHONE)
    evening.lay(seen)
    evening.look(2.0)
    page.locator("[data-test=take-seen]").click()
    expect(page.locator("[data-test=boards]")).to_contain_text("agrees with the journal.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [player.low for player in evening.game.state.players] == [player.low for player in seen]
