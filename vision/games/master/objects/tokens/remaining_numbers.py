"""Assign numbers to discs, given that players collect the tokens in ascending order.

The collected tokens have the lowest numbers, and all others are still on the table. The order is a strong hint
where a disc is hard to see, but no more than that: somebody may have collected the wrong token, and a picture may
show no game under way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.games.master.objects.tokens.number_assignment import Floats, assignments
from vision.games.master.readings import NUMBERS

_OUT_OF_ORDER: Final = 0.02
"""How much less probably a disc has a number that was taken."""
_MISSED: Final = 0.01
"""Probability that a visible token is not among the discs."""
_PRIOR_RATIO: Final = 2.0
"""How much more probably a disc has a given number if that is known to lie somewhere: half of all do on average."""


@dataclass(frozen=True, eq=False)
class NumbersLeft:
    """Numbers of discs, with the order in which tokens are taken."""

    marginals: Floats
    """Probability of each number for each disc, (discs, numbers); the rest to 1: it has none of them."""
    unseen: Floats
    """Probability that each number lies on the table, but is that of none of the discs, (numbers,)."""


def numbers_left(weights: Floats, hidden: float) -> NumbersLeft:
    """Return the numbers of discs.

    weights: (discs, numbers), of a disc's having a number, relative to its being no token.
    hidden: probability that a token on the table is out of sight.
    """
    count = len(NUMBERS)
    lying = np.arange(count) >= np.arange(count + 1)[:, None]  # hypotheses: the first k tokens are taken
    missed = min(0.5, _MISSED + hidden)
    factor = np.where(lying, _PRIOR_RATIO * (1 - missed), _OUT_OF_ORDER)
    found = assignments(weights * factor[:, None], np.where(lying, missed, 1.0))
    shares = np.exp(found.log_total - found.log_total.max())
    shares /= shares.sum()
    return NumbersLeft(np.tensordot(shares, found.marginals, 1), shares @ (found.absent * lying))
