"""Arrangements of cards: which slot of a game's layout, such as a ring or a grid, each card lies in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.cards.deck import EnrolledCard


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card or an outline of one on the table, as an arrangement takes it."""

    card: EnrolledCard | None
    """The enrolled card, None for an outline without a name."""
    centre: tuple[float, float]
    """Centre, table mm."""
    angle: float
    """Direction of its top, degrees clockwise from +y; of no meaning without a name."""


Arrangement = Callable[[Sequence[LaidCard], int | None], Sequence[int | None]]
"""Returns the slot of each card in an arrangement that a game lays out, None for a card outside it.

Takes the cards, named ones by confidence before outlines, and the number of slots, None where unknown.
"""


def no_arrangement(cards: Sequence[LaidCard], count: int | None) -> Sequence[int | None]:
    """Return no slot for any card: they may lie anywhere."""
    return (None,) * len(cards)
