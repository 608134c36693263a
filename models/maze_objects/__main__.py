"""`python -m models.maze_objects`: draw boards, train the network that detects objects in the maze, export it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np

from models.maze_objects.random_scenes import random_example
from models.maze_objects.train import Examples, export, load, make_examples, stack, train
from vision.games.master.objects.object_network import WEIGHTS


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/maze-objects"),
    show_default=True,
    help="Folder of boards and checkpoints; an interrupted run resumes.",
)
@click.option("--files", default=244, show_default=True, help="Files of fifty boards each.")
@click.option("--epochs", default=29, show_default=True)
@click.option("--smoke", is_flag=True, help="Smoke run: two boards, one epoch, export; ships nothing.")
def main(folder: Path, files: int, epochs: int, smoke: bool) -> None:
    """Train the network that detects tokens, start rings and wizards in a maze, and export it as ONNX."""
    if smoke:
        few = stack([random_example(np.random.default_rng(seed)) for seed in range(2)])
        with tempfile.TemporaryDirectory() as temporary:
            _run(few, Path(temporary), 1, Path(temporary) / WEIGHTS.name)
        return
    _run(load(make_examples(folder / "boards", files)), folder, epochs, WEIGHTS)


def _run(examples: Examples, folder: Path, epochs: int, target: Path) -> None:
    """Train on these examples, and export the weights to `target`."""
    click.echo(f"{len(examples.image)} boards")
    export(train(examples, folder, epochs), target)
    click.echo(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
