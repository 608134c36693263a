"""The ring of corridor cards round the labyrinth tile: which card lies in which slot."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

LEAST_SLOTS, MOST_SLOTS = 4, 8
"""How many cards a ring has, where it is not known."""
_LOOSE = 0.3
"""How far from its place a card may lie, as a share of the way from one place to the next."""
_RARELY_MISSING = 2
"""A ring that lacks so many cards more than another one that fits as well is unlikely."""

Slots = tuple[int | None, ...]


def slots(angles_deg: Sequence[float], count: int | None = None) -> Slots:
    """Give each card's slot from its angle clockwise from the witch's head, in degrees; None where it is not sure.

    Slot 0 lies above the head. count: how many cards the ring has, where it is known. Else it is the ring that fits
    and lacks the fewest cards, so that one hidden by an arm does not shift the others; where rings that lack few
    more fit, too, only the cards on whose slots all agree have one. Cards laid too unevenly are counted clockwise
    where all of a known ring are seen and one lies above the head.
    """
    if count is not None:
        return _of_known(angles_deg, count)
    fitting = [
        (number, found)
        for number in range(max(LEAST_SLOTS, len(angles_deg)), MOST_SLOTS + 1)
        if None not in (found := _nearest(angles_deg, number))
    ]
    likely = [found for number, found in fitting if number <= fitting[0][0] + _RARELY_MISSING]
    if not likely:
        return (None,) * len(angles_deg)
    return tuple(places[0] if len(set(places)) == 1 else None for places in zip(*likely, strict=True))


def _of_known(angles_deg: Sequence[float], count: int) -> Slots:
    nearest = _nearest(angles_deg, count)
    if None not in nearest or len(angles_deg) != count:
        return nearest
    heads = [number for number, angle in enumerate(angles_deg) if _from_head(angle) < _LOOSE * 360.0 / count]
    if len(heads) != 1:
        return nearest
    first = angles_deg[heads[0]]
    order = sorted(range(count), key=lambda number: (angles_deg[number] - first) % 360.0)
    return tuple(order.index(number) for number in range(count))


def _nearest(angles_deg: Sequence[float], count: int) -> Slots:
    """Give the place of a ring that each card lies at; None for one between two places, and for two at one."""
    places = [angle * count / 360.0 for angle in angles_deg]
    near = [round(place) % count if abs(place - round(place)) < _LOOSE else None for place in places]
    taken = Counter(near)
    return tuple(slot if taken[slot] == 1 else None for slot in near)


def _from_head(angle_deg: float) -> float:
    return min(angle_deg % 360.0, -angle_deg % 360.0)


def clockwise_from(head_deg: float, centre: tuple[float, float], point: tuple[float, float]) -> float:
    """Give a point's angle round a centre in degrees clockwise from a direction (itself clockwise from +y)."""
    direction = math.degrees(math.atan2(point[0] - centre[0], point[1] - centre[1]))
    return (direction - head_deg) % 360.0
