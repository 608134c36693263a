"""How readings of the maze err: probabilities fitted on rendered games.

`python -m tests.bench.turns.fit_turns` fits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TokenQuality:
    """How well one kind of picture shows the tokens: sharp ones, or those of a print that is not enrolled."""

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
    hidden_tile: float
    """The same for a tile on which a wizard is read."""
    hidden_tile_power: float
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
    tile=5e-5,
    tile_power=1.37,
    hidden_tile=5.6e-3,
    hidden_tile_power=1.56,
    spare=2.7e-3,
    spare_power=1.11,
    qualities=(
        TokenQuality(share=0.75, missed=2.6e-4, missed_below=0.976, unreadable=2.8e-4),
        TokenQuality(share=0.22, missed=0.26, missed_below=0.978, unreadable=0.99),
        TokenQuality(share=0.03, missed=0.74, missed_below=0.69, unreadable=0.88),
    ),
    false=6.8e-4,
    presence=(6.3, 0.46),
    number_power=0.9,
    wizard=4.7e-4,
    beside=4.4e-4,
    wizard_power=1.0,  # set, not fitted: few wizards of the fit were uncertain
)
"""Those of the shipped reader."""
