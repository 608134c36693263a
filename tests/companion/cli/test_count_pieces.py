from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from calibration.files.picture_files import read_picture
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from companion.cli import main
from tests.calibration.drawn import blob, camera, photograph, table_top

RED, SIZE = (42, 44, 192), (800, 450)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile that knows red pieces, and a picture of three."""
    folder = tmp_path_factory.mktemp("table")
    plane, top = camera(height=620.0, size=SIZE), table_top()
    for x in (-60, 0, 60):
        top = blob(top, RED, x, 0)
    image = photograph(top, plane)
    cv2.imwrite(str(folder / "three.png"), image)
    enrol(TableProfile(4, plane, table_light=(0.06, 0.15, 0.29)), "search:red", [image]).save(folder / "home")
    (folder / "cut.png").write_bytes((folder / "three.png").read_bytes()[:4000])
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["count", *map(str, arguments)])


def test_count_prints_one_json_object_a_picture(folder: Path) -> None:
    result = run("--profile", folder / "home", folder / "three.png", folder / "three.png", "--json")
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert (first["image"], first["counts"]) == ("three.png", {"search:red": 3})
    assert [sorted(piece) for piece in first["pieces"]] == [["box", "confidence", "kind"]] * 3
    assert first["doubtful"] == []
    assert second["counts"] == first["counts"]


def test_count_prints_a_table_for_people(folder: Path) -> None:
    shutil.copy(folder / "three.png", folder / "three [left] :bomb:.png")
    result = run("--profile", folder / "home", folder / "three [left] :bomb:.png")
    assert result.exit_code == 0
    assert result.output.startswith("three [left] :bomb:.png, ")
    assert "search:red  3" in result.output


def test_count_lists_what_fits_no_enrolled_kind(folder: Path) -> None:
    top = blob(blob(table_top(), RED, -40, 0), (240, 240, 240), 40, 0)
    cv2.imwrite(str(folder / "odd.png"), photograph(top, camera(height=620.0, size=SIZE)))
    found = json.loads(run("--profile", folder / "home", folder / "odd.png", "--json").output)
    assert found["counts"] == {"search:red": 1}
    assert [sorted(thing) for thing in found["unknown"]] == [["box", "confidence"]]
    table = run("--profile", folder / "home", folder / "odd.png").output
    assert "not enrolled  1" in table
    assert "not known: it fits none of the enrolled kinds." in table


def test_pieces_enrolled_on_a_printed_board_are_not_counted_and_the_line_names_the_way_out(folder: Path) -> None:
    flat = TableProfile(4).with_flat(1.2, 4)
    profile = enrol(flat, "search:red", [read_picture(folder / "three.png")])
    replace(profile, views=(), on_pattern=frozenset({"search:red"})).save(folder / "printed")
    for flags in ((), ("--json",)):
        answer = run("--profile", folder / "printed", folder / "three.png", *flags)
        assert answer.exit_code == 3
        (line,) = answer.output.splitlines()
        assert "enrolled on a printed board" in line
        assert (
            "enrol them on a plain table with `companion enrol pieces --replace`, or count them yourselves" in line
        )


@pytest.mark.parametrize(
    ("profile", "picture", "why"),
    [("home", "cut.png", "cut off"), ("home", "none.png", "no file"), ("nobody", "three.png", "no table profile")],
)
def test_what_cannot_be_used_ends_with_3_and_one_line(folder: Path, profile: str, picture: str, why: str) -> None:
    result = run("--profile", folder / profile, folder / picture)
    assert result.exit_code == 3
    assert why in result.output
    assert len(result.output.splitlines()) == 1
