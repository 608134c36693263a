from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.wicked.art import BOARD_SPOTS
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.cli import main
from companion.games.wicked.scoring.final_scores import FinalScore
from tests.companion.cli.laid import PURPLE, SEATS, TABLE, scene, truth
from tests.vision.boards import enrolled
from tests.vision.boards.enrolled import FIFTH, Room
from vision.cameras.simulated.scene import PieceOnTable
from vision.games.wicked.simulated_layout import seat_place


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile, a picture of the whole table and one of each board with what lies beside it."""
    folder = tmp_path_factory.mktemp("scored")
    enrolled.profile().save(folder / "home")
    cv2.imwrite(str(folder / "table.png"), enrolled.room().photograph(scene(TABLE)))
    for seat, one in enumerate(TABLE):
        place = seat_place(SEATS, seat)
        cards = [*place.great, *place.small]
        aim = replace(
            place.board,
            x=(place.board.x + sum(card.x for card in cards) / 4) / 2,
            y=(place.board.y + sum(card.y for card in cards) / 4) / 2,
        )
        image = enrolled.room().by_hand(scene([one]), aim, width=560.0)
        cv2.imwrite(str(folder / f"{one.colour}.png"), image)
    violet = PieceOnTable(FIFTH, offset_pose(seat_place(SEATS, 0).board, *BOARD_SPOTS.middle[3]))
    cv2.imwrite(str(folder / "violet.png"), enrolled.room().photograph(scene(TABLE, (violet,))))
    cv2.imwrite(str(folder / "brown.png"), np.full((300, 400, 3), (90, 120, 150), np.uint8))
    return folder


def scored(folder: Path, *pictures: str, seats: int = SEATS) -> dict[str, Any]:
    result = run("-p", folder / "home", "--seats", str(seats), "--json", *(folder / name for name in pictures))
    assert result.exit_code == 0, result.output
    (line,) = result.output.splitlines()
    value: dict[str, Any] = json.loads(line)
    return value


PHONE = ("red.png", "black.png", "purple.png")


@pytest.mark.parametrize("pictures", [("table.png",), PHONE])
def test_pictures_score_as_the_engine_does(folder: Path, pictures: Sequence[str]) -> None:
    value = scored(folder, *pictures)
    expected = truth(TABLE)
    boards = {board["board"]: board for board in value["boards"]}
    assert value["doubts"] == []
    assert [board["reasons"] for board in boards.values()] == [[], [], []]
    assert boards.keys() == expected.keys()
    names = [name for name in FinalScore.__dataclass_fields__ if name != "player"]
    for colour, score in expected.items():
        assert [boards[colour][name] for name in names] == [getattr(score, name) for name in names]
    assert (value["sure"], value["winners"]) == (True, ["purple"])
    assert str(value["verdict"]).startswith(f"purple wins with {expected['purple'].total} points.")


def test_the_table_is_printed_line_by_line(folder: Path) -> None:
    result = run("-p", folder / "home", "--seats", "3", folder / "table.png")
    assert result.exit_code == 0
    heading, *lines = result.output.splitlines()
    assert heading.split() == ["1.", "purple", "2.", "black", "3.", "red"]
    rows = {line.split("  ")[0]: " ".join(line.split()) for line in lines}
    purple, black, red = (truth(TABLE)[colour] for colour in ("purple", "black", "red"))
    assert rows["high"] == "high 4 × 5 = 20 3 × 5 = 15 1 × 5 = 5"
    assert rows["great"] == "great 1 × 5 = 5 0 0"
    assert rows["impurity"] == "impurity -4 0 -1"
    assert rows["given back"] == "given back +2 0 0"
    assert rows["points"] == f"points {purple.total} {black.total} {red.total}"
    behind, far_behind = purple.total - black.total, black.total - red.total
    assert rows["behind by"] == f"behind by - {behind} points {far_behind} points"
    assert lines[-1].startswith("purple wins with ")


@pytest.mark.slow
def test_a_doubtful_board_leaves_nobody_the_winner(folder: Path) -> None:
    value = scored(folder, "violet.png")
    assert (value["sure"], value["winners"], value["ahead"]) == (False, [], ["purple"])
    doubtful = {board["board"]: board["reasons"] for board in value["boards"] if board["doubtful"]}
    assert list(doubtful) == ["purple"]
    assert str(value["verdict"]).startswith("The winner is not certain: as read, purple leads")
    assert str(value["verdict"]).endswith("Check: purple.")
    shown = run("-p", folder / "home", "--seats", "3", folder / "violet.png").output
    assert f"purple: {doubtful['purple'][0]}" in shown.splitlines()
    assert " wins with " not in shown


@pytest.mark.slow
def test_the_same_board_twice_counts_once_and_is_said(folder: Path) -> None:
    value = scored(folder, *PHONE, "red.png")
    totals = {board["board"]: board["total"] for board in value["boards"]}
    assert totals == {colour: score.total for colour, score in truth(TABLE).items()}
    assert (value["sure"], value["winners"]) == (False, [])
    (red,) = [board for board in value["boards"] if board["doubtful"]]
    assert red["board"] == "red"
    assert "counts once" in red["reasons"][0]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_boards_that_are_not_seen_leave_nobody_the_winner(folder: Path, seats: int) -> None:
    value = scored(folder, "purple.png", "black.png", seats=seats)
    assert (value["sure"], value["winners"], value["ahead"]) == (False, [], ["purple"])
    assert f"2 boards are read, but {seats} play" in str(value["doubts"])


@pytest.mark.parametrize(
    ("pictures", "why"),
    [
        (("brown.png",), "brown.png: No enrolled board was found"),
        (("purple.png", "brown.png"), "brown.png: No enrolled board was found"),
        (("purple.png", "none.png"), "no file"),
    ],
)
def test_pictures_that_cannot_be_used_end_with_3_and_one_line(
    folder: Path, pictures: Sequence[str], why: str
) -> None:
    result = run("-p", folder / "home", *(folder / name for name in pictures))
    assert (result.exit_code, len(result.output.splitlines())) == (3, 1)
    assert why in result.output


@pytest.mark.slow
def test_a_foreign_board_ends_with_3(folder: Path) -> None:
    print_ = np.kron(np.random.default_rng(4).integers(40, 220, (15, 21, 3)), np.ones((30, 30, 1)))
    stranger = Room()
    stranger.faces = {
        **enrolled.room().faces,
        "board:purple": np.dstack([print_, np.full(print_.shape[:2], 255)]).astype(np.uint8),
    }
    cv2.imwrite(
        str(folder / "foreign.png"), stranger.by_hand(scene([PURPLE]), seat_place(SEATS, 0).board, width=400.0)
    )
    result = run("-p", folder / "home", folder / "purple.png", folder / "foreign.png")
    assert (result.exit_code, "foreign.png: No enrolled board" in result.output) == (3, True)


def test_a_great_oracle_of_one_colour_ends_with_3(folder: Path, tmp_path: Path) -> None:
    profile = enrolled.profile()
    assert profile.deck is not None
    card = profile.deck.cards["G02"]
    odd = replace(card, values={**card.values, "colours": ("red",)})
    odd_profile = replace(profile, deck=profile.deck.with_cards([odd])).save(tmp_path / "odd")
    result = run("-p", odd_profile, folder / "purple.png")
    assert (result.exit_code, len(result.output.splitlines())) == (3, 1)
    assert "G02" in result.output


def test_a_profile_without_boards_ends_with_3_and_one_line(folder: Path, tmp_path: Path) -> None:
    bare = TableProfile(4).save(tmp_path / "bare")
    result = run("-p", bare, folder / "purple.png")
    assert (result.exit_code, len(result.output.splitlines())) == (3, 1)
    assert "enrol board" in result.output


@pytest.mark.parametrize("words", [("--seats", "6", "a.png"), ()])
def test_bad_usage_ends_with_2(tmp_path: Path, words: Sequence[str]) -> None:
    assert run("-p", tmp_path, *words).exit_code == 2
