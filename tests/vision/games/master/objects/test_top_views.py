"""Tests of the camera's position above the board."""

from __future__ import annotations

import numpy as np
import pytest

from vision.games.master.objects.top_views import camera_position, view_of


def homography(position: tuple[float, float, float], focal: float = 1200.0) -> np.ndarray:
    """Return the homography from tiles to px of a camera that is aimed at the middle of the board."""
    eye, aim = np.array(position), np.array([3.5, 3.5, 0.0])
    forward = (aim - eye) / np.linalg.norm(aim - eye)
    right = np.cross([0.0, 1.0, 0.3], forward)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    camera = np.array([[focal, 0, 640], [0, focal, 360], [0, 0, 1.0]])
    return camera @ np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ eye])


@pytest.mark.parametrize("position", [(3.5, 14.0, 14.0), (-6.0, 9.0, 17.0), (12.0, -3.0, 15.0)])
def test_the_cameras_position_follows_from_the_board(position: tuple[float, float, float]) -> None:
    found = camera_position(homography(position), (1280, 720))
    assert np.linalg.norm(np.array(found) - position) < 0.15 * np.linalg.norm(position)


def test_from_straight_above_the_usual_lens_is_assumed() -> None:
    x, y, height = camera_position(homography((3.5, 3.4, 20.0)), (1280, 720))
    assert (x, y) == pytest.approx((3.5, 3.5), abs=0.5)
    assert 12 < height < 28


def test_points_of_the_view_are_points_of_the_picture() -> None:
    of = homography((3.5, 14.0, 14.0))
    view = view_of(np.zeros((720, 1280, 3), np.uint8), of)
    middle = np.full((1, 2), view.image.shape[0] / 2 - 0.5)
    wanted = of @ [3.5, 3.5, 1.0]
    assert view.to_picture(middle)[0] == pytest.approx(wanted[:2] / wanted[2], abs=0.01)
