"""The colours near the known sides pick the field, and a field known from before is found again faster."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.homography import map_points
from models.evaluation.maze.synthetic_pictures import picture
from models.evaluation.maze.truth import MazeTruth
from vision.cameras.frame import Image
from vision.games.master.field.location.candidate_scoring import CandidateScorer
from vision.games.master.field.rectification import UNIT, to_picture
from vision.games.master.field.spare.spare_tile import spare_centres
from vision.games.master.reader import MazeReader


@pytest.mark.parametrize(("look", "seed"), [("junk", 9020), ("stone", 9021), ("hedge", 9022)])
def test_only_the_field_itself_separates_the_known_sides(look: str, seed: int) -> None:
    image, truth = picture(seed, look, tilt=20)
    field = np.array(truth.corners)
    onto = to_picture(field)
    shifts = np.array([(1, 0), (0, 1), (2, 0), (0, -2), (0.5, 0.5), (-1, 1)])
    beside = np.array([map_points(UNIT + shift, onto) for shift in shifts])
    sides = CandidateScorer(image)
    separations = sides.separations(np.concatenate([field[None], np.roll(field, 1, 0)[None], beside]))
    assert separations[:2].min() > 4
    assert separations[2:].max() < 2.5


def test_a_rough_field_is_improved() -> None:
    image, truth = picture(9023, "brick", tilt=15)
    field = np.array(truth.corners)
    tile = np.linalg.norm(field[0] - field[2]) / (7 * np.sqrt(2))
    rough = field + np.array([[0.2, 0.1], [-0.2, 0.1], [0.1, -0.2], [0.1, 0.2]]) * tile
    better, separation = CandidateScorer(image).best_nearby(rough, np.random.default_rng(0))
    assert separation > CandidateScorer(image).separations(rough[None])[0]
    assert np.abs(better - field).max() < 0.3 * tile


def test_the_spare_lies_where_colours_of_the_field_are() -> None:
    image, truth = picture(9024, "night", tilt=20)
    assert truth.spare_box is not None
    left, top, width, height = truth.spare_box
    field = np.array(truth.corners)
    centres = map_points(spare_centres(image, field), to_picture(field))
    apart = np.linalg.norm(centres - (left + width / 2, top + height / 2), axis=1)
    assert apart.min() < max(width, height) / 2


def test_corners_from_before_give_the_same_reading() -> None:
    image, _ = picture(9025, "standin", tilt=25)
    cold = MazeReader().read(image)
    warm = MazeReader().read(image, near=cold.corners)
    assert cold.state == warm.state == "board"
    assert [tile.openings for tile in warm.tiles] == [tile.openings for tile in cold.tiles]


def test_a_board_is_found_on_a_table_of_its_colour() -> None:
    image, truth = picture(7400, "brick", "shadow", tilt=16.35, tokens="plain")
    _assert_found(image, truth)


@pytest.mark.parametrize(("seed", "look"), [(9030, "standin"), (9031, "night"), (9032, "stone")])
def test_a_board_is_found_although_the_picture_cuts_off_an_edge(seed: int, look: str) -> None:
    _assert_found(*picture(seed, look, "lamp", "cut_off", tilt=25.0))


def _assert_found(image: Image, truth: MazeTruth) -> None:
    reading = MazeReader().read(image)
    assert reading.tiles
    field, true = np.array(reading.corners), np.array(truth.corners)
    tile = np.linalg.norm(true[0] - true[2]) / (7 * np.sqrt(2))
    assert min(np.abs(np.roll(field, turn, 0) - true).max() for turn in range(4)) < 0.3 * tile
