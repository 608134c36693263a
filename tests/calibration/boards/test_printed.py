from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.boards.enrolled_board import BOARD_PX_PER_MM, EnrolledBoard
from calibration.boards.enrolment import detected_board, marked_board
from calibration.errors import EnrolError, ProfileError
from calibration.games.wicked.art import BOARD_SPOTS, rasterise, token_face
from calibration.games.wicked.standin_boards import standin_boards, standin_layout
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile, import_profile, read_profile

CORNERS = ((40.0, 30.0), (620.0, 44.0), (600.0, 440.0), (60.0, 420.0))


def board(colour: str) -> EnrolledBoard:
    return next(board for board in standin_boards() if board.id == colour)


def photograph(picture: Image, corners: tuple[tuple[float, float], ...] = CORNERS) -> Image:
    """Lay a board's picture on a grey table, as a camera a little askew sees it, with some noise."""
    height, width = picture.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    table = np.full((480, 660, 3), (120, 130, 140), np.uint8)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    cv2.warpPerspective(soft, matrix, (660, 480), table, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 3, table.shape)
    return np.clip(table * (0.8, 0.9, 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("colour", ["purple", "yellow"])
def test_an_empty_printed_board_is_recognised_and_laid_straight(colour: str) -> None:
    learned = detected_board(photograph(board(colour).picture), standin_boards())
    assert (learned.id, learned.layout) == (colour, standin_layout())
    small = [cv2.resize(one.picture, (105, 74), interpolation=cv2.INTER_AREA) for one in (learned, board(colour))]
    first, second = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.float64).ravel() for one in small)
    assert np.corrcoef(first, second)[0, 1] > 0.97
    assert learned.seen_px_per_mm == pytest.approx(2.7, abs=0.2)


def test_a_board_with_a_token_on_it_is_refused() -> None:
    picture = board("red").picture.copy()
    token = rasterise(token_face("blue"), BOARD_PX_PER_MM)
    x, y = BOARD_SPOTS.middle[2]
    left = round((105 + x) * BOARD_PX_PER_MM - token.shape[1] / 2)
    top = round((74 - y) * BOARD_PX_PER_MM - token.shape[0] / 2)
    alpha = token[..., 3:] / 255
    under = picture[top : top + token.shape[0], left : left + token.shape[1]]
    under[:] = (under * (1 - alpha) + token[..., :3] * alpha).astype(np.uint8)
    with pytest.raises(EnrolError, match="middle 3"):
        detected_board(photograph(picture), standin_boards())


def test_a_board_that_is_cut_off_or_none_at_all_is_refused() -> None:
    image = photograph(board("green").picture)
    with pytest.raises(EnrolError, match="not in the picture"):
        detected_board(np.ascontiguousarray(image[:, :520]), standin_boards())
    with pytest.raises(EnrolError, match="None of the printed boards"):
        detected_board(np.full((300, 400, 3), 128, np.uint8), standin_boards())


def test_an_over_exposed_board_is_refused() -> None:
    image = np.minimum(photograph(board("purple").picture).astype(int) * 2, 255).astype(np.uint8)
    with pytest.raises(EnrolError, match="over-exposed"):
        detected_board(image, standin_boards())


def test_any_other_board_is_learned_from_what_is_pointed_out() -> None:
    image = photograph(np.full((592, 840, 3), 90, np.uint8), ((50, 40), (470, 40), (470, 336), (50, 336)))
    rows = {"low": 300.0, "middle": 220.0, "high": 140.0}
    spots = {rank: tuple((90.0 + 40.0 * k, y) for k in range(6)) for rank, y in rows.items()}
    spaces = {"promotion": (360.0, 200.0, 90.0, 50.0), "colour_change": (360.0, 270.0, 90.0, 50.0)}
    four = ((50.0, 40.0), (470.0, 40.0), (470.0, 336.0), (50.0, 336.0))
    learned = marked_board(image, "mine", four, (210.0, 148.0), spots, spaces, 16.0)
    assert learned.layout.rows["low"][0] == pytest.approx((-85.0, -56.0), abs=0.1)
    assert learned.layout.spaces["promotion"].width == pytest.approx(45.0, abs=0.1)
    assert learned.picture.shape == (592, 840, 3)


NO_BOARDS = [
    (CORNERS[:3], (100.0, 400.0), "four corners"),
    (((40, 30), (60, 420), (600, 440), (620, 44)), (100.0, 400.0), "clockwise|no board"),
    (((10, 10), (20, 20), (30, 30), (40, 40)), (100.0, 400.0), "in a line|no board"),
    (CORNERS, (900.0, 900.0), "off the board"),
    (((-30, 30), (620, 44), (600, 440), (60, 420)), (100.0, 400.0), "not in the picture"),
]


def test_what_is_no_board_is_refused(subtests: pytest.Subtests) -> None:
    for corners, low, why in NO_BOARDS:
        with subtests.test(f"{why!r:.60}"):
            spots = {"low": (low,), "middle": ((150.0, 250.0),), "high": ((150.0, 120.0),)}
            spaces = {"promotion": (400.0, 220.0, 90.0, 60.0), "colour_change": (400.0, 300.0, 90.0, 60.0)}
            with pytest.raises(EnrolError, match=why):
                marked_board(photograph(board("red").picture), "mine", corners, (210.0, 148.0), spots, spaces, 16.0)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    profile = TableProfile(4).with_personal_board(board("purple")).with_personal_board(board("red"))
    return profile.save(tmp_path / "home")


def test_boards_are_kept_in_the_profile(saved: Path) -> None:
    boards = TableProfile.load(saved).personal_boards
    assert list(boards) == ["purple", "red"]
    assert (boards["red"].layout, boards["red"].seen_px_per_mm) == (standin_layout(), BOARD_PX_PER_MM)
    assert np.array_equal(boards["red"].picture, board("red").picture)


def test_a_board_shown_again_takes_the_older_ones_place_and_leaves_nothing_behind(saved: Path) -> None:
    fresh = EnrolledBoard("red", np.full_like(board("red").picture, 77), standin_layout())
    TableProfile.load(saved).with_personal_board(fresh).save(saved)
    assert TableProfile.load(saved).personal_boards["red"].picture.max() == 77
    assert len(list(saved.glob("personal-board-*.png"))) == 2


def test_boards_travel_with_an_exported_profile(saved: Path, tmp_path: Path) -> None:
    export_profile(TableProfile.load(saved), tmp_path / "home.zip")
    import_profile(tmp_path / "home.zip", str(tmp_path / "other"))
    assert list(TableProfile.load(tmp_path / "other").personal_boards) == ["purple", "red"]


def test_a_damaged_board_is_refused_and_an_import_leaves_nothing(saved: Path, tmp_path: Path) -> None:
    export_profile(TableProfile.load(saved), tmp_path / "home.zip")
    with zipfile.ZipFile(tmp_path / "home.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = next(name for name in parts if name.startswith("personal-board"))
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        for part, data in parts.items():
            archive.writestr(part, data[:-40] + b"x" * 40 if part == name else data)
    with pytest.raises(ProfileError, match=r"damaged|cut off"):
        import_profile(tmp_path / "bad.zip", str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()


NO_LAYOUTS = [
    (("size_mm",), [210.0, 9.0]),
    (("rows", "low"), [[500.0, 0.0]]),
    (("rows", "high"), []),
    (("spot_mm",), "wide"),
    (("spaces", "promotion"), {"x": 0.0, "y": 0.0, "width": 1.0, "height": 30.0}),
]


def test_a_layout_that_no_board_has_is_reported_in_one_line(saved: Path, subtests: pytest.Subtests) -> None:
    whole = (saved / "profile.json").read_text()
    for where, value in NO_LAYOUTS:
        with subtests.test(f"{where!r:.60} {value!r:.60}"):
            content = json.loads(whole)
            layout = content["games"]["wicked"]["personal_boards"]["red"]["layout"]
            for key in where[:-1]:
                layout = layout[key]
            layout[where[-1]] = value
            (saved / "profile.json").write_text(json.dumps(content))
            with pytest.raises(ProfileError, match=r"is damaged at “games.wicked.personal_boards.red.layout"):
                TableProfile.load(saved)


def test_a_picture_of_another_size_than_the_layouts_is_refused(saved: Path, tmp_path: Path) -> None:
    profile = TableProfile.load(saved)
    odd = replace(profile.personal_boards["red"], picture=np.zeros((100, 100, 3), np.uint8))
    export_profile(profile.with_personal_board(odd), tmp_path / "odd.zip")
    with pytest.raises(ProfileError, match="red is damaged"):
        read_profile(tmp_path / "odd.zip")
