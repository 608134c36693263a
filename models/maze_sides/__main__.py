"""`python -m models.maze_sides`: draw random boards, train the network of the tiles' sides (hours), export it."""

from __future__ import annotations

from pathlib import Path

import click

from models.maze_sides import picture_files, train
from models.maze_sides.confidence_fit import fit
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS

FOLDER = Path("artefacts/maze")
"""Folder of the drawn pictures and of the weights in training."""
PARTS, EPOCHS = 40, 20
"""Number of picture files that are trained on, and number of epochs."""
VERSIONS = 4
"""Number of times that each path-traced picture is used in an epoch, with different random errors."""
HELD_OUT_PARTS = 2
"""Number of further picture files, on which the confidence is fitted."""


@click.command()
@click.option("--smoke", is_flag=True, help="One file and one epoch; the shipped networks stay as they are.")
@click.option(
    "--folder", default=FOLDER, type=click.Path(path_type=Path), help="Folder of the pictures and weights."
)
@click.option(
    "--traced",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Folder of path-traced crowds; may be repeated.",
)
def main(smoke: bool, folder: Path, traced: tuple[Path, ...]) -> None:
    """Draw random boards, train the network that decides which sides of tiles are open, and export it as ONNX."""
    parts, epochs = (1, 1) if smoke else (PARTS, EPOCHS)
    picture_files.make(folder / "pool", range(parts + HELD_OUT_PARTS * (not smoke)))
    scenes = picture_files.load_parts(folder / "pool", range(parts))
    scenes += VERSIONS * [scene for crowds in traced for scene in picture_files.load_path_traced(crowds)]
    weights = train.train(scenes, folder, epochs)
    train.export(weights, folder / SIDES_WEIGHTS.name if smoke else SIDES_WEIGHTS)
    if not smoke:
        click.echo(fit(picture_files.load_parts(folder / "pool", range(parts, parts + HELD_OUT_PARTS))))


if __name__ == "__main__":
    main()
