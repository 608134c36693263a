from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.camera import sheet
from calibration.camera.calibrate import calibrate
from calibration.camera.hand_marked_corners import paper_corners
from calibration.files.picture_files import read_picture
from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen
from calibration.plane import Image
from calibration.profile import TableProfile
from companion.cli import main
from tests.calibration.drawn import camera, lay, photograph, sheet_picture, table_top
from tests.folder_digests import digests
from tests.oversized_png import png_claiming

PLANE = camera(height=850, tilt=14)


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _write(folder: Path, name: str, image: Image) -> None:
    assert cv2.imwrite(str(folder / name), image)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the profile `p` of five seats that knows a piece, and good and bad pictures."""
    folder = tmp_path_factory.mktemp("shelf")
    good = sheet_picture(PLANE)
    _write(folder, "good.png", good)
    _write(folder, "dark.png", (good * 0.04).astype(np.uint8))
    _write(folder, "dim.png", (good * 0.11).astype(np.uint8))
    _write(folder, "blurred.png", np.asarray(cv2.GaussianBlur(good, (0, 0), 3), np.uint8))
    _write(folder, "glaring.png", np.clip(good * 4.5, 0, 255).astype(np.uint8))
    _write(folder, "empty.png", photograph(table_top(), PLANE))
    paper = np.full((600, 500, 3), 90, np.uint8)
    covered = lay(lay(table_top(), sheet.picture(4.0), 4.0, 0, 0), paper, 2.0, 125, 0)
    _write(folder, "covered.png", photograph(covered, PLANE))
    _write(folder, "small.png", np.asarray(cv2.resize(good, (640, 360)), np.uint8))
    (folder / "not.jpg").write_text("not a picture")
    (folder / "cut.png").write_bytes((folder / "good.png").read_bytes()[:50_000])
    (folder / "bomb.png").write_bytes(png_claiming(12_000, 9_000))
    rng = np.random.default_rng(1)
    crop = rng.integers(0, 255, (CROP_PX, CROP_PX, 4)).astype(np.uint8)
    pixels = rng.normal(50, 5, (40, 3)).astype(np.float32)
    samples = PieceSamples((Specimen(pixels, (16.0, 11.0), 140.0, crop, "a"),))
    TableProfile(5).calibrated(calibrate(good, 5)).with_pieces("search:red", samples).save(folder / "p")
    return folder


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--image", "dark.png"], "too dark"),
        (["--image", "dim.png"], "too dark"),
        (["--image", "blurred.png"], "blurred"),
        (["--image", "glaring.png"], "over-exposed"),
        (["--image", "empty.png"], "No calibration sheet"),
        (["--image", "covered.png"], "of the calibration sheet's 24 corners"),
        (["--image", "not.jpg"], "not a picture"),
        (["--image", "cut.png"], "cut off"),
        (["--image", "bomb.png"], "12000×9000"),
        (["--image", "none.png"], "no file"),
        (["--image", "good.png", "--image", "small.png"], "Picture 2 is 640×360"),
        (["--image", "good.png", "empty.png"], "Picture 2: No calibration sheet"),
        (["--image", "good.png", "--height", "300"], "mm above the table, not 300"),
        (["--image", "good.png", "--corners", "1,1 2000,1 90,90 1,90"], "upper right corner"),
    ],
)
def test_a_bad_picture_gets_one_line_and_leaves_the_profile_as_it_was(
    words: Sequence[str], says: str, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelf)
    before = digests(shelf / "p")
    done = _run("calibrate", "--profile", shelf / "p", *words)
    assert done.exit_code == 3, done.output
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert digests(shelf / "p") == before


BAD_USAGE = [
    ["calibrate", "-p", "p", "--flat", "2", "--corners", "1,1 9,1 9,9 1,9"],
    ["calibrate", "-p", "p", "--image", "a.png", "--corners", "1,1 9,1 9,9"],
    ["calibrate", "-p", "p", "--image", "a.png", "--corners", "1,1 9,1 9,9 1,nan"],
    ["calibrate", "-p", "p", "--image", "a.png", "--image", "b.png", "--corners", "1,1 9,1 9,9 1,9"],
    ["calibrate", "-p", "p", "--image", "a.png", "--height", "1"],
    ["calibrate", "-p", "p", "--image", "a.png", "--height", "nan"],
    ["calibrate", "-p", "p", "--image", "a.png", "--fov", "nan"],
    ["calibrate", "-p", "p", "--flat", "nan"],
    ["calibrate", "-p", "p", "--image", "a.png", "--seat-angles", "0,90,80"],
    ["calibrate", "-p", "p", "--image", "a.png", "--seat-angles", "0,90,180", "--seats", "4"],
]


def test_bad_usage_exits_with_2(subtests: pytest.Subtests) -> None:
    for words in BAD_USAGE:
        with subtests.test(f"{words!r:.60}"):
            assert _run(*words).exit_code == 2


def test_calibrating_again_keeps_seats_and_pieces_unless_they_are_given(shelf: Path, tmp_path: Path) -> None:
    TableProfile.load(shelf / "p").save(tmp_path / "q")
    done = _run("calibrate", "-p", tmp_path / "q", "--image", shelf / "good.png")
    assert done.exit_code == 0, done.output
    again = TableProfile.load(tmp_path / "q")
    assert (again.seats, list(again.pieces)) == (5, ["search:red"])
    assert _run("calibrate", "-p", tmp_path / "q", "--flat", "2.0", "--seats", "3").exit_code == 0
    again = TableProfile.load(tmp_path / "q")
    assert (again.seats, list(again.pieces)) == (3, ["search:red"])


def test_where_people_sit_is_kept_with_the_table(shelf: Path, tmp_path: Path) -> None:
    words = ["calibrate", "-p", tmp_path / "q", "--image", shelf / "good.png"]
    done = _run(*words, "--seat-angles", "0,60,180,240")
    assert done.exit_code == 0, done.output
    assert "4 seats at 0, 60, 180, 240 degrees" in done.output
    assert _run(*words, "--seats", "5").exit_code == 0
    assert _run("calibrate", "-p", tmp_path / "q", "--flat", "2").exit_code == 0
    kept = TableProfile.load(tmp_path / "q")
    assert kept.seating(4).angles == (0.0, 60.0, 180.0, 240.0)
    assert kept.seating(5).is_even
    assert _run(*words, "--seats", "4", "--seat-angles", "0,90,180,270").exit_code == 0
    assert TableProfile.load(tmp_path / "q").seating(4).is_even


def test_corners_by_hand_and_findings_are_returned(shelf: Path, tmp_path: Path) -> None:
    corners = " ".join(f"{x + 2:.1f},{y - 2:.1f}" for x, y in PLANE.to_image(paper_corners()))
    done = _run("calibrate", "-p", tmp_path / "q", "--image", shelf / "good.png", "--corners", corners)
    assert done.exit_code == 0, done.output
    for line in (
        "camera height",
        "tilt",
        "field of view",
        "at the table's edge",
        "sharpness",
        "exposure",
        "Good enough",
    ):
        assert line in done.output
    findings = TableProfile.load(tmp_path / "q").findings
    assert findings is not None
    assert findings.corners == 24


def test_a_profile_travels_as_one_file(shelf: Path, tmp_path: Path) -> None:
    file = tmp_path / "home.zip"
    assert _run("profile", "export", "-p", shelf / "p", file).exit_code == 0
    done = _run("profile", "import", "-p", tmp_path / "q", file)
    assert done.exit_code == 0, done.output
    assert "1 kinds of pieces" in done.output
    assert digests(tmp_path / "q") == digests(shelf / "p")
    again = _run("profile", "import", "-p", tmp_path / "q", file)
    assert again.exit_code == 3
    assert "already" in again.stderr
    file.write_bytes(file.read_bytes()[:3000])
    cut = _run("profile", "import", "-p", tmp_path / "r", file)
    assert cut.exit_code == 3
    assert len(cut.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "r").exists()
    assert _run("profile", "export", "-p", tmp_path / "r", file).exit_code == 3


def test_a_profile_with_a_damaged_part_is_not_exported(shelf: Path, tmp_path: Path) -> None:
    TableProfile.load(shelf / "p").save(tmp_path / "q")
    part = next((tmp_path / "q").glob("pieces-*.npz"))
    part.write_bytes(part.read_bytes()[:100])
    done = _run("profile", "export", "-p", tmp_path / "q", tmp_path / "home.zip")
    assert done.exit_code == 3
    assert "damaged" in done.stderr
    assert not (tmp_path / "home.zip").exists()


def test_a_picture_of_the_empty_table_is_kept_and_the_sheet_in_it_refused(shelf: Path, tmp_path: Path) -> None:
    result = _run(
        "calibrate", "--profile", tmp_path / "p", "--image", shelf / "good.png", "--empty", shelf / "good.png"
    )
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        3,
        "The calibration sheet is still on the table: remove it and take the picture again.",
    )
    assert not (tmp_path / "p").exists()
    words = ("--profile", tmp_path / "p", "--image", shelf / "good.png", "--empty", shelf / "empty.png")
    assert _run("calibrate", *words).exit_code == 0
    background = TableProfile.load(tmp_path / "p").background
    assert background is not None
    bare = read_picture(shelf / "empty.png")
    middle = (slice(300, 400), slice(560, 700))
    assert np.abs(background[middle].astype(float) - bare[middle]).mean() < 6


def test_a_picture_that_is_given_twice_counts_once(shelf: Path, tmp_path: Path) -> None:
    result = _run("calibrate", "--profile", tmp_path / "p", "--image", *[shelf / "good.png"] * 3)
    assert result.exit_code == 0
    assert "Left out 2 of 3 pictures, in which the sheet lies as in an earlier one" in result.stdout
    findings = TableProfile.load(tmp_path / "p").findings
    assert findings is not None
    assert (findings.pictures, findings.lens_measured) == (1, False)
