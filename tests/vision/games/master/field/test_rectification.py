"""Geometry of the field: what is rectified comes back, and what lies outside the picture is black."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.homography import map_points
from vision.games.master.field.rectification import (
    KNOWN,
    MARGIN,
    OPEN,
    SIDE_PX,
    TILE_PX,
    UNIT,
    normalised,
    rectified,
    to_picture,
)

_OBLIQUE = np.array([[210.0, 80.0], [520.0, 120.0], [610.0, 420.0], [120.0, 380.0]])


def test_the_known_sides_are_44_open_and_20_walled() -> None:
    assert KNOWN.sum() == 16
    assert OPEN[KNOWN].sum() == 44
    assert (~OPEN[KNOWN]).sum() == 20
    assert not OPEN[~KNOWN].any()


def test_the_homography_maps_the_unit_field_to_the_corners() -> None:
    assert map_points(UNIT, to_picture(_OBLIQUE)) == pytest.approx(_OBLIQUE, abs=1e-3)


def test_a_rectified_field_shows_each_tile_at_its_place() -> None:
    image = np.full((480, 720, 3), 90, np.uint8)
    for place in range(49):
        row, column = divmod(place, 7)
        quad = map_points(
            np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([column, row]), to_picture(_OBLIQUE)
        )
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (5 * place, 0, 255 - 5 * place))
    shown = rectified(image, _OBLIQUE)
    assert shown.shape == (SIDE_PX, SIDE_PX, 3)
    middles = ((MARGIN + 0.5 + np.arange(7)) * TILE_PX).astype(int)
    assert np.abs(shown[middles][:, middles, 0].reshape(-1).astype(int) - 5 * np.arange(49)).max() <= 3


def test_what_lies_outside_the_picture_is_black_and_counts_for_nothing() -> None:
    image = np.random.default_rng(0).integers(90, 250, (480, 720, 3)).astype(np.uint8)
    shown = rectified(image, _OBLIQUE + np.array([0, 200]))
    assert not shown[-TILE_PX:].any()
    planes = normalised(shown)
    assert np.abs(planes[:, -TILE_PX:]).max() == 0
    inside = planes[:, shown.any(-1)]
    assert inside.mean() == pytest.approx(0, abs=1e-3)
    assert 0.7 < inside.std() < 1
