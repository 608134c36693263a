"""Accuracy of reading the maze on disturbed pictures, as other cameras, lenses and light make them.

`python -m models.evaluation.maze.disturbed_pictures` draws boards of every look by day and by lamp light
(`models.evaluation.maze.evaluate`), disturbs the pictures, reads them without rules and prints a table. Tokens are
enrolled from undisturbed pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.games.master.art.maze_picture_styles import LOOKS
from models.evaluation.maze.evaluate import MazeJob, MazeOutcome, compare, jobs, make_readers, picture_of
from models.evaluation.measuring.parallel import over
from models.evaluation.output.report import share
from models.evaluation.scenes.picture_changes import (
    Change,
    blurred,
    curved,
    distorted,
    equalised,
    grained,
    half_shaded,
    lit,
    recompressed,
    saturated,
    shaken,
    sharpened,
    sized,
    surrounded,
    upright,
    vignetted,
)

FIRST_SEED: Final = 60_000
"""Seed of the first picture."""
DISTURBANCES: Final[Mapping[str, Change]] = {
    "as they are": lambda image, _: image,
    "JPEG of quality 30": recompressed(30),
    "16 grey levels of noise": grained(16),
    "out of focus by 1.5 px": blurred(1.5),
    "shaken by 7 px": shaken(7),
    "shaken by 11 px": shaken(11),
    "sharpened": sharpened,
    "local contrast": equalised,
    "barrel distortion 0.1": distorted(0.1),
    "barrel distortion 0.25": distorted(0.25),
    "pincushion distortion 0.1": distorted(-0.1),
    "dark corners": vignetted(0.6),
    "one half in the shade": half_shaded(0.6),
    "640 px wide": sized(640),
    "3840 px wide": sized(3840),
    "in portrait": upright,
    "from farther away, 0.6": surrounded(0.6),
    "from farther away, 0.45": surrounded(0.45),
    "half the colour": saturated(0.5),
    "strong colour": saturated(1.7),
    "bluish light": lit(1.3, 0.9, 0.55),
    "warm light": lit(0.5, 0.85, 1.25),
    "greenish light": lit(0.8, 1.2, 0.8),
    "a third of the light": lit(0.35, 0.35, 0.35),
    "harder tones": curved(1.6),
    "paler tones": curved(0.65),
}
"""Changes of pictures, by name."""


def read_disturbed(job: MazeJob) -> list[MazeOutcome]:
    """Draw one picture and read it under each of `DISTURBANCES`, in order.

    Corners are compared with those of the picture before the disturbance.
    """
    image, truth = picture_of(job)
    reader = make_readers()[job.tokens]
    return [
        compare(job, truth, reader.read(change(image, np.random.default_rng(job.seed))))
        for change in DISTURBANCES.values()
    ]


def accuracy_table(outcomes: Mapping[str, Sequence[MazeOutcome]]) -> Table:
    """Return a printable table, one row per disturbance. outcomes: of all pictures, by disturbance."""
    table = Table(title="mazes (drawn), disturbed, one picture each", title_justify="left", box=None)
    for heading in ("pictures", "found", "tiles and spare", "all exact", "undetected: tiles", "tokens, wizards"):
        table.add_column(heading)
    for name, these in outcomes.items():
        count = len(these)
        table.add_row(
            name,
            share(sum(np.isfinite(one.corner_error) for one in these), count),
            share(sum(one.exact for one in these), count),
            share(sum(one.pieces for one in these), count),
            share(sum(one.undetected for one in these), count),
            share(sum(one.pieces_undetected for one in these), count),
        )
    return table


@click.command()
@click.option(
    "--boards", default=4, show_default=True, type=click.IntRange(1), help="Pictures of each look and light."
)
@click.option("--first-seed", default=FIRST_SEED, show_default=True, help="Seed of the first picture.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
def main(boards: int, first_seed: int, processes: int) -> None:
    """Read the same boards under each disturbance, and print a table."""
    console = Console(highlight=False, soft_wrap=True)
    drawn = jobs(tuple(LOOKS), ("day", "lamp"), ("board",), boards, first_seed)
    measured = over(read_disturbed, drawn, processes, "mazes", console)
    console.print(accuracy_table(dict(zip(DISTURBANCES, zip(*measured, strict=True), strict=True))))


if __name__ == "__main__":
    main()
