"""`python -m models.piece_sign`: draw tables, detect pieces in hands, train the piece/sign classifier, export."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np

from models.piece_sign import path_traced_examples
from models.piece_sign.examples import LEVELS, load, make
from models.piece_sign.train import export, train
from vision.hands.piece_sign_classifier import HIDES, OUTCOMES, PLANES, SIDE_PX, WEIGHTS, PieceSignClassifier


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("artefacts/likeness"),
    show_default=True,
    help="Folder of views and checkpoints; an interrupted run resumes.",
)
@click.option("--tables", default=2500, show_default=True)
@click.option("--traced", type=click.Path(exists=True, path_type=Path), help="Path-traced hands to add.")
@click.option("--epochs", default=14, show_default=True)
@click.option("--smoke", is_flag=True, help="Smoke run: four tables, one epoch, export, load; ships nothing.")
def main(folder: Path, tables: int, traced: Path | None, epochs: int, smoke: bool) -> None:
    """Train the classifier that decides whether a box shows a search piece or a sign, and export it as ONNX."""
    if smoke:
        with tempfile.TemporaryDirectory() as temporary:
            _run(Path(temporary), 4, traced, 1, Path(temporary) / WEIGHTS.name)
    else:
        _run(folder, tables, traced, epochs, WEIGHTS)


def _run(folder: Path, tables: int, traced: Path | None, epochs: int, target: Path) -> None:
    """Make the examples, train, export the weights to `target`, and print their accuracy on a few examples.

    traced: folder of path-traced hands, None without.
    """
    files = make(folder / "views", tables)
    seen = load(files if traced is None else [*files, *path_traced_examples.make(traced, folder / "traced-views")])
    counts = np.bincount(seen.outcomes.ravel(), minlength=len(OUTCOMES))
    click.echo(", ".join(f"{name}: {count}" for name, count in zip(OUTCOMES, counts, strict=True)))
    export(train(seen, folder, epochs), target)
    some = seen.views[:64].astype(np.float32).reshape(-1, PLANES, SIDE_PX, SIDE_PX) / LEVELS
    right = PieceSignClassifier(target).classify(some)[:, :HIDES].argmax(axis=1) == seen.outcomes[:64].ravel()
    click.echo(
        f"{target.name}: {target.stat().st_size / 1e6:.1f} MB; "
        f"{right.sum()} of {len(right)} views classified correctly."
    )


if __name__ == "__main__":
    main()
