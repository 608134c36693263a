"""Turns of Master Labyrinth entered by hand on the maze: by tap, by drag, on a phone, and corrected."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.adapters.master.turn_tips import turn_aids
from companion.games.master.adviser.turn_search import best_turn
from companion.games.master.components import FORMULAS
from companion.games.master.maze import ROTATIONS, letters, places
from companion.games.master.moves import Deal, NoteFormula, Shift, Stay
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.state import MasterState
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Start, Visit
from tests.web.browser.games.master.mazes import SEATS, begin, play_turns, state_of
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import TABLET, check_accessible, look
from tests.web.browser.served import port_of

pytestmark = pytest.mark.browser


@pytest.fixture(name="tablet")
def _tablet(table: Table, serve: Serve, visit: Visit) -> Page:
    """The host's page with a game for four."""
    begin(table)
    page = visit(f"{serve(table)}#table")
    expect(page.locator("[data-test=maze]")).to_be_visible()
    return page


def rotations(state: MasterState) -> list[str]:
    assert state.maze is not None
    return [letters(one) for one in ROTATIONS[state.maze.spare]]


def test_moves_that_cannot_be_fetched_are_fetched_again(table: Table, serve: Serve, chromium: Browser) -> None:
    begin(table, 2)
    answering = [True]
    with chromium.new_context(service_workers="block") as context:
        page = context.new_page()
        page.route("**/api/options/**", lambda route: route.continue_() if answering[0] else route.abort())
        page.goto(f"{serve(table)}#player/0")
        tappable = page.locator("main .maze [role=button]")
        expect(tappable.first).to_be_visible()
        answering[0] = False
        table.play(player_moves(state_of(table), 0)[0], game_of(table).number)
        expect(page.locator(".toast")).to_have_text("The companion did not answer. Try again.")
        expect(tappable).to_have_count(0)
        answering[0] = True
        expect(tappable.first).to_be_visible()


def test_a_tap_that_moves_nothing_says_why(tablet: Page, table: Table) -> None:
    toast, tiles = tablet.locator(".toast"), tablet.locator("[data-test=maze] image")
    tiles.first.click()
    expect(toast).to_have_text("First the spare tile is pushed in: tap an arrow.")
    tablet.locator("[data-test=arrow-T1]").click()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    tablet.locator(".arrow.closed").click()
    expect(toast).to_have_text("Not there: the spare tile came out here last.")
    unlit = next(place for place in (0, 6, 42, 48) if not tablet.locator(f"[data-test=place-{place}]").count())
    tiles.nth(unlit).click()
    expect(toast).to_have_text("No path leads there from the wizard.")
    assert state_of(table).phase == "walk"


def test_a_tap_on_a_toast_hides_it_and_reaches_what_lies_beneath(tablet: Page) -> None:
    toast = tablet.locator(".toast")
    tablet.locator("[data-test=maze] image").first.click()
    box = toast.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert not tablet.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.toast')", [x, y])
    tablet.mouse.click(x, y)
    expect(toast).to_have_count(0)


@pytest.mark.journey
def test_any_turn_takes_at_most_three_taps_and_can_be_undone(tablet: Page, table: Table) -> None:
    before = state_of(table)
    *_, openings = rotations(before)
    tablet.locator(f"[data-test=spare-{openings}]").click()
    tablet.locator("[data-test=arrow-T1]").click()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    look(tablet, "master-walk")
    check_accessible(tablet)
    pushed = state_of(table).pushed
    assert pushed is not None
    assert (pushed.arrow, pushed.openings, state_of(table).closed) == ("T1", openings, "B1")
    here = state_of(table).wizards[0]
    tablet.locator(f"[data-test=place-{here}]").click()
    expect(tablet.locator("[data-test=wand]")).to_be_visible()
    look(tablet, "master-shift")
    check_accessible(tablet)
    assert state_of(table).mover == 1
    expect(tablet.locator("[data-test=arrow-B1]")).to_have_count(0)
    tablet.locator("[data-test=undo]").click()
    expect(tablet.locator(f"[data-test=place-{here}]")).to_be_visible()
    tablet.locator("[data-test=undo]").click()
    expect(tablet.locator("[data-test=arrow-B1]")).to_be_visible()
    assert state_of(table) == before


def test_the_spare_tile_is_dragged_to_an_arrow(tablet: Page, table: Table) -> None:
    *_, openings = rotations(state_of(table))
    expect(tablet.locator("[data-test=arrow-R5]")).to_be_visible()
    start, end = (
        tablet.locator(at).bounding_box() for at in (f"[data-test=spare-{openings}]", "[data-test=arrow-R5] circle")
    )
    assert start is not None
    assert end is not None
    tablet.mouse.move(start["x"] + 20, start["y"] + 20)
    tablet.mouse.down()
    tablet.mouse.move(end["x"] + 20, end["y"] + 20, steps=20)
    expect(tablet.locator(".ghost")).to_be_visible()
    expect(tablet.locator("[data-test=arrow-R5].over")).to_be_visible()
    tablet.mouse.up()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    pushed = state_of(table).pushed
    assert pushed is not None
    assert (pushed.arrow, pushed.openings) == ("R5", openings)


def test_the_spare_tile_stays_turned_while_others_note_formula_cards_and_take_them_back(
    tablet: Page, table: Table
) -> None:
    table.play(NoteFormula(2, FORMULAS[1]), game_of(table).number)
    noted = game_of(table).history[-1].number
    expect(tablet.locator(".noted")).to_have_count(1)
    *_, openings = rotations(state_of(table))
    turned = tablet.locator(f"[data-test=spare-{openings}]")
    turned.click()
    expect(turned).to_have_attribute("aria-checked", "true")
    table.play(NoteFormula(1, FORMULAS[0]), game_of(table).number)
    expect(tablet.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    expect(tablet.locator(".noted")).to_have_count(2)
    expect(turned).to_have_attribute("aria-checked", "true")
    table.undo(game_of(table).number, noted)
    expect(tablet.locator(".noted")).to_have_count(1)
    expect(turned).to_have_attribute("aria-checked", "true")
    tablet.locator("[data-test=arrow-R5]").click()
    expect(tablet.locator("[data-test^=place-]").first).to_be_visible()
    pushed = state_of(table).pushed
    assert pushed is not None
    assert pushed.openings == openings


@pytest.mark.slow
def test_the_spare_tile_and_the_tip_turn_with_the_table(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 2)
    page = visit(f"{serve(table)}#table")
    spare = page.locator(".spare-tile[aria-checked=true] img")
    as_it_lies = int(re.findall(r"-?\d+", spare.get_attribute("style") or "")[0])
    page.get_by_role("button", name="Turn the table").click()
    upside_down = re.compile(rf"rotate\({as_it_lies - 180}deg\)")
    expect(spare).to_have_attribute("style", upside_down)
    expect(page.locator("[data-test=maze] > g").first).to_have_attribute("transform", re.compile("rotate.-180 "))
    page.locator("[data-test=deal]").click()
    expect(page.locator("dialog .spare-tile[aria-checked=true] img")).to_have_attribute("style", upside_down)
    board = page.locator("[data-test=deal-maze] > g").first
    expect(board).to_have_attribute("transform", re.compile("rotate.-180 "))


@pytest.mark.slow
def test_a_laid_board_that_cannot_be_changed_says_how_it_can(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 2, own_board=1)
    page = visit(f"{serve(table)}#table")
    page.locator("[data-test=lay-at-random]").click()
    page.locator("[data-test=now-tokens]").click()
    page.locator("[data-test=lay-at-random]").click()
    page.locator("[data-test=lay-board]").click()
    expect(page.locator("[data-test=undo]")).to_be_visible()
    page.goto(f"{page.url.split('#')[0]}#history")
    page.locator("[data-test=correct]").click()
    expect(page.locator("dialog .question")).to_contain_text("cannot be changed here")
    expect(page.locator("dialog .segment")).to_have_count(0)


def test_a_token_is_taken_or_left_lying(tablet: Page, table: Table) -> None:
    while not (turn := best_turn(state_of(table), state_of(table).mover).turns[0]).take:
        play_turns(table, 1)
    mover = state_of(table).mover
    tablet.locator(f"[data-test=spare-{turn.openings}]").click()
    tablet.locator(f"[data-test=arrow-{turn.arrow}]").click()
    token = tablet.locator(f"[data-test=place-{turn.place}]")
    expect(token).to_have_attribute("aria-label", re.compile("take the token"))
    tablet.locator("[data-test=leave]").check()
    expect(token).not_to_have_attribute("aria-label", re.compile("take the token"))
    table.play(NoteFormula(mover, FORMULAS[0]), game_of(table).number)
    table.undo(game_of(table).number, None)
    expect(tablet.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    expect(tablet.locator("[data-test=leave]")).to_be_checked()
    token.click()
    expect(tablet.locator("[data-test=wand]")).to_be_visible()
    assert state_of(table).players[mover].tokens == ()
    tablet.locator("[data-test=undo]").click()
    token.click()
    expect(tablet.locator(".row-seat.moves .who")).to_contain_text(SEATS[(mover + 1) % 4].name)
    assert len(state_of(table).players[mover].tokens) == 1


def test_a_tip_is_agreed_on_by_two_people_and_paid_for_exactly_its_turn(tablet: Page, table: Table) -> None:
    look(tablet, "master-table")
    openings = rotations(state_of(table))[0]
    tablet.locator("[data-test=deal]").click()
    expect(tablet.locator("[data-test=agree]")).to_be_disabled()
    tablet.locator("[data-test=rival-2]").click()
    tablet.locator("[data-test=price-wand]").click()
    tip = tablet.locator("[data-test=deal-maze]")
    tablet.locator("dialog").locator(f"[data-test=spare-{openings}]").click()
    tip.locator("[data-test=arrow-L3]").click()
    tip.locator("[data-test=ends-16]").click()
    line = tablet.locator("[data-test=deal-line]")
    expect(line).to_have_text("Chie gets a wand only if exactly this turn is made.")
    look(tablet, "master-tip")
    check_accessible(tablet)
    tablet.locator("[data-test=agree]").click()
    expect(tablet.locator("[data-test=promised]")).to_contain_text("Chie gets a wand")
    look(tablet, "master-promised")
    assert state_of(table).deal == Deal(0, 2, None, "L3", openings, 16)
    tablet.locator(f"[data-test=spare-{openings}]").click()
    tablet.locator("[data-test=arrow-L3]").click()
    tablet.locator("[data-test=place-16]").click()
    expect(tablet.locator(".last-line")).to_contain_text("Chie gets a wand for the tip")
    assert [player.wands for player in state_of(table).players] == [2, 3, 4, 3]


def test_a_turn_is_corrected_on_the_maze(tablet: Page, table: Table) -> None:
    while not (turn := best_turn(state_of(table), state_of(table).mover).turns[0]).take:
        play_turns(table, 1)
    mover = state_of(table).mover
    play_turns(table, 1)
    taken = game_of(table).history[-1]
    assert state_of(table).players[mover].tokens == (1,)
    tablet.goto(f"{tablet.url.split('#')[0]}#history")
    tablet.locator("li.walk", has_text=taken.text).locator("[data-test=correct]").click()
    editor = tablet.locator("[data-test=turn-editor]")
    expect(editor.locator(f"[data-test=place-{turn.place}]")).to_be_visible()
    look(tablet, "master-correction")
    check_accessible(tablet)
    stays = editor.get_by_role("button", name="Stay here")
    stays.click()
    difference = tablet.locator("[data-test=difference]")
    expect(difference).to_contain_text("stays")
    editor.locator(f"[data-test=place-{turn.place}]").click()  # as it was
    expect(difference).to_contain_text("Nothing counts until you accept it.")
    expect(tablet.locator("[data-test=accept]")).to_be_disabled()
    stays.click()
    expect(difference).to_contain_text("stays")
    tablet.locator("[data-test=accept]").click()
    expect(tablet.locator("dialog")).to_have_count(0)
    assert state_of(table).players[mover].tokens == ()


def test_a_turn_that_a_correction_makes_impossible_is_corrected_as_the_maze_is_then(
    tablet: Page, table: Table
) -> None:
    begun = state_of(table)
    play_turns(table, 1)
    tablet.goto(f"{tablet.url.split('#')[0]}#history")
    tablet.locator("li.shift [data-test=correct]").click()
    editor, blocked = tablet.locator("[data-test=turn-editor]"), tablet.locator("[data-test=blocked]")
    editor.locator("[data-test=arrow-R1]").click()
    expect(blocked).to_contain_text("The wizard cannot reach that place.")
    look(tablet, "master-blocked")
    check_accessible(tablet)
    tablet.locator("[data-test=also]").click()
    expect(blocked).to_have_count(0)
    expect(tablet.get_by_text("The wizard cannot reach that place.")).to_have_count(1)
    shift = next(step.move for step in game_of(table).steps if isinstance(step.move, Shift))
    maze = apply(begun, replace(shift, arrow="R1")).maze
    assert maze is not None
    offered = {f"place-{place}" for place in places(maze.reached(begun.wizards[0]))}
    look(tablet, "master-also")
    assert offered == set(
        editor.locator("[data-test^=place-]").evaluate_all("(all) => all.map((one) => one.dataset.test)")
    )
    editor.get_by_role("button", name="Stay here").click()
    tablet.locator("[data-test=accept]").click()
    expect(tablet.locator("dialog")).to_have_count(0)
    pushed, stayed = (step.move for step in game_of(table).steps)
    assert (pushed, stayed) == (replace(shift, arrow="R1"), Stay(0))


def test_a_tip_names_the_edge_of_the_board_as_the_own_phone_draws_it(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 4, tips=1)
    play_turns(table, 1)
    address = serve(table)
    phone = join(visit, address, code_of(visit(f"{address}#join")), 1)
    expect(phone.locator("[data-test=maze] > g").first).to_have_attribute("transform", re.compile("rotate.-90 "))
    phone.locator("[data-test=ask-tip]").click()
    aids = turn_aids(state_of(table), 1)
    assert aids is not None
    expect(phone.locator("[data-test=tip]")).to_have_text(aids.tip.sides()[3])


def test_a_player_moves_and_uses_a_wand_on_the_own_phone(tablet: Page, table: Table, visit: Visit) -> None:
    address = tablet.url.split("#")[0]
    tablet.goto(f"{address}#join")
    code = code_of(tablet)
    phone, other = join(visit, address, code, 0), join(visit, address, code, 1)
    expect(phone.locator(".own-turn")).to_have_text("Your turn")
    expect(other.locator("[data-test^=arrow-]")).to_have_count(0)
    phone.locator("[data-test=arrow-R1]").click()
    phone.locator("[data-test=undo-own]").click()
    expect(phone.locator("[data-test=arrow-L1]")).to_be_visible()
    phone.goto(f"{address}#table")
    expect(phone.locator("[data-test=maze]")).to_be_visible()
    expect(phone.locator("[data-test^=arrow-]")).to_have_count(0)
    phone.goto(f"{address}#me")
    phone.locator("[data-test=arrow-R1]").click()
    phone.locator(f"[data-test=place-{state_of(table).wizards[0]}]").click()
    expect(other.locator(".own-turn")).to_have_text("Your turn")
    look(other, "master-phone")
    check_accessible(other)
    phone.locator("[data-test=wand]").click()
    expect(phone.locator(".own-turn")).to_have_text("Your extra turn")
    expect(other.locator("[data-test^=spare-]")).to_have_count(0)
    assert (state_of(table).mover, state_of(table).extra, state_of(table).players[0].wands) == (0, True, 2)


def test_players_undo_their_move_although_formula_cards_are_noted_after_it(
    tablet: Page, table: Table, visit: Visit
) -> None:
    address = tablet.url.split("#")[0]
    tablet.goto(f"{address}#join")
    phone = join(visit, address, code_of(tablet), 0)
    begun = state_of(table)
    phone.locator("[data-test=arrow-R1]").click()
    undo = phone.locator("[data-test=undo-own]")
    expect(undo).to_be_visible()
    for seat in (1, 0):
        table.play(NoteFormula(seat, FORMULAS[seat]), game_of(table).number)
        expect(phone.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
        expect(undo).to_have_attribute("title", re.compile("right of row 2"))
    undo.click()
    expect(phone.locator("[data-test=arrow-L1]")).to_be_visible()
    assert state_of(table).maze == begun.maze
    table.play(Shift(0, "R1", rotations(begun)[0]), game_of(table).number)
    table.play(Stay(0), game_of(table).number)
    expect(undo).to_have_attribute("title", re.compile("stays"))
    table.play(Shift(1, "L3", rotations(state_of(table))[0]), game_of(table).number)
    expect(undo).to_have_count(0)


def test_a_companion_that_is_killed_in_mid_turn_goes_on_with_the_turn(
    tmp_path: Path, start: Start, chromium: Browser
) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    begin(table, 2)
    table.close()
    companion = start(0)
    port = port_of(companion)
    context = chromium.new_context(viewport={"width": TABLET[0], "height": TABLET[1]}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/")
    page.locator("[data-test=arrow-L1]").click()
    expect(page.locator("[data-test^=place-]").first).to_be_visible()
    companion.kill()
    companion.wait()
    expect(page.locator(".band.lost")).to_be_visible()
    port_of(start(port))
    expect(page.locator(".band.lost")).to_have_count(0, timeout=30_000)
    page.locator("[data-test^=place-]").last.click()
    expect(page.locator(".row-seat.moves .who")).to_contain_text("Bruno")
    expect(page.locator("[data-test=arrow-R1]")).to_have_count(0)
    context.close()
