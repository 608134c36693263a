"""Directions of the seats round the table: degrees clockwise as seen from above, 0 at the sheet's bottom edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import SeatingError
from calibration.translatable import say

FEWEST_SEATS = 2
"""Smallest number of seats."""
MOST_SEATS = 8
"""Largest number of seats."""
MIN_GAP_DEG = 10.0
"""Smallest angle between adjacent seats, degrees; with less, hands could not be assigned to players."""
_DECIMALS = 2
"""Number of decimals to which angles, in degrees, are rounded."""


@dataclass(frozen=True)
class Seating:
    """Directions of the seats from the table's centre.

    Raises SeatingError unless each seat is clockwise of the previous one by MIN_GAP_DEG at least, and all are
    within one turn round the table.
    """

    angles: tuple[float, ...]
    """Direction of each seat, 0..360 degrees clockwise from the calibration sheet's bottom edge."""

    def __post_init__(self) -> None:
        """Normalise the angles to 0..360 and check their order."""
        if not FEWEST_SEATS <= len(self.angles) <= MOST_SEATS:
            raise SeatingError(
                say(
                    "A table has {fewest} to {most} seats: give one angle for each.",
                    fewest=FEWEST_SEATS,
                    most=MOST_SEATS,
                )
            )
        if not all(math.isfinite(angle) for angle in self.angles):
            raise SeatingError(say("The angles of seats are degrees, for example 0, 60, 180 and 240."))
        turned = tuple(round(angle % 360.0, _DECIMALS) % 360.0 for angle in self.angles)
        object.__setattr__(self, "angles", turned)
        gaps = self.gaps
        if min(gaps) < MIN_GAP_DEG or not math.isclose(sum(gaps), 360.0, abs_tol=0.1):
            raise SeatingError(
                say(
                    "Seats go round the table once, clockwise, at least {gap} degrees apart: for example 0, 60, "
                    "180 and 240.",
                    gap=round(MIN_GAP_DEG),
                )
            )

    @classmethod
    def even(cls, seats: int) -> Seating:
        """Return evenly spaced seats, seat 0 at the sheet's bottom edge."""
        return cls(tuple(360.0 * seat / seats for seat in range(seats)))

    def __len__(self) -> int:
        """Return the number of seats."""
        return len(self.angles)

    @property
    def is_even(self) -> bool:
        """Whether the seats are evenly spaced from the sheet's bottom edge, which is the default."""
        return self == Seating.even(len(self))

    @property
    def gaps(self) -> tuple[float, ...]:
        """Angle from each seat clockwise to the next, degrees."""
        following = (*self.angles[1:], self.angles[0])
        return tuple((after - before) % 360.0 for before, after in zip(self.angles, following, strict=True))

    def direction(self, seat: int) -> tuple[float, float]:
        """Return the unit vector in table coordinates from the centre towards a seat."""
        angle = math.radians(self.angles[seat])
        return -math.sin(angle), -math.cos(angle)

    def offsets(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Return the angle between the direction of each point and of each seat, degrees 0..180, (points, seats).

        points_mm: (points, 2), table mm.
        """
        x, y = np.asarray(points_mm, np.float64).reshape(-1, 2).T
        clockwise = np.degrees(np.arctan2(-x, -y))
        return np.asarray(np.abs((clockwise[:, None] - self._degrees + 180.0) % 360.0 - 180.0), np.float64)

    def seat_of(self, point_mm: ArrayLike) -> int:
        """Return the seat whose direction is nearest to that of a point (x, y) in table mm.

        Raises ValueError for a point that is not finite, such as that of a pixel above the horizon.
        """
        point = np.asarray(point_mm, np.float64)
        if not np.isfinite(point).all():
            raise ValueError(f"no seat for the point {point}")
        return int(self.offsets(point)[0].argmin())

    @cached_property
    def _degrees(self) -> NDArray[np.float64]:
        return np.array(self.angles, np.float64)


def parse_angles(text: str) -> Seating:
    """Return the seating of comma-separated angles in degrees, as on the command line. Raises SeatingError."""
    try:
        angles = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise SeatingError(say("The angles of seats are degrees, for example 0, 60, 180 and 240.")) from None
    return Seating(angles)


def seating_for(seats: int, known: Sequence[Seating]) -> Seating:
    """Return the known seating for a number of seats, or evenly spaced seats if there is none."""
    return next((one for one in known if len(one) == seats), Seating.even(seats))


def with_seating(known: Sequence[Seating], seating: Seating) -> tuple[Seating, ...]:
    """Return the known seatings with this one in place of that for the same number of seats.

    An evenly spaced one is left out, since it is the default.
    """
    others = [one for one in known if len(one) != len(seating)]
    return tuple(sorted([*others, *([] if seating.is_even else [seating])], key=len))
