"""How well an eye reads hands, beside the companion."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from models.evaluation import by_eye
from models.evaluation.by_eye import ANSWERS, COLUMNS, RESULTS, ROWS, main, numbers, right, sheet, summary
from models.evaluation.evenings import SCENES, Evening

SEED = 40


def test_search_pieces_of_any_colour_count_alike() -> None:
    assert numbers({"search:red": 2, "sign:soul": 1}) == (2, 0, 1)
    assert numbers({"search:green": 2, "sign:witch": 1}) == (2, 1, 0)


@pytest.mark.parametrize(
    ("told", "is_right"),
    [
        ((2, 0, 1), True),
        ((3, 0, 1), True),
        ((4, 0, 1), False),
        ((1, 0, 1), False),
        ((2, 1, 1), False),
        ((2, 0, 0), False),
    ],
)
def test_what_is_hardly_in_sight_may_be_told_or_not(told: by_eye.Numbers, is_right: bool) -> None:
    assert right(told, {"search:red": 2, "sign:soul": 1}, {"search:red": 3, "sign:soul": 1}) is is_right


def test_hands_are_summed_up_by_how_many_pieces_there_are() -> None:
    rows = summary([(1, True, True), (3, False, True), (4, True, False), (8, False, False)])
    assert rows == {
        ROWS[0]: {"hands": 2, "eye": 1, "companion": 2, "either": 2},
        ROWS[1]: {"hands": 2, "eye": 1, "companion": 0, "either": 1},
        ROWS[2]: {"hands": 4, "eye": 2, "companion": 2, "either": 3},
    }


def test_a_sheet_is_filled_up_with_nothing() -> None:
    cells = [np.full((60, 50, 3), 200, np.uint8) for _ in range(5)]
    laid = sheet(cells, 1)
    assert laid.shape == (120, 200, 3)
    assert laid[:60].min(axis=(0, 2)).max() == 200  # the first four are there
    assert not laid[60:, 50:].any()


def test_hands_are_drawn_and_the_answers_to_them_judged(tmp_path: Path) -> None:
    drawn, evening = by_eye.drawn(SEED), Evening(SEED)
    hands = [(scene, hand) for scene in range(SCENES - 1) for hand in evening.moment(scene).scene.hands]
    truth = {(scene, hand.seat): Counter(hand.pieces) for scene, hand in hands if hand.openness == 1.0}
    assert len({(scene, seat) for scene, seat, _ in drawn} & set(truth)) == len(drawn) == 3
    answers, results = tmp_path / "list.csv", tmp_path / "results.json"
    with answers.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for number, (scene, seat, _) in enumerate(drawn):
            searches, *signs = numbers(truth[scene, seat])
            # One of the answers is wrong.
            rows.writerow([number + 1, SEED, scene, seat, searches + 2 * (number == 1), *signs])
    told = CliRunner().invoke(main, ["judge", str(answers), "--results", str(results)])
    assert told.exit_code == 0, told.output
    assert json.loads(results.read_text("utf-8"))["all"]["eye"] == 2
    assert "66.7 % (2/3)" in told.output


def test_a_list_that_is_not_filled_in_is_refused_in_one_line(tmp_path: Path) -> None:
    answers = tmp_path / "list.csv"
    answers.write_text(",".join(COLUMNS) + "\n7,40,0,1,,,\n", "utf-8")
    told = CliRunner().invoke(main, ["judge", str(answers), "--results", str(tmp_path / "r.json")])
    assert told.exit_code == 1
    assert told.output == "Error: Number 7 is not filled in with whole numbers.\n"


def test_a_hand_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    answers = tmp_path / "list.csv"
    answers.write_text(",".join(COLUMNS) + f"\n1,{SEED},{SCENES - 1},0,2,0,0\n", "utf-8")
    told = CliRunner().invoke(main, ["judge", str(answers), "--results", str(tmp_path / "r.json")])
    assert told.exit_code == 1
    assert told.output.splitlines()[-1].startswith("Error: A hand of the list is not there")
    assert not (tmp_path / "r.json").exists()


def test_what_was_read_by_eye_is_kept_and_was_judged() -> None:
    with ANSWERS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["evening"], row["scene"], row["seat"]) for row in rows}) == len(rows)
    assert json.loads(RESULTS.read_text("utf-8"))["all"]["hands"] == len(rows)
