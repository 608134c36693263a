from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import sheet
from calibration.camera.hand_marked_corners import calibrate_by_corners, paper_corners
from calibration.errors import PictureError, SheetError
from calibration.plane import Image, TablePlane
from tests.calibration.drawn import camera, lay, photograph, sheet_picture, table_top

PLANE = camera(tilt=14)
DRAGGED = ((3.0, -2.0), (-2.5, 3.0), (2.0, 2.5), (-3.0, -2.0))
"""How far a hand on a tablet misses the corners, px."""


def _corners(plane: TablePlane, off: tuple[tuple[float, float], ...] = DRAGGED) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in plane.to_image(paper_corners()) + np.array(off)]


def _off_mm(found: TablePlane, truth: TablePlane) -> NDArray[np.float64]:
    grid = np.array([[x, y] for x in range(-500, 501, 100) for y in range(-300, 301, 100)], np.float64)
    pixels = truth.to_image(grid)
    inside = ((pixels >= 0) & (pixels < truth.image_size)).all(axis=1)
    return np.asarray(np.linalg.norm(found.to_table(pixels[inside]) - grid[inside], axis=1), np.float64)


def _blank_paper(grey: int = 225) -> Image:
    paper = np.full((round(sheet.PAPER_MM[1] * 2), round(sheet.PAPER_MM[0] * 2)), grey, np.uint8)
    return photograph(lay(table_top(), paper, 2.0, 0, 0), PLANE)


def test_corners_dragged_roughly_onto_a_readable_sheet_give_what_the_sheet_says() -> None:
    found = calibrate_by_corners(sheet_picture(PLANE), _corners(PLANE), 4)
    assert found.findings.corners == 24
    assert _off_mm(found.plane, PLANE).max() < 1.5


def test_a_picture_without_colours_is_refused() -> None:
    grey = cv2.cvtColor(sheet_picture(PLANE), cv2.COLOR_BGR2GRAY)
    with pytest.raises(PictureError, match="no colours"):
        calibrate_by_corners(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), _corners(PLANE), 4)


def test_a_blank_sheet_of_paper_is_enough() -> None:
    found = calibrate_by_corners(_blank_paper(), _corners(PLANE), 4)
    assert found.findings.corners == 4
    assert _off_mm(found.plane, PLANE).max() < 5.0
    assert found.findings.edge_width_px is not None
    assert found.findings.edge_width_px < 3.0


def test_where_no_rim_is_seen_the_hand_alone_decides() -> None:
    found = calibrate_by_corners(photograph(table_top(), PLANE), _corners(PLANE), 4)
    assert _off_mm(found.plane, PLANE).max() < 45.0
    assert not found.findings.good


def test_a_sheet_laid_the_wrong_way_round_is_turned_by_the_hand() -> None:
    picture = sheet_picture(PLANE, angle=180.0)
    found = calibrate_by_corners(picture, _corners(PLANE), 4)
    assert found.findings.corners == 24
    assert _off_mm(found.plane, PLANE).max() < 1.5


NO_SHEETS = [
    ([(10.0, 10.0)] * 3, "Four corners"),
    ([(10.0, 10.0), (200.0, 10.0), (200.0, math.nan), (10.0, 100.0)], "Four corners"),
    ([(10.0, 10.0), (1290.0, 10.0), (200.0, 150.0), (10.0, 150.0)], "upper right corner"),
    ([(10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0)], "closer together"),
    ([(10.0, 10.0), (10.0, 200.0), (300.0, 200.0), (300.0, 10.0)], "not in order"),
    ([(10.0, 10.0), (300.0, 200.0), (300.0, 10.0), (10.0, 200.0)], "not in order"),
    ([(500.0, 200.0), (710.0, 200.0), (710.0, 497.0), (500.0, 497.0)], "do not form an A4 sheet"),
]


def test_corners_that_no_sheet_has_are_refused_in_one_line(subtests: pytest.Subtests) -> None:
    for corners, says in NO_SHEETS:
        with subtests.test(f"{says!r:.60}"):
            with pytest.raises(SheetError, match=says) as refusal:
                calibrate_by_corners(_blank_paper(), corners, 4)
            assert "\n" not in str(refusal.value)


def test_a_rim_hidden_on_one_side_does_not_lead_the_corners_astray() -> None:
    picture = _blank_paper().copy()
    x, y = PLANE.to_image((-148.5, 0.0))
    cv2.rectangle(picture, (round(x) - 40, round(y) - 120), (round(x) + 25, round(y) + 120), (60, 60, 60), -1)
    found = calibrate_by_corners(picture, _corners(PLANE), 4)
    assert _off_mm(found.plane, PLANE).max() < 45.0
