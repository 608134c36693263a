"""Error rates of readings of the maze, fitted on rendered games by `python -m tests.bench.turns.fit_turns`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TokenQuality:
    """Error rates of tokens in one class of pictures, such as sharp ones, or those of tokens not enrolled."""

    share: float
    """Prior probability that a picture belongs to this class."""
    missed: float
    """Probability that a disc is not reported."""
    missed_below: float
    """Probability that a disc under a wizard is not reported."""
    unreadable: float
    """Probability that the number of a reported disc is no evidence at all."""


@dataclass(frozen=True, slots=True)
class ReaderErrorRates:
    """Error rates of a reader, and exponents that calibrate its probabilities.

    A reading's probabilities are raised to the exponent and normalised. An error rate is the probability that a
    reading is wrong although the reader is certain.
    """

    tile: float
    """Error rate of a tile's openings."""
    tile_power: float
    """Exponent of the probabilities of a tile's openings."""
    hidden_tile: float
    """Error rate of the openings of a tile on which a wizard is read."""
    hidden_tile_power: float
    """Exponent of the probabilities of the openings of a tile on which a wizard is read."""
    spare: float
    """Error rate of the spare's shape: another thing on the table may be taken for the spare."""
    spare_power: float
    """Exponent of the probabilities of the spare's shape."""
    qualities: tuple[TokenQuality, ...]
    """Classes of pictures; all tokens of a picture have the error rates of one of them."""
    false: float
    """Probability that a disc is reported on a tile without one."""
    presence: tuple[float, float]
    """Log-likelihood ratio of a reported disc to no disc: offset, and weight of the log odds that it is a token."""
    number_power: float
    """Exponent of the probabilities of a disc's number."""
    wizard: float
    """Error rate of a wizard's place."""
    beside: float
    """Probability that a wizard is read with certainty on a place next to its own."""
    wizard_power: float
    """Exponent of the probabilities of a wizard's place."""


FITTED: Final = ReaderErrorRates(
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
"""Error rates of the shipped reader."""
