"""How many pieces touch, estimated from how large the others of their kind look."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.counting.count_by_size import (
    MAX_TOUCHING,
    PieceMeasures,
    RelativeSize,
    count_probabilities,
    joint_count_probabilities,
    relative_size,
)

SPREAD = 0.15
OWN = PieceMeasures(area=200.0, spread=SPREAD, longer=16.0, solidity=0.98, typical=1.5)


def lone(share: float) -> RelativeSize:
    return RelativeSize(share, float(np.sqrt(share)), 0.0)


def pair(share: float) -> RelativeSize:
    return RelativeSize(2 * share, 2 * float(np.sqrt(share)), -0.1)


def likeliest(chances: tuple[float, ...]) -> int:
    return int(np.argmax(chances)) + 1


@pytest.mark.parametrize("enlarged", [0.55, 0.8, 1.08, 1.4, 1.7])
def test_lone_pieces_that_all_look_so_large_are_each_one_piece(enlarged: float) -> None:
    for chances, sure in joint_count_probabilities(
        [lone(enlarged * each) for each in (0.94, 1.0, 1.05, 1.1)], SPREAD
    ):
        assert likeliest(chances) == 1
        assert chances[0] > 0.97
        assert sure > 0.9


@pytest.mark.parametrize("enlarged", [0.8, 1.08, 1.4])
def test_a_pair_among_lone_pieces_stands_out_however_large_they_look(enlarged: float) -> None:
    counted = joint_count_probabilities(
        [*(lone(enlarged * each) for each in (0.95, 1.0, 1.05, 1.1)), pair(enlarged)], SPREAD
    )
    assert [likeliest(chances) for chances, _ in counted] == [1, 1, 1, 1, 2]
    assert counted[-1][0][1] > 0.9


def test_one_large_patch_alone_is_less_sure_than_among_others_as_large() -> None:
    alone = count_probabilities(lone(1.5), SPREAD)[0][0]
    (among, _), *_ = joint_count_probabilities([lone(1.5)] * 5, SPREAD)
    assert alone < among[0]
    assert among[0] > 0.97


def test_what_no_number_of_pieces_fits_may_be_something_else() -> None:
    counted = joint_count_probabilities([*(lone(1.0) for _ in range(5)), RelativeSize(3.0, 1.3, 0.0)], SPREAD)
    assert min(sure for _, sure in counted[:-1]) > 0.95
    assert counted[-1][1] < 0.6


@given(st.lists(st.floats(0.3, 12.0), max_size=8), st.floats(0.12, 0.25))
def test_numbers_are_probabilities_of_each_patch(shares: list[float], spread: float) -> None:
    counted = joint_count_probabilities([lone(share) for share in shares], spread)
    assert len(counted) == len(shares)
    for chances, sure in counted:
        assert len(chances) == MAX_TOUCHING
        assert sum(chances) == pytest.approx(1.0)
        assert 0 < sure < 1


def test_the_unit_of_an_outline_is_the_enrolled_piece() -> None:
    disc = np.zeros((40, 40), np.uint8)
    cv2.circle(disc, (20, 20), 16, 1, -1)
    seen = relative_size(disc, OWN, 2.0)
    assert seen.share == pytest.approx(np.pi * 8**2 / 200, rel=0.1)
    assert seen.longer == pytest.approx(1.0, rel=0.08)
    assert abs(seen.gaps) < 0.03
