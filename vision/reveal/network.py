"""A small fully connected network with stored weights, evaluated in NumPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Network:
    """Features are standardised, go through layers with tanh between them, and end in softmax.

    features: their names, in order. weights: (inputs, outputs) of each layer.
    """

    features: tuple[str, ...]
    mean: Floats
    spread: Floats
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def probabilities(self, inputs: Floats) -> Floats:
        """Give each class's probability; inputs (n, features) gives (n, classes)."""
        layer = np.clip((inputs - self.mean) / self.spread, -6.0, 6.0)
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layer = np.tanh(layer @ weights + biases)
        scores = layer @ self.weights[-1] + self.biases[-1]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)


def load_network(name: str, features: Sequence[str]) -> Network:
    """Read the network `name` that is stored beside this module; `features` must be those it was fitted on.

    Written by `python -m models.reveal.fit`.
    """
    stored = json.loads(resources.files("vision.reveal").joinpath(f"{name}.json").read_text("utf-8"))
    if tuple(stored["features"]) != tuple(features):
        raise ValueError(f"{name}.json was fitted on other features: run python -m models.reveal.fit")
    return Network(
        tuple(features),
        np.array(stored["mean"], np.float32),
        np.array(stored["spread"], np.float32),
        tuple(np.array(w, np.float32) for w in stored["weights"]),
        tuple(np.array(b, np.float32) for b in stored["biases"]),
    )
