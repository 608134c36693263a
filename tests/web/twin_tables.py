"""A table that plays a prepared game, with a screen and a browser of each role: what each of them can get."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO, SocketIOTestClient

from companion.adapters import temporary_adapter
from companion.games.game import Viewer
from companion.session import Seat, Session
from companion.session.codec import codecs
from companion.table import SavedGames, Table
from companion.table.game_adapter import Adapter
from tests.companion.director.rehearsal import AtOnce
from tests.waiting import eventually
from tests.web.conftest import OWN, browser_at
from tests.web.scripted_camera import Choices, ScriptedCamera
from web import create_app
from web.people.access_control import AccessControl

ID = "twin"
"""Id of the saved game."""
NAMES = ("Ada", "Bruno", "Chie", "Dora", "Emil")
_NOW = datetime(2026, 11, 26, 18, tzinfo=UTC)
_LAN = "192.168.1.{}"
_SERVED = "A table is served."
"""Line of the log where a table begins."""
_CHANGING = {
    "/api/join.svg": "the code by which screens join",
    "/static/<version>/<path:filename>": "files of the page",
}
"""Routes whose answers differ from run to run and tell nothing of the game."""


@dataclass(frozen=True)
class Screen:
    """A screen of one viewer and the browser that it is open in."""

    viewer: Viewer
    socket: SocketIOTestClient
    browser: FlaskClient


@dataclass(frozen=True)
class ServedGame:
    """A served table with a screen of the host, of a spectator, and of each player."""

    table: Table
    app: Flask
    screens: tuple[Screen, ...]
    camera: ScriptedCamera

    def show(self, choices: Choices) -> None:
        """Show choices to the camera until they are proposed and the table is compared with the journal."""
        self.camera.watch(self.table, choices)
        view = self.table.view
        assert view.proposal is not None
        assert view.comparison is not None
        assert view.comparison.id

    @property
    def number(self) -> int:
        game = self.table.view.game
        assert game is not None
        return game.number

    def answers(self, place: int, *, present: bool = False) -> Iterator[tuple[str, object]]:
        """Yield what one screen can read, by every route and the whole state on its channel, with its name.

        present: without what was stored with entries of the journal.
        """
        screen = self.screens[place]
        screen.socket.get_received()
        screen.socket.emit("refresh", {}, callback=True)
        for message in screen.socket.get_received():
            if message["name"] == "table":
                yield "table", _without_times(message["args"][0])
        for rule, address in self._addresses():
            if present and "<int:entry>" in rule:
                continue
            answer = screen.browser.get(address)
            if rule == "/api/health":
                yield rule, _without_run(answer.json or {})
            elif rule == "/":
                yield rule, re.sub(rb'"(version|reading_milliseconds)": ?[\d.]+', b"", answer.data)
            elif rule == "/api/state":
                yield rule, _without_times(answer.json or {})
            else:
                yield address, (answer.status_code, answer.data)
        yield "/api/diagnostics", self.diagnostics(place)

    def diagnostics(self, place: int) -> object:
        """Return the parts of the diagnostic file that a screen gets, or the status by which it is refused."""
        answer = self.screens[place].browser.post("/api/diagnostics", json={"picture": True}, headers=OWN)
        return _diagnostics(answer.data) if answer.status_code == 200 else answer.status_code

    def play(self, move: Any, places: Sequence[int]) -> list[list[tuple[str, object]]]:
        """Make a move on a screen that may make it; return what each of these screens gets by it, with names."""
        game = self.table.view.game
        assert game is not None
        actor, data = game.record.actor(move), codecs(game.record).move.to_data(move)
        for screen in self.screens:
            screen.socket.get_received()
        of_actor = [at for at, screen in enumerate(self.screens) if screen.viewer == actor]
        replies: dict[int, object] = {}
        for at in dict.fromkeys((of_actor[-1], 0)):
            replies[at] = answer = self.ask(at, "play", move=data)
            if isinstance(answer, dict) and answer["ok"]:
                break
        else:
            raise AssertionError(f"nobody may make {move}: {answer}")
        return [list(self._after_move(place, replies)) for place in places]

    def _after_move(self, place: int, replies: dict[int, object]) -> Iterator[tuple[str, object]]:
        """Yield what a screen gets by a move, given the replies to those that asked for it."""
        if place in replies:
            yield "play", replies[place]
        yield "table", self._published(self.screens[place])
        yield "/api/health", _without_run(self.screens[place].browser.get("/api/health").json or {})

    def _published(self, screen: Screen) -> dict[str, Any]:
        """Return the message with the present game that is published to a screen, without its version."""
        found: list[dict[str, Any]] = []

        def arrived() -> bool:
            for message in screen.socket.get_received():
                found.extend(each for each in message["args"] if message["name"] == "table" and each["game"])
            return bool(found) and found[-1]["game"]["number"] == self.number

        eventually(arrived)
        return _without_times(found[-1])

    def ask(self, place: int, event: str, **fields: object) -> object:
        """Send a command about the present state from one screen; return the answer."""
        message = {"game": ID, "at": self.number, **fields}
        return self.screens[place].socket.emit(event, message, callback=True)

    def _addresses(self) -> Iterator[tuple[str, str]]:
        """Yield every GET route with each number up to the number of entries, and the id of the game."""
        for rule in self.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.rule in _CHANGING:
                continue
            view = self.table.view
            named = {each.id for each in (view.proposal, view.comparison) if each is not None}
            queries = [f"?of={id}" for id in sorted(named)] if rule.rule.startswith("/api/proposal") else [""]
            numbers = range(self.number + 1) if "<int:" in rule.rule else (0,)
            for number, query in product(numbers, queries):
                address = re.sub(r"<int:\w+>", str(number), rule.rule)
                yield rule.rule, re.sub(r"<(?:\w+:)?\w+>", ID, address) + query


class _Records(logging.Handler):
    """Collects every record of every logger, as text without times."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def every_log_line() -> Iterator[list[str]]:
    """Collect the lines of every logger, of whatever level."""
    root, records = logging.getLogger(), _Records()
    level = root.level
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    try:
        yield records.lines
    finally:
        root.setLevel(level)
        root.removeHandler(records)


def _without_times(message: dict[str, Any]) -> dict[str, Any]:
    """Return a published state without its version, which increases with time, and how long a reading took."""
    return {**message, "version": 0, "camera": {**message["camera"], "reading_milliseconds": 0.0}}


def _without_run(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the health page without what differs from run to run."""
    journal = {name: value for name, value in (figures["journal"] or {}).items() if name != "path"}
    return {**_without_times(figures), "time": None, "up": None, "readings": None, "journal": journal}


def _diagnostics(archive: bytes) -> dict[str, object]:
    """Return the parts of a diagnostic file; of its log, the lines since this table was served, without times."""
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        found: dict[str, object] = {name: parts.read(name) for name in parts.namelist()}
        lines = parts.read("log.txt").decode().rpartition(_SERVED)[2].splitlines()[1:]
        about = _without_run(json.loads(parts.read("about.json")))
    return {
        **found,
        "about.json": about,
        "readings.csv": None,
        "log.txt": {re.sub(r"^[\d-]+ [\d:,]+ ", "", line) for line in lines},
    }


@contextmanager
def served_game(
    folder: Path, adapter: Adapter[Any, Any], figures: Sequence[str], setup: Any, moves: Sequence[Any]
) -> Iterator[ServedGame]:
    """Serve a game in which these moves were made, each stored with a picture that shows it.

    adapter: a `scripted` one.
    """
    game, camera = adapter.game, ScriptedCamera()
    saved = SavedGames(folder / "games")
    saved.folder.mkdir(parents=True)
    seats = [Seat(name, figure) for name, figure in zip(NAMES, figures, strict=False)]
    with Session.create(saved.folder / f"{ID}.journal", game, seats, setup, clock=lambda: _NOW) as session:
        for move in moves:
            session.play(move, evidence=codecs(game).move.to_json(move).encode())
    with ExitStack() as stack:
        stack.enter_context(temporary_adapter(adapter))
        table = Table(saved, setup, game=game.id, clock=camera.clock, work=AtOnce())
        stack.callback(table.close)
        logging.getLogger(__name__).warning(_SERVED)
        table.resume_game(ID)
        app = create_app(table, secret="for tests only")
        stack.callback(app.extensions["unsubscribe"])
        access: AccessControl = app.extensions["access"]
        socketio: SocketIO = app.extensions["socketio"]
        screens: list[Screen] = []
        for viewer in (None, "spectator", *range(len(seats))):
            browser = browser_at(app, "127.0.0.1" if viewer is None else _LAN.format(len(screens)))
            browser.get("/")
            socket = socketio.test_client(app, flask_test_client=browser)
            stack.callback(socket.disconnect)
            if isinstance(viewer, int):
                answer = socket.emit(
                    "take_seat", {"code": access.table_code, "game": ID, "seat": viewer}, callback=True
                )
                assert answer == {"ok": True}
            screens.append(Screen(viewer if isinstance(viewer, int) else None, socket, browser))
        yield ServedGame(table, app, tuple(screens), camera)
