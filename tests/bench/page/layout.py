"""What is cut off, covered or jumps on the page, through whole games: `python -m tests.bench page`, 20 minutes.

Every moment of games of three, four and five players is looked at on seven screens, in three languages and both
themes. Layout shift is that of web.dev/cls (the largest session window), and the sum of all shifts, both without
what follows a person's input; what is animated by transforms does not count. The last lines are of a game that is
read from the simulated table's pictures.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page

from tests.chromium import launched
from tests.companion.director.rehearsal import Rehearsal, furnished
from tests.serving import served
from tests.web.browser.boxes import box_font
from tests.web.browser.measuring import cumulative_layout_shift, faults, measured, settle, shifts
from tests.web.browser.moments import SEATS, moments
from tests.web.small_table import SmallTable

SIZES = ((1280, 800), (1024, 768), (768, 1024), (430, 932), (390, 844), (360, 640), (1920, 1080))
WALL = (1920, 1080)
OWN_SCREEN = (430, 932), (390, 844), (360, 640)
"""Sizes on which a player's own screen is looked at, too."""
LOCALES = ("en-GB", "ja-JP", "pt-BR")
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
PLAYERS = (3, 4, 5)
SIMULATED_PLAYERS, SIMULATED_SEED = 3, 11
MOST_SHIFT, LISTED = 0.02, 3
"""Layout shift up to which a page is at rest, and how many of the largest shifts are listed where it is more."""


def main() -> None:
    """Print the faults and the layout shift of every size."""
    with tempfile.TemporaryDirectory() as folder:
        # A device with a Japanese face, if only one of boxes as wide as any.
        (Path(folder) / "fonts").mkdir()
        (Path(folder) / "fonts" / "boxes.ttf").write_bytes(box_font())
        with launched({**os.environ, "XDG_DATA_HOME": folder}) as browser:
            for players in PLAYERS:
                _walk(browser, players)
            _simulated(browser, Path(folder) / "games")


def _walk(browser: Browser, players: int) -> None:
    table = SmallTable(simulated=True)
    table.start_game(SEATS[:players])
    found: Counter[str] = Counter()
    with served(table) as address:
        looked = [_open(browser, address + "#table", SIZES[0], locale) for locale in LOCALES]
        own = [_open(browser, address + "#me/2", OWN_SCREEN[0], locale) for locale in LOCALES]
        resting = {size: _open(browser, address + _screen(size), size, "en-GB") for size in SIZES}
        moved: dict[tuple[int, int], list[dict[str, Any]]] = {size: [] for size in SIZES}
        for page in resting.values():
            settle(page, table.view.version)
            shifts(page)
        for moment in moments(table, players):
            for size, page in resting.items():
                settle(page, table.view.version)
                moved[size] += shifts(page)
            for pages, sizes in ((looked, SIZES), (own, OWN_SCREEN)):
                for page, locale in zip(pages, LOCALES, strict=True):
                    settle(page, table.view.version)
                    for size in sizes:
                        found += _look(page, size, f"{players} players, {moment}, {locale}")
        for (width, height), shifted in moved.items():
            print(f"  {players} players, {width}×{height}: layout shift {_shifts_text(shifted)}")
        print(
            f"  {players} players: of {found['views']} views {found['cut off']} actions cut off or covered, "
            f"{found['sticks out']} parts that stick out",
            flush=True,
        )
        for page in (*looked, *own, *resting.values()):
            page.context.close()


def _look(page: Page, size: tuple[int, int], named: str) -> Counter[str]:
    found: Counter[str] = Counter()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if "#me" not in page.url:
        page.evaluate("(hash) => { if (location.hash !== hash) location.hash = hash; }", _screen(size))
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        wrong = faults(page)
        found += Counter({"views": 1, "cut off": len(wrong.cut_off), "sticks out": len(wrong.sticks_out)})
        for line in (*wrong.cut_off, *wrong.sticks_out):
            print(f"    {named}, {size[0]}×{size[1]}, {theme}: {line}")
    return found


def _simulated(browser: Browser, folder: Path) -> None:
    """Watch a game that is read from pictures, on a tablet and on a phone."""
    rehearsal = Rehearsal(furnished(), folder, SIMULATED_SEED, speed=8.0)
    rehearsal.start(SIMULATED_PLAYERS)
    with served(rehearsal.table) as address:
        pages = {size: _open(browser, address + "#table", size, "en-GB") for size in ((1024, 768), (390, 844))}
        for page in pages.values():
            settle(page, rehearsal.table.view.version)
            shifts(page)
        while rehearsal.game.state.phase != "over":
            rehearsal.frame()
        for size, page in pages.items():
            settle(page, rehearsal.table.view.version)
            print(
                f"  a simulated game of {SIMULATED_PLAYERS} in {rehearsal.frames} frames, {size[0]}×{size[1]}: "
                f"layout shift {_shifts_text(shifts(page))}",
                flush=True,
            )
            page.context.close()
    rehearsal.close()


def _shifts_text(shifted: list[dict[str, Any]]) -> str:
    total, largest = sum(one["value"] for one in shifted), cumulative_layout_shift(shifted)
    line = f"{largest:.3f}, sum {total:.3f} of {len(shifted)} shifts"
    if largest < MOST_SHIFT:
        return line
    worst = sorted(shifted, key=lambda one: -float(one["value"]))[:LISTED]
    return "\n".join([line, *(f"      {one['value']:.3f} at {one['at']:.0f} ms: {one['moved']}" for one in worst)])


def _screen(size: tuple[int, int]) -> str:
    return "#wall" if size == WALL else "#table"


def _open(browser: Browser, address: str, size: tuple[int, int], locale: str) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale=locale
    )
    context.add_cookies([{"name": "theme", "value": "auto", "url": address.split("#")[0]}])
    page = measured(context.new_page())
    page.goto(address)
    page.wait_for_selector("main.screen")
    return page
