"""What speaks for a piece, and for another below it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.counting import hypotheses
from vision.hands.piece_probabilities import (
    HIDING_FEATURES,
    PIECE_FEATURES,
    EvidenceWeights,
    fitted_weights,
    hiding_features,
    hiding_probabilities,
    piece_features,
    piece_probabilities,
)
from vision.kind_colours import NO_PIECE

RED, WITCH, SOUL = "search:red", "sign:witch", "sign:soul"
OF_WOOD = {RED: 0.0, WITCH: -60.0, SOUL: -60.0, NO_PIECE: -60.0}
USUAL = {RED: 0.2, WITCH: -0.2, SOUL: -0.2}


def box(x: float, side: float = 24.0, score: float = 0.8) -> CandidatePiece:
    """A red box of a hand, x px from the crop's left edge, of usual size if its side is 24 px."""
    place = (x, 40.0, side, side)
    area_log_ratios = {kind: size + 2 * math.log(side / 24) for kind, size in USUAL.items()}
    return CandidatePiece(place, place, score, 0.0, OF_WOOD, area_log_ratios=area_log_ratios)


def weighed(held: list[CandidatePiece]) -> list[float]:
    return [float(chance) for chance in piece_probabilities(held, fitted_weights())]


def test_every_trait_has_its_weight() -> None:
    assert piece_features([box(0.0), box(60.0)]).shape == (2, len(PIECE_FEATURES))
    assert hiding_features([box(0.0), box(60.0)]).shape == (2, len(HIDING_FEATURES))
    assert (
        piece_probabilities([], fitted_weights()).shape == hiding_probabilities([], fitted_weights()).shape == (0,)
    )
    assert not {*PIECE_FEATURES, *HIDING_FEATURES} - set(EvidenceWeights.__slots__)


@given(st.floats(0.05, 0.9), st.floats(0, 1))
def test_a_stronger_box_is_likelier_a_piece(score: float, covered: float) -> None:
    for calibration in (EvidenceWeights(), fitted_weights()):
        weak, strong = (
            piece_probabilities([replace(box(0.0, score=of), covered=covered)], calibration)[0]
            for of in (score, score + 0.05)
        )
        assert 0 < weak < strong < 1


def test_pieces_lie_with_others_and_in_the_middle_of_a_hand() -> None:
    faint = box(40.0, score=0.3)
    alone, among = weighed([faint])[0], weighed([faint, box(14.0)])[0]
    far = weighed([replace(faint, centre_distance_mm=70.0)])[0]
    assert far < alone < among


def test_among_many_faint_boxes_none_is_a_piece() -> None:
    faint = [box(80.0 * number, score=0.3) for number in range(4)]
    assert weighed(faint)[0] < weighed(faint[:1])[0]


def test_what_looks_like_the_rest_of_the_hand_is_likelier_skin() -> None:
    doubtful = box(0.0, score=0.4)
    skin = replace(doubtful, kinds={**OF_WOOD, NO_PIECE: 30.0})
    assert weighed([skin])[0] < weighed([doubtful])[0]


def test_a_box_too_large_for_one_piece_may_hold_two() -> None:
    usual, large = ([box(0.0), box(60.0), box(120.0, side)] for side in (24.0, 33.0))
    # How much size alone tells is fitted, and little: in play the network that looks at the box has seen it, too.
    for calibration, times in ((EvidenceWeights(), 3.0), (fitted_weights(), 1.0)):
        below = [float(hiding_probabilities(held, calibration)[2]) for held in (usual, large)]
        assert 1.5 * below[0] < below[1]
        tops = [hypotheses(held, [RED], [WITCH, SOUL], None, calibration) for held in (usual, large)]
        assert [top[0].counts for top in tops] == [{RED: 3}, {RED: 3}]
        more = [sum(h.probability for h in ranked if h.counts.get(RED, 0) > 3) for ranked in tops]
        assert times * more[0] < more[1]


def test_what_looks_as_if_it_hid_a_piece_may_hold_two() -> None:
    usual = [box(0.0), box(60.0)]
    hiding_one = [usual[0], replace(usual[1], hidden_log_count=-0.5)]
    below = [float(hiding_probabilities(held, fitted_weights())[1]) for held in (usual, hiding_one)]
    assert 3 * below[0] < below[1]


def test_what_surely_looks_as_if_it_hid_a_piece_is_two() -> None:
    hiding_one = [box(0.0), replace(box(60.0), hidden_log_count=0.5)]
    assert hypotheses(hiding_one, [RED], [], None, fitted_weights())[0].counts == {RED: 3}


def test_what_is_hidden_is_no_sign_that_is_seen_already() -> None:
    witch = replace(box(120.0), kinds={**OF_WOOD, RED: -60.0, WITCH: 0.0})
    held = [replace(box(0.0), hidden_log_count=1.5), witch]
    plainly = replace(fitted_weights(), hidden_sign=50.0)
    (best, *_) = hypotheses(held, [RED], [WITCH], None, plainly)
    assert best.counts == {RED: 2, WITCH: 1}
    (best, *_) = hypotheses(held, [RED], [WITCH, SOUL], None, plainly)
    assert best.counts == {RED: 1, WITCH: 1, SOUL: 1}


def test_a_faint_box_is_likelier_a_piece_beside_a_sure_one() -> None:
    faint = box(0.0, score=0.3)
    beside = [weighed([faint, box(150.0, score=score)])[0] for score in (0.3, 0.9)]
    assert beside[0] < beside[1]


def test_the_colours_of_a_neighbour_hardly_count_for_one_more_piece() -> None:
    faint = replace(box(12.0, score=0.12), covered=0.5)
    held = [box(0.0), box(40.0), faint]
    assert hypotheses(held, [RED], [WITCH, SOUL], None, fitted_weights())[0].counts == {RED: 2}
    with_colours, without = weighed(held)[2], weighed([replace(one, kinds={}) for one in held])[2]
    assert with_colours / (1 - with_colours) < 3 * without / (1 - without)


def test_a_sign_is_not_large_for_a_search_piece() -> None:
    large = box(0.0, 31.0)
    sign = replace(large, kinds={**OF_WOOD, RED: -60.0, WITCH: 0.0})
    assert hiding_probabilities([sign], fitted_weights())[0] < hiding_probabilities([large], fitted_weights())[0]


@pytest.mark.parametrize("side", [1.0, 400.0])
def test_no_size_hides_more_than_a_piece(side: float) -> None:
    assert 0 < hiding_probabilities([box(0.0, side)], fitted_weights())[0] < 1


def test_what_was_not_asked_for_is_taken_as_usual() -> None:
    bare = replace(box(0.0), kinds={}, area_log_ratios={})
    assert weighed([bare])[0] > 0.9
    assert np.isfinite(hiding_probabilities([bare], fitted_weights())).all()
