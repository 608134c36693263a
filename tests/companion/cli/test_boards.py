from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.wicked.standin_boards import standin_boards
from calibration.profile import TableProfile
from companion.cli import main
from tests.vision.boards import enrolled
from tests.vision.boards.scenes import HANDFUL, alone, at_seat


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile that knows boards and tokens; a picture of the table and one taken by hand."""
    folder = tmp_path_factory.mktemp("boards")
    enrolled.profile().save(folder / "home")
    cv2.imwrite(str(folder / "table.png"), enrolled.room().photograph(at_seat(0)))
    cv2.imwrite(str(folder / "hand.png"), enrolled.room().by_hand(alone(), HANDFUL))
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    return TableProfile(4).save(tmp_path / "bare")


def test_read_board_prints_one_json_object_a_picture(folder: Path) -> None:
    result = run("read", "board", "--profile", folder / "home", folder / "table.png", folder / "hand.png", "--json")
    assert result.exit_code == 0
    table, hand = (json.loads(line) for line in result.output.splitlines())
    (board,) = table["boards"]
    assert (table["image"], board["seat"], board["board"]) == ("table.png", 0, "purple")
    assert board["low"] == {"red": 2, "green": 0, "blue": 1, "yellow": 0}
    assert board["middle"] == {"red": 0, "green": 1, "blue": 0, "yellow": 0}
    assert board["high"] == {"red": 0, "green": 0, "blue": 1, "yellow": 1}
    assert board["spells"] == {"promotion": 2, "colour_change": 1}
    assert sorted((card["card"], card["achieved"]) for card in board["great"]) == [("G02", True), ("G10", False)]
    assert (board["small"]["achieved"], board["impurity"], board["doubtful"]) == (1, 4, False)
    assert board["confidence"] > 0.9
    assert len(board["box"]) == 4
    assert table["milliseconds"] > 0
    assert (hand["boards"][0]["seat"], hand["boards"][0]["low"]) == (None, board["low"])


def test_read_board_prints_each_part_of_a_board_whole(folder: Path) -> None:
    shutil.copy(folder / "table.png", folder / "table[left].png")
    result = run("read", "board", "--profile", folder / "home", folder / "table[left].png")
    assert result.exit_code == 0
    title, _, *lines = (line.split() for line in result.output.splitlines())
    assert title[0] == "table[left].png,"
    assert lines[:7] == [
        ["0", "purple", "low", "2", "red", "1", "blue"],
        ["middle", "1", "green"],
        ["high", "1", "blue", "1", "yellow"],
        ["spells", "2+1"],
        ["great", "1", "of", "2"],
        ["small", "1"],
        ["impurity", "4"],
    ]
    assert lines[7][0] == "sure"


@pytest.mark.slow
def test_the_same_board_in_two_pictures_is_said(folder: Path) -> None:
    result = run("read", "board", "-p", folder / "home", folder / "hand.png", folder / "hand.png")
    assert result.exit_code == 0
    assert "the board purple of hand.png again" in result.output


def test_a_picture_without_a_board_says_so(folder: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "brown.png"), np.full((300, 400, 3), (90, 120, 150), np.uint8))
    result = run("read", "board", "-p", folder / "home", tmp_path / "brown.png")
    assert (result.exit_code, "No enrolled board was found" in result.output) == (0, True)


@pytest.mark.parametrize(("picture", "why"), [("none.png", "no file"), ("table.png", "enrol board")])
def test_what_cannot_be_used_ends_with_3_and_one_line(folder: Path, bare: Path, picture: str, why: str) -> None:
    profile = folder / "home" if picture == "none.png" else bare
    result = run("read", "board", "-p", profile, folder / picture)
    assert result.exit_code == 3
    assert why in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.slow
def test_boards_are_learned_as_drawn_or_from_a_picture(bare: Path, tmp_path: Path) -> None:
    assert "5 boards are enrolled" in run("enrol", "board", "-p", bare, "--drawn").output
    picture = next(board for board in standin_boards() if board.id == "red").picture
    framed = cv2.copyMakeBorder(picture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90, 110, 120))
    cv2.imwrite(str(tmp_path / "red.png"), cv2.GaussianBlur(framed, (0, 0), 1.0))
    result = run("enrol", "board", "-p", bare, tmp_path / "red.png")
    assert "red: enrolled" in result.output
    result = run("enrol", "board", "-p", bare, "--id", "mine", tmp_path / "red.png")
    assert list(TableProfile.load(bare).personal_boards)[-1] == "mine"


def test_another_board_is_pointed_out(bare: Path, tmp_path: Path) -> None:
    cv2.imwrite(
        str(tmp_path / "mine.png"), np.random.default_rng(1).integers(0, 255, (400, 600, 3)).astype(np.uint8)
    )
    spots = {
        "low": [[40 + 40 * k, 330] for k in range(6)],
        "middle": [[40 + 40 * k, 220] for k in range(5)],
        "high": [[40 + 40 * k, 110] for k in range(4)],
        "promotion": [400, 150, 100, 80],
        "colour_change": [400, 250, 100, 80],
        "spot_mm": 12.0,
    }
    (tmp_path / "spots.json").write_text(json.dumps(spots))
    corners = [word for corner in ("10,10", "590,10", "590,390", "10,390") for word in ("--corners", corner)]

    def enrol() -> Result:
        return run(
            "enrol",
            "board",
            "-p",
            bare,
            "--id",
            "mine",
            *corners,
            "--spots",
            tmp_path / "spots.json",
            tmp_path / "mine.png",
        )

    result = enrol()
    assert result.exit_code == 0, result.output
    assert len(TableProfile.load(bare).personal_boards["mine"].layout.rows["low"]) == 6
    spots["low"] = spots["middle"]
    (tmp_path / "spots.json").write_text(json.dumps(spots))
    result = enrol()
    assert (result.exit_code, len(result.output.splitlines())) == (3, 1)


BAD_USAGE = [
    (),
    ("--drawn", "a.png"),
    ("--spots", "s.json", "a.png"),
    ("--id", "../x", "a.png"),
    ("--size", "9", "a.png"),
    ("--size", "210x148", "a.png"),
    ("--size", "210x148", "--drawn"),
]


def test_bad_usage_ends_with_2(bare: Path, subtests: pytest.Subtests) -> None:
    for words in BAD_USAGE:
        with subtests.test(f"{words!r:.60}"):
            assert run("enrol", "board", "-p", bare, *words).exit_code == 2
