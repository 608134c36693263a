"""Saved games over plain HTTP: who may look at which, and what a file from anywhere can do."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Seat, Session
from companion.table import SavedGames
from companion.table.history.past_games import PastGames
from tests.web.conftest import OWN
from tests.web.small_table import SmallTable
from web.people.request_guards import PAGE_HEADER
from web.people.roles import SPECTATOR, Principal

PICTURE = bytes(cv2.imencode(".jpg", np.full((90, 160, 3), 90, np.uint8))[1])


@pytest.fixture(name="games")
def _games(table: SmallTable, tmp_path: Path) -> SavedGames:
    """Two saved games, one of them with a picture in it."""
    saved = SavedGames(tmp_path / "games")
    saved.folder.mkdir()
    for name in ("friday", "other"):
        seats = (Seat("Ada", "purple"), Seat("Bo", "green"), Seat("Cy", "red"))
        with Session.create(saved.folder / f"{name}.journal", WICKED, seats, WickedSetup(STANDIN, 5)) as session:
            session.play(Reveal((Hand(1), Hand(2), Hand(0))), source="camera", evidence=PICTURE)
            session.play(Reveal((Hand(1), Hand(0), Hand(0))))
    table.past = PastGames(saved)
    return saved


@pytest.fixture(name="client")
def _client(app: Flask, games: SavedGames) -> FlaskClient:
    return app.test_client()


def answered(response: TestResponse) -> Any:
    assert response.json is not None
    return response.json


def bring(client: FlaskClient, data: bytes, headers: dict[str, str] = OWN) -> TestResponse:
    return client.post("/api/history", data=data, headers=headers, content_type="application/zip")


def test_a_game_is_described_replayed_and_shown(client: FlaskClient) -> None:
    listed = answered(client.get("/api/history"))["games"]
    assert {game["id"] for game in listed} == {"friday", "other"}
    story = answered(client.get("/api/history/friday"))
    assert [step["number"] for step in story["steps"]] == [2, 3]
    assert "Ada 1, Bo 2" in story["steps"][0]["text"]
    moment = answered(client.get("/api/history/friday/1"))
    assert moment["view"]["corridor"] == 1
    assert moment["view"]["pile"] is None
    assert [seat["name"] for seat in moment["seats"]] == ["Ada", "Bo", "Cy"]
    picture = client.get("/api/history/friday/evidence/2.jpg")
    assert (picture.mimetype, picture.data) == ("image/jpeg", PICTURE)


NOT_THERE = ["nothing", "friday/99", "friday/evidence/3.jpg", "nothing/game.zip", "..%2Ffriday", f"{'a' * 300}"]


def test_what_is_not_there_is_refused_in_one_line(client: FlaskClient, subtests: pytest.Subtests) -> None:
    for path in NOT_THERE:
        with subtests.test(f"{path!r:.60}"):
            response = client.get(f"/api/history/{path}")
            assert response.status_code == 404
            if response.json is not None:
                assert "\n" not in response.json["error"]["message"]


def test_a_game_leaves_as_one_file_and_comes_in_elsewhere(client: FlaskClient, games: SavedGames) -> None:
    taken = client.get("/api/history/friday/game.zip")
    assert taken.headers["Content-Disposition"] == 'attachment; filename="friday.game.zip"'
    (games.folder / "friday.journal").unlink()
    response = bring(client, taken.data)
    assert (response.status_code, response.json) == (200, {"id": "friday"})
    assert answered(client.get("/api/history/friday"))["game"]["entries"] == 3


OTHER_KINDS = [b"", b"not a game", b"PK\x03\x04 broken", b"{}" * 1000]


def test_a_file_of_another_kind_changes_nothing(
    client: FlaskClient, games: SavedGames, subtests: pytest.Subtests
) -> None:
    for data in OTHER_KINDS:
        with subtests.test(f"{data!r:.60}"):
            before = sorted(path.name for path in games.folder.iterdir())
            response = bring(client, data)
            assert response.status_code == 404
            assert "is not an exported game" in answered(response)["error"]["message"]
            assert sorted(path.name for path in games.folder.iterdir()) == before


def test_a_game_that_is_here_already_is_not_taken_twice(client: FlaskClient, games: SavedGames) -> None:
    response = bring(client, client.get("/api/history/other/game.zip").data)
    assert "here already" in answered(response)["error"]["message"]
    assert len(games.summaries()) == 2


def test_a_file_that_is_too_large_is_not_read(client: FlaskClient) -> None:
    environ = {"CONTENT_LENGTH": str(1 << 40)}
    response = client.post("/api/history", data=b"x", headers=OWN, environ_overrides=environ)
    assert response.status_code == 413
    assert "larger than" in answered(response)["error"]["message"]


@pytest.mark.parametrize(
    "headers", [{}, {PAGE_HEADER: "1", "Origin": "http://evil.example"}, {"Origin": "http://localhost"}]
)
def test_no_other_page_brings_a_game_in(client: FlaskClient, games: SavedGames, headers: dict[str, str]) -> None:
    data = client.get("/api/history/friday/game.zip").data
    (games.folder / "friday.journal").unlink()
    assert bring(client, data, headers).status_code == 403
    assert len(games.summaries()) == 1


def test_a_fixture_has_the_frames_in_it(client: FlaskClient, games: SavedGames) -> None:
    with games.open("friday") as session:
        session.play(Reveal((Hand(0), Hand(0), Hand(1))), stills={"frame-1": b"\xff\xd8 frame"})
    with zipfile.ZipFile(io.BytesIO(client.get("/api/history/friday/fixture.zip").data)) as archive:
        assert "frames/4-frame-1.jpg" in archive.namelist()
    with zipfile.ZipFile(io.BytesIO(client.get("/api/history/friday/game.zip").data)) as archive:
        assert "frames/4-frame-1.jpg" not in archive.namelist()


PARTS = ["", "/friday", "/friday/1", "/friday/evidence/2.jpg", "/friday/game.zip", "/friday/fixture.zip"]


@pytest.mark.parametrize("part", PARTS)
def test_a_spectator_sees_no_other_game(
    app: Flask, games: SavedGames, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    access = app.extensions["access"]
    monkeypatch.setattr(type(access), "principal", lambda *_: Principal(SPECTATOR))
    assert app.test_client().get(f"/api/history{part}").status_code == 403
    assert bring(app.test_client(), b"PK").status_code == 403
