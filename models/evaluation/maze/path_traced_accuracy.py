"""Accuracy of reading path-traced mazes: rendered by Blender, with other tiles, boards, wizards and lights.

`python -m models.evaluation.maze.path_traced_accuracy FOLDER` reads the pictures that
`models.path_tracing.render_mazes` rendered into a folder, and prints tables. Tokens are enrolled from the folder's
pictures of all 21 tokens. No network is trained on these pictures.
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
from models.evaluation.maze.evaluate import BANDS, MazeJob, MazeOutcome, accuracy_table, compare, list_errors
from models.evaluation.maze.token_face_drawing import PRINTS
from models.path_tracing.maze_jobs import FIRST_TOKENS_SEED, TOKEN_PICTURES, rendered_mazes
from vision.games.master.reader import MazeReader
from vision.games.master.token_enrolment import token_samples

_MAX_DARK_EXPOSURE = 0.7
"""Exposure (1: normal) below which a picture is listed as taken at half the brightness ("half"), else as "day"."""


def enrolled_prints(folder: Path) -> dict[str, Mapping[str, PieceSamples]]:
    """Return the enrolled samples of the tokens of each print, by kind of token.

    Each print is enrolled from the first of its pictures in the folder in which all 21 are found. Prints without
    such a picture are left out.
    """
    samples: dict[str, Mapping[str, PieceSamples]] = {}
    for k, print_ in enumerate(PRINTS):
        for seed in range(FIRST_TOKENS_SEED + 10 * k, FIRST_TOKENS_SEED + 10 * k + TOKEN_PICTURES):
            image = cv2.imread(str(folder / f"{seed}.jpg"))
            with suppress(ProfileError):
                if image is not None and print_ not in samples:
                    samples[print_] = token_samples(np.asarray(image, np.uint8), upright=True)
    return samples


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--wrong", is_flag=True, help="List what is wrong in each picture.")
def main(folder: Path, wrong: bool) -> None:
    """Read the path-traced mazes of a folder and print their accuracy."""
    console = Console(width=150, highlight=False)
    samples = enrolled_prints(folder)
    for print_ in sorted(set(PRINTS) - set(samples)):
        console.print(f"Tokens of the print {print_} could not be enrolled.")
    readers = {print_: MazeReader(samples.get(print_, {})) for print_ in PRINTS}
    found: list[MazeOutcome] = []
    for seed, made in sorted(rendered_mazes(folder).items()):
        image = cv2.imread(str(folder / f"{seed}.jpg"))
        if made.job.kind != "board" or image is None:
            continue
        band = next(k for k, (low, high) in enumerate(BANDS) if low <= made.tilt <= high)
        job = MazeJob(
            "traced", "half" if made.exposure < _MAX_DARK_EXPOSURE else "day", "board", seed, band, made.job.print
        )
        reading = readers[job.tokens].read(np.asarray(image, np.uint8))
        found.append(compare(job, made.truth, reading))
        if wrong and not found[-1].pieces:
            mistakes = "; ".join(list_errors(made.truth, reading)) or "state"
            console.print(f"{seed} ({reading.state}, {job.tokens}): {mistakes}")
    console.print(accuracy_table("By light", found, lambda one: one.job.light))
    console.print(accuracy_table("By angle", found, lambda one: "{}–{}°".format(*BANDS[one.job.band])))
    console.print(accuracy_table("By print of the tokens", found, lambda one: one.job.tokens))


if __name__ == "__main__":
    main()
