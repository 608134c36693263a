"""Train ensembles of small networks (`vision.counting.mlp_ensemble`) with NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.counting.mlp_ensemble import Classifier, Rows, Weights, softmax, standardised

_LEARNING_RATE = 2e-3
"""Initial learning rate of Adam."""
_WEIGHT_DECAY = 1e-4
"""Weight decay."""
_MOMENTUM = 0.9
"""Decay rate of Adam's first moment."""
_SECOND_MOMENTUM = 0.999
"""Decay rate of Adam's second moment."""
_MEMBERS = 3
"""Number of networks in the ensemble, each with its own seed: their errors on unusual input differ."""
_NOISE_ROWS = 1 << 14
"""Number of rows of pregenerated noise; each step uses a random slice of it, because generating noise is slow."""


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Training configuration."""

    hidden: int
    """Number of hidden units."""
    epochs: int
    """Number of epochs."""
    noise: float = 0.1
    """Standard deviation of the noise added to standardised features."""
    dropout: float = 0.1
    """Dropout share of the hidden units."""
    batch: int = 384
    """Rows per batch."""


def train_ensemble(rows: Rows, targets: Rows, config: TrainingConfig) -> Classifier:
    """Train an ensemble of networks with one hidden layer each, and return it as one classifier.

    rows: features, (rows, features); targets: class probabilities of each row, (rows, classes). The optimiser is
    Adam (Kingma and Ba, 2015). Deterministic: the same rows yield the same classifier.
    """
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + np.float32(1e-4)
    features = standardised(rows, middle, spread)
    seeds = (np.random.default_rng(number) for number in range(_MEMBERS))
    return Classifier(middle, spread, tuple(_train_network(features, targets, config, rng) for rng in seeds))


def _train_network(features: Rows, targets: Rows, config: TrainingConfig, rng: np.random.Generator) -> Weights:
    """Train one network with one hidden layer, and return its weights. features: standardised."""
    hidden, batch = config.hidden, config.batch
    sides = (features.shape[1], hidden, targets.shape[1])
    matrices = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in pairwise(sides)]
    values = [matrices[0], np.zeros(sides[1], np.float32), matrices[1], np.zeros(sides[2], np.float32)]
    means, squares = ([np.zeros_like(value) for value in values] for _ in range(2))
    steps = max(1, config.epochs * len(features) // batch)
    noise = np.float32(config.noise) * rng.standard_normal((_NOISE_ROWS, sides[0]), dtype=np.float32)
    keep = (rng.random((_NOISE_ROWS, hidden), dtype=np.float32) >= config.dropout) / np.float32(1 - config.dropout)
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(features), batch)
        blurred, dropped = rng.integers(0, _NOISE_ROWS - batch, 2)
        seen = features[chosen] + noise[blurred : blurred + batch]
        kept = keep[dropped : dropped + batch]
        inner = np.maximum(seen @ values[0] + values[1], 0.0) * kept
        error = (softmax(inner @ values[2] + values[3]) - targets[chosen]) / np.float32(batch)
        hidden_error = (error @ values[2].T) * (inner > 0) * kept
        gradients = (
            seen.T @ hidden_error + _WEIGHT_DECAY * values[0],
            hidden_error.sum(axis=0),
            inner.T @ error + _WEIGHT_DECAY * values[2],
            error.sum(axis=0),
        )
        # The second half of the training decays the learning rate linearly.
        rate = _LEARNING_RATE * min(1.0, 2 * (steps - step) / steps)
        for value, mean, square, gradient in zip(values, means, squares, gradients, strict=True):
            mean += (1 - _MOMENTUM) * (gradient - mean)
            square += (1 - _SECOND_MOMENTUM) * (gradient**2 - square)
            value -= rate * (mean / (1 - _MOMENTUM**step)) / (np.sqrt(square / (1 - _SECOND_MOMENTUM**step)) + 1e-7)
    return values[0], values[1], values[2], values[3]
