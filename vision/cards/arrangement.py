"""Arrangements of cards: which slot of a game's layout, such as a ring or a grid, each card lies in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.cards.deck import EnrolledCard


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table, or the outline of an unidentified one: the input of an arrangement."""

    card: EnrolledCard | None
    """The enrolled card, None for the outline of an unidentified one."""
    centre: tuple[float, float]
    """Centre, table mm."""
    angle: float
    """Direction of its top, degrees clockwise from +y; of no meaning for an unidentified card."""


Arrangement = Callable[[Sequence[LaidCard], int | None], Sequence[int | None]]
"""Function that returns the slot of each card in a game's layout, None for a card outside of it.

It takes the cards (identified ones first, most confident first) and the number of slots, None where unknown.
"""


def no_arrangement(cards: Sequence[LaidCard], count: int | None) -> Sequence[int | None]:
    """Return None for each card: the arrangement of games whose cards may lie anywhere."""
    return (None,) * len(cards)
