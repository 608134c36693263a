"""Fits the weights of the evidence for wizards, on pictures of looks that are not held out.

`python -m models.maze_objects.wizard_evidence_fit` draws the pictures, reads their evidence with the shipped
network, and prints the weights for `vision/games/master/objects/wizards/wizard_reading.py`. It also prints the
accuracy of a fit on each half of the pictures, measured on the other half.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from models.evaluation.maze.board_object_accuracy import enrolled_tokens, homographies
from models.evaluation.maze.synthetic_pictures import LIGHTS, picture
from models.evaluation.maze.token_face_drawing import PRINTS
from models.evaluation.measuring.parallel import over
from vision.games.master.confidence_calibration import MIN_CONFIDENCE
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.object_network import COLOURS, shipped_network
from vision.games.master.objects.start_ring_colours import ring_colours
from vision.games.master.objects.tokens.token_faces import faces_of
from vision.games.master.objects.tokens.token_reading import read_tokens
from vision.games.master.objects.top_views import view_of
from vision.games.master.objects.wizards.wizard_reading import (
    FEATURES,
    WizardEvidence,
    hypotheses,
    hypothesis_probabilities,
    wizard_evidence,
    wizard_marginals,
)
from vision.games.master.readings import SIZE

_FIRST_PICTURE: Final = 20000
"""Seed of the first picture, so that the evaluation draws others."""
_NEAR_LOOKS: Final = tuple(look for look in LOOKS if look not in HELD_OUT)
"""Looks on whose pictures weights are fitted."""
_DECAY: Final = 1e-3
"""Factor on the squared weights in the loss."""
_STEPS: Final = 200
"""Steps of the fit."""
_RATE: Final = 0.1
"""Length of a step."""


@dataclass(frozen=True, eq=False)
class WizardCase:
    """Evidence for wizards in one picture, with ground truth."""

    evidence: WizardEvidence
    """Evidence at each place."""
    places: tuple[int, ...]
    """True place of each wizard; the number of places, 49, if it is not on the board."""

    def truth(self, hypothetical: NDArray[np.intp]) -> int | None:
        """Return the index of the hypothesis with the true places; None if there is none.

        hypothetical: place of each wizard in each hypothesis, (n, 4); 49 for off the board.
        """
        found = np.flatnonzero((hypothetical == self.places).all(axis=1))
        return int(found[0]) if len(found) else None


def picture_case(number: int) -> WizardCase | None:
    """Return the evidence for wizards in one drawn picture with their true places; None if one is on the spare.

    number: of the picture, which decides its design, light and seed; held-out designs do not occur.
    """
    cv2.setNumThreads(1)
    drawn, place = divmod(number, len(_NEAR_LOOKS))
    look, seed = _NEAR_LOOKS[place], _FIRST_PICTURE + 10 * drawn + place
    tokens = "standin" if LOOKS[look].drawn else PRINTS[(drawn + place) % len(PRINTS)]
    tilt = float(np.random.default_rng(seed).uniform(0, 45))
    image, truth = picture(seed, look, LIGHTS[(drawn + place) % len(LIGHTS)], tilt=tilt, tokens=tokens)
    if None in truth.wizards.values():
        return None
    field, _, turns = homographies(truth, seed)
    view = view_of(image, field)
    objects = shipped_network().detect(view)
    certain = read_tokens([view], [objects], faces_of(enrolled_tokens(tokens))).certain
    found = wizard_evidence([view], [objects], ring_colours(view)[turns], certain)
    return WizardCase(found, tuple(_picture_place(truth.wizards.get(colour), turns) for colour in COLOURS))


def _picture_place(place: int | None, turns: int) -> int:
    """Convert a place from the board's frame to the picture's; None, off the board, becomes 49.

    turns: clockwise quarter turns from the picture's frame to the board's.
    """
    return SIZE**2 if place is None else turned_place(place, -turns)


def fit(cases: list[WizardCase]) -> NDArray[np.float64]:
    """Return the maximum-likelihood weight of each of `FEATURES`; cases without a true hypothesis are left out."""
    rows = []
    for case in cases:
        places, features = hypotheses(case.evidence)
        truth = case.truth(places)
        if truth is not None:
            rows.append((features, features[truth]))
    weights = np.zeros(len(FEATURES))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = 2 * _DECAY * weights
        for features, true in rows:
            gradient = gradient + (hypothesis_probabilities(features, weights) @ features - true) / len(rows)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def measure(weights: NDArray[np.float64], cases: list[WizardCase]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether the likeliest place of each wizard is right, and whether it is certain, both (cases, 4)."""
    right, certain = [], []
    for case in cases:
        by_place = wizard_marginals(*hypotheses(case.evidence), weights, len(case.evidence.pawns))
        right.append(by_place.argmax(axis=0) == case.places)
        certain.append(by_place.max(axis=0) >= MIN_CONFIDENCE)
    return np.array(right), np.array(certain)


@click.command()
@click.option("--pictures", default=240, show_default=True)
@click.option("--processes", default=2, show_default=True)
def main(pictures: int, processes: int) -> None:
    """Fit the weights of the evidence for wizards on drawn pictures, and print them with their accuracy."""
    console = Console(stderr=True)
    report([one for one in over(picture_case, range(pictures), processes, "Pictures", console) if one])


def report(cases: list[WizardCase]) -> None:
    """Print the accuracy on each half of the cases of weights fitted on the other, then weights fitted on all."""
    halves = [measure(fit(cases[half::2]), cases[1 - half :: 2]) for half in (0, 1)]
    right, certain = (np.concatenate(of) for of in zip(*halves, strict=True))
    for index, colour in enumerate(COLOURS):
        click.echo(
            f"{colour}: {100 * right[:, index].mean():.1f} % right, {100 * certain[:, index].mean():.1f} % certain"
        )
    click.echo(f"boards with all wizards right: {100 * right.all(axis=1).mean():.1f} %")
    click.echo(f"certain and wrong: {(certain & ~right).sum()} of {certain.sum()}")
    click.echo(", ".join(f"{weight:.2f}" for weight in fit(cases)))


if __name__ == "__main__":
    main()
