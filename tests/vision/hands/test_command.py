from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from models.synthetic_hand_reveals import SyntheticTable
from vision.cameras.simulated.scene import HandOnTable, Scene


@pytest.fixture(scope="module")
def folder(table: SyntheticTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile, a picture with two hands, and one of the bare table."""
    folder = tmp_path_factory.mktemp("reveal")
    table.profile.save(folder / "profile")
    hands = (
        HandOnTable(0, 1.0, 1.0, ("search:purple", "search:purple"), 3),
        HandOnTable(2, 1.0, 0.0, (), 4),
    )
    cv2.imwrite(str(folder / "hands.png"), table.renderer.render(Scene(4, tile=False, hands=hands), 1))
    cv2.imwrite(str(folder / "bare.png"), table.renderer.render(Scene(4, tile=False), 2))
    (folder / "broken.jpg").write_bytes(b"no picture at all")
    return folder


def reveal(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["read", "reveal", "--profile", str(folder / "profile"), *arguments])


def test_json_is_one_object_a_picture_in_the_agreed_form(folder: Path) -> None:
    result = reveal(folder, str(folder / "hands.png"), str(folder / "bare.png"), "--json")
    assert result.exit_code == 0
    hands, bare = (json.loads(line) for line in result.stdout.splitlines())
    assert (hands["image"], bare["image"]) == ("hands.png", "bare.png")
    assert bare["hands"] == []
    assert bare["milliseconds"] > 0
    first, second = hands["hands"]
    assert (first["seat"], first["state"], first["counts"]) == (0, "open", {"search:purple": 2})
    assert (second["seat"], second["state"], second["counts"]) == (2, "closed", {})
    assert set(first) == {"seat", "state", "counts", "confidence", "doubtful", "box", "alternatives", "pieces"}
    assert len(first["box"]) == 4
    assert [set(piece) for piece in first["pieces"]] == [{"kind", "box", "confidence"}] * 2
    assert all(set(other) == {"counts", "confidence"} for other in first["alternatives"])


def test_without_json_people_get_a_short_table(folder: Path) -> None:
    shutil.copy(folder / "hands.png", folder / "hands [left].png")
    result = reveal(folder, str(folder / "hands [left].png"))
    assert result.exit_code == 0
    assert result.stdout.startswith("hands [left].png, ")
    assert "2 purple" in result.stdout
    assert "closed" in result.stdout


def test_seats_can_be_named(folder: Path) -> None:
    result = reveal(folder, str(folder / "hands.png"), "--seats", "2", "--json")
    assert [hand["seat"] for hand in json.loads(result.stdout)["hands"]] == [0, 1]


def test_where_people_sit_can_be_said(folder: Path) -> None:
    result = reveal(folder, str(folder / "hands.png"), "--seat-angles", "80,185,355", "--json")
    assert [hand["seat"] for hand in json.loads(result.stdout)["hands"]] == [1, 2]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seat-angles", "0,90,80,270"), "clockwise"),
        (("--seat-angles", "0,ninety"), "degrees"),
        (("--seat-angles", "0,nan,90"), "degrees"),
        (("--seat-angles", "0"), "2 to 8 seats"),
        (("--seat-angles", "0,120,240", "--seats", "4"), "--seats is 4"),
    ],
)
def test_seats_that_cannot_be_are_bad_usage(folder: Path, words: tuple[str, ...], says: str) -> None:
    result = reveal(folder, str(folder / "bare.png"), *words)
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.parametrize("picture", ["broken.jpg", "nowhere.jpg"])
def test_a_picture_that_cannot_be_used_ends_with_one_line_and_3(folder: Path, picture: str) -> None:
    result = reveal(folder, str(folder / picture))
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1
    assert picture in result.stderr


def test_a_picture_of_a_camera_in_night_mode_ends_with_one_line_and_3(folder: Path) -> None:
    picture = cv2.imread(str(folder / "hands.png"), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    cv2.imwrite(str(folder / "night.jpg"), picture)
    result = reveal(folder, str(folder / "night.jpg"))
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1
    assert "night mode" in result.stderr


def test_a_profile_without_pieces_ends_with_one_line_and_3(folder: Path, tmp_path: Path) -> None:
    from calibration.profile import TableProfile

    TableProfile(4).with_flat(1.0, 4).save(tmp_path / "profile")
    result = reveal(tmp_path, str(folder / "bare.png"))
    assert result.exit_code == 3
    assert "enrol pieces" in result.stderr


def test_a_profile_that_is_not_there_ends_with_one_line_and_3(folder: Path, tmp_path: Path) -> None:
    result = reveal(tmp_path, str(folder / "bare.png"))
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1
