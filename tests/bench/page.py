"""How heavy the page is over the wire, how soon it can be used on a throttled 4G connection, and whether it rests.

The throttle is the developer tools' own "Fast 4G": 9 Mbit/s down and 1.5 up, of which they count nine tenths, and
60 ms for every answer. Usable is when the table is drawn and its live channel is connected.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import SeatView
from tests.bench import layout
from tests.serving import served

_DOWN, _UP, _DELAY = 9e6 / 8 * 0.9, 1.5e6 / 8 * 0.9, 60
_LOADS = 7
_USABLE = (
    "() => document.querySelector('main.screen') && !document.querySelector('.band.lost') && performance.now()"
)


def main() -> None:
    """Print the page's weight by kind, the time until it can be used, first and again, and its layout's faults."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = Table(SavedGames(Path(folder)), STANDIN)
        table.start_game([SeatView(f"Player {k + 1}", colour) for k, colour in enumerate(PLAYER_COLOURS[:4])])
        rng = random.Random(4)
        while (game := table.view.game) is not None and (game.state.round, game.state.phase) != (3, "search"):
            table.play(random_move(game.state, rng), game.number, "bot")
        with served(table) as address:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for language in ("en", "ja"):
                loads = [_load(browser, address, language) for _ in range(_LOADS)]
                first, again = [load[0] for load in loads], [load[1] for load in loads]
                weights = loads[-1][2]
                kilobytes = ", ".join(f"{kind} {size / 1024:.0f}" for kind, size in sorted(weights.items()))
                light = sum(size for kind, size in weights.items() if kind != "Image")
                print(f"  {language}: {light / 1024:.0f} KB over the wire without pictures ({kilobytes})")
                print(
                    f"      usable on 4G after {statistics.median(first):.0f} ms (slowest {max(first):.0f}), "
                    f"again after {statistics.median(again):.0f} ms; median of {_LOADS}"
                )
            browser.close()
        table.close()
        layout.measure(playwright)


def _load(browser: Browser, address: str, language: str) -> tuple[float, float, dict[str, int]]:
    """Load the page in a fresh browser profile and once more: ms until usable, and bytes of the first by kind."""
    context = browser.new_context(locale={"en": "en-GB", "ja": "ja-JP"}[language])
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
    page.wait_for_load_state("networkidle")
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
