"""Orders of path-traced mazes, and their ground truth once they are rendered."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from models.path_tracing.maze_jobs import (
    FIRST_CROWD_SEED,
    FIRST_SEED,
    CrowdTruth,
    rendered_mazes,
    write_boards,
    write_crowds,
)
from vision.games.master.readings import FIXED, LOOSE_TILES, NUMBERS, STARTS


def test_orders_hold_legal_positions_and_every_face(tmp_path: Path) -> None:
    write_boards(tmp_path, 2)
    jobs = json.loads((tmp_path / "specs.json").read_text("utf-8"))
    boards = [one for one in jobs if one["kind"] == "board"]
    assert [one["seed"] for one in boards] == [FIRST_SEED, FIRST_SEED + 1]
    for job in jobs:
        assert cv2.imread(str(tmp_path / job["ground"])) is not None
        for number, _ in job["tokens"]:
            assert (tmp_path / "faces" / f"{job['print']}-{number}.png").exists()
    for board in boards:
        loose = [board["tiles"][place] for place in range(49) if place not in FIXED] + [board["spare"]]
        assert sorted(map(len, loose)) == sorted(len(tile) for tile, n in LOOSE_TILES.items() for _ in range(n))
        assert {number for number, _ in board["tokens"]} | set(board["taken"]) == set(NUMBERS)


def test_a_rendered_board_is_paired_with_its_order(tmp_path: Path) -> None:
    write_boards(tmp_path, 2)
    corners = [[10.0, 10.0], [80.0, 10.0], [80.0, 80.0], [10.0, 80.0]]
    lines = [
        {"seed": FIRST_SEED, "corners": corners, "spare_box": None, "tilt": 5.0, "exposure": 1.0},
        {
            "seed": FIRST_SEED + 1,
            "corners": corners,
            "spare_box": [90.0, 1.0, 9.0, 9.0],
            "tilt": 5.0,
            "exposure": 0.5,
        },
    ]
    (tmp_path / "truth-0.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = rendered_mazes(tmp_path)
    assert sorted(found) == [FIRST_SEED, FIRST_SEED + 1]
    hidden, shown, job = found[FIRST_SEED].truth, found[FIRST_SEED + 1].truth, found[FIRST_SEED + 1].job
    assert found[FIRST_SEED + 1].exposure == 0.5
    assert hidden.spare == ""
    assert hidden.spare_box is None
    assert shown.spare == job.spare
    assert shown.spare_box == (90.0, 1.0, 9.0, 9.0)
    assert shown.tiles == tuple(job.tiles)
    assert dict(shown.tokens) == dict(job.tokens)


def test_crowds_have_seeds_of_their_own_and_each_colour_once_on_a_place(tmp_path: Path) -> None:
    write_crowds(tmp_path, 6)
    jobs = json.loads((tmp_path / "specs.json").read_text("utf-8"))
    assert [one["seed"] for one in jobs] == list(range(FIRST_CROWD_SEED, FIRST_CROWD_SEED + 6))
    for job in jobs:
        standing = [tuple(one) for one in job["wizards"]]
        places = [place for _, place in standing]
        assert 1 <= len(set(standing)) == len(standing) <= 8
        assert max(map(places.count, places)) <= 2
        assert sorted(place for _, place in job["starts"]) == sorted(STARTS.values())
        assert len({place for _, place in job["tokens"]}) == len(job["tokens"])


def test_a_rendered_crowd_has_a_truth_of_its_own(tmp_path: Path) -> None:
    write_crowds(tmp_path, 1)
    visible = {"discs": [1.0], "wizards": [0.5, 0.0], "rings": [1.0, 1.0, 1.0, 0.25]}
    line = {
        "seed": FIRST_CROWD_SEED,
        "corners": [[10.0, 10.0], [80.0, 10.0], [80.0, 80.0], [10.0, 80.0]],
        "spare_box": None,
        "tilt": 5.0,
        "exposure": 1.0,
        "camera": [3.5, 4.0, 20.0],
        "visible": visible,
    }
    (tmp_path / "truth-0.jsonl").write_text(json.dumps(line), "utf-8")
    crowd = rendered_mazes(tmp_path)[FIRST_CROWD_SEED].crowd
    assert crowd == CrowdTruth((3.5, 4.0, 20.0), (1.0,), (0.5, 0.0), (1.0, 1.0, 1.0, 0.25))
