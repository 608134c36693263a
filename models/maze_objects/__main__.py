"""`python -m models.maze_objects`: draw boards, train both networks, and export them for play.

The object network finds discs and rings, the pawn network wizards. `--only pawns` trains one of them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np

from models.maze_objects import pawns
from models.maze_objects.scene import example
from models.maze_objects.train import Examples, export, load, make, stack, train
from vision.games.master.objects.object_network import WEIGHTS
from vision.games.master.objects.pawn_network import WEIGHTS as PAWN_WEIGHTS


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/maze-objects"),
    show_default=True,
    help="Folder of boards and checkpoints; an interrupted run resumes.",
)
@click.option("--files", default=36, show_default=True, help="Files of fifty boards each for the object network.")
@click.option("--epochs", default=24, show_default=True)
@click.option(
    "--pawn-files", default=11, show_default=True, help="Files of fifty boards each for the pawn network."
)
@click.option("--pawn-epochs", default=22, show_default=True)
@click.option("--only", type=click.Choice(["objects", "pawns"]), help="Train one network.")
@click.option("--smoke", is_flag=True, help="Smoke run: two boards, one epoch, export; ships nothing.")
def main(
    folder: Path, files: int, epochs: int, pawn_files: int, pawn_epochs: int, only: str | None, smoke: bool
) -> None:
    """Train the networks that find discs, rings and wizards, and export their weights."""
    if smoke:
        few = stack([example(np.random.default_rng(seed)) for seed in range(2)])
        crops = pawns.joined([pawns.board_pawns(number) for number in range(2)])
        with tempfile.TemporaryDirectory() as temporary:
            _run(few, Path(temporary), 1, Path(temporary) / WEIGHTS.name)
            _run_pawns(crops, Path(temporary), 1, Path(temporary) / PAWN_WEIGHTS.name)
        return
    if only != "pawns":
        _run(load(make(folder / "boards", files)), folder, epochs, WEIGHTS)
    if only != "objects":
        _run_pawns(pawns.load(pawns.make(folder / "pawns", pawn_files)), folder, pawn_epochs, PAWN_WEIGHTS)


def _run(examples: Examples, folder: Path, epochs: int, target: Path) -> None:
    click.echo(f"{len(examples.image)} boards")
    _report(export(train(examples, folder, epochs), target))


def _run_pawns(crops: pawns.Pawns, folder: Path, epochs: int, target: Path) -> None:
    click.echo(f"{len(crops.present)} crops")
    _report(pawns.export(pawns.train(crops, folder, epochs), target))


def _report(target: Path) -> None:
    click.echo(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
