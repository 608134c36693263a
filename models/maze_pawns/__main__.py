"""`python -m models.maze_pawns`: train the network that detects wizards on single places, and export it.

It is trained on drawn boards and on path-traced crowds of wizards (`make traced-crowds`), in about an hour on
two cores with AVX-512.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click
import numpy as np

from models.maze_pawns.place_crops import Places, concatenate, drawn_places, load_drawn_places, load_traced_places
from models.maze_pawns.train import epoch_places, export, train
from vision.games.master.objects.wizards.pawn_network import WEIGHTS

_VERSIONS: Final = 5
"""Number of examples from each path-traced board, with different random errors."""


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/maze-pawns"),
    show_default=True,
    help="Folder of boards and checkpoints; an interrupted run resumes.",
)
@click.option("--files", default=100, show_default=True, help="Files of a hundred drawn boards each.")
@click.option("--epochs", default=6, show_default=True)
@click.option(
    "--traced",
    "folders",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Folder of path-traced crowds; may be repeated.",
)
@click.option("--smoke", is_flag=True, help="Smoke run: two boards, one epoch, export; ships nothing.")
def main(folder: Path, files: int, epochs: int, folders: tuple[Path, ...], smoke: bool) -> None:
    """Train the network that detects wizards in crops of single places of the maze, and export it as ONNX."""
    if smoke:
        few = concatenate([drawn_places(np.random.default_rng(seed)) for seed in range(2)])
        with tempfile.TemporaryDirectory() as temporary:
            _run(few, None, Path(temporary), 1, Path(temporary) / WEIGHTS.name)
        return
    others = load_traced_places(folders, _VERSIONS) if folders else None
    _run(load_drawn_places(folder / "boards", files), others, folder, epochs, WEIGHTS)


def _run(ours: Places, others: Places | None, folder: Path, epochs: int, target: Path) -> None:
    """Train the network and export it to `target`.

    ours: drawn places. others: path-traced places, None without. folder: of checkpoints.
    """
    places, picked = epoch_places(ours, others)
    click.echo(f"{len(ours.image)} drawn places, {0 if others is None else len(others.image)} path-traced ones")
    export(train(places, picked, folder, epochs), target)
    click.echo(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
