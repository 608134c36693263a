"""Squares that are cut out of pictures, and that what is found in them lies where it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detector import CROP_PX
from vision.detector.cropping import CropFrame, frame_nearer
from vision.readings import Box

sides = st.floats(4, 60)
places = st.floats(0, CROP_PX - 60)
boxes = st.lists(st.tuples(places, places, sides, sides), min_size=1, max_size=8)


@given(boxes)
def test_from_nearer_all_that_was_found_is_seen_and_nothing_beyond_the_crop(found: list[Box]) -> None:
    frame = frame_nearer(found)
    side = CROP_PX / frame.scale
    assert 1.0 <= frame.scale <= 1.5
    assert min(frame.left, frame.top) >= -1e-9
    assert max(frame.left, frame.top) + side <= CROP_PX + 1e-9
    for x, y, width, height in found:
        assert frame.left - 1e-6 <= x
        assert x + width <= frame.left + side + 1e-6
        assert frame.top - 1e-6 <= y
        assert y + height <= frame.top + side + 1e-6


def test_what_lies_together_is_shown_half_as_large_again_and_what_lies_apart_as_it_is() -> None:
    assert frame_nearer([(100.0, 100.0, 20.0, 20.0), (130.0, 120.0, 20.0, 20.0)]).scale == 1.5
    assert frame_nearer([(0.0, 100.0, 20.0, 20.0), (236.0, 120.0, 20.0, 20.0)]).scale == 1.0


@pytest.mark.parametrize("frame", [CropFrame(40.0, 60.0, 1.6), frame_nearer([(90.0, 70.0, 30.0, 20.0)])])
def test_what_is_found_in_a_square_lies_there_in_the_picture(frame: CropFrame) -> None:
    picture = np.zeros((CROP_PX, CROP_PX, 3), np.uint8)
    picture[70:90, 90:120] = 255
    rows, columns = np.nonzero(frame.picture(picture)[..., 0] > 127)
    found = (float(columns.min()), float(rows.min()), float(np.ptp(columns) + 1), float(np.ptp(rows) + 1))
    assert frame.box(found) == pytest.approx((90, 70, 30, 20), abs=1.0)
