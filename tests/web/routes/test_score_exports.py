"""The scores to take home, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import random

import pytest
from flask import Flask

from companion.games.wicked.bots.random_moves import random_move
from companion.table.running_game import RunningGame
from companion.table.views import SeatView
from tests.web.conftest import SEATS
from tests.web.small_table import SmallTable
from web.routes.score_exports import file_name, game_scores, scores_csv


def play_to_the_end(table: SmallTable, first: str = SEATS[0].name) -> RunningGame:
    table.start_game((SeatView(first, SEATS[0].figure), *SEATS[1:]))
    rng = random.Random(2)
    while table.states[-1].phase != "over":
        table.play(random_move(table.states[-1], rng), len(table.states))
    game = table.view.game
    assert game is not None
    return game


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_scores_are_downloaded_as_json_with_all_their_lines(app: Flask, table: SmallTable) -> None:
    game = play_to_the_end(table)
    answer = app.test_client().get("/api/scores.json")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="wicked-labyrinth-')
    assert answer.mimetype == "application/json"
    assert answer.json is not None
    assert answer.json["over"] is True
    assert [one["score"]["total"] for one in answer.json["players"]] == [score.total for score in game.scores]
    assert [one["figure"] for one in answer.json["players"]] == ["wolf", "rabbit", "eagle", "cat"]


def test_nothing_hidden_goes_into_a_download(app: Flask, table: SmallTable) -> None:
    table.start_game(SEATS)
    state = table.states[-1]
    assert state.pile
    for ending in ("json", "csv"):
        text = app.test_client().get(f"/api/scores.{ending}").get_data(as_text=True)
        assert not [card for card in state.pile if card in text]


def test_scores_are_a_table_for_spreadsheets_with_the_best_first(app: Flask, table: SmallTable) -> None:
    game = play_to_the_end(table)
    answer = app.test_client().get("/api/scores.csv")
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith("\ufeff".encode())
    rows = read(answer.data.decode("utf-8-sig"))
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    totals = {row["player"]: int(row["total"]) for row in rows}
    assert totals == {seat.name: score.total for seat, score in zip(game.seats, game.scores, strict=True)}


def test_points_stand_round_by_round_in_the_table(table: SmallTable) -> None:
    table.start_game(SEATS)
    assert table.view.game is not None
    assert [name for name in read(scores_csv(game_scores(table.view.game)))[0] if name.startswith("round")] == [
        "round 1"
    ]
    rows = read(scores_csv(game_scores(play_to_the_end(table))))
    assert [name for name in rows[0] if name.startswith("round")] == [f"round {n}" for n in range(1, 5)]
    assert [int(row["round 4"]) for row in rows] == [int(row["total"]) for row in rows]


FORMULAS = ["=1+1", "+4", "-2", "@SUM(A1)", " =1", "＝1", '=HYPERLINK("x")']


def test_no_name_is_taken_for_a_formula(table: SmallTable, subtests: pytest.Subtests) -> None:
    for name in FORMULAS:
        with subtests.test(f"{name!r:.60}"):
            game = play_to_the_end(table, name)
            cells = [row["player"] for row in read(scores_csv(game_scores(game)))]
            assert f"'{name}" in cells
            assert name not in cells


def test_an_ordinary_name_stays_as_it_is(table: SmallTable) -> None:
    game = play_to_the_end(table, 'Zoë "Z", Jr')
    assert 'Zoë "Z", Jr' in [row["player"] for row in read(scores_csv(game_scores(game)))]


def test_a_file_is_named_after_the_day_of_the_game() -> None:
    assert file_name("The Wicked Labyrinth", "20261121-183000-1", "csv") == "wicked-labyrinth-2026-11-21.csv"


def test_without_a_game_there_are_no_scores(app: Flask) -> None:
    answer = app.test_client().get("/api/scores.csv")
    assert answer.status_code == 404
    assert answer.json == {"error": {"code": "not_now", "message": "No game is running, so there are no scores."}}


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_download_changes_nothing(app: Flask, method: str) -> None:
    assert getattr(app.test_client(), method)("/api/scores.json").status_code in (403, 405)
