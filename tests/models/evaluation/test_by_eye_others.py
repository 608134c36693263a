"""How well an eye reads hands over tables that others drew, beside the companion."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.evaluation import sets
from models.evaluation.by_eye_others import ANSWERS, COLUMNS, RESULTS, main
from models.evaluation.evenings import Evening
from vision.boxes import centre


def _list(path: Path, *rows: tuple[object, ...]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(COLUMNS)
        written.writerows(rows)
    return path


def _read(path: Path) -> Path:
    few = {
        "seat": 1,
        "seen": {"search:red": 2},
        "is": {"search:red": 3},
        "read": {"search:red": 1},
        "state": "open",
    }
    many = {"seat": 2, "seen": {"sign:soul": 1}, "is": {"search:red": 4, "sign:soul": 1}, "read": {"sign:soul": 1}}
    rows = [{"picture": "felt/001", "hands": [few, many | {"state": "open"}]},
            {"picture": "felt/002", "hands": [many | {"state": "closed"}]}]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_all_open_hands_over_others_tables_are_drawn_beside_a_list(tmp_path: Path) -> None:
    Evening(3).write(tmp_path / "table-reveals" / "made", [0])
    sheets = tmp_path / "sheets"
    told = CliRunner().invoke(main, ["sheets", str(tmp_path), str(sheets)])
    assert told.exit_code == 0, told.output
    truth = json.loads((tmp_path / "table-reveals" / "made" / "truth.json").read_bytes())
    scenes = [(f"made/{name}", scene["hands"]) for name, scene in truth["scenes"].items()]
    hands = {(name, hand["seat"]) for name, shown in scenes for hand in shown if hand["state"] == "open"}
    with (sheets / ANSWERS.name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["picture"], int(row["seat"])) for row in rows} == hands
    assert len(rows) == len(hands) > 1
    assert {row["search"] for row in rows} == {""}
    (shot,) = sets.load(tmp_path / "table-reveals" / "made").shots
    image, sheet = (cv2.imread(str(path)) for path in (shot.path, sheets / "sheet-001.png"))
    boxes = {hand.seat: hand.box for hand in shot.hands}
    side = sheet.shape[1] // 4
    for number, row in enumerate(rows):
        x, y = map(int, centre(boxes[int(row["seat"])]))
        left, top = number % 4 * side, number // 4 * sheet.shape[0] // 2
        middle = sheet[top + side // 2 - 8 : top + side // 2 + 8, left + side // 2 - 8 : left + side // 2 + 8]
        here = image[y - 2 : y + 3, x - 2 : x + 3]
        assert np.abs(middle.mean(axis=(0, 1)) - here.mean(axis=(0, 1))).max() < 20
        assert sheet[top + side + 20 :, left : left + side].std() > 20  # what was taught stands below it


def test_a_folder_without_others_tables_is_refused_in_one_line(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["sheets", str(tmp_path), str(tmp_path / "sheets")])
    assert told.exit_code == 1
    assert told.output == f"Error: There is no table-reveals in {tmp_path}.\n"


def test_a_table_whose_truth_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    table = tmp_path / "table-reveals" / "felt"
    table.mkdir(parents=True)
    (table / "truth.json").write_text('{"scenes": {"1": ', "utf-8")
    told = CliRunner().invoke(main, ["sheets", str(tmp_path), str(tmp_path / "sheets")])
    assert told.exit_code == 1
    assert told.output == f"Error: {table / 'truth.json'} cannot be read: check the path of the pictures.\n"
    assert not (tmp_path / "sheets").exists()


def test_a_picture_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "table-reveals" / "made"
    Evening(3).write(folder, [0])
    (folder / "scenes" / "0.jpg").write_bytes(b"no picture")
    told = CliRunner().invoke(main, ["sheets", str(tmp_path), str(tmp_path / "sheets")])
    assert told.exit_code == 1
    assert told.output.startswith("Error: 0.jpg ")
    assert len(told.output.splitlines()) == 1


def test_answers_are_judged_beside_what_was_read_in_play(tmp_path: Path) -> None:
    answers = _list(tmp_path / "list.csv", (1, "felt/001", 1, 3, 0, 0), (2, "felt/001", 2, 2, 0, 1),
                    (3, "felt/002", 2, 0, 0, 0))  # fmt: skip
    results = tmp_path / "results.json"
    told = CliRunner().invoke(
        main, ["judge", str(answers), "--read", str(_read(tmp_path / "r.jsonl")), "--results", str(results)]
    )
    assert told.exit_code == 0, told.output
    rows = json.loads(results.read_text("utf-8"))
    assert rows["up to 3 pieces"] == {"hands": 1, "eye": 1, "companion": 0, "either": 1}
    assert rows["4 and more"] == {"hands": 2, "eye": 1, "companion": 1, "either": 1}


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ((1, "felt/009", 1, 3, 0, 0), "Error: A hand of the list is not there"),
        ((7, "felt/001", 1, "", 0, 0), "Error: Number 7 is not filled in with whole numbers."),
    ],
)
def test_what_cannot_be_judged_is_refused_in_one_line(tmp_path: Path, row: tuple[object, ...], line: str) -> None:
    answers = _list(tmp_path / "list.csv", row)
    arguments = ["--read", str(_read(tmp_path / "r.jsonl")), "--results", str(tmp_path / "results.json")]
    told = CliRunner().invoke(main, ["judge", str(answers), *arguments])
    assert told.exit_code == 1
    assert told.output.startswith(line)
    assert len(told.output.splitlines()) == 1
    assert not (tmp_path / "results.json").exists()


def test_what_was_read_by_eye_is_judged_as_it_is_written_down(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    told = CliRunner().invoke(main, ["judge", "--results", str(results)])
    assert told.exit_code == 0, told.output
    assert json.loads(results.read_text("utf-8")) == json.loads(RESULTS.read_text("utf-8"))
    with ANSWERS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["picture"], row["seat"]) for row in rows}) == len(rows)
