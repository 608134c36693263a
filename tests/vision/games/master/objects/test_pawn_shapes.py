"""Tests of comparing the pixels of a paint with the outline of a pawn."""

from __future__ import annotations

import cv2
import numpy as np

from vision import colour
from vision.games.master.objects.pawn_shapes import pawn_scores
from vision.games.master.objects.views import view_of
from vision.games.master.readings import SIZE

_PX = 60
"""Width of a tile in the picture, px."""
_WHITE = (235, 235, 235)


def test_a_white_pawn_stands_out_from_white_paths_by_its_shaded_sides() -> None:
    picture = np.full(((SIZE + 2) * _PX, (SIZE + 2) * _PX, 3), (40, 90, 40), np.uint8)
    centres = [
        (round((column + 1.5) * _PX), round((row + 1.5) * _PX)) for row in range(SIZE) for column in range(SIZE)
    ]
    for x, y in centres:
        cv2.line(picture, (x, y - _PX // 2), (x, y + _PX // 2), _WHITE, _PX // 4)
    place = 24  # below the camera: a pawn seen from straight above
    cv2.circle(picture, centres[place], round(0.2 * _PX), (150, 150, 150), -1)
    cv2.circle(picture, centres[place], round(0.1 * _PX), (170, 170, 170), -1)
    to_picture = np.array([[_PX, 0, _PX], [0, _PX, _PX], [0, 0, 1.0]])
    paints = np.repeat(colour.of_view(np.array([[_WHITE]], np.uint8))[0], 4, axis=0)
    scores = pawn_scores(view_of(picture, to_picture), paints, np.zeros((0, 3)), ())
    alike, _, shaded = scores[:, 3].T
    assert shaded.argmax() == place
    assert shaded[place] > 0.3
    assert np.delete(shaded, place).max() < shaded[place] / 2
    assert alike.argmax() != place, "the case that shaded sides settle: paths have the paint itself"
