"""What the page keeps for every game: each screen is drawn, fits, logs no error and can be used by everybody."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.games import added
from companion.table import SavedGames, Table
from companion.table.views import SeatView
from tests.games.interference import NAMES
from tests.games.pebbles.game import PEBBLES
from tests.games.samples import IDS, SAMPLES, new_game, random_game
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, TABLET, check_accessible, go, look, wait_for_screen

pytestmark = pytest.mark.browser

PLAYED = {"start": 0.0, "middle": 0.5, "over": 1.0}
"""Moments of a game, as the share of its moves that were made."""
OF_A_GAME = ("table", "player/0", "scores", "history", "history/{id}")
"""Screens of the host's tablet that follow the game."""
AT_ANY_TIME = ("new", "new/hand", "camera", "join", "more")
"""Screens of the host's tablet that a game hardly changes: they are drawn in its middle."""
OF_A_PHONE = ("me", "table")
SIZES = ((1280, 800), TABLET, (768, 1024), PHONE)
WALL = (1920, 1080)
_SEED = 4
"""Of the same random games in every run."""
_TEXT_COLOUR = "() => getComputedStyle(document.body).color"


@pytest.fixture(name="registered", autouse=True)
def _registered() -> Iterator[None]:
    with added(PEBBLES):
        yield


@pytest.fixture(name="played")
def _played(tmp_path: Path, id: str, moment: str) -> Iterator[Table]:
    """A table by hand at which a random game has come to a moment."""
    sample = SAMPLES[id]
    figures, setup, _ = new_game(sample, random.Random(_SEED))
    moves = random_game(sample, random.Random(_SEED))[1]
    seats = [SeatView(name, figure) for name, figure in zip(NAMES, figures, strict=False)]
    saved = SavedGames(tmp_path / "games")
    with saved.create_game(sample.game, seats, setup, "hand") as session:
        for move in moves[: round(PLAYED[moment] * len(moves))]:
            session.play(move)
    with closing(Table(saved, setup, game=id)) as table:
        table.resume_game(session.id)
        yield table


@pytest.mark.parametrize("moment", PLAYED)
@pytest.mark.parametrize("id", IDS)
def test_everybody_can_use_every_screen_of_a_game(
    played: Table, serve: Serve, visit: Visit, id: str, moment: str
) -> None:
    address = serve(played)
    theme = {"name": "theme", "value": "auto", "url": address}
    tablet = visit(f"{address}#join", before=lambda page: page.context.add_cookies([theme]))
    phone = join(visit, address, code_of(tablet), 0)
    assert played.view.game is not None
    screens = [screen.format(id=played.view.game.id) for screen in OF_A_GAME]
    for number, screen in enumerate((*screens, *(AT_ANY_TIME if moment == "middle" else ()))):
        go(tablet, screen)
        check(tablet, f"{id}-{moment}-{number}", SIZES, in_light=moment == "middle" and screen in screens)
    go(tablet, "wall")
    check(tablet, f"{id}-{moment}-wall", (WALL,))
    for screen in OF_A_PHONE:
        go(phone, screen)
        check(phone, f"{id}-{moment}-phone-{screen}", (PHONE,))


def check(page: Page, name: str, sizes: tuple[tuple[int, int], ...], *, in_light: bool = False) -> None:
    """Assert that a screen fits these sizes and that axe finds nothing.

    in_light: in the light theme, too, which differs from the dark one in colours alone.
    """
    wait_for_screen(page)
    look(page, name, sizes)
    looked_at = [size for size in sizes if size in (TABLET, PHONE, WALL)]
    check_accessible(page, looked_at)
    if in_light:
        dark = page.evaluate(_TEXT_COLOUR)
        page.emulate_media(color_scheme="light")
        assert page.evaluate(_TEXT_COLOUR) != dark
        check_accessible(page, looked_at, colours_only=True)
        page.emulate_media(color_scheme="dark")
