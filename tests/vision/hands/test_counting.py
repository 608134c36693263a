from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.counting import Hypothesis, hypotheses, is_settled, joint_hypotheses, kind_probabilities
from vision.hands.piece_probabilities import EvidenceWeights, fitted_weights, piece_probabilities

PLAIN = EvidenceWeights(colours=0.6)
BOX = (0.0, 0.0, 20.0, 20.0)
SEARCHES = ("search:red", "search:green")
SIGNS = ("sign:witch", "sign:soul")


def piece(kind: str, score: float = 0.85, covered: float = 0.0) -> CandidatePiece:
    """A box whose colours are clearly those of a kind."""
    return CandidatePiece(BOX, BOX, score, covered, {k: 0.0 if k == kind else -30.0 for k in (*SEARCHES, *SIGNS)})


def test_clear_boxes_are_counted() -> None:
    held = [piece("search:red")] * 3 + [piece("sign:soul")]
    best = hypotheses(held, SEARCHES, SIGNS, None, PLAIN)[0]
    assert best.counts == {"search:red": 3, "sign:soul": 1}
    assert best.probability > 0.5


def test_nothing_seen_is_nothing_held() -> None:
    best = hypotheses((), SEARCHES, SIGNS, None, PLAIN)[0]
    assert best.counts == {}
    assert best.probability > 0.95


def test_a_weak_box_leaves_a_doubt() -> None:
    sure = hypotheses([piece("search:red")] * 2, SEARCHES, SIGNS, None, PLAIN)[0]
    unsure = hypotheses([piece("search:red")] * 2 + [piece("search:red", 0.35)], SEARCHES, SIGNS, None, PLAIN)
    assert unsure[0].probability < sure.probability
    assert {h.counts["search:red"] for h in unsure[:2]} == {2, 3}


def test_a_hand_holds_search_pieces_of_one_colour() -> None:
    held = [piece("search:red")] * 4 + [piece("search:green")]
    for hypothesis in hypotheses(held, SEARCHES, SIGNS, None, PLAIN):
        assert sum(kind.startswith("search:") for kind in hypothesis.counts) <= 1
    assert hypotheses(held, SEARCHES, SIGNS, None, PLAIN)[0].counts["search:red"] >= 4


def test_more_than_can_be_there_is_read_only_where_it_is_clear() -> None:
    limits = {"search:red": 3}
    clear = hypotheses([piece("search:red", 0.99)] * 5, ("search:red",), (), limits, PLAIN)
    assert clear[0].counts == {"search:red": 5}
    weak = [piece("search:red", 0.99)] * 3 + [piece("search:red", 0.35)]
    assert hypotheses(weak, ("search:red",), (), None, PLAIN)[0].counts == {"search:red": 4}
    within = hypotheses(weak, ("search:red",), (), limits, PLAIN)
    assert within[0].counts == {"search:red": 3}
    for ranked in (clear, within):
        assert sum(h.probability for h in ranked) == pytest.approx(1.0)


@given(
    st.lists(st.tuples(st.sampled_from([*SEARCHES, *SIGNS]), st.floats(0.05, 0.99), st.floats(0, 1)), max_size=12)
)
def test_probabilities_are_ranked_and_sum_to_one(rows: list[tuple[str, float, float]]) -> None:
    ranked = hypotheses([piece(*row) for row in rows], SEARCHES, SIGNS, None, PLAIN)
    chances = [h.probability for h in ranked]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1.0)
    assert all(n > 0 for h in ranked for n in h.counts.values())


def test_kinds_share_a_piece_by_its_colours() -> None:
    (shares,) = kind_probabilities([piece("sign:witch")], "search:red", SIGNS, PLAIN)
    assert shares["sign:witch"] > 0.9
    assert sum(shares.values()) == pytest.approx(1.0)


def test_a_hand_is_clear_when_every_box_is_sure_and_none_touch() -> None:
    sure = [replace(piece("search:red", 0.95), in_crop=(40.0 * k, 0.0, 20.0, 20.0)) for k in range(3)]
    assert is_settled([], fitted_weights())
    assert is_settled(sure, fitted_weights())
    at_the_edge = replace(sure[0], in_crop=(0.0, 60.0, 20.0, 20.0), score=0.08, centre_distance_mm=60.0)
    assert is_settled([*sure, at_the_edge], fitted_weights())
    # What a score says is fitted: one that makes a piece likely or unlikely, and no more, leaves a doubt.
    scored = [
        [*sure, replace(sure[0], in_crop=(0.0, 60.0, 20.0, 20.0), score=float(s))]
        for s in np.arange(0.05, 0.9, 0.01)
    ]
    chances = [float(piece_probabilities(held, fitted_weights())[-1]) for held in scored]
    between = [held for held, chance in zip(scored, chances, strict=True) if 0.1 < chance < 0.95]
    assert len(between) > 10
    assert not any(is_settled(held, fitted_weights()) for held in between)
    assert not is_settled([*sure, replace(sure[0], in_crop=(0.0, 21.0, 20.0, 20.0))], fitted_weights())


def test_the_contents_of_two_hands_name_their_kinds_in_one_order():
    one = (Hypothesis({"sign:soul": 1, "search:red": 2}, 0.6), Hypothesis({"search:red": 2}, 0.4))
    other = (Hypothesis({"sign:witch": 1}, 1.0),)
    ranked, _ = joint_hypotheses(one, other, None)
    assert [list(one.counts) for one in ranked] == [
        ["search:red", "sign:soul", "sign:witch"],
        ["search:red", "sign:witch"],
    ]
