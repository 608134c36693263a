"""Ring of corridor cards around the labyrinth tile: assignment of cards to slots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from calibration.game_kit import TILE
from vision.cards.arrangement import Arrangement, LaidCard

MIN_SLOTS = 4
"""Minimum number of cards of a ring of unknown size."""
MAX_SLOTS = 8
"""Maximum number of cards of a ring of unknown size."""
_MAX_OFFSET = 0.3
"""Maximum offset of a card from its slot, as a share of the distance between slots."""
_MAX_EXTRA_MISSING = 2
"""Maximum number of slots by which a plausible ring exceeds the smallest one that fits."""

MAX_DISTANCE_MM = 185.0
"""Maximum distance from the tile's centre to that of a corridor card of the ring."""
_CORRIDOR, _BACK_ID = "corridor", "back:corridor"
"""Sort of corridor cards, and id of their back."""

Slots = tuple[int | None, ...]
"""Slot of each card, None where uncertain."""


def slots_of_angles(angles_deg: Sequence[float], count: int | None = None) -> Slots:
    """Return each card's slot in the ring, None where it is uncertain.

    Slot 0 lies above the witch's head on the labyrinth tile, and slots are numbered clockwise. angles_deg: angle of
    each card around the tile, degrees clockwise from the head. count: number of slots. If None, rings of several
    sizes are compared with the angles, so that a card hidden by an arm does not shift the others, and a card has a
    slot where all that fit agree. Unevenly laid cards are numbered in order if all cards of a ring of known size
    are visible and one lies above the head.
    """
    if count is not None:
        return _slots_of_known_count(angles_deg, count)
    fitting = [
        (number, found)
        for number in range(max(MIN_SLOTS, len(angles_deg)), MAX_SLOTS + 1)
        if None not in (found := _nearest_slots(angles_deg, number))
    ]
    likely = [found for number, found in fitting if number <= fitting[0][0] + _MAX_EXTRA_MISSING]
    if not likely:
        return (None,) * len(angles_deg)
    return tuple(places[0] if len(set(places)) == 1 else None for places in zip(*likely, strict=True))


def _slots_of_known_count(angles_deg: Sequence[float], count: int) -> Slots:
    """Return each card's slot in a ring with this number of slots, see `slots_of_angles`."""
    nearest = _nearest_slots(angles_deg, count)
    if None not in nearest or len(angles_deg) != count:
        return nearest
    heads = [
        number
        for number, angle in enumerate(angles_deg)
        if _distance_from_head(angle) < _MAX_OFFSET * 360.0 / count
    ]
    if len(heads) != 1:
        return nearest
    first = angles_deg[heads[0]]
    order = sorted(range(count), key=lambda number: (angles_deg[number] - first) % 360.0)
    return tuple(order.index(number) for number in range(count))


def _nearest_slots(angles_deg: Sequence[float], count: int) -> Slots:
    """Return the nearest slot of an even ring for each card; None between slots, and for cards that share one.

    angles_deg: see `slots_of_angles`. count: number of slots.
    """
    places = [angle * count / 360.0 for angle in angles_deg]
    near = [round(place) % count if abs(place - round(place)) < _MAX_OFFSET else None for place in places]
    taken = Counter(near)
    return tuple(slot if taken[slot] == 1 else None for slot in near)


def _distance_from_head(angle_deg: float) -> float:
    """Return the absolute angle, 0..180 degrees, of a card to the direction of the witch's head (0)."""
    return min(angle_deg % 360.0, -angle_deg % 360.0)


def clockwise_from(head_deg: float, centre: tuple[float, float], point: tuple[float, float]) -> float:
    """Return a point's angle around a centre, in degrees clockwise from `head_deg`.

    head_deg: direction of the witch's head, degrees clockwise from +y.
    """
    direction = math.degrees(math.atan2(point[0] - centre[0], point[1] - centre[1]))
    return (direction - head_deg) % 360.0


def ring_slots(cards: Sequence[LaidCard], count: int | None) -> Slots:
    """Return each card's slot in the ring around the labyrinth tile, None outside of it or where uncertain.

    Outlines of unidentified cards get slots that identified cards leave free. count: number of corridor cards
    around the tile, where known.
    """
    tile = next((one for one in cards if one.card is not None and one.card.kind == TILE), None)
    if tile is None:
        return (None,) * len(cards)
    angles = [clockwise_from(tile.angle, tile.centre, one.centre) for one in cards]
    near = [math.dist(one.centre, tile.centre) < MAX_DISTANCE_MM for one in cards]

    def placed(numbers: Sequence[int]) -> dict[int, int]:
        """Return the slots of cards, as if only they lay there, by their index in `cards`."""
        found = slots_of_angles([angles[number] for number in numbers], count)
        return {number: slot for number, slot in zip(numbers, found, strict=True) if slot is not None}

    around = [
        number
        for number, one in enumerate(cards)
        if near[number] and one.card is not None and (one.card.kind == _CORRIDOR or one.card.id == _BACK_ID)
    ]
    outlines = [number for number, one in enumerate(cards) if one.card is None and near[number]]
    # One at a time: an outline that is no card must not shift the others.
    together = [placed([*around, number]) for number in outlines]
    certain, possible = (
        placed(around),
        {number: slot for found in reversed(together) for number, slot in found.items()},
    )
    named = {number: certain.get(number, possible.get(number)) for number in around}
    taken = set(named.values())
    unnamed = {number: possible.get(number) for number in outlines}
    return tuple(
        named.get(number) if one.card is not None else None if unnamed.get(number) in taken else unnamed.get(number)
        for number, one in enumerate(cards)
    )


ARRANGEMENT: Arrangement = ring_slots
"""Arrangement of the game's cards, see `vision.games.arrangement`."""
