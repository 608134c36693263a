"""`python -m models.maze_objects`: draw boards, train the network of the objects, and export it for play.

`--traced FOLDER` adds path-traced boards. `--tune` continues from the shipped weights with other drawn boards: half
an hour on two cores.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click
import numpy as np

from models.maze_objects.scene import example
from models.maze_objects.traced import traced_examples
from models.maze_objects.train import Examples, export, load, make, stack, train
from vision.games.master.objects.object_network import WEIGHTS

_FILES: Final = (244, 12)
"""Files of fifty drawn boards each, of training and of tuning."""
_EPOCHS: Final = (29, 5)
"""Epochs of training and of tuning."""
_VERSIONS: Final = 10
"""Examples of each path-traced board."""


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/maze-objects"),
    show_default=True,
    help="Folder of boards and checkpoints; an interrupted run resumes.",
)
@click.option("--files", type=int, help=f"Files of fifty boards each; default: {_FILES[0]}, to tune {_FILES[1]}.")
@click.option("--epochs", type=int, help=f"Default: {_EPOCHS[0]}, to tune {_EPOCHS[1]}.")
@click.option("--traced", type=click.Path(exists=True, path_type=Path), help="Path-traced boards to add.")
@click.option("--tune", "tuned", is_flag=True, help="Continue from the shipped weights, on other boards.")
@click.option("--smoke", is_flag=True, help="Smoke run: two boards, one epoch, export; ships nothing.")
def main(
    folder: Path, files: int | None, epochs: int | None, traced: Path | None, tuned: bool, smoke: bool
) -> None:
    """Train the network that finds discs, rings and wizards, and export its weights."""
    if smoke:
        few = stack([example(np.random.default_rng(seed)) for seed in range(2)])
        with tempfile.TemporaryDirectory() as temporary:
            for continued in (False, True):
                _run(few, None, Path(temporary), 1, Path(temporary) / WEIGHTS.name, tuned=continued)
        return
    drawn = make(folder / "boards", files or _FILES[tuned], _FILES[0] if tuned else 0)
    others = None if traced is None else stack(traced_examples(traced, _VERSIONS))
    _run(load(drawn), others, folder, epochs or _EPOCHS[tuned], WEIGHTS, tuned=tuned)


def _run(drawn: Examples, traced: Examples | None, folder: Path, epochs: int, target: Path, *, tuned: bool) -> None:
    click.echo(f"{len(drawn.image)} drawn boards, {0 if traced is None else len(traced.image)} path-traced ones")
    export(train(drawn, traced, folder, epochs, tuned=tuned), target, tuned=tuned)
    click.echo(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
