"""`python -m models.detector`: draw training crops, train the detection networks, export them for play.

`--minutes 8` does everything within that time, as on a rented graphics card: all processors draw crops while the
networks train in parallel. Without it, all crops are drawn first and the networks train one after the other, which
takes hours on a processor. An interrupted run resumes. The weights are written to `vision/detector`.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from models.detector import dataset
from models.detector.dataset import HANDS, PALMS
from models.detector.train import LARGE_NETWORK, SMALL_NETWORK, Recipe, TrainingEnd, evaluate, export, train
from vision.detector import CROP_PX
from vision.detector.network import DETECTOR, Network

RECIPES: Final = (
    Recipe("hands", LARGE_NETWORK, (HANDS,)),
    Recipe("palms", LARGE_NETWORK, (PALMS,)),
    Recipe("detector", SMALL_NETWORK, (HANDS, PALMS)),
)
"""Training configurations of the hand finder, the hand-crop detector, and the small general detector."""
SESSIONS = 600
"""Synthetic sessions to train with: about 27,000 wide crops and as many close ones (17 GB on disk, 11 in memory).
"""
EPOCHS = 40
"""Default number of training epochs."""
_SMALL_SESSIONS = 2
"""Sessions of a smoke run."""
_SMALL_EPOCHS = 0.3
"""Epochs of a smoke run."""
_SMALL_BATCH = 16
"""Crops per step of a smoke run."""
_TRACED: Final = tuple(
    Path("artefacts") / name for name in ("traced", "traced-besides", "traced-more", "traced-grown")
)
_PHOTOGRAPHS: Final = Path("artefacts/hands-photos")
_DRAWING_SHARE = 0.75
"""Fraction of a limited time in which crops are still drawn."""
_MIN_CROPS = 3000
"""Number of crops from which training begins while more are being drawn."""
_WATCHED_SESSIONS = 4
"""Number of held-out sessions on which a trained network is evaluated."""
_EXPORTING_S = 25.0
"""Time reserved for the export in a limited run."""
_DEVICE_BATCH = 384
"""Crops per step on a graphics card."""


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/detector"),
    show_default=True,
    help="Folder of crops and checkpoints; an interrupted run resumes.",
)
@click.option(
    "--target",
    type=click.Path(path_type=Path),
    default=DETECTOR.parent,
    show_default="vision/detector",
    help="Folder that the networks (ONNX) are written to.",
)
@click.option("--minutes", type=click.FloatRange(1, 600), help="Draw and train within this time, in parallel.")
@click.option("--sessions", type=click.IntRange(1), default=SESSIONS, show_default=True, help="Sessions to draw.")
@click.option("--epochs", type=click.FloatRange(0, min_open=True), default=EPOCHS, show_default=True)
@click.option(
    "--network",
    "names",
    multiple=True,
    type=click.Choice([recipe.name for recipe in RECIPES]),
    help="Train only this network; repeatable.",
)
@click.option("--processes", type=click.IntRange(1), help="Drawing processes; by default one per processor.")
@click.option("--draw-only", is_flag=True, help="Only draw the crops.")
@click.option(
    "--smoke", is_flag=True, help="Smoke run: a few crops and steps, export, load, detect; ships nothing."
)
def main(
    folder: Path,
    target: Path,
    minutes: float | None,
    sessions: int,
    epochs: float,
    names: tuple[str, ...],
    processes: int | None,
    draw_only: bool,
    smoke: bool,
) -> None:
    """Draw crops of synthetic tables, train the detection networks on them, and export them as ONNX files."""
    recipes = [recipe for recipe in RECIPES if not names or recipe.name in names]
    if smoke:
        with tempfile.TemporaryDirectory() as temporary:
            small = [replace(recipe, batch=_SMALL_BATCH) for recipe in recipes]
            _draw_then_train(Path(temporary), Path(temporary), small, _SMALL_SESSIONS, _SMALL_EPOCHS, processes)
            for recipe in small:
                _check_export(Path(temporary) / f"{recipe.name}.onnx")
    elif minutes is not None:
        _train_while_drawing(folder, target, recipes, sessions, time.time() + 60 * minutes, processes)
    elif draw_only:
        _write_all_crops(folder, sessions, processes)
    else:
        _draw_then_train(folder, target, recipes, sessions, epochs, processes)


def _write_all_crops(folder: Path, sessions: int, processes: int | None, until: float = math.inf) -> None:
    """Write the training crops of synthetic sessions, and of path-traced and photographed hands if there are any.

    folder: of the data set. sessions: number of sessions, each one table with its camera, light and pieces. until:
    time after which no session is started, s since the epoch.
    """
    for traced in _TRACED:
        if traced.exists():
            dataset.add_traced(folder, traced)
        else:
            click.echo(f"{traced} is missing (`make traced`): training does without it.")
    if _PHOTOGRAPHS.exists():
        dataset.add_photographs(folder, _PHOTOGRAPHS)
    else:
        click.echo(f"{_PHOTOGRAPHS} is missing: training does without photographed hands.")
    dataset.draw(folder, sessions, processes or os.cpu_count(), until)


def _draw_then_train(
    folder: Path, target: Path, recipes: list[Recipe], sessions: int, epochs: float, processes: int | None
) -> None:
    """Draw the crops of all sessions, then train and export one network after the other.

    folder: of crops and checkpoints. target: folder of the ONNX files. epochs: per network.
    """
    _write_all_crops(folder, sessions, processes)
    for recipe in recipes:
        _train_and_export(recipe, folder, target, TrainingEnd(epochs=epochs), 1)


def _train_while_drawing(
    folder: Path, target: Path, recipes: list[Recipe], sessions: int, ends: float, processes: int | None
) -> None:
    """Draw crops of sessions, and meanwhile train and export all networks, each in a process of its own.

    sessions: maximum number; drawing ends early enough to train on the last crops. ends: time at which everything
    is done, s since the epoch. processes: of the drawing; None: one per processor.
    """
    spawn = multiprocessing.get_context("spawn")
    begun = time.time()
    jobs = [
        spawn.Process(
            target=_train_and_export,
            args=(_with_device_batch(recipe), folder, target, TrainingEnd(time=ends - _EXPORTING_S), _MIN_CROPS),
        )
        for recipe in recipes
    ]
    for job in jobs:
        job.start()
    _write_all_crops(folder, sessions, processes, begun + _DRAWING_SHARE * (ends - begun))
    for job in jobs:
        job.join()
    failed = [recipe.name for recipe, job in zip(recipes, jobs, strict=True) if job.exitcode]
    if failed:
        raise click.ClickException(f"Training failed: {', '.join(failed)}. The lines above say why.")


def _with_device_batch(recipe: Recipe) -> Recipe:
    """Return a recipe with the batch size of a graphics card where there is one, unchanged elsewhere."""
    from models.trainer import import_pytorch

    return replace(recipe, batch=_DEVICE_BATCH) if import_pytorch().cuda.is_available() else recipe


def _train_and_export(recipe: Recipe, folder: Path, target: Path, until: TrainingEnd, min_crops: int) -> None:
    """Train and export one network, and print its accuracy on held-out crops.

    folder: of crops and checkpoints. target: folder of the ONNX file. min_crops: number of crops to wait for
    before training begins.
    """
    state = train(recipe, partial(dataset.crop_files, folder), folder / "trained", until, min_crops)
    file = export(recipe, state, target / f"{recipe.name}.onnx")
    watched = evaluate(recipe, state, dataset.crop_files(folder, held_out=True)[:_WATCHED_SESSIONS])
    shares = ", ".join(f"{label} {found} of {there}" for label, (found, there) in watched.found.items())
    click.echo(
        f"{file.name}: {file.stat().st_size / 1e6:.1f} MB; found in sessions kept apart: "
        f"{shares or 'none were drawn'}; {watched.false} false boxes."
    )


def _check_export(file: Path) -> None:
    """Load an exported network as in play, run it on one grey picture, and print the number of boxes."""
    found = Network(file).detect([np.full((CROP_PX, CROP_PX, 3), 120, np.uint8)])
    click.echo(f"{file.name}: {sum(map(len, found))} boxes in an even grey.")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
