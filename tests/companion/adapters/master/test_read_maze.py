"""`companion read maze`: JSON as in the design, a text for people, and one line for what cannot be read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from models.evaluation.maze.synthetic_pictures import picture
from models.evaluation.maze.truth import MazeTruth


@pytest.fixture(scope="module")
def shot(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, MazeTruth]:
    image, truth = picture(9101, "hedge", tilt=20, tokens="standin")
    path = tmp_path_factory.mktemp("maze") / "board.png"
    cv2.imwrite(str(path), image)
    return path, truth


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["read", "maze", *arguments])


def test_the_json_has_seven_rows_of_seven_tiles_and_everything_of_the_design(shot: tuple[Path, MazeTruth]) -> None:
    result = _run(str(shot[0]), "--json")
    assert result.exit_code == 0, result.output
    value = json.loads(result.output)
    assert value["image"] == "board.png"
    assert value["state"] == "board"
    assert [len(row) for row in value["tiles"]] == [7] * 7
    assert set(value["tiles"][1][1]) == {"openings", "confidence", "doubtful"}
    assert set(value["spare"]) == {"openings", "confidence", "doubtful", "box"}
    assert np.array(value["corners"]).shape == (4, 2)
    assert {"oriented", "tokens", "wizards", "confidence", "milliseconds"} <= set(value)


def test_a_person_gets_the_maze_as_text(shot: tuple[Path, MazeTruth], tmp_path: Path) -> None:
    shutil.copy(shot[0], tmp_path / "board [@click=x].png")
    lines = _run(str(tmp_path / "board [@click=x].png")).output.splitlines()
    assert lines[0].startswith("board [@click=x].png, ")
    assert lines[0].endswith("board")
    assert [len(line.split()) for line in lines[1:8]] == [7] * 7
    assert lines[8].startswith("spare: ")


def test_pictures_come_out_in_order_and_one_without_a_board_has_its_reason(
    shot: tuple[Path, MazeTruth], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((480, 640, 3), 120, np.uint8))
    values = [json.loads(line) for line in _run(str(empty), str(shot[0]), "--json").output.splitlines()]
    assert [value["image"] for value in values] == ["empty.png", "board.png"]
    assert values[0]["state"] == "no_board"
    assert values[0]["tiles"] == []
    assert values[0]["spare"] is None
    assert values[0]["reason"].startswith("No whole board is in the picture")


def test_a_file_that_is_no_picture_is_one_line_and_exit_code_3(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"nothing")
    result = _run(str(broken), "--json")
    assert result.exit_code == 3
    assert "broken.jpg" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_tokens_of_a_print_that_is_not_enrolled_are_doubtful_and_the_reason_says_how_to_enrol_them(
    tmp_path: Path,
) -> None:
    image, truth = picture(9101, "hedge", tilt=20, tokens="ornate")
    cv2.imwrite(str(tmp_path / "board.png"), image)
    value = json.loads(_run(str(tmp_path / "board.png"), "--json").output)
    assert value["state"] == "board"
    assert "companion enrol tokens" in value["reason"]
    assert len(value["tokens"]) > len(truth.tokens) / 2
    assert all(token["doubtful"] for token in value["tokens"])


def test_a_missing_profile_is_named_with_what_helps(shot: tuple[Path, MazeTruth], tmp_path: Path) -> None:
    result = _run("--profile", str(tmp_path / "nosuch"), str(shot[0]))
    assert result.exit_code == 3
    assert "leave out --profile" in result.output
