"""Layout of the simulated table for 3, 4 and 5 seats.

All that belongs to a seat lies in that seat's sector of the table, in view of each simulated camera, with a lane
for the player's hand between board and cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.games.wicked.art import CARD
from vision.cameras.simulated.scene import Pose

RING_GAP_MM = 66.0
"""Distance from the labyrinth tile's centre to the near edge of a corridor card, mm."""


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Poses of everything that belongs to one seat."""

    board: Pose
    """Personal board."""
    great: tuple[Pose, Pose]
    """Great oracle cards."""
    small: tuple[Pose, Pose]
    """Small oracle cards."""
    revealed: Pose
    """Where revealed pieces are put down."""
    impurity: Pose
    """Where impurity is collected."""
    hand: Pose
    """Palm of a hand that reaches in fully, fingers towards the pose's angle."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Strip of the table that belongs to one seat."""

    angle: float
    """Rotation, degrees clockwise."""
    centre: tuple[float, float]
    """Centre, mm."""
    side: int
    """Side on which the board lies, the cards being on the other one: -1 left, +1 right."""
    hand: tuple[float, float]
    """Position of the hand, mm."""


_PLANS: dict[int, tuple[_Plan, ...]] = {
    3: (
        _Plan(0, (0, -304), -1, (12, -215)),
        _Plan(120, (-424, 196), 1, (-236, 130)),
        _Plan(240, (424, 196), -1, (236, 130)),
    ),
    4: (
        _Plan(0, (0, -304), -1, (12, -215)),
        _Plan(90, (-464, 0), -1, (-262, 6)),
        _Plan(180, (0, 304), -1, (-12, 215)),
        _Plan(270, (464, 0), -1, (262, -6)),
    ),
    5: (
        _Plan(0, (0, -304), -1, (12, -215)),
        _Plan(78, (-505, -125), 1, (-268, -84)),
        _Plan(172, (-262, 290), 1, (-152, 192)),
        _Plan(188, (262, 290), -1, (152, 192)),
        _Plan(282, (505, -125), -1, (268, -84)),
    ),
}
"""Plans of all seats by number of seats."""


def seat_angle(seats: int, seat: int) -> float:
    """Return a seat's direction in degrees clockwise from the picture's bottom edge: 360° · seat / seats."""
    return 360.0 * seat / seats


def seat_place(seats: int, seat: int) -> SeatPlace:
    """Return the poses of a seat's board, cards, pieces and hand, table mm.

    Raises ValueError unless there are 3 to 5 seats.
    """
    if seats not in _PLANS or not 0 <= seat < seats:
        raise ValueError(f"There is no seat {seat} at a table of {seats}: 3, 4 or 5 can play.")
    plan = _PLANS[seats][seat]

    def at(right: float, away: float, turn: float = 0.0) -> Pose:
        """Return the pose at mm to the right and away, as the player sees it, from the centre of the strip."""
        angle = np.radians(plan.angle)
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        x = plan.centre[0] + right * cos + away * sin
        y = plan.centre[1] - right * sin + away * cos
        return Pose(round(x, 2), round(y, 2), plan.angle + turn)

    board, cards = 128.0 * plan.side, -112.0 * plan.side
    near, far = -46.0, 46.0
    return SeatPlace(
        board=at(board, -16.0),
        great=(at(cards - 34.0, near), at(cards + 34.0, near)),
        small=(at(cards - 34.0, far), at(cards + 34.0, far)),
        revealed=at(84.0 * plan.side, 84.0),
        impurity=at(164.0 * plan.side, 76.0),
        hand=Pose(plan.hand[0], plan.hand[1], seat_angle(seats, seat)),
    )


def ring_poses(corridors: int) -> tuple[Pose, ...]:
    """Return the poses of a ring of corridor cards around the tile: slot 0 above the witch's head, then clockwise.

    A card's top points towards the tile.
    """
    radius = RING_GAP_MM + CARD[1] / 2
    turns = [360.0 * slot / corridors for slot in range(corridors)]
    return tuple(
        Pose(radius * float(np.sin(np.radians(t))), radius * float(np.cos(np.radians(t))), (t + 180.0) % 360.0)
        for t in turns
    )
