"""Calibration of confidences: the reliability table, and the expected calibration error.

After Guo et al., "On Calibration of Modern Neural Networks" (2017), but with narrower bins at high confidence.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Edges of the confidence bins."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Summary of the answers whose confidence lies between two bounds."""

    low: float
    """Lower bound of the confidence."""
    high: float
    """Upper bound of the confidence."""
    count: int
    """Number of answers."""
    confidence: float
    """Their mean confidence."""
    right: float
    """Fraction of right answers."""


def reliability(answers: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Return the reliability table: bins of answers by confidence, without the empty ones.

    answers: confidence (0..1) of each answer, and whether it is right.
    """
    bins = []
    for low, high in itertools.pairwise(EDGES):
        inside = [(p, right) for p, right in answers if low <= p < high or (high == EDGES[-1] and p >= high)]
        if inside:
            count = len(inside)
            sure, right = sum(p for p, _ in inside) / count, sum(right for _, right in inside) / count
            bins.append(Bin(low, high, count, sure, right))
    return tuple(bins)


def expected_calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error, 0..1: the mean gap of confidence and accuracy, weighted by answers."""
    total = sum(bin_.count for bin_ in bins)
    return sum(bin_.count * abs(bin_.confidence - bin_.right) for bin_ in bins) / total if total else 0.0
