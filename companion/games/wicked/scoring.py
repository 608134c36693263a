"""Points, line by line, and who wins (W16)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score with its arithmetic; counts include tokens on great oracle cards.

    place: 1 for the best; players who stay tied after the whole chain share a place. decided_by: which
    comparison put this player behind the one before ("points", "great", "high", "middle", "low", "impurity"),
    "" for the first and for a shared place.
    """

    player: int
    low: int
    middle: int
    high: int
    great: int
    small: int
    impurity: int
    given_back: int
    total: int
    place: int
    decided_by: str
