"""Joint assignment of numbers to discs, in which each number occurs at most once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ITERATIONS: Final = 60
"""Number of iterations of message passing, which converges within about twenty."""
_DAMPING: Final = 0.3
"""Weight of the previous message in each update, against oscillation."""
_MAX_LOG: Final = 80.0
"""Bound of the size of logarithms of weights."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Assignments:
    """Marginals over all assignments of numbers to discs, under each of several hypotheses."""

    marginals: Floats
    """Probability of each number for each disc, (hypotheses, discs, numbers)."""
    absent: Floats
    """Probability that no disc has a number, for each number, (hypotheses, numbers)."""
    log_total: Floats
    """Logarithm of the total weight of all assignments, in Bethe's approximation, (hypotheses,)."""


def assignment_marginals(log_likelihoods: Floats, log_none: Floats) -> Floats:
    """Return the probability of each number for each disc, (discs, numbers), given that no number occurs twice.

    What a row lacks to a sum of 1 is the probability that the disc has none of the numbers.

    log_likelihoods: (discs, numbers), nats. log_none: (discs,), log likelihood of having none of the numbers.
    """
    if not log_likelihoods.size:
        return np.zeros(log_likelihoods.shape)
    weights = np.exp(np.clip(log_likelihoods - log_none[:, None], -_MAX_LOG, _MAX_LOG))
    return np.asarray(assignments(weights[None], np.ones((1, weights.shape[1]))).marginals[0], np.float64)


def assignments(weights: Floats, absent: Floats) -> Assignments:
    """Return the marginals over all assignments in which no number occurs twice, separately for each hypothesis.

    Computed by sum-product message passing on the bipartite graph (Huang and Jebara, 2009).

    weights: (hypotheses, discs, numbers), likelihood of each number of a disc relative to none. absent:
    (hypotheses, numbers), weight of the case that no disc has a number.
    """
    discs, numbers = weights.shape[1:]
    from_number = np.ones_like(weights)
    other_numbers, other_discs = (1 - np.eye(count) for count in (numbers, discs))
    for _ in range(_ITERATIONS):
        to_number = weights / (1 + (weights * from_number) @ other_numbers)
        sent = 1 / (absent[:, None] + other_discs @ to_number)
        from_number = _DAMPING * from_number + (1 - _DAMPING) * sent
    beliefs = weights * from_number
    of_discs, of_numbers = 1 + beliefs.sum(axis=2), absent + to_number.sum(axis=1)
    of_edges = np.log1p(to_number * from_number)
    return Assignments(
        marginals=beliefs / of_discs[..., None],
        absent=absent / of_numbers,
        log_total=np.log(of_discs).sum(axis=1) + np.log(of_numbers).sum(axis=1) - of_edges.sum(axis=(1, 2)),
    )
