from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.seats import Seating
from vision.hands.hand_owners import HandEvidence, Share, assign_hands

FOUR = Seating.even(4)
TWO_AND_TWO = Seating((50.0, 130.0, 230.0, 310.0))
WRONG = -6.0
"""How badly red pieces fit another player's limits."""


def hand(
    degrees: float, colour: int | None = None, *, seats: int = 4, distance: float = 260.0, score: float = 0.97
) -> HandEvidence:
    """A hand this far clockwise; colour: whose pieces lie in it, None for an empty one."""
    turn = math.radians(degrees)
    fits = tuple(0.0 if colour in (None, seat) else WRONG for seat in range(seats))
    return HandEvidence((-distance * math.sin(turn), -distance * math.cos(turn)), score, colour is None, fits)


def likeliest(hands: list[HandEvidence], seating: Seating, legal: float = 1.0) -> list[Share]:
    """The likeliest set of hands of each seat."""
    return [shares[0] for shares in assign_hands(hands, seating, lambda *_: legal)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_empty_hand_belongs_to_the_nearest_seat(seats: int) -> None:
    hands = [hand(360.0 * seat / seats + 12, seats=seats) for seat in range(seats)]
    found = likeliest(hands, Seating.even(seats))
    assert [share.hands for share in found] == [(seat,) for seat in range(seats)]
    assert min(share.probability for share in found) > 0.97


def test_one_hand_alone_is_surely_its_seats() -> None:
    found = likeliest([hand(4.0)], FOUR)
    assert [share.hands for share in found] == [(0,), (), (), ()]
    assert found[0].probability > 0.95


def test_the_colour_of_the_pieces_finds_the_player_wherever_the_hand_is() -> None:
    # Two and two, and nobody said so: Ada's hand is nearer to the last seat.
    found = likeliest([hand(308, 0), hand(52, 1), hand(128, 2), hand(232, 3)], FOUR)
    assert [share.hands for share in found] == [(0,), (1,), (2,), (3,)]
    assert min(share.probability for share in found) > 0.97


def test_the_last_player_without_a_colour_is_found_by_elimination() -> None:
    hands = [hand(308, 0), hand(52, 1), hand(128), hand(232, 3)]
    found = likeliest([replace(one, at_mm=(1.36 * one.at_mm[0], 1.36 * one.at_mm[1])) for one in hands], FOUR)
    assert [share.hands for share in found] == [(0,), (1,), (2,), (3,)]
    assert found[2].probability > 0.9


def test_seats_as_people_sit_find_everybody_without_a_colour() -> None:
    found = likeliest([hand(50), hand(130), hand(230), hand(310)], TWO_AND_TWO)
    assert [share.hands for share in found] == [(0,), (1,), (2,), (3,)]
    assert min(share.probability for share in found) > 0.99


def test_place_and_colour_that_disagree_leave_a_doubt() -> None:
    # What lies in the hand before Ada is Chie's colour, and nobody else shows a hand.
    (ada, _, chie, _) = assign_hands([hand(0, 2)], FOUR, lambda *_: 1.0)
    assert max(ada[0].probability, chie[0].probability) < 0.95


def test_two_hands_of_one_colour_side_by_side_are_one_players() -> None:
    hands = [hand(-20, 0), hand(18, 0), hand(90, 1), hand(180, 2), hand(270, 3)]
    found = likeliest(hands, FOUR)
    assert [share.hands for share in found] == [(0, 1), (2,), (3,), (4,)]
    assert found[0].probability > 0.95


def test_two_hands_that_hold_more_than_a_player_has_leave_a_doubt() -> None:
    hands = [hand(-20, 0), hand(18, 0), hand(90, 1), hand(180, 2), hand(270, 3)]
    assert likeliest(hands, FOUR, legal=0.0)[0].probability < 0.95


def test_an_empty_hand_close_beside_a_players_is_that_players_while_another_shows_none() -> None:
    found = likeliest([hand(-20, 0), hand(18), hand(90, 1), hand(180, 2)], FOUR)
    assert [share.hands for share in found] == [(0, 1), (2,), (3,), ()]


def test_another_players_hand_beside_ones_own_is_not_added() -> None:
    found = likeliest([hand(-20, 0), hand(18, 1), hand(180, 2), hand(270, 3)], FOUR)
    assert [share.hands for share in found] == [(0,), (1,), (2,), (3,)]


def test_what_is_hardly_a_hand_is_left_out() -> None:
    hands = [hand(0, 0), hand(90, 1), hand(180, 2), hand(270, 3), hand(135, score=0.36)]
    found = likeliest(hands, FOUR)
    assert [share.hands for share in found] == [(0,), (1,), (2,), (3,)]


def test_a_hand_above_the_horizon_is_placed_by_what_lies_in_it() -> None:
    lost = HandEvidence((math.nan, math.nan), 0.9, False, (WRONG, 0.0, WRONG, WRONG))
    found = likeliest([hand(0, 0), lost], FOUR)
    assert found[1].hands == (1,)


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.floats(0, 360), st.floats(20, 400), st.floats(0.3, 1), st.sampled_from([None, 0, 1, 2])),
        max_size=8,
    ),
    st.integers(3, 5),
    st.floats(0, 1),
)
def test_chances_of_a_seat_sum_to_one_and_no_seat_has_a_third_hand(
    drawn: list[tuple[float, float, float, int | None]], seats: int, legal: float
) -> None:
    hands = [hand(turn, colour, seats=seats, distance=far, score=score) for turn, far, score, colour in drawn]
    for shares in assign_hands(hands, Seating.even(seats), lambda *_: legal):
        assert sum(share.probability for share in shares) == pytest.approx(1.0)
        assert all(len(set(share.hands)) == len(share.hands) <= 2 for share in shares)
    for index in range(len(hands)):
        owned = [
            share.probability
            for shares in assign_hands(hands, Seating.even(seats), lambda *_: legal)
            for share in shares
            if index in share.hands
        ]
        assert sum(owned) <= 1.0 + 1e-9
