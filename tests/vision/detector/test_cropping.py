"""Square crops: what is found in one lies where it was in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detector import CROP_PX
from vision.detector.cropping import CropFrame


@pytest.mark.parametrize("frame", [CropFrame(40.0, 60.0, 1.6), CropFrame(-20.0, 10.0, 0.9)])
def test_a_box_found_in_a_crop_lies_at_the_same_place_of_the_picture(frame: CropFrame) -> None:
    picture = np.zeros((CROP_PX, CROP_PX, 3), np.uint8)
    picture[70:90, 90:120] = 255
    rows, columns = np.nonzero(frame.picture(picture)[..., 0] > 127)
    found = (float(columns.min()), float(rows.min()), float(np.ptp(columns) + 1), float(np.ptp(rows) + 1))
    assert frame.box(found) == pytest.approx((90, 70, 30, 20), abs=1.5)
