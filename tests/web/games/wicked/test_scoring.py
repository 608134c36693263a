"""Scoring boards over the live channel and by uploads: what is admitted, what everybody receives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIOTestClient
from werkzeug.test import TestResponse

from calibration.games.wicked.standin_boards import standin_board
from calibration.profile import TableProfile
from companion.adapters.wicked.scoring.service import LARGEST_PICTURE
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from tests.companion.adapters.wicked.scored import nothing
from tests.companion.adapters.wicked.services import services_of
from tests.waiting import eventually
from tests.web.commands import say
from tests.web.conftest import Connect, browser_at
from tests.web.small_table import SmallTable
from web.people.request_guards import PAGE_HEADER

OURS = {PAGE_HEADER: "1", "Origin": "http://localhost"}


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile of a table whose boards are enrolled, but not its tokens."""
    return TableProfile(4).with_personal_board(standin_board("purple")).save(tmp_path_factory.mktemp("home"))


@pytest.fixture(name="real")
def _real(tmp_path: Path, home: Path) -> Iterator[Table]:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.enrolment = EnrolmentService(table, home, readers_for)
    yield table
    table.close()


@pytest.fixture(name="table")
def _table(real: Table) -> SmallTable:
    table = SmallTable()
    table.own_services = services_of(real)
    return table


def scoring(screen: SocketIOTestClient) -> dict[str, Any]:
    answer = say(screen, "scoring_watch")
    assert answer["ok"]
    imported: dict[str, Any] = answer["result"]
    return imported


def upload(page: FlaskClient, data: bytes, again: str = "") -> TestResponse:
    return page.post(f"/api/scoring/pictures{again}", data=data, headers=OURS)


def refused(answer: TestResponse) -> str:
    assert answer.json is not None
    message: str = answer.json["error"]["message"]
    return message


@pytest.fixture(name="filled")
def _filled(screen: Connect) -> tuple[SocketIOTestClient, list[str]]:
    """A screen, and the ids of three boards that were begun by hand."""
    client = screen()
    assert say(client, "scoring_players", {"players": 3})["ok"]
    for colour in PLAYER_COLOURS[:3]:
        assert say(client, "scoring_by_hand", {"colour": colour})["ok"]
    return client, [board["id"] for board in scoring(client)["boards"]]


def test_boards_are_filled_in_by_hand_and_scored(filled: tuple[SocketIOTestClient, list[str]]) -> None:
    client, (one, two, three) = filled
    for event, fields in (
        ("scoring_put", {"board": one, "rank": "high", "spot": 3, "token": "blue"}),
        ("scoring_put", {"board": two, "rank": "low", "spot": 0, "token": "red"}),
        ("scoring_put", {"board": two, "rank": "low", "spot": 0, "token": None}),
        ("scoring_count", {"board": two, "what": "small", "number": 2}),
        ("scoring_count", {"board": three, "what": "impurity", "number": 3}),
        ("scoring_great", {"board": three, "card": 0, "achieved": True}),
    ):
        assert say(client, event, fields)["ok"]
    assert not scoring(client)["sure"]
    for board in (one, two, three):
        imported = say(client, "scoring_right", {"board": board, "about": "board:0"})
    view = scoring(client)
    assert view == imported["result"]
    assert view["sure"]
    assert [score["total"] for score in view["scores"]] == [5, 4, 14]
    assert view["line"] == "Eagle wins with 14 points. Ahead of Wolf by 9 points."
    assert say(client, "scoring_remove", {"board": one})["ok"]
    assert scoring(client)["missing"] == 1


def test_every_host_is_notified_and_nobody_else(
    app: Flask, screen: Connect, filled: tuple[SocketIOTestClient, list[str]]
) -> None:
    host, other, spectator = filled[0], screen(), screen("192.168.1.9")
    for client in (host, other, spectator):
        client.get_received()
    assert say(host, "scoring_count", {"board": filled[1][0], "what": "impurity", "number": 4})["ok"]

    def newest_impurity() -> list[int]:
        heard = [message["args"][0] for message in other.get_received() if message["name"] == "scoring"]
        return [view["boards"][0]["impurity"] for view in heard[-1:]]

    # A thread of its own sends the views: an older one may still be on its way.
    eventually(lambda: newest_impurity() == [4])
    assert "scoring" not in [message["name"] for message in spectator.get_received()]
    stranger = browser_at(app, "192.168.1.9")
    assert upload(stranger, nothing()).status_code == 403
    assert stranger.get("/api/scoring/board-0123456789ab.jpg").status_code == 403


ROW = {"name": "Ada", "low": 0, "middle": 0, "high": 0, "great": 0, "small": 0, "impurity": 0}
MALFORMED = [
    ("scoring_players", {"players": 6}),
    ("scoring_players", {"players": "4"}),
    ("scoring_by_hand", {"colour": "gold"}),
    ("scoring_put", {"board": "b1", "rank": "low", "spot": 12, "token": "red"}),
    ("scoring_put", {"board": "b1", "rank": "low", "spot": -1, "token": "red"}),
    ("scoring_put", {"board": "b1", "rank": "lowest", "spot": 0, "token": "red"}),
    ("scoring_put", {"board": "b1", "rank": "low", "spot": 0, "token": "white"}),
    ("scoring_put", {"board": "b1", "rank": "low", "spot": 0}),
    ("scoring_put", {"board": "../b1", "rank": "low", "spot": 0, "token": None}),
    ("scoring_count", {"board": "b1", "what": "high", "number": 1}),
    ("scoring_count", {"board": "b1", "what": "impurity", "number": 38}),
    ("scoring_count", {"board": "b1", "what": "impurity", "number": 1.5}),
    ("scoring_great", {"board": "b1", "card": 2, "achieved": True}),
    ("scoring_great", {"board": "b1", "card": 0, "achieved": "yes"}),
    ("scoring_right", {"board": "b1", "about": "x" * 61}),
    *(
        ("scoring_sheet", {"rows": [ROW | wrong, ROW, ROW]})
        for wrong in ({"low": 7}, {"great": 3}, {"impurity": -1})
    ),
    ("scoring_look", {"again": "purple"}),
    ("scoring_clear", {"all": True}),
]


def test_malformed_commands_are_refused(screen: Connect, subtests: pytest.Subtests) -> None:
    for event, payload in MALFORMED:
        with subtests.test(f"{event!r:.60} {payload!r:.60}"):
            answer = say(screen(), event, payload)
            assert answer["error"]["code"] == "bad_request"
            assert "Reload" in answer["error"]["message"]


UNFITTING = [
    ("scoring_put", {"board": "b99", "rank": "low", "spot": 0, "token": None}, "stale"),
    ("scoring_put", {"board": "b1", "rank": "high", "spot": 4, "token": None}, "bad_request"),
    ("scoring_count", {"board": "b1", "what": "small", "number": 3}, "bad_request"),
    ("scoring_by_hand", {"colour": "purple"}, "not_now"),
    ("scoring_look", {}, "not_now"),
    ("scoring_look", {"again": "b99"}, "not_now"),
]


def test_what_does_not_fit_is_refused_in_one_line(
    filled: tuple[SocketIOTestClient, list[str]], subtests: pytest.Subtests
) -> None:
    for event, fields, code in UNFITTING:
        with subtests.test(f"{event!r:.60} {fields!r:.60} {code!r:.60}"):
            client, _ = filled
            before = scoring(client)
            answer = say(client, event, fields)
            assert answer["error"]["code"] == code
            assert answer["error"]["message"].endswith(".")
            assert scoring(client)["boards"] == before["boards"]


NO_PICTURES = [
    (b"", 400, "not a picture"),
    (b"<svg onload=alert(1)>", 400, "not a picture"),
    (b"\xff\xd8\xff\xe0" + b"0" * 100, 400, "cut off"),
    (b"BM" + (54).to_bytes(4, "little") + b"\0" * 12 + b"\xff\xff\xff\x7f" * 2 + b"\0" * 28, 400, "megapixels"),
    (bytes(LARGEST_PICTURE + 1), 413, "larger than 24576 KB"),
]


def test_what_is_no_picture_is_refused(
    app: Flask, filled: tuple[SocketIOTestClient, list[str]], subtests: pytest.Subtests
) -> None:
    for data, status, why in NO_PICTURES:
        with subtests.test(f"{why!r:.60}"):
            answer = upload(app.test_client(), data)
            assert (answer.status_code, why in refused(answer)) == (status, True), refused(answer)
            assert scoring(filled[0])["doing"] == ""


NO_BOARDS = ["?again=purple", "?again=b99", "?again=b1%27", "?again=" + "b" * 500]


def test_a_picture_for_a_board_that_is_not_there_is_refused(
    app: Flask, filled: tuple[SocketIOTestClient, list[str]], subtests: pytest.Subtests
) -> None:
    for again in NO_BOARDS:
        with subtests.test(f"{again!r:.60}"):
            answer = upload(app.test_client(), nothing(), again)
            assert answer.status_code in (400, 409)
            assert refused(answer).endswith(".")


def test_a_picture_that_cannot_be_read_is_reported_to_the_screen(
    app: Flask, filled: tuple[SocketIOTestClient, list[str]]
) -> None:
    client, _ = filled
    assert upload(app.test_client(), nothing()).status_code == 202
    eventually(lambda: scoring(client)["said"])
    view = scoring(client)
    assert (view["refused"], view["doing"]) == (True, "")
    assert view["said"].startswith("No samples of token:red, ")


NO_FILES = ["boards.json", "..%2Fboards.json", "board-0123456789ab.jpg", "x" * 300]


def test_no_file_but_a_boards_picture_is_given(app: Flask, subtests: pytest.Subtests) -> None:
    for name in NO_FILES:
        with subtests.test(f"{name!r:.60}"):
            assert app.test_client().get(f"/api/scoring/{name}").status_code == 404


def test_a_table_that_cannot_score_says_so(app: Flask, table: SmallTable, screen: Connect) -> None:
    table.own_services = None
    assert "cannot be scored" in say(screen(), "scoring_watch")["error"]["message"]
