"""Which pieces in hands are missed: by how much of them is in sight, and whether they lie on each other.

`python -m models.evaluation.missed` prints tables and writes `models/results/missed.json`. It looks into the open
hands of held-out evenings (rendered), one frame each, and knows where the hands are: what is measured is the
counting alone. It tells why hands are read wrong; how often they are is told by `make eval`.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from models.evaluation.calibrate import Case, looked_into, ranked
from models.evaluation.judging import SEEN
from models.evaluation.report import share
from vision.boxes import overlap
from vision.cameras.simulated.renderer import HandTruth
from vision.detector.network import SAME
from vision.readings import Box
from vision.reveal.counting import calibrated, reality

RESULTS = Path(__file__).parent.parent / "results" / "missed.json"
BANDS = (SEEN, 0.4, 0.55, 0.7, 0.85, 1.01)
"""Shares of a piece in sight by which pieces are told apart."""
CLEAR = 0.55
"""A hand is clear when so much of each of its pieces is in sight, and no two lie on each other."""
_FITS = 0.1
"""A box belongs to a piece that it overlaps by more (intersection over union)."""


@dataclass(frozen=True, slots=True)
class Missed:
    """Sums over hands: pieces and missed ones by band of `BANDS`; pieces that lie on each other; hands."""

    pieces: tuple[int, ...] = (0,) * (len(BANDS) - 1)
    missed: tuple[int, ...] = (0,) * (len(BANDS) - 1)
    on_each_other: int = 0
    on_each_other_missed: int = 0
    clear_hands: int = 0
    clear_hands_right: int = 0
    other_hands: int = 0
    other_hands_right: int = 0

    def __add__(self, other: Missed) -> Missed:
        """Add two sums."""
        return Missed(
            tuple(one + more for one, more in zip(self.pieces, other.pieces, strict=True)),
            tuple(one + more for one, more in zip(self.missed, other.missed, strict=True)),
            self.on_each_other + other.on_each_other,
            self.on_each_other_missed + other.on_each_other_missed,
            self.clear_hands + other.clear_hands,
            self.clear_hands_right + other.clear_hands_right,
            self.other_hands + other.other_hands,
            self.other_hands_right + other.other_hands_right,
        )


def found_of(pieces: Sequence[Box], boxes: Sequence[Box]) -> frozenset[int]:
    """Tell which pieces were found: a box belongs to one piece at most, what fits best comes first."""
    fits = [(overlap(piece, box), p, b) for p, piece in enumerate(pieces) for b, box in enumerate(boxes)]
    found: set[int] = set()
    taken: set[int] = set()
    for fit, piece, box in sorted(fits, reverse=True):
        if fit > _FITS and piece not in found and box not in taken:
            found.add(piece)
            taken.add(box)
    return frozenset(found)


def missed_in(case: Case, hand: HandTruth) -> Missed:
    """Count what was missed in one hand; boxes count that are pieces rather than not."""
    there = [piece for piece in hand.pieces if piece.visible >= SEEN]
    places = [piece.box for piece in there]
    found = found_of(places, [one.box for one in case.held if reality(one, calibrated()) > 0.5])
    banded = [_band(piece.visible) for piece in there]
    pairs = combinations(range(len(there)), 2)
    doubled = {index for pair in pairs if overlap(places[pair[0]], places[pair[1]]) > SAME for index in pair}
    lost = set(range(len(there))) - found
    clear = not doubled and all(piece.visible >= CLEAR for piece in hand.pieces)
    right = case.right(ranked(case, calibrated())[0].counts)
    bands = range(len(BANDS) - 1)
    return Missed(
        tuple(banded.count(band) for band in bands),
        tuple(sum(banded[index] == band for index in lost) for band in bands),
        len(doubled), len(doubled & lost), clear, clear and right, not clear, right and not clear,
    )  # fmt: skip


def _band(visible: float) -> int:
    return next(band for band, (low, high) in enumerate(pairwise(BANDS)) if low <= visible < high)


def _of_evening(seed: int) -> Missed:
    return _summed(missed_in(case, hand) for case, hand in looked_into(seed))


def _summed(several: Iterable[Missed]) -> Missed:
    return sum(several, Missed())


@click.command()
@click.option("--evenings", default=40, show_default=True)
@click.option("--first", default=0, show_default=True, help="Seed of the first evening.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, show_default=True)
def main(evenings: int, first: int, results: Path) -> None:
    """Measure which pieces are missed in the hands of held-out evenings."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(_of_evening, range(first, first + evenings))
        total = _summed(track(jobs, "Looking into hands", total=evenings))
    results.write_text(json.dumps(asdict(total), indent=1) + "\n", "utf-8")
    _tell(total)


def _tell(total: Missed) -> None:
    table = Table(title="pieces in hands (rendered)", title_justify="left", box=None)
    for title in ("in sight", "missed"):
        table.add_column(title, justify="right", no_wrap=True)
    for (low, high), pieces, missed in zip(pairwise(BANDS), total.pieces, total.missed, strict=True):
        table.add_row(f"{100 * low:.0f} to {100 * min(high, 1):.0f} %", share(missed, pieces))
    table.add_row("on each other", share(total.on_each_other_missed, total.on_each_other))
    console = Console()
    console.print(table)
    hands = Table(title="hands (rendered)", title_justify="left", box=None)
    for title in ("", "read right"):
        hands.add_column(title, justify="right", no_wrap=True)
    clear = f"{100 * CLEAR:.0f} % or more of each piece in sight, none on another"
    hands.add_row(clear, share(total.clear_hands_right, total.clear_hands))
    hands.add_row("others", share(total.other_hands_right, total.other_hands))
    console.print(hands)


if __name__ == "__main__":
    main()
