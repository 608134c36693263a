"""What the page draws of the camera's readings of a maze: a turn that is certain, a question, and a wrong table."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from companion.games.master.components import LOOSE
from companion.games.master.maze import letters
from companion.games.master.moves import LayBoard
from companion.games.master.rules.setup import random_board
from companion.table import Table
from companion.table.views import SeatDoubt, TableView
from tests.waiting import eventually
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import SEATS, begin, play_turns, state_of
from tests.web.browser.games.master.read_table import ReadTable, proposed, turns_of
from tests.web.browser.looking import PHONE, TABLET, check_accessible, look

pytestmark = pytest.mark.browser


def test_a_certain_turn_is_drawn_with_its_line_and_its_way(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    play_turns(table, 5)
    (moves,) = turns_of(table, 1)
    page = visit(f"{serve(ReadTable(table, proposed(table, [moves], ())))}#table")
    maze = page.locator("[data-test=maze].proposed")
    expect(maze.locator(".changed-line")).to_be_visible()
    expect(maze.locator(".way")).to_have_count(1)
    expect(page.locator("[data-test=hold]")).to_be_visible()
    look(page, "master-read-turn")
    check_accessible(page)


def test_a_question_about_a_turn_is_answered_by_one_tap_on_a_small_maze(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table)
    play_turns(table, 5)
    turns = turns_of(table, 3)
    doubts = (SeatDoubt(state_of(table).mover, "Which line was pushed?", (8, 9)),)
    read = ReadTable(table, proposed(table, turns, doubts))
    page = visit(f"{serve(read)}#table")
    expect(page.locator("[data-test=alternative] .maze.mini .changed-line")).to_have_count(3)
    expect(page.locator("[data-test=maze] .arrow.chosen")).to_have_count(3)
    expect(page.locator("[data-test=maze] .pointer.doubtful")).to_have_count(2)
    look(page, "master-question", (TABLET, PHONE, (768, 1024)))
    check_accessible(page)
    page.locator("[data-test=alternative]").nth(1).click()
    eventually(lambda: read.proposals.accepted == [(1,)])
    page.locator("[data-test=correct]").click()
    eventually(lambda: read.proposals.dismissed == ["p1"])


def test_the_tile_that_the_board_is_asked_about_is_marked(table: Table, serve: Serve, visit: Visit) -> None:
    table.start_game(SEATS[:2], "hand", None, "master", {"own_board": 1})
    maze, tokens = random_board(random.Random(3))
    loose = [letters(maze.tile(place)) for place in LOOSE]
    at = next(place for place, tile in enumerate(loose) if tile == "TB")
    other = [*loose[:at], "RL", *loose[at + 1 :]]
    boards = [(LayBoard(tuple(each), letters(maze.spare), tokens),) for each in (loose, other)]
    doubts = (SeatDoubt(None, "How does this tile lie?", (LOOSE[at],)),)
    read = ReadTable(table, proposed(table, boards, doubts))
    page = visit(f"{serve(read)}#table")
    expect(page.locator("[data-test=maze] .pointer.doubtful").first).to_be_visible()
    expect(page.locator("[data-test=alternative] .tile-image")).to_have_count(2)
    look(page, "master-read-board")
    check_accessible(page)
    page.locator("[data-test=correct]").click()
    expect(page.locator("[data-test=correct]")).to_be_enabled()
    kept = page.evaluate("() => Object.keys(JSON.parse(localStorage.getItem('companion.maze')).tiles).length")
    assert kept == len(LOOSE)


def test_what_is_wrong_on_the_table_is_named_and_marked(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 3)
    line = "Token 7 was pushed out on the spare tile. Lay it on row 2, column 1, on the tile just pushed in."

    def read(view: TableView) -> TableView:
        camera = replace(view.camera, state="needs_you", message=line, where=(7,))
        return replace(view, camera=camera, settings=None)

    page = visit(f"{serve(ReadTable(table, read))}#table")
    expect(page.locator("[data-test=maze] .pointer.wrong")).to_have_count(1)
    expect(page.locator(".under-ring")).to_contain_text(line)
    look(page, "master-wrong-table", (TABLET, PHONE, (768, 1024)))
    check_accessible(page)


def test_a_turn_is_entered_by_hand_beside_the_camera_and_left_to_it_again(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 3)
    page = visit(f"{serve(ReadTable(table, lambda view: replace(view, settings=None)))}#table")
    expect(page.locator(".hand-step")).to_have_count(0)
    page.locator("[data-test=by-hand]").click()
    expect(page.locator(".hand-step")).to_be_visible()
    look(page, "master-by-hand-beside-camera", (TABLET, PHONE))
    page.locator("[data-test=by-camera]").click()
    expect(page.locator(".hand-step")).to_have_count(0)
    expect(page.locator("[data-test=by-hand]")).to_be_visible()
