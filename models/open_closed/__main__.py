"""`python -m models.open_closed`: draw open and closed hands, train the open/closed classifier, export it for play.

`--tune` continues from the shipped weights with hands on varied table tops: minutes instead of an hour.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from models.open_closed.fine_tuning import STEPS, export_tuned, tune
from models.open_closed.hand_crops import (
    FIRST_TUNING_SEED,
    KEPT_PX,
    HandPatches,
    concatenate,
    load,
    make,
    path_traced_patches,
    photographed_patches,
)
from models.open_closed.train import export, train
from vision.detector.open_closed_classifier import SIDE_PX, WEIGHTS, OpenClosedClassifier

_TUNING_TABLES = 16
"""Tables of the fine-tuning."""


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/openness"),
    show_default=True,
    help="Folder of hands and checkpoints; an interrupted run resumes.",
)
@click.option("--tables", default=360, show_default=True)
@click.option(
    "--traced",
    "traced_hands",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Path-traced hands to add.",
)
@click.option("--photographs", type=click.Path(exists=True, path_type=Path), help="Photographed hands to add.")
@click.option("--epochs", default=150, show_default=True)
@click.option("--tune", "tuned", is_flag=True, help="Continue from the shipped weights, on varied grounds.")
@click.option("--smoke", is_flag=True, help="Smoke run: two tables, one epoch, export, load; ships nothing.")
def main(
    folder: Path,
    tables: int,
    traced_hands: tuple[Path, ...],
    photographs: Path | None,
    epochs: int,
    tuned: bool,
    smoke: bool,
) -> None:
    """Train the classifier that decides whether a detected hand is open or closed, and export it as ONNX."""
    besides = [path_traced_patches(source) for source in traced_hands]
    besides += [] if photographs is None else [photographed_patches(photographs)]
    if smoke:
        with tempfile.TemporaryDirectory() as temporary:
            _run(Path(temporary), 2, besides, 1, Path(temporary) / WEIGHTS.name)
            _tune(Path(temporary), 1, besides, 2, Path(temporary) / WEIGHTS.name)
    elif tuned:
        _tune(folder, _TUNING_TABLES, besides, STEPS, WEIGHTS)
    else:
        _run(folder, tables, besides, epochs, WEIGHTS)


def _run(folder: Path, tables: int, besides: list[HandPatches], epochs: int, target: Path) -> None:
    """Train from scratch on hands over drawn tables and those in `besides`, and export the weights to `target`."""
    seen = concatenate([load(make(folder / "hands", tables)), *besides])
    click.echo(f"{len(seen.hands)} hands, {seen.opened.sum()} of them open")
    export(train(seen, folder, epochs), target)
    _print_accuracy(target, seen)


def _tune(folder: Path, tables: int, besides: list[HandPatches], steps: int, target: Path) -> None:
    """Fine-tune the shipped weights on drawn hands and those in `besides`, and export the weights to `target`."""
    seen = concatenate([load(make(folder / "hands", tables, first=FIRST_TUNING_SEED)), *besides])
    click.echo(f"{len(seen.hands)} hands, {seen.opened.sum()} of them open")
    export_tuned(tune(seen, folder, steps), target)
    _print_accuracy(target, seen)


def _print_accuracy(target: Path, seen: HandPatches) -> None:
    """Print the size of an ONNX file and its accuracy on the first 64 training hands. seen: training hands."""
    beyond = slice((KEPT_PX - SIDE_PX) // 2, (KEPT_PX + SIDE_PX) // 2)
    opened = OpenClosedClassifier(target).log_odds(list(seen.hands[:64, beyond, beyond])) > 0
    right = int((opened == seen.opened[:64]).sum())
    click.echo(
        f"{target.name}: {target.stat().st_size / 1e6:.1f} MB; {right} of {len(opened)} hands classified correctly."
    )


if __name__ == "__main__":
    main()
