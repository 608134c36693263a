"""How heavy the page of each game is over the wire, and how soon it can be used on a throttled 4G connection.

The throttle is the developer tools' own "Fast 4G": 9 Mbit/s down and 1.5 up, of which they count nine tenths, and
60 ms for every answer. Usable is when the table is drawn and its live channel is connected.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import SeatView
from tests.chromium import launched
from tests.serving import served
from vision.games.master.readings import STARTS

_DOWN, _UP, _DELAY = 9e6 / 8 * 0.9, 1.5e6 / 8 * 0.9, 60
_LOADS = 7
_USABLE = (
    "() => document.querySelector('main.screen') && !document.querySelector('.band.lost') && performance.now()"
)

_EVENTS_WITHIN = 500
"""ms within which the developer tools report what has been loaded."""
_LATE_PARTS_LOADED = "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.late.js'))"


def main() -> None:
    """Print the page's weight by kind and the time until it can be used, first and again."""
    with launched() as browser:
        for game, start in (("wicked", _wicked), ("master", _master)):
            with (
                tempfile.TemporaryDirectory() as folder,
                closing(start(Path(folder))) as table,
                served(table) as address,
            ):
                for language in ("en", "ja"):
                    _print_loads(game, language, [_load(browser, address, language) for _ in range(_LOADS)])


def _wicked(folder: Path) -> Table:
    """Return a table at a search of The Wicked Labyrinth, with four players."""
    table = Table(SavedGames(folder), STANDIN)
    table.start_game([SeatView(f"Player {k + 1}", colour) for k, colour in enumerate(PLAYER_COLOURS[:4])])
    rng = random.Random(4)
    while (game := table.view.game) is not None and (game.state.round, game.state.phase) != (3, "search"):
        table.play(random_move(game.state, rng), game.number, "bot")
    return table


def _master(folder: Path) -> Table:
    """Return a table at the first turn of Master Labyrinth, with four players."""
    table = Table(SavedGames(folder), STANDIN)
    seats = [SeatView(f"Player {k + 1}", colour) for k, colour in enumerate(STARTS)]
    table.start_game(seats, "hand", None, "master")
    return table


def _print_loads(game: str, language: str, loads: Sequence[tuple[float, float, dict[str, int]]]) -> None:
    first, again, weights = [load[0] for load in loads], [load[1] for load in loads], loads[-1][2]
    kilobytes = ", ".join(f"{kind} {size / 1024:.0f}" for kind, size in sorted(weights.items()))
    light = sum(size for kind, size in weights.items() if kind != "Image")
    print(f"  {game}, {language}: {light / 1024:.0f} KB over the wire without pictures ({kilobytes})")
    print(
        f"      usable on 4G after {statistics.median(first):.0f} ms (slowest {max(first):.0f}), "
        f"again after {statistics.median(again):.0f} ms; median of {len(loads)}"
    )


def _load(browser: Browser, address: str, language: str) -> tuple[float, float, dict[str, int]]:
    """Load the page in a fresh browser profile and once more: ms until usable, and bytes of the first by kind."""
    # Its service worker would load the late parts where these tools do not count; over http there is none.
    context = browser.new_context(locale={"en": "en-GB", "ja": "ja-JP"}[language], service_workers="block")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": _DELAY, "downloadThroughput": _DOWN, "uploadThroughput": _UP},
    )
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    session.on(
        "Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]})
    )
    page.goto(address, wait_until="commit")
    first: float = page.wait_for_function(_USABLE).json_value()
    page.wait_for_function(_LATE_PARTS_LOADED)
    page.wait_for_timeout(_EVENTS_WITHIN)
    weights: dict[str, int] = {}
    for request, size in sizes.items():
        kind = kinds.get(request, "Other")
        weights[kind] = weights.get(kind, 0) + round(size)
    page.reload(wait_until="commit")
    again: float = page.wait_for_function(_USABLE).json_value()
    context.close()
    return first, again, weights


if __name__ == "__main__":
    main()
