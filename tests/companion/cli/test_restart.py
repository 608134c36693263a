"""`companion serve` is started again: it goes on with the game that was played last."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from calibration.errors import CalibrationError
from calibration.profile import TableProfile
from companion.adapters import adapter
from companion.cli import main
from companion.session.game_settings import EntryMode
from companion.table import SavedGames, Table
from companion.table.views import SeatView
from tests.companion.table.playing import game_of

SEATS = {
    "wicked": (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red")),
    "master": (SeatView("Ada", "red"), SeatView("Bruno", "blue")),
}
Serve = Callable[..., None]


class Visit:
    """A server whose only visitor is a function; it is interrupted when the function returns."""

    host, port = "127.0.0.1", 0

    def __init__(self, visit: Callable[[], None]) -> None:
        self._visit = visit

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        self._visit()
        raise KeyboardInterrupt

    def shutdown(self) -> None: ...

    def server_close(self) -> None: ...


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the companion. What the command sets for its whole process is set back afterwards."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    handler, interval = signal.getsignal(signal.SIGTERM), sys.getswitchinterval()
    yield tmp_path
    signal.signal(signal.SIGTERM, handler)
    sys.setswitchinterval(interval)


@pytest.fixture(name="serve")
def _serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Runs `companion serve` with these options until a function of its table returns."""

    def serve(visit: Callable[[Table], None], *options: str) -> None:
        tables: list[Table] = []

        def create_app(table: Table, **_: object) -> Flask:
            tables.append(table)
            app = Flask(__name__)
            app.extensions["access"] = AccessCodes()
            return app

        monkeypatch.setattr("web.app.create_app", create_app)
        monkeypatch.setattr("web.serving.server_startup.listen", lambda *_: Visit(lambda: visit(tables[0])))
        words = ["serve", "--host", "127.0.0.1", *options]
        assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0

    return serve


@pytest.fixture(name="unprepared")
def _unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares setting up the simulated table: it says that it could not be set up."""

    def prepare_table(*_: object) -> None:
        raise CalibrationError("not in this test")

    monkeypatch.setattr("companion.director.simulated_table.prepare_table", prepare_table)


class AccessCodes:
    """What the console prints of the access control."""

    table_code = host_code = "ABCD1234"
    address = None


def begun(home: Path, game: str, way: EntryMode = "camera") -> str:
    """Begin a game at a table without feed and leave it; return its id."""
    components = adapter(game).components(TableProfile(4))
    with closing(Table(SavedGames(home / "games"), components, game=game)) as table:
        table.start_game(SEATS[game], way)
        return game_of(table).id


def test_a_game_that_a_camera_read_goes_on_with_the_camera(home: Path, serve: Serve) -> None:
    TableProfile(4).save("home")
    id = begun(home, "wicked")

    def visit(table: Table) -> None:
        assert game_of(table).id == id
        assert table.director is None
        assert table.view.camera.state != "by_hand"

    serve(visit)


def test_a_game_of_another_kind_goes_on_with_its_own_camera_and_without_a_profile(home: Path, serve: Serve) -> None:
    begun(home, "master")

    def visit(table: Table) -> None:
        assert (table.served, table.director) == ("master", None)
        assert table.view.camera.state != "by_hand"

    serve(visit)
    serve(visit, "--game", "master")


def test_the_simulated_table_is_not_read_into_a_game_of_a_table_that_is_not_set_up(
    home: Path, serve: Serve, unprepared: None
) -> None:
    begun(home, "wicked")

    def visit(table: Table) -> None:
        assert table.director is not None
        assert table.view.camera.state == "by_hand"
        assert table.use_camera is not None
        table.use_camera("wicked")
        assert table.director is None
        assert table.view.camera.state != "by_hand"

    serve(visit)


def test_a_saved_game_that_is_resumed_on_the_page_goes_on_with_a_camera(
    home: Path, serve: Serve, unprepared: None
) -> None:
    id = begun(home, "master")
    begun(home, "master", "hand")

    def visit(table: Table) -> None:
        assert table.director is not None
        table.resume_game(id)
        assert (game_of(table).id, table.director) == (id, None)
        assert table.view.camera.state != "by_hand"

    serve(visit, "--game", "master")
