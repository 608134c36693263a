"""Weights of the evidence for wizards, fitted on random boards that trained nothing.

`python -m models.maze_objects.weights` draws boards, reads their evidence with the shipped network, and prints the
weights for `vision/games/master/objects/wizards.py`, with the accuracy on boards that fitted nothing either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from models.evaluation.measuring.parallel import over
from models.maze_objects.scene import DISC, WIZARDS, random_scene
from vision.games.master.objects.object_network import COLOURS, shipped_network
from vision.games.master.objects.ring_colours import ring_colours
from vision.games.master.objects.views import MARGIN, TILE_PX
from vision.games.master.objects.wizards import FEATURES, MIN_CONFIDENCE, wizard_features
from vision.games.master.readings import SIZE

_SEED: Final = 0xF17
"""Second part of the boards' seeds, so that none of them trained the network."""
_CERTAIN_DISCS: Final = 0.9, 0.03
"""Share of the visible discs that count as certain, as the reading of tokens finds them: without a wizard on them,
and with one."""
_DECAY: Final = 1e-4
"""Weight of the squared weights in the loss."""
_STEPS: Final = 1500
"""Steps of the fit."""
_RATE: Final = 0.05
"""Length of a step."""


@dataclass(frozen=True, eq=False)
class Case:
    """Evidence for one colour on one board."""

    colour: int
    """Index into `COLOURS`."""
    place: int
    """True place; the number of places where the wizard is not on the board."""
    features: NDArray[np.float64]
    """Evidence on each place, (49, features)."""


def cases(seed: int) -> list[Case]:
    """Return the evidence for the wizards of a random board; those that are mostly hidden are left out."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, _SEED])
    scene = random_scene(rng)
    share = np.array(_CERTAIN_DISCS)[scene.present[WIZARDS].max(axis=0)]
    places = np.flatnonzero(scene.present[DISC] & scene.weight[DISC] & (rng.random(SIZE**2) < share))
    x, y, radius = scene.discs[:, places]
    middle = np.stack([places % SIZE + 0.5 + x, places // SIZE + 0.5 + y], axis=1)
    discs = np.c_[(middle + MARGIN) * TILE_PX - 0.5, radius * TILE_PX]
    rings = ring_colours(scene.view)[-scene.quarter_turns % 4]
    features = wizard_features([scene.view], [shipped_network().detect(scene.view)], rings, discs)
    found = []
    for index in range(len(COLOURS)):
        present, weight = scene.present[WIZARDS][index], scene.weight[WIZARDS][index]
        if present.any() and not weight[present > 0].all():
            continue
        place = int(present.argmax()) if present.any() else SIZE**2
        found.append(Case(index, place, features[:, index]))
    return found


def fit(examples: list[Case]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights of the features, and each colour's evidence of absence, of maximum likelihood."""
    count = len(FEATURES)
    weights = np.zeros(count + len(COLOURS))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    features = np.stack([one.features for one in examples])
    colours, truth = np.array([one.colour for one in examples]), np.array([one.place for one in examples])
    rows = np.arange(len(examples))
    for step in range(1, _STEPS + 1):
        residual = _probabilities(weights, features, colours)
        residual[rows, truth] -= 1
        gradient = 2 * _DECAY * np.r_[weights[:count], np.zeros(len(COLOURS))]
        gradient[:count] += np.einsum("np,npf->f", residual[:, :-1], features) / len(rows)
        gradient[count:] += np.bincount(colours, residual[:, -1], len(COLOURS)) / len(rows)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights[:count], weights[count:]


def _probabilities(
    weights: NDArray[np.float64], features: NDArray[np.float64], colours: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the probability of each place, and last of none, (cases, 50)."""
    count = len(FEATURES)
    logs = np.c_[features @ weights[:count], weights[count:][colours]]
    likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(likelihood / likelihood.sum(axis=1, keepdims=True), np.float64)


@click.command()
@click.option("--boards", default=400, show_default=True)
@click.option("--processes", default=2, show_default=True)
def main(boards: int, processes: int) -> None:
    """Fit the weights on three quarters of the boards and measure them on the others."""
    read = over(cases, range(boards), processes, "Reading", Console(stderr=True))
    fitted = [case for board in read[boards // 4 :] for case in board]
    held = [case for board in read[: boards // 4] for case in board]
    weights, nowhere = fit(fitted)
    click.echo(", ".join(f"{name} {weight:.2f}" for name, weight in zip(FEATURES, weights, strict=True)))
    click.echo("nowhere " + ", ".join(f"{name} {value:.2f}" for name, value in zip(COLOURS, nowhere, strict=True)))
    colours, truth = np.array([one.colour for one in held]), np.array([one.place for one in held])
    found = _probabilities(np.r_[weights, nowhere], np.stack([one.features for one in held]), colours)
    right, certain = found.argmax(axis=1) == truth, found.max(axis=1) >= MIN_CONFIDENCE
    for index, colour in enumerate(COLOURS):
        own = colours == index
        click.echo(f"{colour}: {100 * right[own].mean():.1f} % right, {100 * certain[own].mean():.1f} % certain")
    click.echo(f"certain and wrong: {(certain & ~right).sum()} of {certain.sum()}")


if __name__ == "__main__":
    main()
