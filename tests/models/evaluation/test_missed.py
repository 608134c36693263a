"""Which pieces are missed, and why."""

from __future__ import annotations

import json
from dataclasses import fields

from models.evaluation.calibrate import Case
from models.evaluation.missed import BANDS, RESULTS, Missed, found_of, missed_in
from vision.cameras.simulated.renderer import HandTruth, PieceTruth
from vision.readings import Box
from vision.reveal.held import Held

RED = "search:red"
LEFT, RIGHT, ON_RIGHT = (10.0, 10.0, 20.0, 20.0), (60.0, 10.0, 20.0, 20.0), (63.0, 11.0, 18.0, 18.0)


def case(pieces: dict[Box, float], boxes: list[Box], score: float = 0.9) -> tuple[Case, HandTruth]:
    """A hand of red pieces, each this much in sight, in which these boxes were found."""
    held = tuple(Held(box, box, score, 0.0, {RED: 5.0, "": -5.0}) for box in boxes)
    truth = tuple(PieceTruth(RED, box, visible) for box, visible in pieces.items())
    seen = sum(visible >= 0.25 for visible in pieces.values())
    return Case(held, {RED: seen}, {RED: len(pieces)}), HandTruth(0, "open", (0.0, 0.0, 100.0, 100.0), truth)


def test_a_box_is_no_second_piece() -> None:
    assert found_of([RIGHT, ON_RIGHT, LEFT], [RIGHT, LEFT]) == {0, 2}
    assert found_of([LEFT], [RIGHT]) == frozenset()


def test_what_is_missed_is_told_by_how_much_is_in_sight() -> None:
    told = missed_in(*case({LEFT: 0.3, RIGHT: 1.0}, [RIGHT]))
    assert (told.pieces, told.missed) == ((1, 0, 0, 0, 1), (1, 0, 0, 0, 0))
    assert (told.other_hands, told.other_hands_right, told.clear_hands, told.on_each_other) == (1, 0, 0, 0)


def test_pieces_on_each_other_are_told_apart_from_the_others() -> None:
    told = missed_in(*case({LEFT: 1.0, RIGHT: 0.8, ON_RIGHT: 1.0}, [LEFT, ON_RIGHT]))
    assert (told.on_each_other, told.on_each_other_missed, told.clear_hands, told.other_hands) == (2, 1, 0, 1)


def test_a_hand_in_which_all_is_in_sight_is_clear_and_weak_boxes_find_nothing() -> None:
    assert missed_in(*case({LEFT: 0.9, RIGHT: 1.0}, [LEFT, RIGHT])).clear_hands_right == 1
    unsure = missed_in(*case({LEFT: 0.9}, [LEFT], 0.1))
    assert (unsure.clear_hands, unsure.clear_hands_right, sum(unsure.missed)) == (1, 0, 1)


def test_sums_add_up() -> None:
    one, other = missed_in(*case({LEFT: 0.3, RIGHT: 1.0}, [RIGHT])), missed_in(*case({LEFT: 1.0}, [LEFT]))
    both = one + other
    assert both.pieces == (1, 0, 0, 0, 2)
    assert (both.clear_hands, both.other_hands) == (1, 1)
    assert one + Missed() == one


def test_the_committed_result_is_whole() -> None:
    told = json.loads(RESULTS.read_text("utf-8"))
    assert told.keys() == {field.name for field in fields(Missed)}
    assert len(told["pieces"]) == len(told["missed"]) == len(BANDS) - 1
    assert all(missed <= pieces for missed, pieces in zip(told["missed"], told["pieces"], strict=True))
