"""Who sits where: seats clockwise seen from above, seat 0 at the calibration sheet's bottom edge (-y)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike


def seat_direction(seat: int, seats: int) -> tuple[float, float]:
    """Give the unit vector in table coordinates from the centre towards a seat.

    Seat k of n sits at 360·k/n degrees clockwise from seat 0.
    """
    angle = 2 * math.pi * seat / seats
    return -math.sin(angle), -math.cos(angle)


def seat_of(point_mm: ArrayLike, seats: int) -> int:
    """Tell the seat whose sector holds a point (x, y) in table mm.

    Raises ValueError for a point that is not finite (it lies above the horizon) or fewer than one seat.
    """
    x, y = np.asarray(point_mm, np.float64).tolist()
    if seats < 1 or not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"no seat for the point ({x}, {y}) among {seats} seats")
    clockwise = math.atan2(-x, -y) / (2 * math.pi)
    return round(clockwise * seats) % seats
