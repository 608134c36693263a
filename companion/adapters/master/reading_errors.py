"""How readings of the maze err: probabilities fitted on rendered games (`python -m tests.bench.fit_turns`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TokenQuality:
    """How well one kind of picture shows the tokens: sharp and enrolled, dim, or of a print that is not enrolled."""

    share: float
    """Prior probability of such a picture."""
    missed: float
    """Probability that a disc is not reported."""
    missed_below: float
    """The same for a disc on whose place a wizard stands."""
    unreadable: float
    """Probability that the number of a reported disc means nothing."""


@dataclass(frozen=True, slots=True)
class ReadingErrors:
    """Error rates of a reader, and powers that make its probabilities honest.

    Floors are the rates of readings that are wrong though they are certain.
    """

    tile: float
    """Floor of a tile's openings."""
    tile_power: float
    spare: float
    """Floor of the spare's shape, which may be confused with other things on the table."""
    spare_power: float
    qualities: tuple[TokenQuality, ...]
    """One of them holds for all tokens of a picture."""
    false: float
    """Probability that a disc is reported on a tile without one."""
    presence: tuple[float, float]
    """Log-likelihood ratio of a reported disc to none: offset, and weight of the log odds that it is a token."""
    number_power: float
    wizard: float
    """Floor of a wizard's place."""
    beside: float
    """Probability that a wizard is read on a place beside its own though the reading is certain."""
    wizard_power: float


FITTED: Final = ReadingErrors(
    tile=2e-4,
    tile_power=1.3,
    spare=1e-2,
    spare_power=2.3,
    qualities=(
        TokenQuality(share=0.6, missed=0.0015, missed_below=0.942, unreadable=0.002),
        TokenQuality(share=0.3, missed=0.32, missed_below=0.97, unreadable=0.97),
        TokenQuality(share=0.1, missed=0.75, missed_below=0.8, unreadable=0.87),
    ),
    false=1e-3,
    presence=(6.0, 0.4),
    number_power=0.92,
    wizard=3e-4,
    beside=3e-4,
    wizard_power=1.5,
)
"""Those of the shipped reader."""
