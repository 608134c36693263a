from __future__ import annotations

import numpy as np

from calibration.light.light_field import linear
from vision import colour


def test_a_picture_has_the_colours_of_its_light() -> None:
    picture = np.random.default_rng(3).integers(0, 256, (40, 57, 3), dtype=np.uint8)
    picture[0, :2] = [[0, 0, 0], [255, 255, 255]]
    assert np.array_equal(colour.of_view(picture), colour.of_light(linear(picture)))
