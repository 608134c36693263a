"""`python -m models.path_tracing`: write render jobs for Blender, evaluate detector weights on rendered hands."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from models.path_tracing import maze_jobs
from models.path_tracing.hand_crops import crop, rendered_boxes
from models.path_tracing.hand_jobs import (
    FIRST_GROWN_HELD_OUT_SEED,
    FIRST_GROWN_SEED,
    FIRST_HELD_OUT_SEED,
    FIRST_SEED,
    write,
)
from vision.detector.inference_augmentation import ORIENTATIONS, detect_augmented
from vision.detector.model_set import ModelSet
from vision.detector.network import Network
from vision.hands.candidate_pieces import MIN_CANDIDATE_SCORE
from vision.hands.hand_contents_reader import MAX_PASSES

_MIN_FULL_HAND = 5
"""Number of pieces from which a hand counts as full."""
_SCORE_THRESHOLDS = np.arange(0.2, 0.75, 0.05)
"""Compared thresholds of the score from which a detection counts."""


@click.group()
def main() -> None:
    """Write jobs for path tracing in Blender, or evaluate detectors on path-traced hands."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("number", type=click.IntRange(1))
@click.option("--held-out", is_flag=True, help="Use held-out hands and shapes.")
@click.option("--grown", is_flag=True, help="Use generated hands, many of them fists.")
@click.option("--signs", type=click.FloatRange(0, 1), help="Probability of each sign in a hand.")
@click.option("--skip", default=0, show_default=True, type=click.IntRange(0), help="Number of first jobs to skip.")
def order(folder: Path, number: int, held_out: bool, grown: bool, signs: float | None, skip: int) -> None:
    """Write render jobs of hands, for `models.path_tracing.render_hands FOLDER vision/cameras/simulated/assets`."""
    firsts = (FIRST_GROWN_SEED, FIRST_GROWN_HELD_OUT_SEED) if grown else (FIRST_SEED, FIRST_HELD_OUT_SEED)
    first = firsts[held_out]
    write(folder, first + skip, number, held_out=held_out, grown=grown, signs=signs)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("number", type=click.IntRange(1))
@click.option("--skip", default=0, show_default=True, type=click.IntRange(0), help="Number of first jobs to skip.")
@click.option(
    "--crowd", default=0, type=click.IntRange(0), help="Maximum number of wizards on a board, for training."
)
def order_mazes(folder: Path, number: int, skip: int, crowd: int) -> None:
    """Write render jobs of mazes, for `models.path_tracing.render_mazes FOLDER`."""
    if crowd:
        maze_jobs.write_crowds(folder, number, skip, crowd)
    else:
        maze_jobs.write_boards(folder, number, skip)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.argument("weights", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--passes",
    default=MAX_PASSES,
    show_default=True,
    type=click.IntRange(1, len(ORIENTATIONS)),
    help="Orientations of test-time augmentation; as in play by default.",
)
def evaluate(folder: Path, weights: tuple[Path, ...], passes: int) -> None:
    """Print how exactly detectors with these WEIGHTS (ONNX; default: shipped) count pieces in rendered hands."""
    pictures = list(rendered_boxes(folder))
    if not pictures:
        raise click.ClickException(
            f"Nothing is rendered in {folder}: order pictures and run models.path_tracing.render_hands."
        )
    crops = [crop(image, boxes, np.random.default_rng(seed), max_zoom=1.0) for seed, image, boxes in pictures]
    truth = np.array([len(one.boxes) for one in crops])
    many = truth >= _MIN_FULL_HAND
    table = Table(title=f"{len(crops)} path-traced hands: counted exactly, at the best threshold")
    for title in (
        "weights",
        "threshold",
        "all",
        f"up to {_MIN_FULL_HAND - 1}",
        f"{_MIN_FULL_HAND} and more",
        "off by one at most",
        "bias",
    ):
        table.add_column(title, justify="left" if title == "weights" else "right")
    for file in weights or (None,):
        networks = ModelSet.shipped().hand_crop_detectors if file is None else (Network(file),)
        scores = [
            [d.score for d in detect_augmented(networks, one.image, "piece", MIN_CANDIDATE_SCORE, passes)]
            for one in crops
        ]
        counts = {least: np.array([sum(s > least for s in of) for of in scores]) for least in _SCORE_THRESHOLDS}
        least = max(counts, key=lambda value: float(np.mean(counts[value] == truth)))
        off = counts[least] - truth
        shares = (off == 0, (off == 0)[~many], (off == 0)[many], np.abs(off) <= 1)
        shares_text = [f"{100 * float(np.mean(share)):.1f} %" if len(share) else "–" for share in shares]
        table.add_row(str(file or "shipped"), f"{least:.2f}", *shares_text, f"{float(off.mean()):+.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
