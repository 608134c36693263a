"""A camera that has lost its colours is distinguished from a table that has none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.errors import PictureError
from calibration.light.grey_picture_check import is_grey, refuse_grey, saturation
from vision.cameras.frame import Image

RNG = np.random.default_rng(23)
WOOD = np.clip(RNG.normal(0, 6, (720, 1280, 3)) + np.array([90, 130, 180]), 0, 255).astype(np.uint8)
STRIPES = np.where(np.arange(1280)[None, :, None] // 60 % 2, 40, 210) * np.array([0.98, 1.0, 1.01])


def grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def compressed(image: Image) -> Image:
    decoded = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


def black_and_white(noise: float) -> Image:
    """A table top in black and white stripes, as a camera sees it that sends colours."""
    return np.clip(np.broadcast_to(STRIPES, (720, 1280, 3)) + RNG.normal(0, noise, (720, 1280, 3)), 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("table", [WOOD, black_and_white(1.5), black_and_white(5.0)])
def test_a_grey_picture_of_a_table_known_in_colours_is_grey(table: Image) -> None:
    known = saturation(table)
    assert is_grey(grey(table), known)
    assert is_grey(compressed(grey(table)), known)
    assert not is_grey(table, known)
    assert not is_grey(compressed(table), known)


def test_a_black_and_white_table_in_other_light_is_not_grey() -> None:
    known = saturation(black_and_white(2.0))
    for light in (0.4, 0.7, 1.1):
        dimmed = np.clip(black_and_white(2.0) * light, 0, 255).astype(np.uint8)
        assert not is_grey(dimmed, known), light
        assert not is_grey(compressed(dimmed), known), light


def test_wood_in_cold_light_is_not_grey() -> None:
    cold = np.clip(WOOD * np.array([1.45, 1.0, 0.82]), 0, 255).astype(np.uint8)
    assert not is_grey(cold, saturation(WOOD))


def test_a_table_that_was_calibrated_in_grey_and_the_dark_are_left_alone() -> None:
    assert not is_grey(grey(WOOD), saturation(grey(WOOD)))
    assert not is_grey(grey(WOOD), None)
    assert not is_grey((grey(WOOD) * 0.05).astype(np.uint8), saturation(WOOD))


def test_a_grey_picture_is_refused_with_what_to_do() -> None:
    refuse_grey(WOOD, saturation(WOOD))
    with pytest.raises(PictureError, match="no colours"):
        refuse_grey(grey(WOOD), saturation(WOOD))
