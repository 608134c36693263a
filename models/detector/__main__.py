"""`python -m models.detector`: make the data set, train, export, and look through the result once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np

from models.detector.dataset import make
from models.detector.train import (
    PALMS_NETWORK,
    PALMS_WEIGHTS,
    WEIGHTS,
    average,
    export,
    train,
)
from models.detector.widen import widen
from vision.detector.network import DETECTOR, PALMS, Network


@dataclass(frozen=True, slots=True)
class Stage:
    """One training, gone on from the one before: how many evenings of each sort (`models.detector.scenes`), epochs,
    the learning rate at first; traced, photographs: also with hands rendered by path tracing (`make traced`), and
    with photographed ones, if there are any."""

    evenings: int
    crowded: int
    relit: int
    epochs: int
    rate: float
    traced: bool = False
    photographs: bool = False


STAGES = (
    Stage(187, 0, 0, 4, 0.002),
    Stage(380, 0, 0, 13, 0.002),
    Stage(380, 100, 0, 7, 0.001),
    Stage(380, 100, 0, 16, 0.0015),
    Stage(380, 160, 0, 4, 0.0008),
    Stage(120, 120, 440, 5, 0.0015),
    Stage(60, 60, 440, 4, 0.0012, traced=True),
    Stage(60, 60, 440, 4, 0.0007, traced=True),
    Stage(60, 60, 280, 9, 0.0012, traced=True, photographs=True),
    Stage(120, 120, 280, 4, 0.0008, traced=True, photographs=True),
)
"""First some of the data, then all of it, then other light; each stage has its own decay of the learning rate."""
PALM_STAGES = (Stage(250, 160, 350, 8, 0.0015, traced=True, photographs=True),)
"""For the wider network that looks into hands, gone on from the detector: only what is seen from near."""
_SMALL = (Stage(2, 0, 0, 1, 0.002), Stage(2, 1, 2, 1, 0.002))
"""One evening in 25 is kept apart, the first of each sort, too: two are needed for one to train with."""
_AVERAGED = 2
"""The mean of what so many stages ended with is shipped, of the only one where there is but one."""
TRACED, PHOTOGRAPHS = Path("artefacts/traced"), Path("artefacts/hands-photos")


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("artefacts/detector"), show_default=True,
              help="Where the data set and checkpoints are kept; what lies there is continued.")  # fmt: skip
@click.option("--smoke", is_flag=True, help="A few pictures, one epoch, export, load, detect; ships nothing.")
def main(folder: Path, smoke: bool) -> None:
    """Train the networks from nothing and ship their weights with the project."""
    if smoke:
        with tempfile.TemporaryDirectory() as temporary:
            _all(Path(temporary), _SMALL, _SMALL[-1:], Path(temporary))
    else:
        trained = _all(folder, STAGES, PALM_STAGES, DETECTOR.parent)
        for weights, kept in zip(trained, (WEIGHTS, PALMS_WEIGHTS), strict=True):
            shutil.copyfile(weights, kept)


def _all(folder: Path, stages: Sequence[Stage], palms: Sequence[Stage], shipped: Path) -> tuple[Path, Path]:
    """Train the general detector and from it the hand-crop detector; return the weights of both."""
    detector = _run(folder, "detector", stages, None, shipped / DETECTOR.name)
    wider = folder / "wider.pt"
    if not wider.exists():
        widen(detector, PALMS_NETWORK, wider)
    return detector, _run(folder, "palms", palms, wider, shipped / PALMS.name)


def _run(folder: Path, name: str, stages: Sequence[Stage], start: Path | None, target: Path) -> Path:
    """Train a network in stages and write the mean of the last ones; start: weights, where there are any."""
    weights, close = start, start is not None
    trained: list[Path] = []
    for number, stage in enumerate(stages, start=1):
        if stage.traced and not TRACED.exists():
            click.echo(f"Nothing is rendered in {TRACED} (`make traced`): stage {number} does without.")
        if stage.photographs and not PHOTOGRAPHS.exists():
            click.echo(f"No photographed hands are in {PHOTOGRAPHS}: stage {number} does without.")
        traced = TRACED if stage.traced and TRACED.exists() else None
        photographs = PHOTOGRAPHS if stage.photographs and PHOTOGRAPHS.exists() else None
        data = make(folder / "data", stage.evenings, stage.crowded, stage.relit, traced, photographs, close=close)
        weights = train(data, folder / f"{name}{number}", stage.epochs, weights, stage.rate)
        trained.append(weights)
    weights = average(trained[-_AVERAGED:], folder / "averaged" / f"{name}.pt")
    export(weights, target)
    pictures = sorted((folder / "data" / "images").rglob("*.jpg"))[:8]
    images = [cv2.imread(str(path)) for path in pictures]
    found = Network(target).detect([np.asarray(image, np.uint8) for image in images if image is not None])
    megabytes = target.stat().st_size / 1e6
    click.echo(f"{target.name}: {megabytes:.1f} MB; {sum(map(len, found))} boxes in {len(found)} crops.")
    return weights


if __name__ == "__main__":
    main()
