"""Fit the reveal reader's small networks on made-up tables: `python -m models.reveal.fit`.

Writes vision/reveal/{foreground,neighbours,state,heap,sign}.json. Seeds from 1000 on are for fitting; the
benchmark's are below 1000.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

import vision.reveal
from models.reveal.learning import Rows, fit, store
from models.reveal.outlines import fit_foreground, outlined
from models.reveal.tables import RehearsedTable, Shown
from vision.reveal.counting import HEAP_CLASSES
from vision.reveal.evidence import HEAP_FEATURES, SIGN_FEATURES, HandEvidence, Heap
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM, PatchFrame
from vision.reveal.reader import RevealReader
from vision.reveal.state import STATE_FEATURES, state_features

FIRST_SEED, FIRST_LOOK = 1000, 2000
_SEEN = 0.2
"""A piece of which less is in sight is not counted on."""
_FARTHEST_MM = 9.0
_MISSED_PX = 75.0
_PER_LOOK = 8


@dataclass(slots=True)
class Lessons:
    """Examples for each network."""

    state: Rows = field(default_factory=Rows)
    heap: Rows = field(default_factory=Rows)
    sign: Rows = field(default_factory=Rows)

    def take(self, other: Lessons) -> None:
        """Add what another process has learned from."""
        self.state.take(other.state)
        self.heap.take(other.heap)
        self.sign.take(other.sign)


def learn_from(reader: RevealReader, shown: Shown, lessons: Lessons) -> None:
    """Add what one reveal teaches: its hands' outlines, heaps and signs."""
    truths = {hand.seat: hand for hand in shown.hands}
    picture = reader.prepare(shown.frames[0], shown.background)
    for hand in reader.find(picture, shown.expectation.seats):
        truth = truths.get(hand.seat)
        if truth is None:
            continue
        missed = _off(hand.frame, truth.box) > _MISSED_PX
        lessons.state.add(state_features(hand.mask), 2 if missed else int(truth.state == "open"))
        if missed or truth.state != "open":
            continue
        search = next(
            kind for kind in (*shown.expectation.limits[hand.seat], "search:purple") if kind in reader.areas
        )
        if not search.startswith("search:"):
            search = "search:" + ("black", "red", "green")[shown.seed % 3]
        kinds = [search, "sign:witch", "sign:soul"]
        evidence = reader.gather(picture, hand, kinds)
        if evidence is None:
            continue
        for kind in kinds:
            boxes = [
                (piece.box, piece.visible)
                for piece in truth.pieces
                if piece.kind == kind and piece.visible >= _SEEN
            ]
            spots = [_spot(hand.frame, box) for box, _ in boxes]
            if kind == search:
                heaps = evidence.heaps(kind, reader.areas[kind], kinds[1:])
                for heap, count in zip(heaps, _counts(evidence, kind, heaps, spots), strict=True):
                    lessons.heap.add(heap.features, min(count, HEAP_CLASSES - 1))
            else:
                others = [other for other in kinds[1:] if other != kind]
                sign = evidence.sign(kind, reader.areas[kind], others, [search])
                lessons.sign.add(sign.features, int(len(spots) > 0))


def _off(frame: PatchFrame, box: tuple[float, float, float, float]) -> float:
    """How far from the middle of the true hand a patch was laid, in pixels."""
    x, y, _, _ = frame.box(*PATCH_PALM, 0.0, 0.0)
    return float(np.hypot(x - box[0] - box[2] / 2, y - box[1] - box[3] / 2))


def _spot(frame: PatchFrame, box: tuple[float, float, float, float]) -> NDArray[np.float64]:
    x, y, width, height = box
    at = np.linalg.inv(frame.to_picture) @ np.array([x + width / 2, y + height / 2, 1.0])
    return np.asarray(at[:2] / at[2], np.float64)


def _counts(
    evidence: HandEvidence, kind: str, heaps: tuple[Heap, ...], spots: Iterable[NDArray[np.float64]]
) -> list[int]:
    """Tell how many pieces lie in each heap: each belongs to the heap that has a pixel nearest to its middle."""
    counts = [0] * len(heaps)
    layer = evidence.pieces.kinds[kind] > 0.5
    pixels = []
    for heap in heaps:
        x, y, width, height = heap.box
        rows, columns = np.nonzero(layer[y : y + height, x : x + width])
        pixels.append(np.stack([columns + x, rows + y], axis=1))
    for spot in spots:
        away = [float(np.min(np.hypot(*(p - spot).T))) if len(p) else np.inf for p in pixels]
        if away and min(away) < _FARTHEST_MM * PATCH_PX_PER_MM:
            counts[int(np.argmin(away))] += 1
    return counts


def fit_all(lessons: Lessons, folder: Path) -> None:
    """Fit the networks for outlines, heaps and signs and store them."""
    for name, rows, classes, hidden, names, members in (
        ("state", lessons.state, 3, (10,), STATE_FEATURES, 4),
        ("heap", lessons.heap, HEAP_CLASSES, (28, 16), HEAP_FEATURES, 6),
        ("sign", lessons.sign, 2, (12,), SIGN_FEATURES, 4),
    ):
        click.echo(f"{name}: ", nl=False)
        store(folder / f"{name}.json", fit(rows, classes, hidden, names, members))


@click.command()
@click.option("--reveals", default=900, show_default=True, help="Made-up reveals to learn counting from.")
@click.option(
    "--looks", default=55, show_default=True, help="Made-up tables to learn outlines from; 0: keep as it is."
)
def main(reveals: int, looks: int) -> None:
    """Make up reveals, read them as far as features, fit, store."""
    folder = Path(vision.reveal.__file__).parent
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if looks:
            pictures = pool.map(outlined, range(FIRST_LOOK, FIRST_LOOK + looks))
            fit_foreground([picture for some in pictures for picture in some], folder)
    # Started anew, or the workers would go on with the outlines of before.
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        lessons = Lessons()
        for some in pool.map(_lessons_of, range(FIRST_SEED, FIRST_SEED + reveals, _PER_LOOK)):
            lessons.take(some)
    fit_all(lessons, folder)


def _lessons_of(first: int) -> Lessons:
    """Learn from the reveals over one made-up table."""
    cv2.setNumThreads(1)
    table, lessons = RehearsedTable(first), Lessons()
    reader = RevealReader(table.profile)
    for seed in range(first, first + _PER_LOOK):
        learn_from(reader, table.reveal(seed, game_like=False), lessons)
    return lessons


if __name__ == "__main__":
    main()
