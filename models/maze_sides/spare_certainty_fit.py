"""Fits the weights of the features that distinguish the spare from other things beside the board.

`python -m models.maze_sides.spare_certainty_fit` draws pictures with and without a spare, in looks that are not
held out. It prints the weights and the offset for `vision/games/master/field/spare/spare_certainty.py`, and the
accuracy of a fit on each half of the pictures, measured on the other half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from calibration.games.master.art.maze_picture_styles import HELD_OUT, LOOKS
from models.evaluation.maze.synthetic_pictures import LIGHTS, picture
from models.evaluation.measuring.parallel import over
from vision.games.master.field.location.board_location import locate
from vision.games.master.field.rectification import to_picture
from vision.games.master.field.spare.spare_certainty import FEATURES, features
from vision.games.master.field.spare.spare_tile import spare_at, spare_centres
from vision.games.master.field.tiles.face_down_or_foreign_tiles import wall_colours
from vision.games.master.field.tiles.open_sides import SideReader
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS, SideNetwork

_FIRST_PICTURE: Final = 40000
"""Seed of the first picture, so that the evaluation draws others."""
_HIDDEN: Final = 5
"""Every n-th picture shows no spare."""
_NEAR: Final = 0.4
"""Distance from the true spare within which a place counts as right, in tiles."""
_DECAY: Final = 1e-3
"""Factor on the squared weights (of normalised features) in the loss."""
_STEPS: Final = 30
"""Newton steps of the fit."""


@dataclass(frozen=True, eq=False)
class SpareCase:
    """The places beside the board in one picture where the spare may lie, with ground truth."""

    features: NDArray[np.float64]
    """Values of `FEATURES` at each place, shape (places, 5)."""
    true: NDArray[np.bool_]
    """Whether the spare lies at each place, shape (places,)."""
    shown: bool
    """Whether the picture shows a spare."""


def picture_case(number: int) -> SpareCase | None:
    """Return features and truth of the places in one picture where the spare tile may lie.

    None if not exactly one board is found in the picture. number: of the picture, which decides its design, light
    and seed; held-out designs do not occur.
    """
    cv2.setNumThreads(1)
    looks = [look for look in LOOKS if look not in HELD_OUT]
    seed, look = _FIRST_PICTURE + number, looks[number % len(looks)]
    light = LIGHTS[number // len(looks) % len(LIGHTS)]
    hidden = number // (len(looks) * len(LIGHTS)) % _HIDDEN == 0
    image, truth = picture(seed, look, light, "spare_hidden" if hidden else "board")
    reader = _reader()
    boards = locate(image, reader)
    if len(boards) != 1:
        return None
    corners, shown = boards[0].corners, boards[0].shown
    walls, rows, places = wall_colours(shown), [], []
    for rank, centre in enumerate(spare_centres(image, corners)):
        spare = spare_at(image, corners, shown, centre, reader)
        rows.append(features(image, spare.corners(corners), walls, spare.score, rank))
        places.append(spare.centre)
    true = np.zeros(len(rows), bool)
    if truth.spare_box is not None:
        x, y, width, height = truth.spare_box
        middle = np.linalg.solve(to_picture(corners), [x + width / 2, y + height / 2, 1.0])
        away = np.linalg.norm(np.array(places).reshape(-1, 2) - middle[:2] / middle[2], axis=1)
        true = away < _NEAR
    return SpareCase(np.array(rows).reshape(-1, len(FEATURES)), true, truth.spare_box is not None)


@cache
def _reader() -> SideReader:
    """Return the reader of the tiles' sides with the shipped network."""
    return SideReader(SideNetwork(SIDES_WEIGHTS))


def fit(cases: list[SpareCase]) -> NDArray[np.float64]:
    """Return the weights of `FEATURES`, then the offset, of the log odds that the spare lies at a place."""
    raw = np.concatenate([case.features for case in cases])
    true = np.concatenate([case.true for case in cases]).astype(np.float64)
    means, deviations = raw.mean(axis=0), raw.std(axis=0)
    rows = np.column_stack([(raw - means) / deviations, np.ones(len(raw))])
    weights = np.zeros(rows.shape[1])
    decay = _DECAY * len(rows) * np.append(np.ones(len(deviations)), 0.0)
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        curvature = (rows * (chances * (1 - chances))[:, None]).T @ rows + np.diag(decay + 1e-9)
        weights -= np.linalg.solve(curvature, rows.T @ (chances - true) + decay * weights)
    own = weights[:-1] / deviations
    return np.append(own, weights[-1] - own @ means)


@click.command()
@click.option("--pictures", default=400, show_default=True)
@click.option("--processes", default=2, show_default=True)
def main(pictures: int, processes: int) -> None:
    """Fit the weights of the spare tile's features on drawn pictures, and print them with their accuracy."""
    console = Console(stderr=True)
    cases = [one for one in over(picture_case, range(pictures), processes, "Pictures", console) if one]
    right = wrong = certain = 0
    for half in (0, 1):
        weights = fit(cases[half::2])
        for case in cases[1 - half :: 2]:
            chances = 1 / (1 + np.exp(-(case.features @ weights[:-1] + weights[-1])))
            best = int(chances.argmax()) if len(chances) else -1
            if best >= 0 and chances[best] > 0.5:
                right, wrong = right + bool(case.true[best]), wrong + (not case.true[best])
                certain += bool(chances[best] > 0.95 and not case.true[best])
    click.echo(f"pictures with a spare: {sum(case.shown for case in cases)} of {len(cases)}")
    click.echo(f"found: {right} right, {wrong} wrong, {certain} of them with more than 0.95")
    click.echo(", ".join(f"{weight:.2f}" for weight in fit(cases)))


if __name__ == "__main__":
    main()
