"""One place that was read wrongly is corrected by hand, and what everybody holds at the end is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from companion.games.master.components import FORMULAS, LOOSE
from companion.games.master.moves import CountHoldings, EndGame, NoteFormula
from companion.table import Table
from companion.table.views import SeatDoubt, SeatView, TableView
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import SEATS, begin, play_turns, state_of
from tests.web.browser.games.master.read_table import ReadTable, proposed, turns_of
from tests.web.browser.looking import PHONE, TABLET, check_accessible, look
from tests.web.browser.measuring import faults, measured, settle

pytestmark = pytest.mark.browser

SCREENS = ((1280, 800), (1024, 768), (390, 844))
"""A laptop, a tablet and a phone, px."""


@pytest.fixture(autouse=True)
def _same_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lays the same board in every game."""
    monkeypatch.setattr("companion.adapters.master.adapter.secrets.randbelow", lambda limit: 4)


def chosen(page: Page) -> list[str]:
    """What is marked as lying on the place in the open sheet."""
    marked = page.locator("dialog [aria-pressed=true]")
    return [name for name in (one.get_attribute("data-test") for one in marked.all()) if name]


def test_a_tile_of_a_proposed_turn_is_tapped_and_stated(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table)
    play_turns(table, 5)
    (moves,) = turns_of(table, 1)
    read = ReadTable(table, proposed(table, [moves], ()))
    page = visit(f"{serve(read)}#table")
    expect(page.locator("[data-test=maze].proposed [data-test^=lies-]")).to_have_count(49)
    place = LOOSE[9]
    page.locator(f"[data-test=lies-{place}]").click()
    sheet = page.locator("dialog")
    expect(sheet.locator("[data-test=lies-TRL]")).to_be_visible()
    assert read.proposals.held == ["p1"]
    assert len(chosen(page)) >= 2
    look(page, "master-lies", SCREENS)
    check_accessible(page)
    sheet.locator("[data-test=lies-TRL]").click()
    expect(sheet).to_have_count(0)
    page.locator("[data-test=lies-16]").click()
    expect(sheet.locator("[data-test=lies-TRL]")).to_have_count(0)  # a fixed tile is known
    sheet.locator("[data-test=lies-no-token]").click()
    expect(sheet).to_have_count(0)
    page.locator(f"[data-test=lies-{place}]").click()
    sheet.locator("[data-test=lies-wizard-2]").click()
    expect(sheet).to_have_count(0)
    assert read.proposals.stated == [
        {"type": "tile", "place": place, "openings": "TRL"},
        {"type": "token", "place": 16, "number": None},
        {"type": "wizard", "seat": 2, "place": place},
    ]


def test_a_marked_place_is_tapped_or_any_after_a_button(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 3)

    def wrong(view: TableView) -> TableView:
        camera = replace(view.camera, state="watching", message="The tile on row 2, column 1 is wrong.", where=(7,))
        return replace(view, camera=camera, settings=None)

    read = ReadTable(table, wrong)
    page = visit(f"{serve(read)}#table", before=measured)
    expect(page.locator("[data-test=maze] [data-test^=lies-]")).to_have_count(1)
    expect(page.locator("[data-test^=arrow-]").first).to_be_visible()
    page.locator("[data-test=correct-reading]").click()
    expect(page.locator("[data-test=maze] [data-test^=lies-]")).to_have_count(49)
    expect(page.locator("[data-test^=arrow-]")).to_have_count(0)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settle(page, table.view.version)
        assert not (found := faults(page)), f"{width} × {height}: {found}"
    look(page, "master-correct-reading", SCREENS)
    check_accessible(page)
    page.locator("[data-test=lies-spare]").click()
    expect(page.locator("dialog [data-test=lies-TR]")).to_be_visible()
    page.locator("dialog [data-test=lies-TR]").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert read.proposals.stated == [{"type": "tile", "place": None, "openings": "TR"}]
    expect(page.locator("[data-test=maze] [data-test^=lies-]")).to_have_count(1)


def test_tokens_and_wands_are_counted_by_hand_at_the_end(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 4)
    play_turns(table, 15)
    table.play(EndGame(), game_of(table).number)
    before = state_of(table)
    giver = next(seat for seat, player in enumerate(before.players) if player.tokens)
    taker = (giver + 1) % 4
    number = before.players[giver].tokens[0]
    page = visit(f"{serve(table)}#table")
    page.locator("[data-test=holdings]").click()
    page.locator(f"[data-test=held-{number}]").click()
    page.locator(f"[data-test=has-{taker}]").click()
    table.play(NoteFormula(0, FORMULAS[0]), game_of(table).number)
    expect(page.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    page.locator("dialog .holding").nth(taker).get_by_role("button", name="one less").click()
    look(page, "master-holdings", SCREENS)
    check_accessible(page)
    page.locator("[data-test=count]").click()
    expect(page.locator("dialog")).to_have_count(0)
    after = state_of(table)
    assert number in after.players[taker].tokens
    assert after.players[taker].wands == before.players[taker].wands - 1
    assert after.counted
    for seat in range(1, 4):
        table.play(NoteFormula(seat, FORMULAS[seat]), game_of(table).number)
    expect(page.locator("body")).to_have_attribute("data-number", str(game_of(table).number))
    page.locator("[data-test=holdings]").click()
    for _ in range(8):
        page.locator("dialog .holding").nth(0).get_by_role("button", name="one more").click()
    page.locator("[data-test=count]").click()
    expect(page.locator("[role=alert], .toast").first).to_contain_text("There are 12 wands in the game")
    assert state_of(table).players == tuple(
        replace(player, formula=FORMULAS[seat]) for seat, player in enumerate(after.players)
    )


def test_a_count_by_camera_is_a_question_and_is_corrected(table: Table, serve: Serve, visit: Visit) -> None:
    begin(table, 3)
    play_turns(table, 15)
    table.play(EndGame(), game_of(table).number)
    players = state_of(table).players
    giver = next(seat for seat, player in enumerate(players) if player.tokens)
    number, taker = players[giver].tokens[0], (giver + 1) % 3
    tokens = [player.tokens for player in players]
    tokens[giver] = tokens[giver][1:]
    tokens[taker] = (*tokens[taker], number)
    count = CountHoldings(tuple(tokens), tuple(player.wands for player in players))
    names = [SEATS[seat].name for seat in (taker, giver)]
    question = f"Token {number} lies before {names[0]}, but is {names[1]}'s on the screen. Whose is it?"
    read = ReadTable(table, proposed(table, [(count,)], (SeatDoubt(taker, question),)))
    page = visit(f"{serve(read)}#table")
    expect(page.locator(".proposal .question")).to_have_text(question)
    expect(page.locator("[data-test=alternative] .token-face")).to_have_count(1)
    look(page, "master-count", SCREENS)
    check_accessible(page)
    page.locator("[data-test=correct]").click()
    expect(page.locator("dialog .holding").nth(taker).locator(f"[data-test=held-{number}]")).to_be_visible()
    assert read.proposals.dismissed == ["p1"]


def test_players_without_names_are_told_apart(table: Table, serve: Serve, visit: Visit) -> None:
    seats = tuple(SeatView(f"{colour.capitalize()} wizard", colour) for colour in ("red", "brown", "blue", "white"))
    table.start_game(seats, "hand", None, "master", {})
    play_turns(table, 15)
    page = visit(f"{serve(table)}#table")
    expect(page.locator(".row-seat .crest b")).to_have_text(["R", "Br", "Bl", "W"])
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settle(page, table.view.version)
        cut = page.evaluate(
            "() => [...document.querySelectorAll('.row-seat .who strong')]"
            ".filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)"
            ".map((one) => one.textContent)"
        )
        assert not cut, f"{width} × {height}: {cut}"
    look(page, "master-unnamed", (*SCREENS, TABLET, PHONE))
