"""Whole boards are read from pictures of looks that trained nothing, and what cannot be read says why."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.homography import map_points
from models.evaluation.maze.evaluate import MazeJob, compare, jobs, measure
from models.evaluation.maze.synthetic_pictures import Light, Situation, picture
from vision.cameras.frame import Image
from vision.games.master.field.rectification import to_picture
from vision.games.master.reader import MazeReader
from vision.games.master.readings import FIXED, LOOSE_TILES, MazeReading


def _read(image: Image) -> MazeReading:
    return MazeReader().read(image)


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("look", "light", "seed"),
    [("junk", "day", 9001), ("stone", "lamp", 9002), ("hedge", "half", 9003), ("night", "shadow", 9004)],
)
def test_no_error_stays_undetected_and_the_field_is_found(look: str, light: Light, seed: int) -> None:
    image, truth = picture(seed, look, light, tilt=25)
    found = compare(MazeJob(look, light, "board", seed, 1), truth, _read(image))
    assert found.state
    assert found.corner_error < 0.15
    assert found.tiles >= 31
    assert not found.undetected


def test_fixed_tiles_are_known_and_the_likeliest_box_is_13_15_6() -> None:
    image, _ = picture(9005, "brick", tilt=10)
    reading = _read(image)
    assert all(reading.tiles[place].openings == openings for place, openings in FIXED.items())
    assert all(tile.probabilities == pytest.approx(dict(tile.probabilities)) for tile in reading.tiles)
    for tile in reading.tiles:
        assert sum(tile.probabilities.values()) == pytest.approx(1, abs=1e-6)
    shapes = {"TB": 0.0, "TR": 0.0, "TRL": 0.0}
    loose = [tile for place, tile in enumerate(reading.tiles) if place not in FIXED]
    for tile in [*loose, *([reading.spare] if reading.spare else [])]:
        for openings, probability in tile.probabilities.items():
            opposite = openings in ("TB", "RL")
            shapes["TRL" if len(openings) == 3 else "TB" if opposite else "TR"] += probability
    if reading.spare:
        assert shapes == pytest.approx(LOOSE_TILES, abs=1e-3)


@pytest.mark.first_is_quick
@pytest.mark.parametrize(
    ("situation", "state", "reason"),
    [
        ("no_board", "no_board", "No whole board"),
        ("two_boards", "no_board", "More than one board"),
        ("covered", "covered", "Something covers"),
        ("half_pushed", "half_pushed", "A line is pushed in only halfway"),
        ("half_out", "no_board", "No whole board is in the picture: aim the camera so that all four corners"),
        ("foreign_tile", "board", "A tile cannot be recognised"),
    ],
)
def test_what_cannot_be_read_says_why(situation: Situation, state: str, reason: str) -> None:
    image, _ = picture(9010, "hedge", situation=situation, tilt=20)
    reading = _read(image)
    assert reading.state == state
    assert reading.reason.startswith(reason)


def test_glare_over_a_row_is_named() -> None:
    image, truth = picture(8200, "hedge", tilt=20)
    row = map_points(np.array([[0, 3], [7, 3], [7, 4], [0, 4.0]]), to_picture(np.array(truth.corners)))
    glare = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(glare, np.round(row).astype(np.int32), 300.0)
    dazzled = np.clip(image + cv2.GaussianBlur(glare, (0, 0), 6)[..., None], 0, 255).astype(np.uint8)
    reading = _read(dazzled)
    assert reading.state == "covered"
    assert reading.reason.startswith("Light dazzles")


def test_a_tile_face_down_needs_confirmation() -> None:
    image, truth = picture(8100, "standin", situation="foreign_tile")
    reading = _read(image)
    assert reading.oriented
    assert reading.tiles[truth.tiles.index("")].doubtful


@pytest.mark.parametrize("grey", [0, 120, 255])
def test_a_picture_of_one_colour_holds_no_board(grey: int) -> None:
    reading = _read(np.full((720, 1280, 3), grey, np.uint8))
    assert reading.state == "no_board"
    assert not reading.tiles


def test_a_quarter_turn_of_the_picture_turns_the_reading() -> None:
    image, _ = picture(9006, "standin", tilt=5)
    rotated = _read(np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8))
    upright = _read(image)
    assert rotated.state == upright.state == "board"
    if upright.oriented and rotated.oriented:
        assert [tile.openings for tile in rotated.tiles] == [tile.openings for tile in upright.tiles]
    assert sorted(len(tile.openings) for tile in rotated.tiles) == sorted(
        len(tile.openings) for tile in upright.tiles
    )


def test_what_the_picture_cuts_off_a_tile_is_not_guessed_in_silence() -> None:
    (found,) = measure(jobs(("brick",), ("day",), ("cut_off",), 2, 28_800)[1:])
    assert found.state
    assert not found.exact
    assert not found.undetected
