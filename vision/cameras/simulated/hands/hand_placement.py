"""Poses in which hands are shown on the simulated table, for any game."""

from __future__ import annotations

import math

from vision.cameras.simulated.scene import Pose

_HANDS_MM = (262.0, 215.0)
"""Half axes of the ellipse on which hands are shown, mm; the picture is wider than high."""


def hand_towards(angle: float) -> Pose:
    """Return the pose on the table at which a hand is shown that reaches in from a direction.

    angle: of that direction as viewed from the table's centre, degrees clockwise from the bottom edge (-y).
    """
    out_x, out_y = -math.sin(math.radians(angle)), -math.cos(math.radians(angle))
    far = 1 / math.hypot(out_x / _HANDS_MM[0], out_y / _HANDS_MM[1])
    return Pose(far * out_x, far * out_y, angle)
