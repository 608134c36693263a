"""Every screen of Master Labyrinth: what it draws, that it fits on every size, and that formulas stay secret."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from companion.games.master.components import LOOSE
from companion.games.master.maze import ARROWS, CARRIED, bits, letters, places
from companion.games.master.moves import EndGame, NoteFormula, UseWand
from companion.games.master.rules.setup import random_board
from companion.table import Table
from companion.table.views import CameraState
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import SEATS, begin, begin_with_camera, play_turns, state_of
from tests.web.browser.games.master.read_table import ReadTable
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import DRAWN, check_accessible, go, look
from tests.web.browser.measuring import cumulative_layout_shift, faults, measured, settle, shifts

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (390, 844), (768, 1024), (844, 390), (1024, 768), (1280, 720), (1920, 1080))
"""Phones, an upright tablet, a phone on its side, a tablet, a laptop and a wall, px."""
MOST_SHIFT = 0.02
WITHOUT_CHOICE = "() => document.querySelector('.formulas')?.remove()"
"""Removes the choice of all 21 cards, which everybody gets who has not noted one."""
CARDS = ((11, 3, 14), (19, 7, 15), (1, 10, 13), (20, 17, 3))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_is_in_sight_and_nothing_sticks_out_on_seven_sizes(
    table: Table, serve: Serve, visit: Visit, players: int
) -> None:
    begin(table, players)
    play_turns(table, 7 * players)
    page = visit(f"{serve(table)}#table", before=measured)
    for moment in ("shift", "walk"):
        check_sizes(page, table, moment)
        if moment == "shift":
            page.locator("[data-test=end]").click()
            check_sizes(page, table, "end")
            page.locator("[data-test=play-on]").click()
            page.locator("[data-test^=arrow-]").first.click()
            expect(page.locator("[data-test^=place-]").first).to_be_visible()


@pytest.mark.parametrize("camera", ["no_camera", "watching"])
def test_entry_by_hand_beside_a_camera_is_in_sight_on_seven_sizes(
    table: Table, serve: Serve, visit: Visit, camera: CameraState
) -> None:
    begin_with_camera(table, own_board=1)
    read = ReadTable(table, lambda view: replace(view, camera=replace(view.camera, state=camera, message="")))
    page = visit(f"{serve(read)}#table", before=measured)
    page.locator("[data-test=by-hand]").click()
    check_sizes(page, table, "tiles")
    page.locator("[data-test=lay-at-random]").click()
    check_sizes(page, table, "all tiles")
    page.locator("[data-test=now-tokens]").click()
    check_sizes(page, table, "tokens")
    page.locator("[data-test=lay-at-random]").click()
    check_sizes(page, table, "all tokens")
    page.locator("[data-test=lay-board]").click()
    arrow = page.locator("[data-test^=arrow-]").first
    expect(arrow).to_be_visible()
    check_sizes(page, table, "shift")
    arrow.click()
    expect(page.locator("[data-test^=place-]").first).to_be_visible()
    check_sizes(page, table, "walk")
    page.locator("[data-test^=place-]").first.click()
    expect(page.locator("[data-test=wand]")).to_be_visible()
    check_sizes(page, table, "wand")


def check_sizes(page: Page, table: Table, moment: str) -> None:
    """Assert that nothing on the page is cut off, is covered or sticks out, on seven sizes."""
    before = page.viewport_size
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page, table.view.version)
        assert not (found := faults(page)), f"{moment} at {width} × {height}: {found}"
    if before is not None:
        page.set_viewport_size(before)


def test_nothing_moves_on_the_table_while_turns_are_played(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 4)
    page = visit(f"{serve(table)}#table", before=measured)
    settle(page, table.view.version)
    shifts(page)
    for _ in range(12):
        play_turns(table, 1)
        settle(page, table.view.version)
    assert cumulative_layout_shift(found := shifts(page)) < MOST_SHIFT, found


def test_everybody_can_make_out_where_a_move_may_end_in_both_themes(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 4)
    play_turns(table, 6)
    address = serve(table)
    theme = {"name": "theme", "value": "auto", "url": address}
    page = visit(f"{address}#table", before=lambda page: page.context.add_cookies([theme]))
    page.emulate_media(color_scheme="light")
    page.locator("[data-test^=arrow-]").first.click()
    expect(page.locator("[data-test^=place-]").first).to_be_visible()
    check_accessible(page, colours_only=True)
    page.emulate_media(color_scheme="dark")
    page.evaluate(DRAWN)
    check_accessible(page)


def test_the_wall_shows_the_maze_without_anything_to_tap(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 3)
    play_turns(table, 12)
    page = visit(f"{serve(table)}#wall", (1920, 1080), before=measured)
    settle(page, table.view.version)
    expect(page.locator("[data-test=maze] .disc.next")).to_be_visible()
    expect(page.locator("main").get_by_role("button")).to_have_count(0)
    assert not (found := faults(page)), found


def test_each_player_sees_the_board_from_the_own_side(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 4)
    page = visit(f"{serve(table)}#player/0")
    for seat, angle in enumerate(("0", "-90", "-180", "-270")):
        page.goto(f"{page.url.split('#')[0]}#player/{seat}")
        board = page.locator(".own-maze > svg > g")
        expect(board).to_have_attribute("transform", f"rotate({angle} 4.5 4.5)")


def test_the_page_pushes_tiles_and_finds_ways_as_the_rules_do(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    page = visit(f"{serve(table)}#table")
    dice = random.Random(11)
    cases = []
    for _ in range(60):
        maze, _ = random_board(dice)
        arrow, openings = dice.choice(ARROWS), letters(maze.spare)
        start = dice.choice(LOOSE)
        after = maze.shifted(arrow, bits(openings))
        cases.append(
            {
                "tiles": [letters(tile) for tile in maze.tiles()],
                "spare": openings,
                "arrow": arrow,
                "start": start,
                "after": [letters(tile) for tile in after.tiles()],
                "left": letters(after.spare),
                "carried": CARRIED[arrow][start],
                "reached": list(places(after.reached(start))),
            }
        )
    source = page.evaluate(
        "() => [...performance.getEntriesByType('resource')].map(({ name }) => name)"
        ".find((name) => name.endsWith('.js') && name.includes('/static/'))"
    )
    version = source.split("/static/")[1].split("/")[0]
    results = page.evaluate(
        """async ([module, cases]) => {
          const board = await import(module);
          return cases.map(({ tiles, spare, arrow, start }) => {
            const view = { tiles, spare, tokens: [[7, start]], players: [{ place: start }] };
            const after = board.shifted(view, arrow, spare);
            const reached = [...tiles.keys()].filter((end) => board.wayBetween(after.tiles, start, end).length);
            return { after: after.tiles, left: after.spare, carried: after.tokens[0][1], reached };
          });
        }""",
        [f"/static/{version}/page/games/master/maze/board.js", cases],
    )
    for case, result in zip(cases, results, strict=True):
        assert {key: case[key] for key in result} == result, json.dumps(case)


def test_a_replay_shows_the_changed_line_and_the_wizards_way(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 3)
    play_turns(table, 9)
    page = visit(f"{serve(table)}#history/{game_of(table).id}")
    expect(page.locator(".replay-maze .changed-line")).to_be_visible()
    while not page.locator(".replay-maze .way").count():
        page.locator("[data-test=back]").click()
        page.evaluate(DRAWN)
    look(page, "master-replay")
    check_accessible(page)
    page.locator("[data-test=first]").click()
    expect(page.locator(".replay-maze .changed-line")).to_have_count(0)


def test_history_replay_and_missed_turns_count_the_same_rounds(
    table: Table, serve: Serve, visit: Visit, refusals: list[int]
) -> None:
    begin(table, 3)
    play_turns(table, 3)
    table.play(UseWand(2), game_of(table).number)  # an extra turn of Chie's, in the same round
    play_turns(table, 3)
    page = visit(f"{serve(table)}#history")
    expect(page.locator("h1")).to_have_text("Master Labyrinth: round 2")
    rounds = [f"Round 1: {seat.name}" for seat in SEATS[:3]], [f"Round 2: {seat.name}" for seat in SEATS[:2]]
    expect(page.locator(".chapter h3")).to_have_text([*rounds[1], *rounds[0]])
    game = game_of(table).id
    go(page, f"history/{game}")
    expect(page.locator(".replay-moves h3")).to_have_text([*rounds[0], *rounds[1]])
    expect(page.locator(".replay-step .aside").first).to_have_text("Round 2: Bruno")
    table.play(EndGame(), game_of(table).number)
    for seat, numbers in enumerate(CARDS[:3]):
        table.play(NoteFormula(seat, numbers), game_of(table).number)
    expect(page.locator(".replay-moves h3")).to_have_text([*rounds[0], *rounds[1], "The formula cards are shown"])
    go(page, "history")
    expect(page.locator(".chapter", has_text="The formula cards are shown").locator("li")).to_have_count(3)
    page.route("**/api/master/missed", lambda route: route.fulfill(status=503, body=""), times=1)
    go(page, "scores")
    expect(page.locator(".toast.wrong")).to_be_visible()
    refusals.append(503)
    go(page, "history")
    go(page, "scores")
    missed = page.locator(".missed-turn")
    expect(missed.first).to_be_visible()
    title, first = missed.first.locator("h3").inner_text(), missed.first.get_by_role("link", name="As it was")
    first.click()
    expect(page.locator(".replay-step .aside").first).to_have_text(
        re.sub(r"^.*(?=Round)", "", title, flags=re.DOTALL)
    )


def test_the_ranking_leaves_formulas_out_until_the_final_scoring(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 4)
    play_turns(table, 24)
    for seat, numbers in enumerate(CARDS[:3]):
        table.play(NoteFormula(seat, numbers), game_of(table).number)
    page = visit(f"{serve(table)}#scores")
    expect(page.locator("[data-test=secret-points]")).to_be_visible()
    totals = [score.total for score in game_of(table).scores]
    assert totals == [sum(player.tokens) + 3 * player.wands for player in state_of(table).players]
    assert page.locator(".places .place-total").all_inner_texts() == [
        str(total) for total in sorted(totals, reverse=True)
    ]
    table.play(EndGame(), game_of(table).number)
    page.goto(f"{page.url.split('#')[0]}#table")
    look(page, "master-formulas")
    page.locator("[data-test=choose-3]").click()
    page.locator("[data-test=formula-20-17-3]").click()
    page.goto(f"{page.url.split('#')[0]}#scores")
    expect(page.locator("[data-test=hero]")).to_be_visible()
    expect(page.locator(".ledger").first).to_contain_text("unused wands")
    held = [len({*player.tokens} & {*(player.formula or ())}) for player in state_of(table).players]
    expect(page.locator(".finale .on-formula")).to_have_count(sum(held))
    expect(page.locator(".missed-turn").first).to_be_visible()
    look(page, "master-scores")
    check_accessible(page)


def test_a_tie_is_explained_by_the_points_alone(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 2)
    page = visit(f"{serve(table)}#scores")
    expect(page.locator(".leading .aside").first).to_have_text("Equal points.")
    table.play(EndGame(), game_of(table).number)
    for seat, numbers in enumerate(CARDS[:2]):
        table.play(NoteFormula(seat, numbers), game_of(table).number)
    expect(page.get_by_text("Equal points: the victory is shared.")).to_be_visible()


@pytest.mark.journey
def test_a_formula_card_is_shown_on_its_own_phone_alone(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 4)
    address = serve(table)
    tablet = visit(f"{address}#join")
    code = code_of(tablet)
    phone, rival = join(visit, address, code, 0), join(visit, address, code, 1)
    phone.locator("[data-test=formula-20-17-3]").click()
    expect(phone.locator("[data-test=formula-20-17-3]")).to_have_count(0)
    play_turns(table, 3)  # turns in between change nothing
    phone.get_by_role("button", name="Show it").click()
    phone.locator("[data-test=another-formula]").click()
    phone.locator("[data-test=formula-18-11-19]").click()
    expect(phone.get_by_text("18 · 11 · 19")).to_have_count(0)
    phone.get_by_role("button", name="Show it").click()
    expect(phone.get_by_text("18 · 11 · 19")).to_be_visible()
    look(phone, "master-formula")
    check_accessible(phone)
    assert state_of(table).players[0].formula == (18, 11, 19)
    game = game_of(table)
    for screen in ("history", f"history/{game.id}"):
        go(phone, screen)
        expect(phone.get_by_text("Ada notes a formula card").first).to_be_visible()
        assert_secret(phone.locator("main").inner_text())
    routes = (
        "api/state",
        "api/options/0",
        "api/scores.json",
        "api/scores.csv",
        f"api/history/{game.id}",
        f"api/history/{game.id}/{game.number - 1}",
        "api/health",
    )
    for page in (tablet, rival):
        for screen in ("table", "me", "player/0", "history", f"history/{game.id}", "scores", "health"):
            page.goto(f"{address}#{screen}")
            page.evaluate(DRAWN)
            page.evaluate(WITHOUT_CHOICE)
            assert_secret(page.content())
        for route in routes:
            answer = page.request.get(f"{address}{route}")
            assert_secret(answer.text())
    tablet.goto(f"{address}#player/0")
    expect(tablet.get_by_text("The formula card is noted.")).to_be_visible()


def test_players_who_noted_the_same_card_read_why_they_choose_again(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 3)
    for seat in (0, 2):
        table.play(NoteFormula(seat, CARDS[0]), game_of(table).number)
    page = visit(f"{serve(table)}#table")
    table.play(EndGame(), game_of(table).number)
    for seat, line in ((0, "Two players had noted the same card."), (1, None)):
        go(page, f"player/{seat}")
        expect(page.locator("[data-test=formula-11-3-14]")).to_be_visible()
        expect(page.locator("[data-test=note-on-choice]")).to_have_text([line] if line else [])


def assert_secret(text: str) -> None:
    """Assert that a text shows none of the noted card's numbers together."""
    bare = text.replace(" ", "")
    assert not [form for form in ("18·11·19", "18-11-19", "[18,11,19]", "(18,11,19)") if form in bare]
