"""`python -m models.maze_sides`: draw random boards, train the network of the sides on them (hours), export it."""

from __future__ import annotations

from pathlib import Path

import click

from models.maze_sides import picture_files, train
from models.maze_sides.confidence_fit import fit
from vision.games.master.field.tiles.side_network import SIDES_WEIGHTS

FOLDER = Path("artefacts/maze")
"""Where the pool and the weights in training are kept."""
PARTS, EPOCHS = 42, 27
"""Parts of the pool that are trained on, and epochs."""
HELD_OUT_PARTS = 2
"""Parts of the pool that are not trained on; the confidence is fitted on them."""


@click.command()
@click.option("--smoke", is_flag=True, help="One part and one epoch; the shipped networks stay as they are.")
@click.option(
    "--folder", default=FOLDER, type=click.Path(path_type=Path), help="Where the pool and weights are kept."
)
def main(smoke: bool, folder: Path) -> None:
    """Draw random boards, train the network of the sides on them, and export it."""
    parts, epochs = (1, 1) if smoke else (PARTS, EPOCHS)
    picture_files.make(folder / "pool", range(parts + HELD_OUT_PARTS * (not smoke)))
    scenes = picture_files.load_parts(folder / "pool", range(parts))
    weights = train.train(scenes, folder, epochs)
    train.export(weights, folder / SIDES_WEIGHTS.name if smoke else SIDES_WEIGHTS)
    if not smoke:
        click.echo(fit(picture_files.load_parts(folder / "pool", range(parts, parts + HELD_OUT_PARTS))))


if __name__ == "__main__":
    main()
