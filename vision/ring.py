"""The ring of corridor cards round the labyrinth tile: which card lies in which slot."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_SLOTS = 8


def slots(angles_deg: Sequence[float], count: int | None = None) -> tuple[int, ...]:
    """Give each card's slot from its angle clockwise from the witch's head, in degrees.

    Slot 0 lies above the head. count: how many cards the ring has, where it is known; else the smallest even
    ring that every card fits into is taken, so that one card hidden by an arm does not shift the others.
    Cards laid too unevenly for any ring are simply counted clockwise.
    """
    if not angles_deg:
        return ()
    counts = [count] if count is not None else range(max(3, len(angles_deg)), MOST_SLOTS + 1)
    for number in counts:
        step = 360.0 / number
        places = [angle / step for angle in angles_deg]
        nearest = [round(place) for place in places]
        if all(abs(place - near) < 0.3 for place, near in zip(places, nearest, strict=True)):
            chosen = tuple(near % number for near in nearest)
            if len(set(chosen)) == len(chosen):
                return chosen
    # A card just left of the head's direction is still the one above it.
    reach = 180.0 / max(3, len(angles_deg))
    order = sorted(range(len(angles_deg)), key=lambda i: (angles_deg[i] + reach) % 360.0)
    result = [0] * len(angles_deg)
    for slot, index in enumerate(order):
        result[index] = slot
    return tuple(result)


def clockwise_from(head_deg: float, centre: tuple[float, float], point: tuple[float, float]) -> float:
    """Give a point's angle round a centre in degrees clockwise from a direction (itself clockwise from +y)."""
    direction = math.degrees(math.atan2(point[0] - centre[0], point[1] - centre[1]))
    return (direction - head_deg) % 360.0
