"""Assigns numbers to discs, given that players take the tokens in ascending order.

So the taken tokens have the lowest numbers, and all others are still on the table. The order is strong evidence for
a disc that is hard to read, but not certain: somebody may have taken a wrong token, or no game is being played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.games.master.objects.tokens.number_assignment import Floats, assignments
from vision.games.master.readings import NUMBERS

_OUT_OF_ORDER: Final = 0.02
"""Factor on the likelihood of a disc's number if the token of that number was taken."""
_MISSED: Final = 0.01
"""Probability that a visible token is not among the discs."""
_PRIOR_RATIO: Final = 2.0
"""Factor on the likelihood of a disc's number if that token is on the table: on average half of the tokens are."""


@dataclass(frozen=True, eq=False)
class NumbersGivenOrder:
    """Probabilities of the discs' numbers, given the order in which tokens are taken."""

    marginals: Floats
    """Probability of each number for each disc, (discs, numbers); what a row lacks to 1 is that of no number."""
    unseen: Floats
    """Probability that a token is on the table but none of the discs, for each number, (numbers,)."""


def numbers_given_taking_order(weights: Floats, hidden: float) -> NumbersGivenOrder:
    """Return the probability of each number for each disc, and of each token to be on the table but not found.

    weights: (discs, numbers), likelihood of each number of a disc relative to being no token. hidden: probability
    that a token on the table is not visible.
    """
    count = len(NUMBERS)
    lying = np.arange(count) >= np.arange(count + 1)[:, None]  # hypotheses: the first k tokens are taken
    missed = min(0.5, _MISSED + hidden)
    factor = np.where(lying, _PRIOR_RATIO * (1 - missed), _OUT_OF_ORDER)
    found = assignments(weights * factor[:, None], np.where(lying, missed, 1.0))
    shares = np.exp(found.log_total - found.log_total.max())
    shares /= shares.sum()
    return NumbersGivenOrder(np.tensordot(shares, found.marginals, 1), shares @ (found.absent * lying))
