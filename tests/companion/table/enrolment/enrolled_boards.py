"""Boards to enrol, and their true shape."""

from __future__ import annotations

from functools import cache

import numpy as np

from calibration.boards.enrolled_board import Point
from calibration.games.wicked.standin_boards import standin_layout
from companion.table.enrolment.boards import BoardShape
from tests.companion.table.enrolment.enrolled import little_profile
from vision.cameras.simulated.scene import BoardOnTable, Pose, Scene

LYING = Pose(12.0, -8.0, 24.0)


def lying(colour: str) -> Scene:
    return Scene(seats=4, tile=False, boards=(BoardOnTable(colour, LYING),))


@cache
def true_shape() -> BoardShape:
    """Return the board's exact outline, spots and spaces in the rendered picture, px."""
    plane = little_profile().plane
    assert plane is not None
    layout = standin_layout()
    turn = np.deg2rad(-LYING.angle)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    def seen(points: list[Point]) -> tuple[Point, ...]:
        on_table = np.array(points) @ turned.T + (LYING.x, LYING.y)
        return tuple((float(x), float(y)) for x, y in plane.to_image(on_table))

    def space(name: str) -> tuple[Point, Point]:
        lies = layout.spaces[name]
        half = lies.width / 2, lies.height / 2
        first, last = seen([(lies.x - half[0], lies.y + half[1]), (lies.x + half[0], lies.y - half[1])])
        return first, last

    corners = seen([(float(x), float(y)) for x, y in layout.corners])
    spots = seen([spot for _, spot in layout.spots()])
    return BoardShape(corners, layout.size_mm, spots, {name: space(name) for name in layout.spaces})
