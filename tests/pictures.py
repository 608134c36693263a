"""`python -m tests.pictures` takes the README's pictures: the real page over the simulated table, in Chromium.

Bots play a game of a fixed seed; the table is enrolled and read as in play. Nothing is drawn for the pictures.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import cv2
import numpy as np
from playwright.sync_api import Browser, Page

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.simulated_table import Simulation
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import SeatView
from tests.chromium import launched
from tests.serving import served

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SEED = 7
_SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
_TABLET, _PHONE = (1280, 800), (390, 844)
_FILM, _FILM_SCALE, _FRAME_SECONDS = 60, 0.5, 0.35
_PATIENCE = 240.0
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 88]


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=PICTURES, show_default=True)
def main(folder: Path) -> None:
    """Take the pictures and the short film of a reveal that the README shows."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, _served(Path(home)) as (table, address), launched() as browser:
        table.start_game(_SEATS, "demo")
        director = table.director
        if director is None:
            raise RuntimeError("The simulated table has a director.")
        director.set_speed(6)
        director.run(True)
        tablet = _page(browser, address, _TABLET)
        _wait(lambda: _phase(table) == "search", "a corridor")
        director.set_speed(1)
        _wait(lambda: table.view.proposal is not None and not table.view.proposal.certain, "a question")
        director.run(False)
        _picture(tablet, folder / "table.jpg")
        director.set_speed(3)
        director.run(True)
        _film(tablet, folder / "reveal.webp")
        director.set_speed(50)
        _wait(lambda: _phase(table) == "soul", "a soul phase")
        director.run(False)
        phone = _page(browser, address + "#player/0", _PHONE)
        _picture(phone, folder / "player.jpg")
        director.run(True)
        _wait(lambda: _phase(table) == "over", "a final scoring")
        tablet.goto(address + "#scores")
        _picture(tablet, folder / "scores.jpg")


@contextmanager
def _served(home: Path) -> Iterator[tuple[Table, str]]:
    table = Table(SavedGames(home / "games"), STANDIN)
    simulation = Simulation(table, BOTS, STANDIN, SEED)
    simulation.start()
    try:
        with served(table) as address:
            yield table, address
    finally:
        simulation.close()
        table.close()


def _page(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme="dark", locale="en")
    page = context.new_page()
    page.goto(address)
    return page


def _picture(page: Page, path: Path) -> None:
    page.wait_for_function("() => [...document.images].every((picture) => picture.complete)")
    page.wait_for_timeout(2500)
    image = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(path), np.asarray(image), _JPEG)
    click.echo(f"{path.name}: {path.stat().st_size // 1024} KB")


def _film(page: Page, path: Path) -> None:
    """Film the page while the game goes on: an animated WebP."""
    film = cv2.Animation()
    frames = []
    for _ in range(_FILM):
        began = time.monotonic()
        image = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        frames.append(
            cv2.resize(np.asarray(image), None, fx=_FILM_SCALE, fy=_FILM_SCALE, interpolation=cv2.INTER_AREA)
        )
        page.wait_for_timeout(max(0.0, _FRAME_SECONDS - (time.monotonic() - began)) * 1000)
    film.frames = frames
    film.durations = [round(_FRAME_SECONDS * 1000)] * len(frames)
    cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, 70])
    click.echo(f"{path.name}: {path.stat().st_size // 1024} KB")


def _phase(table: Table) -> str | None:
    game = table.view.game
    return None if game is None else game.state.phase


def _wait(until: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + _PATIENCE
    while not until():
        if time.monotonic() > ends:
            raise click.ClickException(f"After {_PATIENCE:.0f} s there was not {what} to take a picture of.")
        time.sleep(0.1)


if __name__ == "__main__":
    main()
