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
from tests.companion.adapters.wicked.soul_phase import (
    SoulPhaseSession,
    exhausted,
    lying_otherwise,
    soul_phase_session,
)
from tests.companion.director.rehearsal import AtOnce
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import PHONE, TABLET, look
from vision.games.wicked.readings import BoardsReading

pytestmark = pytest.mark.browser


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[SoulPhaseSession]:
    session = soul_phase_session(tmp_path, AtOnce())
    session.look(0.3)
    yield session
    session.table.close()


def test_certain_souls_are_stopped_and_then_taken_at_one_tap(
    session: SoulPhaseSession, serve: Serve, visit: Visit
) -> None:
    page = visit(serve(session.table))
    boards = page.locator("[data-test=boards]")
    expect(boards).to_contain_text("read when nothing moves")
    session.lay(exhausted(session.game.state))
    session.look(2.0)
    expect(boards).to_contain_text("Souls entered in")
    page.locator("[data-test=hold]").click()
    expect(boards).to_contain_text("Is it right?")
    session.look(4.0)
    assert session.game.state.phase == "soul"
    page.locator("[data-test=take]").click()
    expect(page.locator("h1")).to_contain_text("Round 2")
    assert session.game.state.phase == "lay"


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_what_is_asked_is_looked_at_closer_and_answered_for_each_player(
    session: SoulPhaseSession, serve: Serve, visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(serve(session.table), size)
    reading = lying(tuple(map(finish, session.game.state.players)))
    session.lay((), BoardsReading(reading.boards[:2], ("2 of 3 boards are seen.",)))
    session.look(2.0)
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
    assert session.game.waiting_for == (0, 2)


def test_keeping_the_journal_changes_nothing(session: SoulPhaseSession, serve: Serve, visit: Visit) -> None:
    page = visit(serve(session.table))
    session.lay(tuple(map(finish, session.game.state.players)))
    session.look(2.0)
    before = session.game.number
    page.locator("[data-test=look-boards]").click()
    page.locator("[data-test=keep-journal]").click()
    expect(page.locator("[data-test=boards]")).to_contain_text("read when nothing moves")
    assert session.game.number == before


def test_the_final_score_by_camera_and_what_differs_stand_below_the_journals(
    session: SoulPhaseSession, serve: Serve, visit: Visit
) -> None:
    rng = random.Random(4)
    while session.game.state.phase != "over":
        session.table.play(random_move(session.game.state, rng), session.game.number)
    page = visit(serve(session.table))
    players = session.game.state.players
    session.lay(players)
    session.look(2.0)
    boards = page.locator("[data-test=boards]")
    expect(boards).to_contain_text("agrees with the journal.")
    session.lay((replace(players[0], impurity=players[0].impurity + 1), *players[1:]))
    session.look(2.0)
    expect(boards).to_contain_text("one of the two is wrong")
    expect(boards).to_contain_text("Ada: the camera sees")
    # From what differs straight to the move by which it came about.
    entry = session.view.differences[0].entry
    assert entry is not None
    line = next(line for line in session.game.history if line.number == entry)
    page.locator("[data-test=correct-there]").click()
    dialog = page.get_by_role("dialog", name="Correct a move")
    expect(dialog.locator(".revision-edit b").first).to_have_text(str(session.game.history.index(line) + 1))
    expect(dialog.locator(".revision-edit .aside").first).to_contain_text(line.text)
    page.locator("[data-test=leave]").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("phase", ["soul", "over"])
def test_impurity_is_corrected_at_one_tap(
    session: SoulPhaseSession, serve: Serve, visit: Visit, phase: str
) -> None:
    seen = lying_otherwise(session, phase)
    page = visit(serve(session.table))
    if phase == "soul":
        page.locator("[data-test=look-boards]").click()
    expect(page.locator("[data-test=put-right]")).to_have_count(len(session.view.corrections))
    look(page, f"boards-impurity-{phase}")
    page.locator("[data-test=put-right]").first.click()
    expect(page.locator("[data-test=put-right]")).to_have_count(0)
    assert [one.impurity for one in session.game.state.players] == [one.impurity for one in seen]


def test_boards_are_read_on_demand_while_corridors_are_searched(
    session: SoulPhaseSession, serve: Serve, visit: Visit
) -> None:
    session.lay(exhausted(session.game.state))
    session.look(6.0)
    page: Page = visit(serve(session.table))
    page.locator("[data-test=read-boards]").click()
    expect(page.locator("[data-test=read-boards]")).to_contain_text("Cancel the reading")
    session.lay(session.game.state.players)
    session.look(2.0)
    expect(page.locator("[data-test=boards]")).to_contain_text("agrees with the journal.")


def test_at_the_end_a_phase_that_was_entered_otherwise_is_taken_anew(
    session: SoulPhaseSession, serve: Serve, visit: Visit
) -> None:
    rng = random.Random(6)
    while session.game.state.round < 4 or session.game.state.phase != "soul":
        session.table.play(random_move(session.game.state, rng), session.game.number)
    seen = exhausted(session.game.state)
    for seat in range(3):
        session.table.play(FinishSoul(seat), session.game.number)
    page = visit(serve(session.table), PHONE)
    session.lay(seen)
    session.look(2.0)
    page.locator("[data-test=take-seen]").click()
    expect(page.locator("[data-test=boards]")).to_contain_text("agrees with the journal.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [player.low for player in session.game.state.players] == [player.low for player in seen]
