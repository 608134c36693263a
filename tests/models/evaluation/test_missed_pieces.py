"""Why hands are read wrong."""

from __future__ import annotations

import json

import pytest

from models.evaluation.hands.missed_pieces import HANDS, PIECES, RESULTS, WRONG, error_rows
from models.fitting.count_probabilities import HandCase
from vision.cameras.simulated.renderer import HandTruth, PieceTruth
from vision.hands.candidate_pieces import CandidatePiece
from vision.readings import Box

RED, WITCH = "search:red", "sign:witch"
LEFT, RIGHT, ON_RIGHT = (10.0, 10.0, 20.0, 20.0), (60.0, 10.0, 20.0, 20.0), (63.0, 11.0, 18.0, 18.0)


def rows(pieces: dict[Box, float], boxes: dict[Box, str], score: float = 0.9) -> list[tuple[str, bool]]:
    """Return the error rows of a hand of red pieces, each visible to this fraction, with these boxes detected."""
    held = tuple(
        CandidatePiece(
            box, box, score, 0.0, {RED: -50.0, WITCH: -50.0, kind: 5.0}, print={WITCH: float(kind == WITCH)}
        )
        for box, kind in boxes.items()
    )
    truth = tuple(PieceTruth(RED, box, visible) for box, visible in pieces.items())
    least = {RED: sum(visible >= 0.25 for visible in pieces.values())}
    return list(
        error_rows(HandCase(held, least, {RED: len(pieces)}), HandTruth(0, "open", (0.0, 0.0, 100.0, 100.0), truth))
    )


def test_missed_pieces_are_counted_by_visible_fraction() -> None:
    counted = rows({LEFT: 0.3, RIGHT: 1.0}, {RIGHT: RED})
    assert counted == [(PIECES[0], True), (PIECES[-2], False), ("others", True)]


def test_what_is_hardly_in_sight_need_not_be_found() -> None:
    assert rows({LEFT: 0.2, RIGHT: 0.6}, {RIGHT: RED}) == [(PIECES[2], False), ("others", False)]


def test_pieces_on_each_other_are_distinguished_from_the_others() -> None:
    counted = rows({LEFT: 1.0, RIGHT: 0.8, ON_RIGHT: 1.0}, {LEFT: RED, ON_RIGHT: RED})
    assert [missed for row, missed in counted if row == "on each other"] == [True, False]
    assert counted[-1] == ("others", True)


@pytest.mark.parametrize(
    ("boxes", "score", "why"),
    [
        ({LEFT: RED}, 0.9, None),
        ({LEFT: WITCH}, 0.9, "a sign made up"),
        ({LEFT: RED, RIGHT: RED}, 0.9, "too many pieces"),
        ({LEFT: RED}, 0.1, "too few pieces"),
        ({LEFT: "search:green"}, 0.9, "another colour"),
    ],
)
def test_the_reason_why_a_clear_hand_is_read_wrong_is_counted(
    boxes: dict[Box, str], score: float, why: str | None
) -> None:
    counted = rows({LEFT: 0.9}, boxes, score)[1:]
    assert counted[0] == ("clear", why is not None)
    assert [row for row, is_it in counted[1:] if is_it] == ([] if why is None else [why])


def test_the_committed_result_adds_up() -> None:
    counted = json.loads(RESULTS.read_text("utf-8"))
    assert list(counted) == [*PIECES, *HANDS, *WRONG]
    assert sum(counted[row]["wrong"] for row in WRONG) == counted["clear"]["wrong"] == counted[WRONG[0]]["of"]
    assert sum(counted[row]["wrong"] for row in PIECES[:-1]) >= counted[PIECES[-1]]["wrong"]
