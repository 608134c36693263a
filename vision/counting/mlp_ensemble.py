"""Ensembles of multilayer perceptrons with one hidden layer.

OpenCV dropped its machine learning module in version 5, and larger libraries are not a dependency of play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
"""Rows of features, (n, features), or of class probabilities."""
Weights = tuple[Rows, Rows, Rows, Rows]
"""Two weight matrices, each with its bias."""

_MAX_STANDARDISED = 6.0
"""Clipping bound of standardised features."""


@dataclass(frozen=True, eq=False)
class Classifier:
    """Ensemble of trained networks: maps rows of features to the mean of their class probabilities."""

    middle: Rows
    """Mean of each feature."""
    spread: Rows
    """Standard deviation of each feature."""
    members: tuple[Weights, ...]
    """Weights of each network."""

    def __call__(self, rows: Rows) -> Rows:
        """Return the probability of each class, (rows, classes)."""
        features = standardised(rows, self.middle, self.spread)
        outputs = [
            softmax(np.maximum(features @ first + offset, 0.0) @ second + last)
            for first, offset, second, last in self.members
        ]
        return np.asarray(np.mean(outputs, axis=0), np.float32)


def standardised(rows: Rows, middle: Rows, spread: Rows) -> Rows:
    """Return rows with mean 0 and standard deviation 1 of each feature, clipped."""
    return np.asarray(np.clip((rows - middle) / spread, -_MAX_STANDARDISED, _MAX_STANDARDISED), np.float32)


def softmax(scores: Rows) -> Rows:
    """Return the softmax of each row of scores, (rows, classes): probabilities that add up to 1."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
