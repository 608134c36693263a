"""Looking back in a browser: lists, a game step by step, pictures, games in and out; and the health page."""

from __future__ import annotations

import io
import random
import re
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Seat, Session
from companion.session.archive import write_archive
from companion.table import Table
from companion.table.views import SeatView
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.games.master.mazes import begin, play_turns
from tests.web.browser.looking import PHONE, go, look

pytestmark = pytest.mark.browser

SEATS = (Seat("Ada", "purple"), Seat("Bruno", "green"), Seat("Chie", "red"))
PLAY_EVERY = 1200
"""Milliseconds for which a replay shows each step."""
PICTURE = bytes(cv2.imencode(".jpg", np.full((540, 960, 3), (60, 80, 110), np.uint8))[1])


def saved(folder: Path, name: str, seed: int, entries: int) -> Path:
    """Save a game of so many entries, or a whole one; every reveal keeps a picture."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(seed)
    with Session.create(folder / f"{name}.journal", WICKED, SEATS, WickedSetup(STANDIN, seed)) as session:
        while session.number < entries and session.state.phase != "over":
            move = random_move(session.state, rng)
            read = move.type == "reveal"
            session.play(move, source="camera" if read else "hand", evidence=PICTURE if read else None)
    return session.path


@pytest.fixture(name="games")
def _games(tmp_path: Path) -> Path:
    saved(tmp_path / "games", "finished", 4, 10_000)
    saved(tmp_path / "games", "broken-off", 5, 12)
    return tmp_path / "games"


def test_a_demonstration_is_called_no_saved_game(games: Path, table: Table, serve: Serve, visit: Visit) -> None:
    seats = [SeatView(seat.name, seat.figure) for seat in SEATS]
    table.start_game(seats, "hand")
    page = visit(f"{serve(table)}#new/hand")
    saved_line = page.get_by_text("The current game is saved")
    expect(saved_line).to_be_visible()
    table.start_game(seats, "demo")
    expect(page.locator("body")).to_have_attribute("data-screen", "table")
    page.evaluate("location.hash = '#new/hand'")
    expect(page.locator("[data-test=begin], form, .people").first).to_be_visible()
    expect(saved_line).to_have_count(0)
    page.evaluate("location.hash = '#history/all'")
    expect(page.locator("[data-test=past-game]")).to_have_count(3)
    resume(page, "broken-off")
    expect(page.locator("body")).to_have_attribute("data-number", "12")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_finished_game_is_replayed_step_by_step(games: Path, table: Table, serve: Serve, visit: Visit) -> None:
    with Session.open(games / "finished.journal", read_only=True) as session:
        steps = len(session.steps)
    page = visit(f"{serve(table)}#history")
    expect(page.locator("[data-test=past-game]")).to_have_count(2)
    look(page, "history-all")
    page.get_by_role("link", name="won").click()
    place = page.locator("[data-test=place]")
    expect(place).to_have_text(f"{steps} of {steps}")
    expect(page.locator(".replay-head h2")).to_contain_text("won")
    page.locator("[data-test=first]").click()
    expect(page.locator("[data-test=step-text]")).to_have_text("The game begins.")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"1 of {steps}")
    expect(page.locator("[data-test=step-text]")).to_contain_text("Corridor 1 of round 1")
    expect(page.locator("[data-test=places] > li")).to_have_count(3)
    page.locator("[data-test=slider]").focus()
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"2 of {steps}")
    look(page, "history-replay")
    page.locator("[data-test=evidence]").click()
    large = page.locator("[data-test=evidence-large]")
    expect(large).to_be_visible()
    assert large.evaluate("async (node) => { await node.decode(); return node.naturalWidth; }") == 960
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    page.keyboard.press("End")
    page.reload()
    expect(place).to_have_text(f"{steps} of {steps}")
    page.locator("[data-test=first]").click()
    page.clock.install()
    page.locator("[data-test=play]").click()
    page.clock.run_for(PLAY_EVERY)
    expect(place).to_have_text(f"2 of {steps}")
    page.get_by_role("link", name="Back to the list").click()
    page.clock.run_for(3 * PLAY_EVERY)
    expect(page.locator("[data-test=past-game]")).to_have_count(2)


def test_a_broken_off_game_goes_on_and_another_one_on_it_asks_first(
    games: Path, table: Table, serve: Serve, visit: Visit
) -> None:
    saved(games, "another", 6, 8)
    page = visit(f"{serve(table)}#history")
    resume(page, "another")
    expect(page).to_have_url(re.compile("#table$"))
    page.goto(f"{page.url.split('#')[0]}#history/all")
    resume(page, "broken-off")
    expect(page.get_by_role("dialog")).to_contain_text("you can resume it later")
    assert table.view.game is not None
    assert table.view.game.id == "another"
    page.go_back()
    expect(page.locator("main.history")).to_have_count(0)
    page.go_forward()
    expect(page.locator("[data-test=past-game]")).to_have_count(3)
    expect(page.get_by_role("dialog")).to_have_count(0)
    resume(page, "broken-off")
    page.locator("[data-test=resume-sure]").click()
    expect(page).to_have_url(re.compile("#table$"))
    assert table.view.game.id == "broken-off"


def test_a_replay_shows_what_was_played_since_and_is_opened_again_where_it_failed(
    games: Path, table: Table, serve: Serve, visit: Visit, refusals: list[int]
) -> None:
    page = visit(f"{serve(table)}#history")
    page.route("**/api/history/broken-off", lambda route: route.fulfill(status=503, body=""), times=1)
    page.locator("a[href$='/broken-off']").click()
    expect(page.locator("main [role=alert]")).to_have_text("The companion did not answer. Try again.")
    refusals.append(503)
    page.get_by_role("link", name="All games").click()
    page.locator("a[href$='/broken-off']").click()
    expect(page.locator("[data-test=place]")).to_have_text("11 of 11")
    page.locator("[data-test=resume]").click()
    expect(page).to_have_url(re.compile("#table$"))
    table.play(random_move(game_of(table).state, random.Random(1)), game_of(table).number)
    saved(games, "another", 6, 8)
    table.resume_game("another")
    expect(page.locator("body")).to_have_attribute("data-number", "8")
    page.evaluate("location.hash = '#history/broken-off'")
    expect(page.locator("[data-test=place]")).to_have_text("12 of 12")


def test_the_games_to_resume_are_those_that_are_saved_now(
    games: Path, table: Table, serve: Serve, visit: Visit, refusals: list[int]
) -> None:
    table.resume_game("finished")
    page = visit("about:blank")
    page.route("**/api/history", lambda route: route.fulfill(status=503, body=""), times=1)
    page.goto(f"{serve(table)}#new")
    expect(page.locator(".toast.wrong")).to_be_visible()
    refusals.append(503)
    go(page, "table")
    go(page, "new")
    expect(page.locator(".saved-game")).to_have_count(1)
    saved(games, "another", 6, 8)
    go(page, "table")
    go(page, "new")
    expect(page.locator(".saved-game")).to_have_count(2)


def test_a_game_of_another_kind_is_offered_with_its_title_and_figures(
    games: Path, table: Table, serve: Serve, visit: Visit
) -> None:
    table.start_game((SeatView("Dora", "red"), SeatView("Emil", "white")), "hand", None, "master")
    table.resume_game("finished")
    page = visit(f"{serve(table)}#new")
    offered = page.locator(".saved-game", has_text="Master Labyrinth")
    expect(offered.get_by_role("img")).to_have_count(2)
    expect(offered.get_by_role("img", name="Emil: white wizard")).to_be_visible()


def test_a_game_leaves_and_comes_in_as_one_file(
    games: Path, table: Table, tmp_path: Path, serve: Serve, visit: Visit
) -> None:
    page = visit(f"{serve(table)}#history/finished")
    with page.expect_download() as download:
        page.locator("[data-test=export]").click()
    file = tmp_path / "friday.game.zip"
    download.value.save_as(file)
    (games / "finished.journal").unlink()
    page.goto(f"{page.url.split('#')[0]}#history")
    bring(page, file)
    expect(page.locator("[data-test=replay]")).to_be_visible()
    assert (games / "finished.journal").is_file()


def test_a_file_that_is_no_game_is_refused_in_one_line(
    games: Path, table: Table, tmp_path: Path, serve: Serve, visit: Visit, refusals: list[int]
) -> None:
    with Session.open(games / "broken-off.journal", read_only=True) as session:
        whole = io.BytesIO()
        write_archive(session, whole)
    (tmp_path / "cut.zip").write_bytes(whole.getvalue()[:-50])
    (tmp_path / "whole.zip").write_bytes(whole.getvalue())
    page = visit(f"{serve(table)}#history")
    bring(page, tmp_path / "cut.zip")
    expect(page.locator(".toast.wrong")).to_contain_text("is not an exported game")
    bring(page, tmp_path / "whole.zip")
    expect(page.locator(".toast.wrong")).to_contain_text("here already")
    refusals += [404, 404]
    assert len(list(games.glob("*.journal"))) == 2


def resume(page: Page, id: str) -> None:
    page.locator(f"[data-test=past-game]:has(a[href$='/{id}']) [data-test=resume]").click()


def bring(page: Page, file: Path) -> None:
    page.locator("[data-test=bring-in]").set_input_files(file)


def test_the_health_page_tells_figures_and_packs_them(
    games: Path, table: Table, serve: Serve, visit: Visit
) -> None:
    for spent in (50.0, 60.0, 200.0):
        table.timings.add(spent)
    table.resume_game("broken-off")
    page = visit(f"{serve(table)}#health")
    panel = page.locator("[data-test=health]")
    expect(panel).to_contain_text("60 ms")
    expect(panel).to_contain_text("OpenVINO")
    expect(panel).to_contain_text(str(games / "broken-off.journal"))
    expect(panel.locator(".spark rect")).to_have_count(1)
    look(page, "health")
    table.timings.add(777.0)
    expect(panel).to_contain_text("777 ms")
    with page.expect_download() as download:
        page.locator("[data-test=diagnose]").click()
    assert download.value.suggested_filename.endswith(".diagnostics.zip")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert "log.txt" in archive.namelist()
        assert "picture.jpg" not in archive.namelist()


@pytest.mark.slow
def test_a_saved_game_of_another_kind_is_listed_by_its_title_and_replayed_plainly(
    table: Table, serve: Serve, visit: Visit
) -> None:
    begin(table, 2)
    play_turns(table, 2)
    table.start_game([SeatView(seat.name, seat.figure) for seat in SEATS], "hand")
    page = visit(f"{serve(table)}#history/all")
    other = page.locator("[data-test=past-game]", has_text="Master Labyrinth")
    expect(other.locator(".crest img")).to_have_count(2)
    other.locator("a").click()
    expect(page.locator("[data-test=step-text]")).not_to_be_empty()
    expect(page.locator("[data-test=places] > li")).to_have_count(2)
    page.locator("[data-test=first]").click()
    expect(page.locator("[data-test=step-text]")).to_have_text("The game begins.")
    look(page, "history-other-game", [PHONE])


@pytest.mark.slow
def test_a_screen_that_fails_leaves_the_way_to_the_others_open(
    games: Path, table: Table, serve: Serve, chromium: Browser
) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.route("**/api/history/finished/*", lambda route: route.fulfill(json={"id": "finished"}))
        page.goto(f"{serve(table)}#history/finished")
        expect(page.locator("[data-test=failed-screen]")).to_be_visible()
        page.locator(".tab[href='#new']").click()
        expect(page.locator("[data-test=way-hand]")).to_be_visible()


@pytest.mark.slow
def test_a_screen_that_cannot_be_loaded_says_so_and_comes_with_the_page(
    table: Table, serve: Serve, chromium: Browser
) -> None:
    with chromium.new_context(service_workers="block") as context:
        page = context.new_page()
        page.route("**/*.late.js", lambda route: route.abort())
        page.goto(f"{serve(table)}#history/all")
        expect(page.get_by_role("button", name="Load the page again")).to_be_visible()
        page.unroute("**/*.late.js")
        page.reload()
        expect(page.get_by_role("heading", name="Saved games")).to_be_visible()


@pytest.mark.slow
def test_a_part_that_could_not_be_loaded_in_advance_is_loaded_when_it_is_opened(
    table: Table, serve: Serve, chromium: Browser
) -> None:
    table.start_game([SeatView(seat.name, seat.figure) for seat in SEATS], "hand")
    with chromium.new_context(service_workers="block") as context:
        page = context.new_page()
        page.route("**/*.late.js", lambda route: route.abort())
        with page.expect_event("requestfailed", lambda request: request.url.endswith(".late.js")):
            page.goto(f"{serve(table)}#table")
        page.unroute("**/*.late.js")
        page.goto(f"{page.url.split('#')[0]}#history")
        expect(page.get_by_role("heading", name="What happened")).to_be_visible()
