from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.wicked import art
from calibration.plane import Image
from calibration.profile import TableProfile
from companion.cli import main
from tests.calibration.drawn import blob, camera, lay, photograph, sheet_picture, table_top
from tests.folder_digests import digests

PLANE = camera()
PURPLE = (120, 40, 90)


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _write(folder: Path, name: str, image: Image) -> Path:
    path = folder / name
    assert cv2.imwrite(str(path), image)
    return path


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a calibrated profile with enrolled pieces `p` and the pictures used."""
    folder = tmp_path_factory.mktemp("shelf")
    _write(folder, "calibration.png", sheet_picture(PLANE))
    _write(folder, "purple.png", photograph(blob(blob(table_top(), PURPLE, 40, 30), PURPLE, -60, -10), PLANE))
    _write(folder, "empty.png", photograph(table_top(), PLANE))
    _write(folder, "small.png", np.asarray(cv2.resize(sheet_picture(PLANE), (640, 360)), np.uint8))
    for name, turn in (("C07", 0), ("C08", 12)):
        face = art.rasterise(art.corridor_face(name, ["yellow"], ["green"]), 4.0)
        _write(folder, f"{name}.png", photograph(lay(table_top(), face, 4.0, 10, -15, turn), PLANE))
    (folder / "not.jpg").write_text("not a picture")
    (folder / "cut.png").write_bytes((folder / "purple.png").read_bytes()[:5000])
    assert _run("calibrate", "-p", folder / "p", "--image", folder / "calibration.png").exit_code == 0
    done = _run("enrol", "pieces", "-p", folder / "p", "--kind", "search:purple", folder / "purple.png")
    assert done.exit_code == 0
    assert "2 specimens" in done.output
    return folder


def test_calibrate_prints_what_it_found(shelf: Path, tmp_path: Path) -> None:
    done = _run("calibrate", "-p", tmp_path / "q", "--image", shelf / "calibration.png", "--seats", 5)
    assert done.exit_code == 0
    for line in ("camera height", "tilt", "field of view", "reprojection error", "sharpness", "Good enough"):
        assert line in done.output
    assert TableProfile.load(tmp_path / "q").seats == 5


def test_a_flat_table_needs_no_picture(tmp_path: Path) -> None:
    assert _run("calibrate", "-p", tmp_path / "q", "--flat", "2.0").exit_code == 0
    plane = TableProfile.load(tmp_path / "q").plane
    assert plane is not None
    assert plane.flat_px_per_mm == 2.0


def test_a_card_is_learned_from_the_camera(shelf: Path) -> None:
    words = ("enrol", "card", "-p", shelf / "p")
    done = _run(*words, "--id", "C07", "--upper", "yellow", "--lower", "green", shelf / "C07.png")
    assert done.exit_code == 0, done.output
    deck = TableProfile.load(shelf / "p").deck
    assert deck is not None
    card = deck.cards["C07"]
    assert card.shows("upper") == ("yellow",)
    assert card.size_mm == (63.0, 88.0)
    drawn = art.rasterise(art.corridor_face("C07", ["yellow"], ["green"]), 4.0)[..., :3]
    small = [
        cv2.GaussianBlur(cv2.resize(picture, (63, 88)), (0, 0), 2) for picture in (card.picture[..., :3], drawn)
    ]
    likeness = np.corrcoef(small[0].reshape(-1), small[1].reshape(-1))[0, 1]
    assert likeness > 0.9
    twin = _run(*words, "--id", "C17", "--upper", "red", "--lower", "green", shelf / "C07.png")
    assert twin.exit_code == 3
    assert "C07 and C17 look alike" in twin.stderr
    other = _run(*words, "--id", "C08", "--upper", "white", "--lower", "blue", shelf / "C08.png")
    assert other.exit_code == 0, other.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["calibrate", "--image", "none.png"], "no file"),
        (["calibrate", "--image", "not.jpg"], "not a picture"),
        (["calibrate", "--image", "cut.png"], "cut off"),
        (["calibrate", "--image", "empty.png"], "No calibration sheet"),
        (["enrol", "pieces", "--kind", "search:red", "empty.png"], "No pieces found"),
        (["enrol", "pieces", "--kind", "search:red", "purple.png", "cut.png"], "cut off"),
        (["enrol", "pieces", "--kind", "search:red", "small.png"], "640×360"),
        (["enrol", "pieces", "--kind", "search:red", "calibration.png"], "sheet is still on the table"),
        (["enrol", "card", "--id", "C09", "--upper", "red", "--lower", "red", "empty.png"], "No card is found"),
        (["enrol", "card", "--id", "C09", "--upper", "red", "--lower", "red", "purple.png"], "No card is found"),
    ],
)
def test_bad_pictures_get_one_line_and_leave_the_profile_as_it_was(
    words: Sequence[str], says: str, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelf)
    before = digests(shelf / "p")
    done = _run(*words, "--profile", shelf / "p")
    assert done.exit_code == 3, done.output
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert digests(shelf / "p") == before


BAD_USAGE = [
    ["calibrate", "-p", "p"],
    ["calibrate", "-p", "p", "--image", "a.png", "--flat", "2"],
    ["calibrate", "-p", "p", "--image", "a.png", "--seats", "1"],
    ["enrol", "pieces", "-p", "p", "--kind", "search:pink", "a.png"],
    ["enrol", "pieces", "-p", "p", "--kind", "search:red"],
    ["enrol", "card", "-p", "p", "--id", "C07", "a.png"],
    ["enrol", "card", "-p", "p", "--id", "C07", "--upper", "red", "a.png"],
    ["enrol", "card", "-p", "p", "--id", "G1", "--colour", "red", "a.png"],
    ["enrol", "card", "-p", "p", "--id", "../x", "--upper", "red", "--lower", "red", "a.png"],
    ["enrol", "card", "-p", "p", "--id", "tile", "--upper", "red", "--lower", "red", "a.png"],
]


def test_where_the_picture_of_specimens_cannot_be_written_nothing_is_enrolled(shelf: Path, tmp_path: Path) -> None:
    before = digests(shelf / "p")
    words = ("enrol", "pieces", "-p", shelf / "p", "--kind", "search:red", "--force", shelf / "purple.png")
    done = _run(*words, "--show", tmp_path / "none" / "shown.png")
    assert (done.exit_code, "cannot be written" in done.stderr) == (3, True)
    assert digests(shelf / "p") == before


CARD_ADVICE = [
    (["--id", "C07", "--upper", "red"], "A corridor card needs --upper and --lower."),
    (["--id", "G1", "--colour", "red"], "A great oracle card needs --colour twice."),
    (["--id", "G1", *3 * ["--colour", "red"]], "A great oracle card takes --colour at most twice."),
    (["--game", "master", "--id", "F1", "--number", "1"], "A formula card needs --number 3 times."),
    (
        ["--game", "master", "--id", "F1", *4 * ["--number", "1"]],
        "A formula card takes --number at most 3 times.",
    ),
    (["--game", "master", "--id", "F1"], "State what the card shows: --number 3 times for a formula card."),
]


def test_too_few_or_too_many_values_of_a_card_are_named(subtests: pytest.Subtests) -> None:
    for words, advice in CARD_ADVICE:
        with subtests.test(advice):
            done = _run("enrol", "card", "-p", "p", *words, "a.png")
            assert (done.exit_code, advice in done.stderr) == (2, True)


def test_bad_usage_exits_with_2(subtests: pytest.Subtests) -> None:
    for words in BAD_USAGE:
        with subtests.test(f"{words!r:.60}"):
            assert _run(*words).exit_code == 2


def test_a_missing_profile_is_reported_in_one_line(tmp_path: Path, shelf: Path) -> None:
    done = _run("enrol", "pieces", "-p", tmp_path / "none", "--kind", "search:red", shelf / "purple.png")
    assert done.exit_code == 3
    assert "no table profile" in done.stderr
    assert not (tmp_path / "none").exists()


def test_a_damaged_profile_can_be_started_anew(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "profile.json").write_text("{")
    words = ("calibrate", "-p", tmp_path / "q", "--image", shelf / "calibration.png")
    assert _run(*words).exit_code == 3
    assert _run(*words, "--anew").exit_code == 0
    assert TableProfile.load(tmp_path / "q").plane is not None


def test_starting_anew_forgets_cards_too_even_damaged_ones(shelf: Path, tmp_path: Path) -> None:
    shutil.copytree(shelf / "p", tmp_path / "q")
    card = ("--id", "C07", "--upper", "yellow", "--lower", "green", shelf / "C07.png")
    assert _run("enrol", "card", "-p", tmp_path / "q", *card).exit_code == 0
    (tmp_path / "q" / "deck" / "deck.yaml").write_text("cards: [")
    words = ("calibrate", "-p", tmp_path / "q", "--image", shelf / "calibration.png")
    assert _run(*words).exit_code == 3
    assert _run(*words, "--anew").exit_code == 0
    started = TableProfile.load(tmp_path / "q")
    assert (started.deck, dict(started.pieces)) == (None, {})
