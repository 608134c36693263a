"""`python -m models.print_segmentation`: generate boards, train, and export for play."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np

from models.print_segmentation.scenes import scene
from models.print_segmentation.train import PrintSamples, export, load, make, stack, train
from vision.counting.pixel_features import STEP
from vision.counting.print_segmentation import WEIGHTS, PrintSegmentationNetwork


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/printed"),
    show_default=True,
    help="Folder of boards and checkpoints; an interrupted run resumes.",
)
@click.option("--files", default=140, show_default=True, help="Files of fifty boards each.")
@click.option("--epochs", default=19, show_default=True)
@click.option("--smoke", is_flag=True, help="Smoke run: two boards, one epoch, export, load; ships nothing.")
def main(folder: Path, files: int, epochs: int, smoke: bool) -> None:
    """Train the print segmentation and export its weights."""
    if smoke:
        few = stack([scene(np.random.default_rng(number)) for number in range(2)])
        with tempfile.TemporaryDirectory() as temporary:
            _run(few, Path(temporary), 1, Path(temporary) / WEIGHTS.name)
    else:
        _run(load(make(folder / "boards", files)), folder, epochs, WEIGHTS)


def _run(boards: PrintSamples, folder: Path, epochs: int, target: Path) -> None:
    click.echo(f"{len(boards.images)} boards")
    export(train(boards, folder, epochs), target)
    network = PrintSegmentationNetwork(target)
    seen = np.stack([network.segment(image).presence > 0.5 for image in boards.images[:8]])
    true = boards.whose[:8, STEP // 2 :: STEP, STEP // 2 :: STEP] > 0
    told = f"{(seen & true).sum()} of {true.sum()} places of things, {(seen & ~true).sum()} others"
    click.echo(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB; of {len(seen)} boards it sees {told}.")


if __name__ == "__main__":
    main()
