"""Tests of comparing pawns with paints."""

from __future__ import annotations

import cv2
import numpy as np

from vision import colour
from vision.games.master.objects.pawn_colours import paint_log_likelihoods
from vision.games.master.objects.views import FieldView, view_of
from vision.games.master.readings import SIZE

_PX = 60
"""Width of a tile in the picture, px."""
_PLACE = 24
"""Place below the camera, where a pawn is seen from straight above."""
_PAINTS = ((40, 35, 190), (84, 132, 184), (168, 92, 40), (236, 238, 240))


def view_with_pawn(paint: tuple[int, int, int], place: int = _PLACE) -> FieldView:
    side = (SIZE + 2) * _PX
    picture = np.full((side, side, 3), (40, 90, 40), np.uint8)
    middle = (round((place % SIZE + 1.5) * _PX), round((place // SIZE + 1.5) * _PX))
    cv2.circle(picture, middle, round(0.22 * _PX), paint, -1)
    return view_of(picture, np.array([[_PX, 0, _PX], [0, _PX, _PX], [0, 0, 1.0]]))


def test_a_pawn_has_the_paint_that_its_pixels_have() -> None:
    paints = colour.of_view(np.array([_PAINTS], np.uint8))[0]
    for index, paint in enumerate(_PAINTS):
        shown = paint_log_likelihoods(view_with_pawn(paint), paints)[_PLACE]
        assert shown.argmax() == index
        assert np.sort(shown)[-2] < shown[index] - 0.7
