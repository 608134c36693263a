"""Fit small networks by gradient descent in NumPy: seconds for some thousand examples, the same every time."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Rows:
    """Features and right answers."""

    features: list[Floats] = field(default_factory=list)
    answers: list[NDArray[np.int64]] = field(default_factory=list)

    def add(self, features: tuple[float, ...], answer: int) -> None:
        """Take in one example."""
        self.extend(np.array([features], np.float32), np.array([answer], np.int64))

    def extend(self, features: Floats, answers: NDArray[np.int64]) -> None:
        """Take in examples, (n, features) and (n)."""
        self.features.append(features)
        self.answers.append(answers)

    def take(self, other: Rows) -> None:
        """Take in another's examples."""
        self.features += other.features
        self.answers += other.answers


def fit(
    rows: Rows, classes: int, hidden: tuple[int, ...], names: tuple[str, ...], members: int = 1, epochs: int = 120
) -> dict[str, object]:
    """Fit a network by Adam on cross entropy and print how it does on the last seventh of the examples."""
    x, y = np.concatenate(rows.features), np.concatenate(rows.answers)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    z = np.clip((x - mean) / spread, -6, 6)
    held = len(z) // 7
    fitted = [_fit_member(z, y, held, (z.shape[1], *hidden, classes), epochs, seed) for seed in range(members)]
    chances = np.mean([_forward(layers, z[-held:])[-1] for layers in fitted], axis=0)
    loss = float(-np.log(chances[np.arange(held), y[-held:]] + 1e-6).mean())
    right = float((np.argmax(chances, axis=1) == y[-held:]).mean())
    click.echo(f"{len(z)} examples, held out {held}: loss {loss:.3f}, right {100 * right:.1f} %")
    return {
        "features": list(names),
        "mean": _rounded(mean),
        "spread": _rounded(spread),
        "members": [[[_rounded(w), _rounded(b)] for w, b in layers] for layers in fitted],
    }


def _fit_member(
    z: Floats, y: NDArray[np.int64], held: int, sizes: tuple[int, ...], epochs: int, seed: int
) -> list[list[Floats]]:
    """Fit one member from its own start; of all epochs, the one that does best on the held out examples is kept."""
    z_fit, y_fit, z_held, y_held = z[:-held], y[:-held], z[-held:], y[-held:]
    rng = np.random.default_rng(seed)
    batch = 64 if len(z) < 50_000 else 256
    layers = [
        [rng.normal(0, 1 / np.sqrt(a), (a, b)).astype(np.float32), np.zeros(b, np.float32)]
        for a, b in itertools.pairwise(sizes)
    ]
    moments = [[[np.zeros_like(p), np.zeros_like(p)] for p in layer] for layer in layers]
    best, best_layers, step = np.inf, layers, 0
    for epoch in range(epochs):
        rate = 4e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(z_fit))
        for start in range(0, len(order), batch):
            pick = order[start : start + batch]
            noisy = z_fit[pick] + rng.normal(0, 0.1, (len(pick), z.shape[1])).astype(np.float32)
            step += 1
            _descend(layers, moments, noisy, y_fit[pick], float(rate), step)
        loss = _loss(layers, z_held, y_held)
        if loss < best:
            best, best_layers = loss, [[p.copy() for p in layer] for layer in layers]
    return best_layers


def _forward(layers: list[list[Floats]], z: Floats) -> list[Floats]:
    out = [z]
    for k, (weights, biases) in enumerate(layers):
        z = z @ weights + biases
        if k < len(layers) - 1:
            z = np.tanh(z)
        out.append(z)
    scores = np.exp(z - z.max(axis=1, keepdims=True))
    out[-1] = scores / scores.sum(axis=1, keepdims=True)
    return out


def _loss(layers: list[list[Floats]], z: Floats, y: NDArray[np.int64]) -> float:
    return float(-np.log(_forward(layers, z)[-1][np.arange(len(y)), y] + 1e-6).mean())


def _descend(
    layers: list[list[Floats]],
    moments: list[list[list[Floats]]],
    z: Floats,
    y: NDArray[np.int64],
    rate: float,
    step: int,
) -> None:
    out = _forward(layers, z)
    error = out[-1].copy()
    error[np.arange(len(y)), y] -= 1
    error /= len(y)
    for k in reversed(range(len(layers))):
        slopes = [out[k].T @ error + 3e-4 * layers[k][0], error.sum(axis=0)]
        error = (error @ layers[k][0].T) * (1 - out[k] ** 2)
        for parameter, moment, slope in zip(layers[k], moments[k], slopes, strict=True):
            moment[0] = 0.9 * moment[0] + 0.1 * slope
            moment[1] = 0.999 * moment[1] + 0.001 * slope**2
            corrected = np.sqrt(moment[1] / (1 - 0.999**step)) + 1e-8
            parameter -= (rate * moment[0] / (1 - 0.9**step) / corrected).astype(np.float32)


def _rounded(values: Floats) -> object:
    return np.round(values.astype(np.float64), 4).tolist()


def store(path: Path, network: dict[str, object]) -> None:
    """Write a fitted network where `vision.reveal.network` reads it."""
    path.write_text(json.dumps(network) + "\n", "utf-8")
