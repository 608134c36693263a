"""What becomes of each piece, and what is counted where none lies."""

from __future__ import annotations

import numpy as np

from models.evaluation.pieces.unknown_kinds import (
    FalsePieces,
    LoosePieces,
    PieceOutcomes,
    false_pieces,
    piece_outcomes,
)
from vision.readings import CountReading, DoubtfulThing, PieceReading, UnknownThing

RED, ODD = "search:red", "stranger:0"


def box(x: float) -> tuple[float, float, float, float]:
    return (x, 10.0, 16.0, 16.0)


TABLE = LoosePieces(
    "light of enrolment",
    np.zeros((40, 400, 3), np.uint8),
    (
        (RED, box(0)),
        (RED, box(40)),
        (ODD, box(80)),
        (ODD, box(120)),
        (ODD, box(160)),
        (ODD, box(200)),
        (ODD, box(240)),
    ),
)
READING = CountReading(
    {RED: 5},
    tuple(PieceReading(RED, box(x), 0.9) for x in (0, 40, 80, 120, 320)),
    tuple(DoubtfulThing(box(x), "") for x in (40, 120, 160, 200)),
    unknown=(UnknownThing(box(160), 0.9),),
)


def test_each_piece_has_one_outcome() -> None:
    assert piece_outcomes(TABLE, READING, [RED]) == PieceOutcomes(pieces=2, right=1, right_asked=1)
    assert piece_outcomes(TABLE, READING, [ODD]) == PieceOutcomes(
        pieces=5, silent=1, asked=1, unknown=1, pointed_at=1, missed=1
    )


def test_what_is_counted_where_nothing_lies_is_a_false_piece() -> None:
    assert false_pieces(TABLE, READING) == FalsePieces(1, 1, 0)
