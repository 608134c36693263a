"""From evidence to probabilities: how many pieces of a kind lie in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.reveal.evidence import HEAP_FEATURES, SIGN_FEATURES, Heap
from vision.reveal.network import Network, load_network

Posterior = NDArray[np.float64]
"""Probability of each count from 0."""

HEAP_CLASSES = 10
"""A heap holds 0 (a false one) to 9 pieces."""
_SHARPER = 1.3
"""Networks that answer as the mean of several are too shy: on made-up reveals 3000 to 3039, which they have not
seen, 95 % of hands are right, and this makes the mean confidence 95 % too."""
_FLOOR = 1e-4
"""No count is ever impossible: a heap may hide a piece, a speck may be one."""


@cache
def heap_network() -> Network:
    """Give the network that tells how many pieces a heap holds."""
    return load_network("heap", HEAP_FEATURES)


@cache
def sign_network() -> Network:
    """Give the network that tells whether a sign lies in the hand."""
    return load_network("sign", SIGN_FEATURES)


def heap_posteriors(heaps: Sequence[Heap]) -> tuple[Posterior, ...]:
    """Give each heap's probability of holding 0 to 9 pieces."""
    if not heaps:
        return ()
    rows = heap_network().probabilities(np.array([heap.features for heap in heaps], np.float32))
    floored = rows.astype(np.float64) + _FLOOR
    return tuple(row / row.sum() for row in floored)


def sharpened(posterior: Posterior) -> Posterior:
    """Give the calibrated probabilities of a hand's counts."""
    sharp = posterior**_SHARPER
    return np.asarray(sharp / sharp.sum())


def sum_posterior(posteriors: Sequence[Posterior]) -> Posterior:
    """Give the probability of the sum of independent counts."""
    total = np.ones(1)
    for posterior in posteriors:
        total = np.convolve(total, posterior)
    if len(posteriors) == 0:
        # Nothing to be seen: a piece may still hide behind a finger.
        total = np.array([1.0, 4e-3, 5e-4])
    return np.asarray(total / total.sum())


def sign_posterior(sign: Heap) -> Posterior:
    """Give the probability of no and of one sign of a kind; more than one in a hand are not told apart."""
    row = sign_network().probabilities(np.array([sign.features], np.float32))[0].astype(np.float64) + _FLOOR
    return np.asarray(row / row.sum())


def share_out(posteriors: Sequence[Posterior], total: int) -> tuple[int, ...]:
    """Give the likeliest count of each heap when all of them together hold `total`; fewer where that cannot be."""
    best: list[dict[int, tuple[float, tuple[int, ...]]]] = [{0: (0.0, ())}]
    for posterior in posteriors:
        here: dict[int, tuple[float, tuple[int, ...]]] = {}
        for so_far, (score, counts) in best[-1].items():
            for count, probability in enumerate(posterior):
                if so_far + count <= total:
                    entry = (score + float(np.log(probability)), (*counts, count))
                    if so_far + count not in here or here[so_far + count][0] < entry[0]:
                        here[so_far + count] = entry
        best.append(here)
    reached = max(best[-1])
    return best[-1][reached][1]
