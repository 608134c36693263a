"""No screen of either game keeps an English text in another language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from tests.serving import served
from tests.web.browser.conftest import Serve
from tests.web.browser.games.master.mazes import begin, play_turns
from tests.web.browser.looking import go, wait_for_screen
from tests.web.browser.page.played_tables import SEATS, counted_to, played_to

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SCREENS = (
    "table",
    "player/1",
    "scores",
    "history",
    "new",
    "new/hand",
    "scoring",
    "camera",
    "join",
    "more",
    "wall",
)
_TEXTS = """() => {
  const texts = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.parentElement.checkVisibility()) texts.add(node.data.trim());
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const node of document.querySelectorAll(`[${name}]`)) texts.add(node.getAttribute(name));
  return [...texts];
}"""
_ALIKE = {"The Wicked Labyrinth", "Master Labyrinth", "English", "Português", "total", "Dmitri"}
"""Names, and words that are the same in Portuguese."""
_CODE_LETTERS = 5
"""Letters of a table's code, which is no word."""


def in_mid_search(table: Table) -> None:
    played_to(table, "search")
    counted_to(table, "over")


def in_mid_maze(table: Table) -> None:
    begin(table, 4)
    play_turns(table, 6)


def after_the_last_round(table: Table) -> None:
    table.start_game(SEATS)
    rng = random.Random(4)
    while (game := table.view.game) is not None and game.state.phase != "over":
        table.play(random_move(game.state, rng), game.number, "bot")


@pytest.fixture(name="addresses", scope="module")
def _addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        addresses = {}
        for moment in (in_mid_search, in_mid_maze, after_the_last_round):
            folder = tmp_path_factory.mktemp(moment.__name__)
            table = stack.enter_context(closing(Table(SavedGames(folder), STANDIN)))
            moment(table)
            addresses[moment.__name__] = stack.enter_context(served(table))
        yield addresses


@pytest.fixture(name="texts", scope="module")
def _texts(chromium: Browser, addresses: dict[str, str]) -> Callable[[str, str], frozenset[str]]:
    """Returns all texts of all screens in a language, those for screen readers included."""

    @cache
    def texts(moment: str, language: str) -> frozenset[str]:
        found: set[str] = set()
        with chromium.new_context(locale=language, reduced_motion="reduce") as context:
            page = context.new_page()
            page.goto(f"{addresses[moment]}#{_SCREENS[0]}")
            wait_for_screen(page)
            for screen in _SCREENS:
                go(page, screen)
                found |= set(page.evaluate(_TEXTS))
        return frozenset(found)

    return texts


@pytest.mark.parametrize("language", ["pt-BR", "ja-JP"])
@pytest.mark.parametrize("moment", ["in_mid_search", "in_mid_maze", "after_the_last_round"])
def test_no_text_is_left_in_english(
    texts: Callable[[str, str], frozenset[str]], moment: str, language: str
) -> None:
    alike = texts(moment, "en-GB") & texts(moment, language) - _ALIKE - {seat.name for seat in SEATS}
    words = {text for text in alike if sum(map(str.isalpha, text)) >= 4}
    assert {text for text in words if not (text.isupper() and len(text) == _CODE_LETTERS)} == set()


def test_a_page_asked_for_in_a_language_gets_refusals_in_it(chromium: Browser, serve: Serve, table: Table) -> None:
    with closing(chromium.new_page(locale="en-GB")) as page:
        page.goto(f"{serve(table)}?language=ja#history/none")
        expect(page.get_by_role("alert")).to_have_text("その名前の保存ゲームはありません。一覧から選んでください。")
