"""Requests of the first set-up over the live channel and by HTTP: admitted, answered, refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from calibration.games.wicked.kit import KIT
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.director.setup_scenes import setup_scene, sheet_scene, specimens_scene
from companion.games.wicked.components import Deck
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.table.enrolment.enrolled import EnrolmentTable, enrolled_profile, little_profile
from tests.web.commands import say
from tests.web.conftest import Connect
from tests.web.small_table import SmallTable
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import BoardOnTable, HandOnTable, Pose, Scene
from web.people.request_guards import PAGE_HEADER

FROM_HERE = {PAGE_HEADER: "1", "Origin": "http://localhost"}


@pytest.fixture(name="setup")
def _setup(table: SmallTable, tmp_path: Path) -> Iterator[EnrolmentTable]:
    """The enrolment service of the small table, with a camera of its own."""
    setup = EnrolmentTable(tmp_path, replace(little_profile(), deck=None))
    table.enrolment, table.director = setup.enrolment, None
    yield setup
    setup.table.close()


def test_the_sheet_is_detected_live_and_nothing_is_saved_by_that(setup: EnrolmentTable, screen: Connect) -> None:
    client = screen()
    setup.see(sheet_scene())
    seen = say(client, "teach_watch", {"what": "sheet"})["result"]
    assert len(seen["sheet"]["corners"]) == 4
    assert seen["draft"] is None
    setup.see(specimens_scene("search:red", 1))
    again = say(client, "teach_watch", {"what": "sheet"})["result"]
    assert again["sheet"] is None
    assert again["line"]


@pytest.mark.slow
def test_pieces_are_taken_by_themselves_once_they_rest(setup: EnrolmentTable, screen: Connect) -> None:
    client = screen()
    states = []
    for _ in range(6):
        setup.see(specimens_scene("search:red", 1))
        states.append(say(client, "teach_watch", {"what": "pieces", "kind": "search:red"})["result"])
    taken = [seen for seen in states if seen["state"] == "taken"]
    assert len(taken) == 1
    assert len(taken[0]["draft"]["pieces"]["pieces"]) == 8
    assert say(client, "teach_keep", {"draft": taken[0]["draft"]["draft"]})["ok"]


def test_the_empty_table_is_kept_by_itself_once_the_sheet_is_put_away(
    setup: EnrolmentTable, screen: Connect
) -> None:
    client = screen()
    states = []
    for scene in [sheet_scene()] * 4 + [specimens_scene("search:red", 1)] + [setup_scene(KIT, "empty", 1)] * 5:
        setup.see(scene)
        states.append(say(client, "teach_watch", {"what": "empty"})["result"])
    sheet, bare = states[:4], states[5:]
    assert [seen["state"] for seen in sheet if seen["kept"]] == []
    assert [seen["line"] for seen in sheet if "is still on the table" in seen["line"]]
    kept = [seen["kept"] for seen in bare if seen["state"] == "taken"]
    assert [seen["known"]["empty_table"] for seen in kept] == [True]
    assert [view.covered for view in TableProfile.load(setup.profile).views].count(()) == 1


def test_the_empty_table_is_kept_at_a_tap_but_not_with_the_sheet_on_it(
    setup: EnrolmentTable, screen: Connect
) -> None:
    client = screen()
    setup.see(sheet_scene())
    assert "is still on the table" in say(client, "teach_empty")["error"]["message"]
    setup.see(setup_scene(KIT, "empty", 1))
    assert say(client, "teach_empty")["result"]["known"]["empty_table"]


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("scene", "line"),
    [
        (specimens_scene("search:red", 1), "8 things seem to lie on the table"),
        (Scene(4, tile=False, hands=(HandOnTable(0, 1.0, 1.0, (), 5),)), "A hand is over the table"),
    ],
    ids=["pieces", "hand"],
)
def test_a_table_on_which_something_lies_is_kept_as_empty_only_when_asked_for_again(
    setup: EnrolmentTable, screen: Connect, scene: Scene, line: str
) -> None:
    client, before = screen(), TableProfile.load(setup.profile).views
    for _ in range(10):
        setup.see(scene)
        watched = say(client, "teach_watch", {"what": "empty"})["result"]
    assert watched["kept"] is None
    refused = say(client, "teach_empty")["error"]
    assert refused["code"] == "doubtful"
    assert refused["message"].startswith(line)
    assert TableProfile.load(setup.profile).views == before
    assert say(client, "teach_empty", {"force": True})["result"]["known"]["empty_table"]


@pytest.mark.slow
def test_the_lens_is_measured_by_more_pictures_of_the_sheet(setup: EnrolmentTable, screen: Connect) -> None:
    client = screen()
    setup.see(sheet_scene())
    found = say(client, "teach_find_sheet")["result"]

    def watched() -> list[dict[str, Any]]:
        seen = []
        for _ in range(6):
            setup.see(sheet_scene())
            seen.append(say(client, "teach_watch", {"what": "lens", "draft": found["draft"]})["result"])
        return seen

    same = watched()
    assert "taken" not in {look["state"] for look in same}
    assert any("The sheet lies as in an earlier picture" in look["line"] for look in same)
    moved = Renderer(Look(aim=(90.0, -50.0)), {})
    setup.draws = lambda: moved
    taken = [look["draft"] for look in watched() if look["state"] == "taken"]
    assert [draft["sheet"]["findings"]["pictures"] for draft in taken] == [2]
    assert taken[0]["draft"] == found["draft"]


@pytest.mark.slow
def test_a_deck_file_is_brought_in_by_the_page_only(
    setup: EnrolmentTable, app: Flask, screen: Connect, tmp_path: Path
) -> None:
    page = app.test_client()
    file = tmp_path / "deck.zip"
    small = Deck("small deck", STANDIN.corridors[:2], (), ())
    export_profile(TableProfile(4, deck=deck_from_art(small)), file, deck_only=True)
    assert page.post("/api/teaching/deck", data=file.read_bytes()).status_code == 403
    answer = page.post("/api/teaching/deck", data=file.read_bytes(), headers=FROM_HERE)
    assert answer.get_json()["known"]["deck"]["name"] == "small deck"
    assert page.get("/api/teaching/cards/C01.png").data.startswith(b"\x89PNG")
    assert page.get("/api/teaching/cards/C99.png").status_code == 404
    refused = page.post("/api/teaching/deck", data=b"\xff\xd8 a holiday picture", headers=FROM_HERE)
    assert refused.status_code == 404
    assert "is not a profile" in refused.get_json()["error"]["message"]
    card = {"id": "C01", "kind": "corridor", "values": {"upper": ["red"], "lower": ["white"]}}
    corrected = say(screen(), "teach_correct_card", {"card": card})["result"]["known"]["deck"]["cards"]
    assert corrected[0]["id"] == "C01"
    assert corrected[0]["values"] == {
        "upper": ["red"],
        "lower": ["white"],
        "colours": [],
        "needs": [],
        "reward": [],
    }


def test_the_simulated_tables_cards_and_camera_stay_its_own(
    table: SmallTable, screen: Connect, tmp_path: Path
) -> None:
    setup = EnrolmentTable(tmp_path, little_profile())
    table.enrolment = setup.enrolment
    client = screen()
    assert "its own boards" in say(client, "teach_take_printed_boards")["error"]["message"]
    assert "its own cards" in say(client, "teach_take_standin")["error"]["message"]
    assert "its own camera" in say(client, "teach_choose_camera", {"name": "0"})["error"]["message"]
    assert say(client, "teach_lay_out", {"what": "box:purple-green-red"})["ok"]
    setup.table.close()


@pytest.mark.slow
def test_boards_are_enrolled_by_one_tap_or_from_a_picture(
    setup: EnrolmentTable, app: Flask, screen: Connect
) -> None:
    client, page = screen(), app.test_client()
    setup.see(Scene(seats=4, tile=False, boards=(BoardOnTable("red", Pose(5.0, 9.0, 12.0)),)))
    found = say(client, "teach_find_board")["result"]
    assert found["board"] == {"proposed": "red"}
    assert page.get(f"/api/teaching/{found['draft']}/board.jpg").data.startswith(b"\xff\xd8")
    kept = say(client, "teach_keep_board", {"draft": found["draft"], "colour": "red"})["result"]
    assert kept["known"]["boards"] == ["red"]
    assert page.get(f"/api/teaching/{found['draft']}/board.jpg").status_code == 404
    assert page.get("/api/teaching/boards/red.jpg").data.startswith(b"\xff\xd8")
    assert page.get("/api/teaching/boards/green.jpg").status_code == 404
    assert page.get("/api/teaching/boards/..%2f..%2fprofile.jpg").status_code == 404
    assert len(say(client, "teach_take_printed_boards")["result"]["known"]["boards"]) == 5
    assert len(say(client, "teach_forget_board", {"board": "red"})["result"]["known"]["boards"]) == 4
    draft = say(client, "teach_look")["result"]["draft"]
    nonsense = {"draft": draft, "corners": [[5, 5]] * 4, "size": [210, 148], "spots": [[9, 9]] * 15}
    spaces = {"promotion": [[1, 1], [2, 2]], "colour_change": [[3, 3], [4, 4]]}
    assert "in a line" in say(client, "teach_point_board", {**nonsense, "spaces": spaces})["error"]["message"]


@pytest.mark.slow
def test_the_question_what_pieces_really_are_goes_out_with_them(setup: EnrolmentTable, screen: Connect) -> None:
    client = screen()
    setup.see(specimens_scene("search:green", 3))
    found = say(client, "teach_find_pieces", {"kind": "token:green"})["result"]
    assert found["pieces"]["like"] == "search:green"
    assert say(client, "teach_keep", {"draft": found["draft"]})["error"]["code"] == "not_now"
    assert say(client, "teach_keep", {"draft": found["draft"], "force": True})["ok"]


@pytest.mark.slow
def test_the_box_check_names_the_way_out_where_pieces_are_known_from_a_printed_board_alone(
    setup: EnrolmentTable, screen: Connect
) -> None:
    with_pieces = enrolled_profile(("search:green",))
    replace(with_pieces, views=(), on_pattern=frozenset({"search:green"})).save(setup.profile)
    setup.see(specimens_scene("search:green", 1))
    answer = say(screen(), "teach_check_box", {"colours": ["purple", "green", "red"]})
    assert "enrolled on a printed board" in answer["error"]["message"]
    assert "count them yourselves" in answer["error"]["message"]


MALFORMED = [
    ("teach_watch", {"what": "everything"}),
    ("teach_watch", {"what": "pieces", "kind": "../.."}),
    ("teach_find_card", {"kind": "joker"}),
    ("teach_keep_card", {"draft": "d1", "card": {"id": "../x", "kind": "tile"}}),
    ("teach_keep_card", {"draft": "d1", "card": {"id": "C01", "kind": "corridor", "values": {"upper": ["gold"]}}}),
    ("teach_correct_card", {"card": {"id": "C01", "kind": "corridor", "values": {"upper": ["red"] * 9}}}),
    ("teach_correct_card", {"card": {"id": "S01", "kind": "small", "values": {"needs": [["white", "low"]]}}}),
    ("teach_forget_card", {"id": ""}),
    ("teach_check_box", {"colours": ["purple"]}),
    ("teach_check_box", {"colours": ["purple", "green", "gold"]}),
    ("teach_choose_camera", {"name": "x" * 81}),
    ("teach_turn_picture", {"quarters": 4, "mirrored": False}),
    ("teach_turn_picture", {"quarters": 1, "mirrored": "yes"}),
    ("teach_lay_out", {"what": "box:purple"}),
    ("teach_keep_board", {"draft": "d1", "colour": "gold"}),
    ("teach_forget_board", {"board": "../x"}),
    ("teach_point_board_like", {"draft": "d1", "corners": [[0, 0]] * 3, "board": "red"}),
    ("teach_point_board", {"draft": "d1", "corners": [[0, 0]] * 4, "size": [1, 148], "spots": [[0, 0]]}),
    (
        "teach_point_board",
        {
            "draft": "d1",
            "corners": [[0, 0]] * 4,
            "size": [210, 148],
            "spots": [[0, 0]] * 16,
            "spaces": {"promotion": [[0, 0], [1, 1]], "colour_change": [[0, 0], [1, 1]]},
        },
    ),
]


def test_malformed_steps_are_refused(screen: Connect, subtests: pytest.Subtests) -> None:
    for event, payload in MALFORMED:
        with subtests.test(f"{event!r:.60} {payload!r:.60}"):
            assert say(screen(), event, payload)["error"]["code"] == "bad_request"
