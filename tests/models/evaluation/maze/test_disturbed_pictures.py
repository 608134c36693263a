from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.evaluation.maze.disturbed_pictures import DISTURBANCES, accuracy_table, read_disturbed
from models.evaluation.maze.evaluate import jobs
from models.evaluation.scenes.picture_changes import distorted, half_shaded, surrounded, vignetted
from vision.cameras.frame import Image


def grey(height: int = 120, width: int = 200) -> Image:
    return np.full((height, width, 3), 100, np.uint8)


@pytest.mark.parametrize("name", DISTURBANCES)
def test_a_disturbance_is_repeatable_and_leaves_the_picture_as_it_is(name: str) -> None:
    image = np.random.default_rng(1).integers(0, 256, (90, 160, 3), np.uint8)
    before = image.copy()
    once, twice = (DISTURBANCES[name](image, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(image, before)
    assert np.array_equal(once, twice)
    assert once.dtype == np.uint8
    changed = once.shape != image.shape or not np.array_equal(once, image)
    assert changed == (name != "as they are")


def test_barrel_distortion_draws_corners_towards_the_middle() -> None:
    image = grey() * 0
    image[20:23, 30:33] = 255
    bent = cv2.moments(distorted(0.25)(image, np.random.default_rng(0))[..., 0])
    x, y = bent["m10"] / bent["m00"], bent["m01"] / bent["m00"]
    assert x > 31.5
    assert y > 21.5


def test_light_is_lost_in_corners_and_in_one_half() -> None:
    dark = vignetted(0.6)(grey(), np.random.default_rng(0))
    assert dark[0, 0, 0] == 40
    assert dark[60, 100, 0] >= 99
    shaded = half_shaded(0.6)(grey(), np.random.default_rng(0))
    assert shaded.min() == 40
    assert shaded.max() >= 99
    assert 0.4 < (shaded < 70).mean() < 0.6


def test_a_shrunk_picture_keeps_its_size_and_middle() -> None:
    image = grey()
    image[50:70, 90:110] = 255
    small = surrounded(0.5)(image, np.random.default_rng(0))
    assert small.shape == image.shape
    assert small[60, 100, 0] == 255
    assert small[52, 92, 0] < 255


@pytest.mark.slow
def test_one_board_is_read_under_every_disturbance() -> None:
    measured = read_disturbed(jobs(("standin",), ("day",), ("board",), 1, 60_000)[0])
    assert len(measured) == len(DISTURBANCES)
    assert not any(one.undetected or one.pieces_undetected for one in measured)
    assert sum(one.exact for one in measured) >= len(measured) - 2
    table = accuracy_table({name: [one] for name, one in zip(DISTURBANCES, measured, strict=True)})
    assert table.row_count == len(DISTURBANCES)
