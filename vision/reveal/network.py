"""A small fully connected network with stored weights, evaluated in NumPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


Member = tuple[tuple[Floats, Floats], ...]
"""Layers of one member: weights (inputs, outputs) and biases (outputs)."""


@dataclass(frozen=True, slots=True)
class Network:
    """Features are standardised, go through layers with tanh between them, and end in softmax.

    features: their names, in order. The answer is the mean of all members', which are fitted from other starts.
    """

    features: tuple[str, ...]
    mean: Floats
    spread: Floats
    members: tuple[Member, ...]

    def probabilities(self, inputs: Floats) -> Floats:
        """Give each class's probability; inputs (n, features) gives (n, classes)."""
        # Examples run along the last axis: NumPy is many times faster there.
        standard = np.clip((inputs.T - self.mean[:, None]) / self.spread[:, None], -6.0, 6.0)
        answers = np.mean([_softmax(standard, member) for member in self.members], axis=0)
        return np.asarray(answers.T, np.float32)


def _softmax(layer: Floats, member: Member) -> Floats:
    for weights, biases in member[:-1]:
        layer = np.tanh(weights.T @ layer + biases[:, None])
    scores = member[-1][0].T @ layer + member[-1][1][:, None]
    scores = np.exp(scores - scores.max(axis=0))
    return np.asarray(scores / scores.sum(axis=0), np.float32)


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
        tuple(
            tuple((np.array(w, np.float32), np.array(b, np.float32)) for w, b in member)
            for member in stored["members"]
        ),
    )
