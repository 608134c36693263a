"""Accuracy of reading path-traced mazes: another renderer, other tiles, boards, wizards and lights.

`python -m models.evaluation.maze.traced FOLDER` reads the pictures that `models.path_tracing.maze_blender` rendered
into a folder. Tokens are enrolled from its pictures of the 21 tokens in order. These pictures train nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console

from calibration.errors import ProfileError
from calibration.pieces.samples import PieceSamples
from models.evaluation.maze.evaluate import BANDS, MazeJob, MazeOutcome, errors, outcome, table
from models.evaluation.maze.faces import PRINTS
from models.path_tracing.maze_orders import FIRST_TOKENS_SEED, TOKEN_PICTURES, rendered_mazes
from vision.games.master.reader import MazeReader
from vision.games.master.token_enrolment import token_samples

_MAX_DARK_EXPOSURE = 0.7
"""Exposure relative to a usual one below which a picture counts as taken at half the brightness."""


def enrolled(folder: Path) -> dict[str, Mapping[str, PieceSamples]]:
    """Return the samples of the tokens by print, each from the first picture in which all 21 are found."""
    samples: dict[str, Mapping[str, PieceSamples]] = {}
    for k, print_ in enumerate(PRINTS):
        for seed in range(FIRST_TOKENS_SEED + 10 * k, FIRST_TOKENS_SEED + 10 * k + TOKEN_PICTURES):
            image = cv2.imread(str(folder / f"{seed}.jpg"))
            with suppress(ProfileError):
                if image is not None and print_ not in samples:
                    samples[print_] = token_samples(np.asarray(image, np.uint8))
    return samples


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--wrong", is_flag=True, help="List what is wrong in each picture.")
def main(folder: Path, wrong: bool) -> None:
    """Print how exactly the path-traced mazes of a folder are read."""
    console = Console(width=150, highlight=False)
    samples = enrolled(folder)
    for print_ in sorted(set(PRINTS) - set(samples)):
        console.print(f"Tokens of the print {print_} could not be enrolled.")
    readers = {print_: MazeReader(samples.get(print_, {})) for print_ in PRINTS}
    found: list[MazeOutcome] = []
    for seed, made in sorted(rendered_mazes(folder).items()):
        image = cv2.imread(str(folder / f"{seed}.jpg"))
        if made.order.kind != "board" or image is None:
            continue
        band = next(k for k, (low, high) in enumerate(BANDS) if low <= made.tilt <= high)
        job = MazeJob(
            "traced", "half" if made.exposure < _MAX_DARK_EXPOSURE else "day", "board", seed, band, made.order.print
        )
        reading = readers[job.tokens].read(np.asarray(image, np.uint8))
        found.append(outcome(job, made.truth, reading))
        if wrong and not found[-1].pieces:
            mistakes = "; ".join(errors(made.truth, reading)) or "state"
            console.print(f"{seed} ({reading.state}, {job.tokens}): {mistakes}")
    console.print(table("By light", found, lambda one: one.job.light))
    console.print(table("By angle", found, lambda one: "{}–{}°".format(*BANDS[one.job.band])))
    console.print(table("By print of the tokens", found, lambda one: one.job.tokens))


if __name__ == "__main__":
    main()
