"""Tests of crops in which what stands on a place stands upright."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.games.master.objects.top_views import COLOUR_SCALE, MARGIN, TILE_PX, FieldView, view_of
from vision.games.master.objects.wizards.upright_crops import (
    CROP_PX,
    FOOT,
    PLANES,
    SCALE_PX,
    crop,
    crop_transform,
    input_planes,
    median_colour,
    similarities,
)
from vision.games.master.readings import SIZE

_FOCAL = 1100.0
_FOOT_AND_HEAD = ((200, 60, 40), (40, 60, 200))
"""BGR of what is drawn at the foot and at the head of a pole."""


@cache
def pole(place: int, tilt: float, turn: float, height: float = 0.6) -> FieldView:
    """Return a view of a board with a pole on a place, seen from an angle (degrees), the camera turned likewise."""
    rotation = cv2.Rodrigues(np.array([np.radians(180 - tilt), 0.0, 0.0]))[0]
    rotation = rotation @ cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn)]))[0]
    eye = np.linalg.solve(rotation, np.array([0.0, 0.0, -16.0])) + np.array([3.5, -3.5, 0])
    camera = np.array([[_FOCAL, 0, 640], [0, _FOCAL, 360], [0, 0, 1.0]])
    # The board's y runs down where it is seen from above: its heights are negative in a right-handed frame.
    flipped = np.diag([1.0, -1, 1])
    rotation, eye = rotation @ flipped, flipped @ eye

    def shown(point: tuple[float, float, float]) -> tuple[int, int]:
        at = camera @ rotation @ (np.array(point) - eye)
        return round(float(at[0] / at[2])), round(float(at[1] / at[2]))

    homography = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ eye])
    image = np.full((720, 1280, 3), 128, np.uint8)
    x, y = place % SIZE + 0.5, place // SIZE + 0.5
    for at, paint in zip((0.0, height), _FOOT_AND_HEAD, strict=True):
        cv2.circle(image, shown((x, y, at)), 5, paint, -1)
    return view_of(image, homography)


def middle_of(made: np.ndarray, paint: tuple[int, int, int]) -> np.ndarray:
    rows, columns = np.nonzero(np.abs(made.astype(int) - paint).sum(axis=2) < 90)
    return np.array([columns.mean(), rows.mean()])


@pytest.mark.parametrize("turn", [0.0, 70.0, 200.0])
@pytest.mark.parametrize("place", [0, 10, 24, 48])
def test_what_stands_on_a_place_stands_upright(place: int, turn: float) -> None:
    view = pole(place, 35.0, turn)
    to_view, lean = crop_transform(view, place, view.camera)
    made = crop(view.image, to_view)
    foot, head = (middle_of(made, paint) for paint in _FOOT_AND_HEAD)
    assert np.abs(foot - FOOT).max() < 1.5
    assert abs(head[0] - foot[0]) < 2.0
    assert 5 < foot[1] - head[1] < 0.6 * SCALE_PX
    assert 0.3 < lean < 1.5


def test_from_straight_above_nothing_leans() -> None:
    view = pole(24, 0.0, 0.0)
    to_view, lean = crop_transform(view, 24, (3.5, 3.5, 16.0))
    assert lean < 0.05
    assert np.abs(middle_of(crop(view.image, to_view), _FOOT_AND_HEAD[1]) - FOOT).max() < 1.5


def test_a_tile_has_the_same_width_in_every_crop() -> None:
    view = pole(24, 35.0, 40.0)
    to_view, _ = crop_transform(view, 24, view.camera)
    ends = np.array([FOOT, (FOOT[0] + SCALE_PX, FOOT[1])])
    on_view = cv2.perspectiveTransform(ends[None], to_view)[0] / TILE_PX - MARGIN
    assert np.hypot(*(on_view[1] - on_view[0])) == pytest.approx(1.0, abs=0.06)


def test_a_zoomed_crop_shows_the_same_and_more() -> None:
    view = pole(10, 35.0, 40.0)
    small = crop(view.image, crop_transform(view, 10, view.camera)[0])
    side = 2 * CROP_PX + 20
    large = crop(view.image, crop_transform(view, 10, view.camera, 2.0, 10.0)[0], side)
    inner = cv2.resize(large[10:-10, 10:-10], (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - inner).mean() < 3


def test_the_input_says_where_the_paint_of_the_wizard_is_and_where_that_of_others() -> None:
    paints = np.array([[0, 0, 0], [0, 2, 0], [0, 0, 2], [2, 0, 0]], np.float32) * COLOUR_SCALE
    colours = np.zeros((CROP_PX, CROP_PX, 3), np.float32) + paints[3]
    colours[:10] = paints[1]
    planes = input_planes(colours, similarities(colours, paints), 1, 0.4)
    assert planes.shape == (PLANES, CROP_PX, CROP_PX)
    assert planes.dtype == np.float32
    own, others, lean = planes[3:]
    assert own[:10].min() > 0.8
    assert own[10:].max() < 0.1
    assert others[:10].max() < 0.1
    assert others[10:].min() > 0.8
    assert (lean == np.float32(0.4)).all()


def test_levels_are_those_of_the_board() -> None:
    view = pole(24, 35.0, 0.0)
    assert np.allclose(median_colour(view), np.median(view.colours.reshape(-1, 3), axis=0), atol=0.05)
