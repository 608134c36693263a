"""Places and sides of the maze have the names that fit the board as each screen draws it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from calibration.translatable import Line
from companion.adapters.master.questions import which_turn
from companion.games.master.game import MASTER
from companion.games.master.moves import Shift, Stay
from companion.games.master.text.move_descriptions import arrow_name, place_name
from companion.table import Table
from companion.table.views import SeatDoubt
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import begin, state_of
from tests.web.browser.games.master.read_table import ReadTable, proposed, turns_of
from tests.web.browser.joining import code_of, join
from web.languages import text_of

pytestmark = pytest.mark.browser

_NAMED = re.compile(r"at the (top|bottom|left|right) of (?:column|row) (\d)|[Rr]ow (\d), column (\d)")


def turn(page: Page, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Turn the table").click()


def push(table: Table, arrow: str) -> None:
    state = state_of(table)
    shifts = (move for move in MASTER.legal_moves(state, state.mover) if isinstance(move, Shift))
    table.play(next(move for move in shifts if move.arrow == arrow), game_of(table).number)


def check_labels(page: Page, selector: str) -> None:
    """Assert that each label names the place where its part of the maze is drawn."""
    box = page.locator("[data-test=maze] .rim").bounding_box()
    assert box is not None
    parts = page.locator(f"[data-test=maze] {selector}")
    expect(parts.first).to_be_visible()
    for part in parts.all():
        label, drawn = part.get_attribute("aria-label") or "", part.bounding_box()
        named = _NAMED.search(label)
        assert drawn is not None
        assert named is not None, label
        # The rim reaches beyond the outer places by two thirds of a place on each side.
        unit = box["width"] / 8.32
        across = 1 + int((drawn["x"] + drawn["width"] / 2 - box["x"]) / unit - 0.66)
        down = 1 + int((drawn["y"] + drawn["height"] / 2 - box["y"]) / unit - 0.66)
        edge, number, row, column = named.groups()
        if edge is None:
            assert (down, column) == (int(row), str(across)), label
        else:
            assert (across if edge in ("top", "bottom") else down) == int(number), label
            assert {"top": down < 4, "bottom": down > 4, "left": across < 4, "right": across > 4}[edge], label


@pytest.mark.parametrize("turns", [1, 2])
def test_labels_of_a_turned_board_name_what_is_drawn_there(
    table: Table, serve: Serve, visit: Visit, turns: int
) -> None:
    begin(table)
    page = visit(f"{serve(table)}#table")
    turn(page, turns)
    check_labels(page, "[data-test^=arrow-]")
    page.locator("[data-test=arrow-L1]").click()
    expect(page.locator("[data-test^=place-]").first).to_be_visible()
    check_labels(page, "[data-test^=place-]:not([aria-label='Stay here'])")


@pytest.mark.parametrize("language", ["en", "ja", "pt"])
def test_a_line_of_the_history_names_the_side_as_each_screen_draws_it(
    table: Table, serve: Serve, visit: Visit, language: str
) -> None:
    begin(table)
    push(table, "T1")
    address = serve(table)
    page = visit(f"{address}?language={language}#table")
    line = game_of(table).history[-1].text
    assert isinstance(line, Line)
    last = page.locator(".last-line")
    for quarters in (0, 3, 2):
        expect(last).to_have_text(text_of(line.sides()[quarters], language))
        drawn = page.locator("[data-test=maze] > g").first
        expect(drawn).to_have_attribute("transform", f"rotate({-90 * ((4 - quarters) % 4)} 4.5 4.5)")
        page.locator(".turner").click()
    page.evaluate("location.hash = '#history'")
    expect(page.locator("li.shift", has_text=text_of(line.sides()[1], language))).to_be_visible()


def test_a_players_phone_names_them_from_the_own_seat(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    push(table, "T1")
    table.play(Stay(0), game_of(table).number)
    address = serve(table)
    phone = join(visit, address, code_of(visit(f"{address}#join")), 1)
    check_labels(phone, "[data-test^=arrow-]")
    phone.evaluate("location.hash = '#history'")
    expect(phone.locator("li.shift").first).to_contain_text(arrow_name("T1").sides()[3])


def test_the_cameras_question_names_them_as_the_table_is_turned(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    turns = turns_of(table, 2)
    asked = which_turn(state_of(table), turns, game_of(table).names)
    doubt = SeatDoubt(asked.seat, asked.question, asked.where)
    page = visit(f"{serve(ReadTable(table, proposed(table, turns, (doubt,))))}#table")
    turn(page, 1)
    assert isinstance(asked.question, Line)
    question = page.locator(".proposal .question")
    expect(question).to_have_text(asked.question.sides()[3])
    (shift, *_), _ = turns
    assert isinstance(shift, Shift)
    answer = page.locator("[data-test=alternative]").first
    expect(answer.locator(".answer-text")).to_contain_text(arrow_name(shift.arrow).sides()[3])
    expect(answer.locator(".maze.mini > g")).to_have_attribute("transform", re.compile("rotate.-90 "))
    page.locator("[data-test=maze] [data-test=lies-8]").focus()
    label = page.locator("[data-test=lies-8]").get_attribute("aria-label") or ""
    assert label.lower().startswith(place_name(8).sides()[3])
