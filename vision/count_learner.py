"""Small networks of one hidden layer that learn within seconds from what a table shows, and answer together.

OpenCV has had no machine learning of its own since version 5, and larger libraries are not wanted for play.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

_FURTHEST = 6.0
_RATE, _DECAY = 2e-3, 1e-4
_MOMENTUM, _SECOND = 0.9, 0.999
_MEMBERS = 3
"""So many networks learn the same, each begun by another lot: of what a table cannot show enough of, each errs in
its own way."""
_LOTS = 1 << 14
"""Noise for so many rows is drawn at first, and taken from anywhere in it at each step: drawing takes long."""

_Weights = tuple[Rows, Rows, Rows, Rows]
"""Two matrices, each with its offsets."""


@dataclass(frozen=True, eq=False)
class Classifier:
    """Turns rows of measures into probabilities of classes: the mean of what its members say."""

    middle: Rows
    spread: Rows
    members: tuple[_Weights, ...]

    def __call__(self, rows: Rows) -> Rows:
        """Give the probability of each class, (rows, classes)."""
        even = _even(rows, self.middle, self.spread)
        told = [
            _chances(np.maximum(even @ first + offset, 0.0) @ second + last)
            for first, offset, second, last in self.members
        ]
        return np.asarray(np.mean(told, axis=0), np.float32)


@dataclass(frozen=True, slots=True)
class Way:
    """How is learned. hidden: units; rounds: how often every row is seen; noise: of the evened measures; drop: the
    share of hidden units left out at a time; batch: rows at a time."""

    hidden: int
    rounds: int
    noise: float = 0.1
    drop: float = 0.1
    batch: int = 384


def learn(rows: Rows, wanted: Rows, way: Way) -> Classifier:
    """Learn which probabilities (rows, classes) are wanted for rows of measures, by Adam (Kingma and Ba, 2015).

    The same rows give the same classifier.
    """
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + np.float32(1e-4)
    even = _even(rows, middle, spread)
    lots = (np.random.default_rng(number) for number in range(_MEMBERS))
    return Classifier(middle, spread, tuple(_learned(even, wanted, way, rng) for rng in lots))


def _learned(even: Rows, wanted: Rows, way: Way, rng: np.random.Generator) -> _Weights:
    hidden, batch = way.hidden, way.batch
    sides = (even.shape[1], hidden, wanted.shape[1])
    matrices = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in pairwise(sides)]
    values = [matrices[0], np.zeros(sides[1], np.float32), matrices[1], np.zeros(sides[2], np.float32)]
    means, squares = ([np.zeros_like(value) for value in values] for _ in range(2))
    steps = max(1, way.rounds * len(even) // batch)
    blur = np.float32(way.noise) * rng.standard_normal((_LOTS, sides[0]), dtype=np.float32)
    keep = (rng.random((_LOTS, hidden), dtype=np.float32) >= way.drop) / np.float32(1 - way.drop)
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(even), batch)
        blurred, dropped = rng.integers(0, _LOTS - batch, 2)
        seen = even[chosen] + blur[blurred : blurred + batch]
        kept = keep[dropped : dropped + batch]
        inner = np.maximum(seen @ values[0] + values[1], 0.0) * kept
        wrong = (_chances(inner @ values[2] + values[3]) - wanted[chosen]) / np.float32(batch)
        back = (wrong @ values[2].T) * (inner > 0) * kept
        slopes = (seen.T @ back + _DECAY * values[0], back.sum(axis=0), inner.T @ wrong + _DECAY * values[2],
                  wrong.sum(axis=0))  # fmt: skip
        # The second half of the way goes in ever smaller steps.
        rate = _RATE * min(1.0, 2 * (steps - step) / steps)
        for value, mean, square, slope in zip(values, means, squares, slopes, strict=True):
            mean += (1 - _MOMENTUM) * (slope - mean)
            square += (1 - _SECOND) * (slope**2 - square)
            value -= rate * (mean / (1 - _MOMENTUM**step)) / (np.sqrt(square / (1 - _SECOND**step)) + 1e-7)
    return values[0], values[1], values[2], values[3]


def _even(rows: Rows, middle: Rows, spread: Rows) -> Rows:
    return np.asarray(np.clip((rows - middle) / spread, -_FURTHEST, _FURTHEST), np.float32)


def _chances(scores: Rows) -> Rows:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
