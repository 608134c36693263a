from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from calibration.seats import MIN_GAP_DEG, Seating, parse_angles, seating_for, with_seating

TWO_AND_TWO = Seating((50.0, 130.0, 230.0, 310.0))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 8])
def test_a_point_before_a_seat_belongs_to_it(seats: int) -> None:
    seating = Seating.even(seats)
    for seat in range(seats):
        x, y = seating.direction(seat)
        for wobble in (-0.45, 0.0, 0.45):
            turn = wobble * 2 * math.pi / seats
            point = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            assert seating.seat_of((400 * point[0], 400 * point[1])) == seat


def test_even_seats_run_clockwise_from_the_bottom_edge() -> None:
    seating = Seating.even(4)
    assert [seating.seat_of(point) for point in ((0, -300), (-300, 0), (0, 300), (300, 0))] == [0, 1, 2, 3]


def test_people_who_sit_two_and_two_have_the_corners() -> None:
    corners = ((-280, -215), (-280, 215), (280, 215), (280, -215))
    assert [TWO_AND_TWO.seat_of(point) for point in corners] == [0, 1, 2, 3]


def test_a_point_beyond_the_horizon_has_no_seat() -> None:
    with pytest.raises(ValueError, match="no seat"):
        TWO_AND_TWO.seat_of((math.nan, 1.0))


def test_the_first_seat_may_be_anywhere() -> None:
    assert Seating((310.0, 50.0, 130.0, 230.0)).seat_of((280, -215)) == 0
    assert Seating((-50.0, 50.0, 490.0, 230.0)).angles == (310.0, 50.0, 130.0, 230.0)


NO_SEATINGS = [
    ((0.0, 90.0, 80.0, 270.0), "clockwise"),
    ((0.0, 240.0, 120.0), "clockwise"),
    ((0.0, 5.0, 180.0), "at least 10 degrees apart"),
    ((0.0, 120.0, 240.0, 355.0), "at least 10 degrees apart"),
    ((0.0, 0.0), "at least 10 degrees apart"),
    ((math.nan, 90.0, 180.0), "are degrees"),
    ((math.inf, 90.0, 180.0), "are degrees"),
    ((0.0,), "2 to 8 seats"),
    (tuple(float(40 * k) for k in range(9)), "2 to 8 seats"),
    ((), "2 to 8 seats"),
]


def test_angles_that_are_no_way_to_sit_are_refused(subtests: pytest.Subtests) -> None:
    for angles, says in NO_SEATINGS:
        with subtests.test(f"{angles!r:.60}"), pytest.raises(CalibrationError, match=says):
            Seating(angles)


@given(st.lists(st.floats(MIN_GAP_DEG + 0.1, 200.0), min_size=3, max_size=6), st.floats(0.0, 360.0))
def test_any_seats_that_go_round_once_are_taken_and_own_their_directions(gaps: list[float], start: float) -> None:
    total = sum(gaps)
    spread = [start + 360.0 * sum(gaps[:index]) / total for index in range(len(gaps))]
    if min(360.0 * gap / total for gap in gaps) < MIN_GAP_DEG + 0.1:
        return
    seating = Seating(tuple(spread))
    assert [seating.seat_of(seating.direction(seat)) for seat in range(len(gaps))] == list(range(len(gaps)))
    assert sum(seating.gaps) == pytest.approx(360.0)


def test_angles_are_read_from_a_command_line() -> None:
    assert parse_angles("0, 60,180,240.5").angles == (0.0, 60.0, 180.0, 240.5)
    for text in ("", "0;90", "0,a", "nan,1,2", "1e999,3"):
        with pytest.raises(CalibrationError, match="are degrees"):
            parse_angles(text)
    with pytest.raises(CalibrationError, match="clockwise"):
        parse_angles("0,90,80")


def test_one_seating_is_known_for_each_number_of_seats() -> None:
    three = Seating((20.0, 100.0, 200.0))
    known = with_seating(with_seating((), TWO_AND_TWO), three)
    assert seating_for(4, known) == TWO_AND_TWO
    assert seating_for(3, known) == three
    assert seating_for(5, known) == Seating.even(5)
    assert with_seating(known, Seating.even(4)) == (three,)
