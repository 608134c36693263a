"""Joint assignment of numbers to discs: each number lies on the table once at most."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_ITERATIONS: Final = 60
"""Number of rounds of message passing; it converges within about twenty."""
_DAMPING: Final = 0.3
"""Share of the previous message, against oscillation."""


def assignment_marginals(
    log_likelihoods: NDArray[np.float64], log_none: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each number for each disc, (discs, numbers), given that no number occurs twice.

    The rest to 1 of a row is the probability that the disc has none of the numbers. Sum-product message passing on
    the bipartite graph (Huang and Jebara, 2009).

    log_likelihoods: (discs, numbers), nats. log_none: (discs,), that of a disc without any of the numbers.
    """
    if not log_likelihoods.size:
        return np.zeros(log_likelihoods.shape)
    weights = np.exp(np.clip(log_likelihoods - log_none[:, None], -80.0, 80.0))
    from_number = np.ones_like(weights)
    other_numbers, other_discs = (1 - np.eye(count) for count in (weights.shape[1], weights.shape[0]))
    for _ in range(_ITERATIONS):
        beliefs = weights * from_number
        to_number = weights / (1 + beliefs @ other_numbers)
        from_number = _DAMPING * from_number + (1 - _DAMPING) / (1 + other_discs @ to_number)
    beliefs = weights * from_number
    return np.asarray(beliefs / (1 + beliefs.sum(axis=1, keepdims=True)), np.float64)
