"""Scores on the page: who leads, the way there, the hero's page, and what can be taken home."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.table import Table
from companion.table.views import SeatView
from tests.companion.games.wicked.greedy_bot import greedy_move
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.looking import look

pytestmark = pytest.mark.browser

SEATS = (SeatView("Ada", "purple"), SeatView("=Bruno", "green"), SeatView("Chie", "black"))


def play_until(table: Table, phase: str, round: int) -> None:
    table.start_game(SEATS)
    rng = random.Random(5)
    while (state := game_of(table).state).phase != phase or state.round < round:
        table.play(greedy_move(state, rng), game_of(table).number, "bot")


def saved(page: Page, opener: str, folder: Path) -> Path:
    """Download what this leads to and give the file."""
    with page.expect_download() as download:
        page.locator(opener).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_standing_shows_who_leads_and_the_rounds_as_a_table(table: Table, serve: Serve, visit: Visit) -> None:
    play_until(table, "search", 3)
    page = visit(f"{serve(table)}#scores")
    scores = {score.player: score for score in game_of(table).scores}
    first = min(scores.values(), key=lambda score: (score.place, score.player))
    expect(page.locator("[data-test=leading]")).to_contain_text(SEATS[first.player].name)
    expect(page.locator(".place-total").first).to_have_text(str(first.total))
    expect(page.locator(".points-chart path.line")).to_have_count(3)
    page.get_by_text("As a table").click()
    rows = page.locator(".points-table tbody tr")
    for seat in range(3):
        points = ["0", *(str(one.points[seat]) for one in game_of(table).view_for(None).chronicle.rounds)]
        expect(rows.nth(seat).locator("td")).to_have_text([text.replace("-", "−") for text in points])
    look(page, "standing")


def test_at_the_end_the_hero_has_a_page_and_the_scores_go_home(
    table: Table, serve: Serve, visit: Visit, tmp_path: Path
) -> None:
    play_until(table, "over", 4)
    page = visit(f"{serve(table)}#scores")
    scores = game_of(table).scores
    winner = next(score.player for score in scores if score.place == 1)
    expect(page.locator("[data-test=hero] h2")).to_contain_text(SEATS[winner].name)
    expect(page.locator("[data-test=hero] .board-face")).to_have_count(sum(score.place == 1 for score in scores))
    assert page.locator(".story li").count() >= 4
    look(page, "hero")

    picture = saved(page, "[data-test=picture]", tmp_path)
    assert picture.suffix == ".png"
    assert picture.name.startswith("wicked-labyrinth-2")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000  # something is drawn on it

    table_file = saved(page, "a[href='/api/scores.csv']", tmp_path)
    with table_file.open(encoding="utf-8-sig", newline="") as text:
        rows = {row["player"]: row for row in csv.DictReader(text)}
    assert set(rows) == {"Ada", "'=Bruno", "Chie"}
    assert int(rows["Chie"]["total"]) == scores[2].total

    answer = json.loads(saved(page, "a[href='/api/scores.json']", tmp_path).read_bytes())
    assert [one["score"]["total"] for one in answer["players"]] == [score.total for score in scores]
