from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.evaluation.pieces.photographs import Photograph
from models.evaluation.pieces.unenrolled_colours import UnenrolledOutcomes, picture_outcomes
from vision.readings import Box, CountReading, DoubtfulThing, PieceReading


def _reading(counted: Sequence[Box], strange: Sequence[Box]) -> CountReading:
    pieces = tuple(PieceReading("token:red", box, 0.9) for box in counted)
    doubtful = tuple(DoubtfulThing(box, "?") for box in (*counted, *strange))
    return CountReading({"token:red": len(pieces)}, pieces, doubtful, 1.0)


def test_pieces_that_were_never_taught_are_pointed_at_taken_for_others_or_neither() -> None:
    labels = [("blue", (float(100 * n), 0.0, 20.0, 20.0)) for n in range(4)] + [("red", (0.0, 100.0, 20.0, 20.0))]
    seen = Photograph("board.jpg", np.zeros((200, 400, 3), np.uint8), tuple(labels))
    counted = [(102.0, 0.0, 20.0, 20.0)]
    strange = [(5.0, 5.0, 8.0, 8.0), (4.0, 104.0, 9.0, 9.0), (300.0, 150.0, 9.0, 9.0)]
    told = picture_outcomes(seen, _reading(counted, strange), "blue")
    assert told == UnenrolledOutcomes(pieces=4, pointed_at=1, taken_for_others=1, at_pieces=1, at_nothing=1)
    assert told + UnenrolledOutcomes(1, 1) == UnenrolledOutcomes(5, 2, 1, 1, 1)
    # One that was counted as another colour is not pointed at, whatever lies there besides.
    assert picture_outcomes(seen, _reading(counted, [(105.0, 5.0, 8.0, 8.0)]), "blue") == UnenrolledOutcomes(
        4, 0, 1, 0, 0
    )
