"""Tests of the network that detects what lies and stands on the tiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.evaluation.maze.board_object_accuracy import homographies
from models.evaluation.maze.synthetic_pictures import picture
from vision import colour
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.object_network import (
    INPUT_PX,
    TileObjects,
    input_image,
    network_input,
    shipped_network,
)
from vision.games.master.objects.top_views import FieldView, view_of
from vision.games.master.readings import SIZE


@pytest.fixture(scope="module")
def view() -> FieldView:
    image, truth = picture(7008, "hedge", "day", tilt=30.0)
    return view_of(image, homographies(truth, 7008)[0])


def turned(view: FieldView) -> FieldView:
    """Return a view after a quarter turn counterclockwise; where it is in the picture stays."""
    image = np.ascontiguousarray(np.rot90(view.image))
    x, y, height = view.camera
    return replace(view, image=image, colours=colour.of_view(image), camera=(y, SIZE - x, height))


def detected(view: FieldView) -> TileObjects:
    return shipped_network().detect(view)


def test_the_same_is_detected_in_each_rotation(view: FieldView) -> None:
    upright, rotated = detected(view), detected(turned(view))
    for name in ("disc", "pawns", "wizards", "rings"):
        assert np.rot90(getattr(rotated, name), -1) == pytest.approx(getattr(upright, name), abs=0.05)
    there = upright.disc > 3
    assert there.sum() > 3
    x, y, radius = np.rot90(rotated.circles, -1)[there].T
    assert np.stack([-y, x, radius], axis=1) == pytest.approx(upright.circles[there], abs=0.005)


def test_a_pawn_of_any_colour_shows_by_its_shape() -> None:
    image, truth = picture(7008, "hedge", "day", tilt=30.0)
    field, _, turns = homographies(truth, 7008)
    exchanged = view_of(np.ascontiguousarray(image[..., [1, 0, 2]]), field)
    pawns = detected(exchanged).pawns.ravel()
    standing = {turned_place(place, -turns) for place in truth.wizards.values() if place is not None}
    assert set(np.argsort(-pawns)[: len(standing)].tolist()) == standing


def test_the_light_is_divided_out(view: FieldView) -> None:
    planes = network_input(input_image(view), view.camera)
    assert planes.shape == (5, INPUT_PX, INPUT_PX)
    inner = planes[:3, 32:-32:2, 32:-32:2].reshape(3, -1)
    assert np.median(inner, axis=1) == pytest.approx(0, abs=1e-4)
