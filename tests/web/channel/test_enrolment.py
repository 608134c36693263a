"""Teaching the table over the live channel: what is let through, what comes back, and in what pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.director.setup_scenes import sheet_scene, specimens_scene
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile
from tests.web.commands import say
from tests.web.conftest import Connect
from tests.web.small_table import SmallTable


@pytest.fixture(name="setup")
def _setup(table: SmallTable, tmp_path: Path) -> Iterator[EnrolmentTable]:
    """The enrolment service of the small table, with a camera of its own."""
    setup = EnrolmentTable(tmp_path, little_profile())
    table.enrolment = setup.enrolment
    yield setup
    setup.table.close()


def test_the_sheet_is_found_shown_and_kept(setup: EnrolmentTable, app: Flask, screen: Connect) -> None:
    client, page = screen(), app.test_client()
    setup.see(sheet_scene())
    answer = say(client, "teach_find_sheet")
    assert answer["ok"]
    found = answer["result"]
    assert found["size"] == [1280, 720]
    assert len(found["sheet"]["corners"]) == 4
    assert found["sheet"]["findings"]["height_mm"] > 500
    picture = page.get(f"/api/teaching/{found['draft']}.jpg")
    assert picture.data.startswith(b"\xff\xd8")
    assert picture.headers["Cache-Control"] == "no-store"
    assert say(client, "teach_keep", {"draft": found["draft"]})["result"]["unread"] == ""
    assert page.get(f"/api/teaching/{found['draft']}.jpg").status_code == 404


def test_what_is_enrolled_is_listed_by_kind(setup: EnrolmentTable, app: Flask) -> None:
    known = app.test_client().get("/api/teaching/known").get_json()
    assert known["calibrated"]
    assert known["cards"] == {"corridor": 1}
    assert [sort["shown"] for sort in known["kit"]["cards"]][:2] == [
        [["corridor", "Corridor"]],
        [["great", "Great oracle"]],
    ]
    assert [place["spots"] for place in known["kit"]["board"]] == [6, 5, 4, 0, 0]
    assert {"works": False, "line": "Corridors are picked by hand."} in known["abilities"]
    assert {"kind": "search:green", "specimens": 8, "in_hands": True} in known["kinds"]
    assert len(known["kinds"]) == 13


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "A game of 3 players still needs 15 more corridors, 6 more great oracles and 6 more small oracles."),
        (
            "pt",
            "Para um jogo de 3 jogadores ainda faltam 15 corredores, 6 grandes oráculos e 6 pequenos oráculos.",
        ),
        ("ja", "3人で遊ぶには、あと回廊15枚、大神託6枚と小神託6枚が必要です。"),
    ],
)
def test_the_missing_cards_are_listed_in_the_language_of_the_page(
    setup: EnrolmentTable, app: Flask, language: str, line: str
) -> None:
    known = app.test_client().get("/api/teaching/known", headers={"Accept-Language": language}).get_json()
    assert known["deck"]["missing"] == line


def test_found_pieces_come_with_their_outlines(setup: EnrolmentTable, screen: Connect) -> None:
    setup.see(specimens_scene("sign:soul", 1))
    found = say(screen(), "teach_find_pieces", {"kind": "sign:soul"})["result"]["pieces"]
    assert found["kind"] == "sign:soul"
    assert all(len(piece["outline"]) >= 3 for piece in found["pieces"])


MALFORMED = [
    ("teach_find_pieces", {"kind": "search:gold"}),
    ("teach_find_pieces", {"kind": "../../etc"}),
    ("teach_corners", {"draft": "d1", "corners": [[0, 0], [1, 0], [1, 1]]}),
    ("teach_corners", {"draft": "d1", "corners": [[0, 0], [1, 0], [1, 1], [0, float("nan")]]}),
    ("teach_corners", {"draft": "d1", "corners": [[0, 0], [1, 0], [1, 1], [0, 1e9]]}),
    ("teach_corners", {"draft": "d1", "corners": [[0, 0], [1, 0], [1, 1], ["0", 1]]}),
    ("teach_point", {"draft": "d1", "spots": []}),
    ("teach_point", {"draft": "d1", "spots": [[1, 1]] * 100}),
    ("teach_keep", {"draft": "d1", "without": [-1]}),
    ("teach_keep", {"draft": "x" * 81}),
    ("teach_keep", {"draft": "d1", "profile": "/tmp/other"}),
    ("teach_lay_out", {"what": "elephant"}),
    ("teach", {"on": "yes"}),
]


def test_malformed_lessons_are_refused(screen: Connect, subtests: pytest.Subtests) -> None:
    for event, payload in MALFORMED:
        with subtests.test(f"{event!r:.60} {payload!r:.60}"):
            answer = say(screen(), event, payload)
            assert answer["error"]["code"] == "bad_request"
            assert "Reload" in answer["error"]["message"]


def test_a_table_that_cannot_be_set_up_says_so(app: Flask, screen: Connect) -> None:
    assert "cannot be set up now" in say(screen(), "teach_find_sheet")["error"]["message"]
    answer = app.test_client().get("/api/teaching/known")
    assert answer.get_json() is None


def test_only_the_simulated_table_is_laid_by_itself(table: SmallTable, screen: Connect) -> None:
    client = screen()
    assert say(client, "teach_lay_out", {"what": "sheet"})["ok"]
    table.director = None
    assert "lay it on the table yourself" in say(client, "teach_lay_out", {"what": "sheet"})["error"]["message"]
