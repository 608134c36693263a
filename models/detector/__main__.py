"""`python -m models.detector`: make the data set, train, export, and look through the result once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
import cv2
import numpy as np

from models.detector.dataset import make
from models.detector.train import SHIPPED, WEIGHTS, average, export, train
from vision.detector.network import Network

Stage = tuple[int, int, int, float]
"""Evenings and crowded evenings to train with, epochs, learning rate at first."""
STAGES: tuple[Stage, ...] = (
    (187, 0, 4, 0.002), (380, 0, 13, 0.002), (380, 100, 7, 0.001), (380, 100, 16, 0.0015), (380, 160, 4, 0.0008),
)  # fmt: skip
"""First some of the data, then all of it, each stage with its own decay of the learning rate."""
_AVERAGED = 3
"""The mean of what so many stages ended with is shipped."""


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("artefacts/detector"), show_default=True,
              help="Where the data set and checkpoints are kept; what lies there is continued.")  # fmt: skip
@click.option("--smoke", is_flag=True, help="A few pictures, one epoch, export, load, detect; ships nothing.")
def main(folder: Path, smoke: bool) -> None:
    """Train the detector from nothing and ship its weights with the project."""
    if smoke:
        with tempfile.TemporaryDirectory() as temporary:
            _run(Path(temporary), ((2, 0, 1, 0.002), (2, 1, 1, 0.002)), Path(temporary) / "detector.onnx")
    else:
        _run(folder, STAGES, SHIPPED)


def _run(folder: Path, stages: Sequence[Stage], target: Path) -> None:
    weights: Path | None = None
    trained: list[Path] = []
    for number, (evenings, crowded, epochs, rate) in enumerate(stages, start=1):
        data = make(folder / "data", evenings, crowded)
        weights = train(data, folder / f"stage{number}", epochs, weights, rate)
        trained.append(weights)
    weights = average(trained[-_AVERAGED:], folder / "averaged" / "detector.pt")
    export(weights, target)
    if target == SHIPPED:
        shutil.copyfile(weights, WEIGHTS)
    pictures = sorted((folder / "data" / "images").rglob("*.jpg"))[:8]
    images = [cv2.imread(str(path)) for path in pictures]
    found = Network(target).detect([np.asarray(image, np.uint8) for image in images if image is not None])
    megabytes = target.stat().st_size / 1e6
    click.echo(f"{target.name}: {megabytes:.1f} MB; {sum(map(len, found))} boxes in {len(found)} crops.")


if __name__ == "__main__":
    main()
