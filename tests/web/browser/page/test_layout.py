"""The page at rest: through a whole game nothing that must be tapped is cut off or covered, and nothing jumps."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.games.wicked.bots.random_moves import random_move
from tests.serving import served
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.measuring import (
    bare_classes,
    clipped_texts,
    cumulative_layout_shift,
    faults,
    measured,
    numerals,
    ring_spread,
    settle,
    shifts,
)
from tests.web.browser.moments import SEATS, moments, moments_by_hand
from tests.web.small_table import SmallTable

pytestmark = pytest.mark.browser

MOST_SHIFT = 0.02
LEAST_NUMERAL, LEAST_ON_A_WALL = 40, 64
"""Pixels of a numeral that is read from two metres, and of one on a wall of 1080 lines."""
LEAST_SPREAD = 0.5
"""Of the ring's height and width, between the outermost slots."""
STYLED_BY_SEVERAL = {
    ("demo/demo.css", "games/master/table/demo.css"): "demo-player demo-side",
    ("games/master/screens.css", "history/history.css"): "replay-now replay-place",
    ("games/master/table/table.css", "table/doing.css"): "alternative next-step",
    ("games/master/table/table.css", "table/plaque.css", "table/table_sizes.css"): "row-seat",
    ("games/master/table/table.css", "table/table.css"): "for-2 seats-button turner",
    ("games/master/table/table.css", "table/table.css", "table/table_sizes.css"): "around centre for-3 under-ring",
    ("games/master/table/table.css", "table/table_sizes.css"): "for-4",
    (
        "games/wicked/place/board.css",
        "games/wicked/place/player_place_sizes.css",
    ): "board-face person-place spot-at",
    ("games/wicked/place/dock.css", "games/wicked/place/player_place_sizes.css"): "dock dock-foot",
    ("games/wicked/place/oracle_cards.css", "games/wicked/place/player_place_sizes.css"): "oracle-row",
    ("games/wicked/place/player_place.css", "games/wicked/place/player_place_sizes.css"): "person-view",
    ("games/wicked/place/player_place_sizes.css", "place/boards_screen.css"): "people-tabs person",
    ("games/wicked/place/player_place_sizes.css", "place/own_screen.css"): "me-tab me-tabs own-place",
    ("table/doing.css", "table/doing_sizes.css"): "doing picture proposal step-actions step-last to-do",
    ("table/plaque.css", "table/table_sizes.css"): "gain who",
    ("table/table.css", "table/table_sizes.css"): "for-5 ring",
}
"""Classes that several sheets style today, by those sheets: the list may only become shorter."""
TABLET, LOW_PHONE, WALL = (1024, 768), (360, 640), (1920, 1080)
LAPTOP, PORTRAIT, ZOOMED = (1280, 800), (768, 1024), (320, 568)
LONG_NAMES = ("Ada", "Maximiliana-Josephin", "Josephin-Maximiliana", "Theodora-Constantina", "W" * 20)


def opened(browser: Browser, address: str, size: tuple[int, int], locale: str) -> Page:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    page = measured(browser.new_context(viewport=viewport, reduced_motion="reduce", locale=locale).new_page())
    page.goto(address)
    expect(page.locator("main.screen")).to_be_visible()
    return page


@pytest.mark.parametrize(
    ("players", "locale", "screens"),
    [
        (3, "ja-JP", {"#table": (LOW_PHONE,), "#wall": (WALL,)}),
        pytest.param(4, "en-GB", {"#table": (TABLET,), "#me/2": (LOW_PHONE,)}, marks=pytest.mark.journey),
        (5, "pt-BR", {"#table": (TABLET,), "#wall": (WALL,)}),
    ],
)
def test_the_page_rests_and_every_action_is_in_sight_through_a_game(
    with_boxes: Browser, players: int, locale: str, screens: dict[str, tuple[tuple[int, int], ...]]
) -> None:
    table = SmallTable(simulated=True)
    table.start_game(SEATS[:players])
    with served(table) as address:
        pages = {
            (screen, size): opened(with_boxes, address + screen, size, locale)
            for screen, sizes in screens.items()
            for size in sizes
        }
        moved: dict[tuple[str, tuple[int, int]], list] = {at: [] for at in pages}
        for page in pages.values():
            settle(page, table.view.version)
            shifts(page)  # what the fonts moved while the page opened
        for moment in moments(table, players):
            for (screen, size), page in pages.items():
                settle(page, table.view.version)
                assert not (found := faults(page)), f"{moment} on {screen} at {size}: {found}"
                moved[screen, size] += shifts(page)
                if screen == "#wall":
                    assert clipped_texts(page) == [], f"{moment} on the wall"
                    assert page.locator("main button").count() == 0
                if screen != "#me/2" and moment != "over":
                    assert min(ring_spread(page)) >= LEAST_SPREAD, f"{moment} on {screen} at {size}"
                    least = LEAST_ON_A_WALL if screen == "#wall" else LEAST_NUMERAL
                    assert all(numeral >= least for numeral in numerals(page)), f"{moment} on {screen} at {size}"
        for at, shifted in moved.items():
            assert cumulative_layout_shift(shifted) < MOST_SHIFT, f"{at}: {shifted}"
        for page in pages.values():
            page.context.close()


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("locale", ["ja-JP", "pt-BR"])
def test_the_pad_leaves_all_results_in_sight(with_boxes: Browser, players: int, locale: str) -> None:
    table = SmallTable()
    table.start_game(SEATS[:players])
    with served(table) as address:
        page = opened(with_boxes, f"{address}#table", TABLET, locale)
        for moment in moments_by_hand(table):
            check_pad(page, table, moment)
        for row in page.locator(".pad-row").all():
            row.get_by_role("button").first.click()
        check_pad(page, table, "counted")
        page.context.close()


def check_pad(page: Page, table: SmallTable, moment: str) -> None:
    for width, height in (TABLET, LAPTOP, PORTRAIT, ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        settle(page, table.view.version)
        expect(page.locator(".hand-pad")).to_be_visible()
        found = faults(page)
        assert not found.sticks_out, f"{moment} at {width}: {found.sticks_out}"
        if (width, height) != ZOOMED:  # there the page scrolls
            assert not found.cut_off, f"{moment} at {width}: {found.cut_off}"


def test_points_on_the_wall_are_whole_beside_long_names(serve: Serve, visit: Visit) -> None:
    table, rng = SmallTable(simulated=True), random.Random(5)
    table.start_game([replace(seat, name=name) for seat, name in zip(SEATS, LONG_NAMES, strict=True)])
    while (state := table.states[-1]).phase != "soul" or state.round < 4:
        table.play(random_move(state, rng), len(table.states))
    assert table.view.game is not None
    assert {14, -4} <= {score.total for score in table.view.game.scores}
    page = visit(f"{serve(table)}#wall", before=measured)
    for width, height in (TABLET, LAPTOP):
        page.set_viewport_size({"width": width, "height": height})
        settle(page, table.view.version)
        expect(page.locator(".row-seat.half .wall-points")).to_have_count(4)
        assert not (found := faults(page)), f"{width}: {found}"


def test_what_the_last_corridor_gave_is_small_once_the_next_begins(serve: Serve, visit: Visit) -> None:
    table, rng = SmallTable(simulated=True), random.Random(4)
    table.start_game(SEATS[:3])
    play_on(table, rng, "search", 0)
    page = visit(serve(table), TABLET)
    expect(page.locator(".row-seat .tally.held")).to_have_count(3)
    play_on(table, rng, "search", 1)
    expect(page.locator(".row-seat .place-won")).to_have_count(3)
    page.locator("[data-test=countin]").click()
    page.locator(".countin").click()
    expect(page.locator(".row-seat .place-won")).to_have_count(0)
    expect(page.locator("[data-test=last-result]")).to_have_count(3)
    page.reload()
    expect(page.locator("[data-test=last-result]")).to_have_count(3)


def play_on(table: SmallTable, rng: random.Random, phase: str, corridor: int) -> None:
    """Play any moves until a phase and corridor come."""
    while (state := table.states[-1]).phase != phase or state.corridor != corridor:
        table.play(random_move(state, rng), len(table.states))


def test_no_class_is_styled_by_two_sheets_but_those_listed() -> None:
    """A name that two sheets style on its own is one thing to one of them and something else to the other."""
    folder = Path(__file__).parents[4] / "web" / "static" / "page"
    by_class: dict[str, list[str]] = {}
    for sheet in sorted(folder.rglob("*.css")):
        for name in set(bare_classes(sheet.read_text(encoding="utf-8"))):
            by_class.setdefault(name, []).append(sheet.relative_to(folder).as_posix())
    assert len(by_class) > 200
    listed = {name: list(sheets) for sheets, names in STYLED_BY_SEVERAL.items() for name in names.split()}
    assert {name: sheets for name, sheets in by_class.items() if len(sheets) > 1} == listed
