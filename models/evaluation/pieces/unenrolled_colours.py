"""Evaluation of pieces in colours that are not enrolled, on photographs of printed boards by others.

`python -m models.evaluation.pieces.unenrolled_colours DATA` leaves each colour out in turn, enrols the others from
the first pair of boards of `models.evaluation.pieces.photographs`, counts its other boards, and writes every
colour's result to `models/results/unenrolled-colours.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from models.evaluation import RESULTS_FOLDER
from models.evaluation.pieces.photographs import (
    COLOURS,
    ENROLLED_PAIRS,
    PIECE_OVERLAP,
    Photograph,
    boards,
    enrolled_profile,
    evaluated_boards,
)
from vision.boxes import centre, overlap
from vision.counting.table_counter import PieceCounter
from vision.readings import Box, CountReading

RESULTS = RESULTS_FOLDER / "unenrolled-colours.json"


@dataclass(frozen=True, slots=True)
class UnenrolledOutcomes:
    """Outcomes of the pieces of a colour that was not enrolled."""

    pieces: int = 0
    """Number of such pieces."""
    pointed_at: int = 0
    """Of these, reported as an object that is not counted."""
    taken_for_others: int = 0
    """Of these, counted as an enrolled colour."""
    at_pieces: int = 0
    """Number of other reported objects that are pieces of enrolled colours."""
    at_nothing: int = 0
    """Number of other reported objects where there is no piece."""

    def __add__(self, other: UnenrolledOutcomes) -> UnenrolledOutcomes:
        """Return the sum of both."""
        return UnenrolledOutcomes(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def picture_outcomes(photograph: Photograph, reading: CountReading, colour: str) -> UnenrolledOutcomes:
    """Return the outcomes of a colour's pieces in one picture. reading: count by a profile without that colour."""
    counted = [piece.box for piece in reading.pieces]
    strange = [thing.box for thing in reading.doubtful if thing.box not in counted]
    own = [box for name, box in photograph.labels if name == colour]
    others = [box for name, box in photograph.labels if name != colour]
    taken = [box for box in own if any(overlap(box, other) >= PIECE_OVERLAP for other in counted)]
    pointed = [box for box in own if box not in taken and any(_in_middle(one, box) for one in strange)]
    beside = [one for one in strange if not any(_in_middle(one, box) for box in own)]
    at_pieces = sum(any(_in_middle(one, box) for box in others) for one in beside)
    return UnenrolledOutcomes(len(own), len(pointed), len(taken), at_pieces, len(beside) - at_pieces)


def _in_middle(box: Box, around: Box) -> bool:
    x, y = centre(box)
    return around[0] <= x <= around[0] + around[2] and around[1] <= y <= around[1] + around[3]


def evaluate(shown: Sequence[Photograph], others: Sequence[Photograph], colour: str) -> UnenrolledOutcomes:
    """Enrol all colours but one from the boards `shown`, count the others, and return the outcomes."""
    counter = PieceCounter(enrolled_profile(shown, without=colour))
    return sum(
        (picture_outcomes(photograph, counter.count(photograph.image), colour) for photograph in others),
        start=UnenrolledOutcomes(),
    )


@click.command()
@click.option("--choosing", is_flag=True, help="Evaluate the boards set apart instead; writes nothing.")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(data: Path, choosing: bool) -> None:
    """Evaluate each colour, print a table and write the results. DATA: folder of the photographs."""
    console = Console(highlight=False, soft_wrap=True)
    photographs, pair = boards(data / "wooden-pieces-photos"), ENROLLED_PAIRS[0]
    shown = [photographs[name] for name in pair]
    others = evaluated_boards(photographs, pair, choosing=choosing)
    fates = {colour: evaluate(shown, others, colour) for colour in track(COLOURS, "Leaving out", console=console)}
    table = Table(
        title=f"Pieces of a colour that was not taught, {len(others)} pictures", title_justify="left", box=None
    )
    for heading in ("not taught", "pieces", "pointed at", "taken for others", "else: at pieces", "at nothing"):
        table.add_column(heading)
    for name, one in (*fates.items(), ("all", sum(fates.values(), start=UnenrolledOutcomes()))):
        table.add_row(name, *map(str, astuple(one)))
    console.print(table)
    if not choosing:
        RESULTS.write_text(json.dumps({k: asdict(v) for k, v in fates.items()}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
