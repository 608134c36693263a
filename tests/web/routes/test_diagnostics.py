"""Figures about the running companion, and the file that goes along with a question."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from calibration.profile import TableProfile
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Seat, Session
from companion.table import SavedGames, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.history.past_games import PastGames
from companion.table.reading.readers_from_profile import readers_for
from tests.web.conftest import OWN, SEATS, Connect
from tests.web.small_table import SmallTable
from web.people.roles import SPECTATOR, Principal
from web.recent_log import redact


@pytest.fixture(name="client")
def _client(app: Flask, table: SmallTable, tmp_path: Path) -> FlaskClient:
    saved = SavedGames(tmp_path / "games")
    saved.folder.mkdir()
    seats = [Seat(seat.name, seat.figure) for seat in SEATS]
    Session.create(saved.folder / "game-1.journal", WICKED, seats, WickedSetup(STANDIN)).close()
    table.past = PastGames(saved)
    table.start_game(SEATS)
    return app.test_client()


def health(client: FlaskClient) -> Any:
    response = client.get("/api/health")
    assert response.status_code == 200
    return response.json


def collected(client: FlaskClient, wish: object = None, headers: dict[str, str] = OWN) -> TestResponse:
    data = b"" if wish is None else json.dumps(wish).encode()
    return client.post("/api/diagnostics", data=data, headers=headers, content_type="application/json")


def parts(response: TestResponse) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_health_tells_camera_readings_versions_journal_and_screens(
    client: FlaskClient, table: SmallTable, screen: Connect
) -> None:
    for spent in (40.0, 50.0, 90.0):
        table.timings.add(spent)
    screen()
    report = health(client)
    assert report["camera"]["state"] == "watching"
    assert (report["readings"]["median"], report["readings"]["readings"]) == (50.0, 3)
    assert {"companion", "Python", "OpenCV", "OpenVINO"} <= set(report["versions"])
    assert report["journal"]["bytes"] > 1000
    assert report["journal"]["path"].endswith("games/game-1.journal")
    assert report["screens"] == {"host": 1, "player": 0, "onlooker": 0}
    assert report["profile"] is None


@pytest.mark.slow
def test_health_lists_what_is_enrolled(
    client: FlaskClient, table: SmallTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    TableProfile(seats=4, deck=deck_from_art(STANDIN)).save("home")
    with closing(Table(SavedGames(tmp_path / "other"), STANDIN)) as watched:
        table.enrolment = EnrolmentService(watched, "home", readers_for)
        assert health(client)["profile"] == {"name": "home", "calibrated": None, "kinds": [], "cards": 52}
        folder = TableProfile(seats=4).with_flat(2.0, 4).save("home")
        (folder / "view-0123.jpg").write_bytes(b"")
        report = health(client)["profile"]
    assert report["calibrated"].startswith("20")
    assert datetime.fromisoformat(report["calibrated"]).tzinfo is not None


def test_an_onlooker_sees_no_path_and_takes_no_file(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(app.extensions["access"]), "principal", lambda *_: Principal(SPECTATOR))
    assert health(client)["journal"]["path"] is None
    assert collected(client).status_code == 403


def test_the_file_holds_what_is_needed_and_the_picture_only_where_it_is_wanted(
    client: FlaskClient, app: Flask, table: SmallTable
) -> None:
    table.picture = b"\xff\xd8 picture"
    table.timings.add(61.5)
    app.extensions["settings"] = {"camera": "rtsp://ada:secret@10.0.0.7/stream", "tls": True}
    logging.getLogger("vision").warning("The camera was lost.")
    response = collected(client)
    assert response.mimetype == "application/zip"
    assert "companion-" in response.headers["Content-Disposition"]
    found = parts(response)
    assert set(found) == {"about.json", "settings.json", "log.txt", "readings.csv"}
    assert json.loads(found["settings.json"]) == {"camera": "rtsp://…@10.0.0.7/stream", "tls": True}
    assert b"The camera was lost." in found["log.txt"]
    assert b",61.5" in found["readings.csv"]
    assert json.loads(found["about.json"])["versions"]["companion"]
    assert parts(collected(client, {"picture": True}))["picture.jpg"] == b"\xff\xd8 picture"


def test_no_code_and_no_password_is_in_the_file(client: FlaskClient, app: Flask) -> None:
    access = app.extensions["access"]
    grouped = f"{access.host_code[:4]}-{access.host_code[4:]}"
    for secret in (access.table_code, access.host_code, grouped, "for tests only"):
        logging.getLogger("web").error("ConnectedDevice typed %s at http://me:pw@cam/?token=abc", secret)
    found = b"".join(parts(collected(client)).values()).decode()
    for secret in (access.table_code, access.host_code, grouped, "me:pw", "token=abc", str(Path.home())):
        assert secret not in found


NO_WISHES = [{"picture": "yes"}, {"picture": True, "more": 1}, [], "x"]


def test_a_malformed_wish_is_refused(client: FlaskClient, subtests: pytest.Subtests) -> None:
    for wish in NO_WISHES:
        with subtests.test(f"{wish!r:.60}"):
            response = collected(client, wish)
            assert response.status_code == 400
            assert response.json is not None
            assert "Reload" in response.json["error"]["message"]


def test_no_other_page_takes_the_file(client: FlaskClient) -> None:
    assert collected(client, headers={}).status_code == 403
    assert client.get("/api/diagnostics").status_code == 405


def test_what_opens_something_is_left_out_of_any_text() -> None:
    assert redact("rtsp://u:p@host/x http://cam?password=1&b=2") == "rtsp://…@host/x http://cam?password=…&b=2"
    assert redact("rtsp://admin:Tr0ub@dor3@10.0.0.2/s") == "rtsp://…@10.0.0.2/s"
    assert (
        redact("http://cam/v?loginuse=admin&loginpas=geheim&rate=5") == "http://cam/v?loginuse=…&loginpas=…&rate=5"
    )
    assert redact("?access_token=abc&pass=xyz") == "?access_token=…&pass=…"
    assert redact("the code ABCDE, again abcde", ["ABCDE"]) == "the code …, again …"
    assert redact(f"{Path.home()}/games") == "~/games"
