from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.camera.calibrate import calibrate
from calibration.errors import EnrolError
from calibration.files.picture_files import read_picture
from calibration.pieces.enrolment import enrol_marked, with_empty_table
from calibration.pieces.hand_marked_segmentation import Box, find_at_points, find_in_boxes
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from companion.cli import main
from companion.table.enrolment.sheet_and_pieces import PiecesStep
from tests.calibration.drawn import HALF_MM, PX_PER_MM, blob, camera, photograph, sheet_picture, table_top

PLANE = camera()
RED, YELLOW, BLUE = (40, 40, 190), (40, 190, 220), (170, 80, 30)
SPOTS = ((-230.0, 130.0), (-90.0, 40.0), (-68.0, 40.0), (110.0, -120.0), (260.0, 60.0))
RADIUS = 8.0


def _busy_table() -> Image:
    """A table top with patches of many colours, as on a game board."""
    rng = np.random.default_rng(4)
    size = tuple(round(2 * half * PX_PER_MM) for half in HALF_MM)
    tiles = rng.integers(60, 190, (size[1] // 90 + 1, size[0] // 90 + 1, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(tiles, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _shown(colour: tuple[int, int, int]) -> Image:
    top = _busy_table()
    for x, y in SPOTS:
        top = blob(top, colour, x, y, RADIUS, shadow=False)
    return photograph(top, PLANE, 2)


def _boxes(plane: TablePlane = PLANE) -> list[Box]:
    ring = 1.15 * RADIUS * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    boxes = []
    for spot in SPOTS:
        corners = plane.to_image(np.array(spot) + ring)
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        boxes.append((float(left), float(top), float(right - left), float(bottom - top)))
    return boxes


@pytest.fixture(scope="module")
def profile() -> TableProfile:
    return TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4))


@pytest.mark.parametrize("colour", [RED, YELLOW, BLUE])
def test_pieces_on_a_busy_board_are_cut_out_where_boxes_or_points_say(colour: tuple[int, int, int]) -> None:
    image = _shown(colour)
    boxed = find_in_boxes(image, PLANE, _boxes())
    pointed = find_at_points(image, PLANE, [(x + w / 2, y + h / 2) for x, y, w, h in _boxes()])
    assert len(boxed) == len(SPOTS)
    # One of the yellow pieces lies on a tile of nearly its own colour: a point alone may leave that out.
    assert len(pointed) >= len(SPOTS) - 1
    for find in (*boxed, *pointed):
        assert min(np.hypot(find.centre_mm[0] - x, find.centre_mm[1] - y) for x, y in SPOTS) < 2.5
        # A disc of 16 mm has 201 square mm.
        assert 150 < find.area_mm2 < 285


def test_marked_pieces_are_shown_as_the_empty_table_lets_them_be_kept(
    profile: TableProfile,
) -> None:
    image, points = _shown(YELLOW), [(x + w / 2, y + h / 2) for x, y, w, h in _boxes()]
    known = with_empty_table(replace(profile, views=()), photograph(_busy_table(), PLANE, 2))
    step = PiecesStep(image, PLANE, "search:yellow", ())
    sizes = [one.size_mm for one in step.with_marked_pieces(known, points).view.pieces]
    assert len(sizes) == len(SPOTS)
    assert np.array(sizes) == pytest.approx(2 * RADIUS, abs=2.5)
    assert np.array([one.size_mm for one in step.with_marked_pieces(profile, points).view.pieces]).max() > 19


def test_a_kind_is_learned_from_boxes_alone(profile: TableProfile) -> None:
    image = _shown(RED)
    enrolled = enrol_marked(profile, "search:red", image, boxes=_boxes())
    samples = enrolled.pieces["search:red"]
    assert len(samples.specimens) == len(SPOTS)
    assert samples.size_mm == pytest.approx((16, 16), abs=3)
    assert samples.mean[1] > 35
    # The crowded picture does not show the empty table.
    assert enrolled.views == profile.views
    again = enrol_marked(enrolled, "search:red", image, spots=[(x + w / 2, y + h / 2) for x, y, w, h in _boxes()])
    assert len(again.pieces["search:red"].specimens) == len(SPOTS)


def test_a_flat_table_without_a_picture_of_itself_learns_too() -> None:
    flat = TableProfile(4).with_flat(1.4, 4)
    enrolled = enrol_marked(flat, "search:red", _shown(RED), boxes=_boxes())
    assert enrolled.table_light is not None
    assert len(enrolled.pieces["search:red"].specimens) == len(SPOTS)


def test_a_kind_marked_on_a_pattern_is_listed_until_a_plain_table_replaces_it(tmp_path: Path) -> None:
    flat = TableProfile(4).with_flat(1.4, 4)
    busy = enrol_marked(flat, "search:red", _shown(RED), boxes=_boxes())
    assert busy.on_pattern == {"search:red"}
    busy.save(tmp_path / "p")
    assert TableProfile.load(tmp_path / "p").on_pattern == {"search:red"}
    assert list((tmp_path / "p").glob("*.jpg")) == [], "pictures of marked pieces are not kept"
    top = table_top()
    for x, y in SPOTS:
        top = blob(top, RED, x, y, RADIUS, shadow=False)
    plain = photograph(top, PLANE, 3)
    more = enrol_marked(busy, "search:red", plain, boxes=_boxes())
    assert more.on_pattern == {"search:red"}, "the older specimens stay"
    assert enrol_marked(busy, "search:red", plain, boxes=_boxes(), replace=True).on_pattern == frozenset()
    assert enrol_marked(flat, "search:red", plain, boxes=_boxes()).on_pattern == frozenset()


@pytest.mark.parametrize(
    ("box", "says"),
    [
        ((100.0, 100.0, 0.0, 20.0), "is not a valid box"),
        ((100.0, 100.0, float("nan"), 20.0), "is not a valid box"),
        ((1270.0, 100.0, 20.0, 20.0), "outside the picture of 1280×720"),
        ((300.0, 100.0, 500.0, 500.0), "larger than any piece"),
    ],
)
def test_a_box_that_cannot_hold_a_piece_is_refused(box: Box, says: str) -> None:
    with pytest.raises(EnrolError, match=says):
        find_in_boxes(_shown(RED), PLANE, [box])


def test_pointing_at_nothing_outside_or_too_often_is_refused(profile: TableProfile) -> None:
    image = _shown(RED)
    with pytest.raises(EnrolError, match="No piece is marked"):
        enrol_marked(profile, "search:red", image)
    with pytest.raises(EnrolError, match="outside the picture"):
        find_at_points(image, PLANE, [(2000.0, 10.0)])
    with pytest.raises(EnrolError, match="More than 24"):
        find_at_points(image, PLANE, [(640.0, 300.0)] * 25)
    plain = np.full((720, 1280, 3), 120, np.uint8)
    with pytest.raises(EnrolError, match="cannot be separated from the background"):
        find_at_points(plain, PLANE, [(640.0, 300.0)])


@pytest.mark.slow
def test_the_command_takes_points_and_a_file_of_boxes(profile: TableProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "p")
    cv2.imwrite(str(tmp_path / "board.png"), _shown(RED))
    (tmp_path / "boxes.json").write_text(json.dumps(_boxes()))
    (tmp_path / "bad.json").write_text("[[1, 2, 3]]")
    words = ["enrol", "pieces", "-p", str(tmp_path / "p"), "--kind", "search:red"]
    board = str(tmp_path / "board.png")

    shown = tmp_path / "cut-out.png"
    done = CliRunner().invoke(main, [*words, "--boxes", str(tmp_path / "boxes.json"), "--show", str(shown), board])
    assert (done.exit_code, "5 specimens" in done.output) == (0, True), done.output
    assert read_picture(shown).shape == (224, 5 * 224, 3)
    x, y, w, h = _boxes()[0]
    done = CliRunner().invoke(main, [*words, "--replace", "--at", f"{x + w / 2},{y + h / 2}", board])
    assert (done.exit_code, "1 specimen" in done.output) == (0, True), done.output
    for file, says in (("bad.json", "holds no boxes"), ("none.json", "cannot be read")):
        done = CliRunner().invoke(main, [*words, "--boxes", str(tmp_path / file), board])
        assert (done.exit_code, says in done.stderr, done.stderr.count("\n")) == (3, True, 1)
    assert CliRunner().invoke(main, [*words, "--at", "12", board]).exit_code == 2
    assert CliRunner().invoke(main, [*words, "--at", "12,12", board, board]).exit_code == 2
