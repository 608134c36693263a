from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from models.evaluation.maze.random_positions import SHAPES, random_position
from models.evaluation.maze.synthetic_pictures import Situation, picture, tokens_in_order
from models.evaluation.maze.token_face_drawing import PRINTS
from vision.games.master.readings import FIXED, LOOSE_TILES, NUMBERS, SIZE, STARTS

_RINGS = (16, 18, 32, 30)
"""Start spaces clockwise from the one nearest to place 0."""


def test_a_random_position_has_the_tiles_of_the_box_and_each_token_at_most_once() -> None:
    for seed in range(50):
        position = random_position(np.random.default_rng(seed))
        loose = [tile for place, tile in enumerate(position.tiles) if place not in FIXED]
        assert Counter(SHAPES[tile] for tile in (*loose, position.spare)) == LOOSE_TILES
        assert all(position.tiles[place] == openings for place, openings in FIXED.items())
        assert len(set(position.tokens.values())) == len(position.tokens)
        assert not set(position.tokens.values()) & set(FIXED), "tokens lie on loose tiles"
        assert (*position.taken, *position.tokens) == NUMBERS


@pytest.mark.first_is_quick
@pytest.mark.parametrize("look", LOOKS)
def test_the_corners_of_the_truth_place_the_paths_of_every_look(look: str) -> None:
    """The middle of an open side looks like the fixed tiles' paths, that of a walled side like their walls."""
    image, truth = picture(7, look, size=(1280, 720), tilt=10.0)
    field = np.array([[0, 0], [700, 0], [700, 700], [0, 700]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(truth.corners, np.float32), field)
    flat = cv2.cvtColor(cv2.warpPerspective(image, matrix, (700, 700)), cv2.COLOR_BGR2LAB).astype(np.float32)
    samples: dict[bool, list[np.ndarray]] = {True: [], False: []}
    known: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for place, openings in enumerate(truth.tiles):
        x, y = place % SIZE * 100 + 50, place // SIZE * 100 + 50
        for side, (dx, dy) in {"T": (0, -34), "R": (34, 0), "B": (0, 34), "L": (-34, 0)}.items():
            patch = flat[y + dy - 5 : y + dy + 6, x + dx - 5 : x + dx + 6].reshape(-1, 3).mean(axis=0)
            (known if place in FIXED else samples)[side in openings].append(patch)
    means = {is_open: np.mean(patches, axis=0) for is_open, patches in known.items()}
    right = sum(
        (np.linalg.norm(patch - means[True]) < np.linalg.norm(patch - means[False])) == is_open
        for is_open, patches in samples.items()
        for patch in patches
    )
    assert right / 132 > 0.85


def test_the_start_rings_lie_on_their_places() -> None:
    image, truth = picture(3, "stone", tilt=0.0, tokens="plain")
    field = np.array([[0, 0], [700, 0], [700, 700], [0, 700]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(truth.corners, np.float32), field)
    flat = cv2.warpPerspective(image, matrix, (700, 700)).astype(int)
    red, blue = STARTS["red"], STARTS["blue"]

    def excess(place: int, channel: int) -> int:
        x, y = place % SIZE * 100, place // SIZE * 100
        tile = flat[y : y + 100, x : x + 100]
        return int((tile[..., channel] - np.delete(tile, channel, axis=2).max(axis=2) > 40).sum())

    assert excess(red, 2) == max(excess(place, 2) for place in _RINGS) > 100
    assert excess(blue, 0) == max(excess(place, 0) for place in _RINGS) > 100


def test_equal_arguments_give_equal_pictures_and_other_seeds_others() -> None:
    first, truth = picture(5, "hedge", size=(640, 360))
    again, same = picture(5, "hedge", size=(640, 360))
    other, _ = picture(6, "hedge", size=(640, 360))
    assert np.array_equal(first, again)
    assert truth == same
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("situation", "state"),
    [
        ("board", "board"),
        ("cut_off", "board"),
        ("forgotten", "board"),
        ("foreign_tile", "board"),
        ("covered", "covered"),
        ("half_out", "covered"),
        ("half_pushed", "half_pushed"),
        ("no_board", "no_board"),
        ("two_boards", "no_board"),
    ],
)
def test_a_situation_has_its_state(situation: Situation, state: str) -> None:
    _, truth = picture(11, "brick", situation=situation, size=(640, 360))
    assert truth.state == state
    assert bool(truth.corners) == (state != "no_board")
    if state == "covered":
        assert truth.covered
    if situation == "forgotten":
        assert None in (*truth.tokens.values(), *truth.wizards.values())
    if situation == "foreign_tile":
        assert truth.tiles.count("") == 1


def test_the_spare_lies_whole_in_the_picture_beside_the_board() -> None:
    for seed in range(6):
        _, truth = picture(seed, "standin", size=(640, 360))
        assert truth.spare_box is not None
        x, y, width, height = truth.spare_box
        assert x >= 0
        assert y >= 0
        assert x + width <= 640
        assert y + height <= 360
        corners = np.asarray(truth.corners, np.float32)
        assert cv2.pointPolygonTest(corners, (x + width / 2, y + height / 2), False) < 0


def test_the_tokens_for_enrolment_are_different_pictures_in_every_print() -> None:
    pictures = [tokens_in_order(1, print_) for print_ in PRINTS]
    assert all(image.shape == (720, 1280, 3) for image in pictures)
    assert not np.array_equal(pictures[0], pictures[1])


def test_two_looks_are_held_out() -> None:
    assert len(set(HELD_OUT)) == 2
    assert set(HELD_OUT) < set(LOOKS)
    assert len(LOOKS) == 6
