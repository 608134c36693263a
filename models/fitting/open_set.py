"""Fit the open-set classifier of `companion count`: whether a patch of pixels shows the kind that it resembles.

`python -m models.fitting.open_set` writes `vision/counting/open_set.npz`. It uses rendered sessions other than
those that `models.evaluation.pieces.unknown_kinds` evaluates. Each kind is left out of the profile in turn, and
pieces of other games lie on the table. Such pieces in nearly an enrolled paint are excluded, because they cannot be
distinguished by colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from calibration.errors import CalibrationError
from models.evaluation.measuring.parallel import over_sessions
from models.evaluation.pieces.unknown_kinds import EnrolledTable, LoosePieces, near, session
from models.evaluation.scenes.synthetic_sessions import KINDS
from models.fitting.small_network_ensembles import TrainingConfig, train_ensemble
from vision.bounding_boxes import scaled
from vision.counting.mlp_ensemble import Classifier, Rows
from vision.counting.open_set import CLASSIFIER_FILE, membership_features
from vision.counting.table_counter import PieceCounter

FIRST_SEED = 4000
"""Seed of the first session."""
_MIN_PAINT_DISTANCE = 8.0
"""CIELAB distance of paints below which a piece of another game is left out of the fit."""
_TRAINING = TrainingConfig(hidden=24, epochs=40, noise=0.25, dropout=0.2, batch=128)
"""Training configuration, chosen by leave-one-session-out cross-validation."""

Labelled = tuple[Rows, NDArray[np.bool_]]
"""Features of patches, (n, features), and whether each shows the kind as which it was counted, (n,)."""


def labelled_patches(made: EnrolledTable) -> Labelled:
    """Return features of the patches of a session, and whether each shows the kind as which it was counted.

    A patch is a region of pixels that is counted as a piece. Pieces are counted with all kinds enrolled, and again
    with each kind left out in turn.
    """
    rows: list[Rows] = []
    known: list[bool] = []
    for left_out in (None, *KINDS):
        pieces = {kind: samples for kind, samples in made.profile.pieces.items() if kind != left_out}
        counter = PieceCounter(replace(made.profile, pieces=pieces))
        for table in made.tables:
            if left_out is not None and table.setting.startswith("lamp"):
                continue
            found = counter.find(table.image)
            for patch, measures in zip(found.agreed.counted, found.measures, strict=True):
                height, width = patch.mask.shape
                box = (float(patch.left), float(patch.top), float(width), float(height))
                own = _is_of_kind(made, table, patch.kind, scaled(box, 1 / found.px_factor), left_out)
                if own is not None:
                    rows.append(membership_features(measures[patch.kind], counter.kinds[patch.kind]))
                    known.append(own)
    return np.array(rows), np.array(known, np.bool_)


def _is_of_kind(
    made: EnrolledTable, table: LoosePieces, kind: str, box: tuple[float, float, float, float], left_out: str | None
) -> bool | None:
    """Return whether a patch shows the kind as which it was counted; None if it is excluded from the fit.

    box: of the patch, px; left_out: kind that was not enrolled, if any.
    """
    lying = [name for name, place in table.lying if near(place, box)]
    if kind in lying:
        return True if left_out is None else None
    if not lying:
        return None
    if lying[0] in made.paint_distance:
        return None if left_out is not None or made.paint_distance[lying[0]] < _MIN_PAINT_DISTANCE else False
    return False if lying[0] == left_out else None


def collect(seed: int) -> Labelled | None:
    """Return `labelled_patches` of the session of a seed; None if its pieces cannot be enrolled or counted."""
    cv2.setNumThreads(1)
    try:
        return labelled_patches(session(seed))
    except CalibrationError:
        return None


def save(classifier: Classifier) -> None:
    """Write a classifier to the file that `vision.counting.open_set.shipped_classifier` reads."""
    members = {
        f"{number}_{layer}": weights
        for number, member in enumerate(classifier.members)
        for layer, weights in enumerate(member)
    }
    parts = {"members": np.array(len(classifier.members)), "middle": classifier.middle, "spread": classifier.spread}
    np.savez_compressed(CLASSIFIER_FILE, allow_pickle=False, **parts, **members)


def joined(parts: Sequence[Labelled | None]) -> Labelled:
    """Concatenate the labelled patches of sessions. parts: of each session; None is skipped."""
    rows, known = zip(*(part for part in parts if part is not None), strict=True)
    return np.concatenate(rows), np.concatenate(known)


@click.command()
@click.option("--sessions", default=44, show_default=True, type=click.IntRange(1, 500))
@click.option("--first", default=FIRST_SEED, show_default=True, help="Seed of the first session.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
def main(sessions: int, first: int, processes: int) -> None:
    """Fit the classifier that decides whether a patch shows the kind that it is counted as, and write its file."""
    console = Console(highlight=False, soft_wrap=True)
    rows, known = joined(over_sessions(collect, first, sessions, processes, "Counting", console))
    console.print(f"{known.sum()} patches of their kind, {(~known).sum()} of none.")
    save(train_ensemble(rows, np.eye(2, dtype=np.float32)[known.astype(np.intp)], _TRAINING))


if __name__ == "__main__":
    main()
