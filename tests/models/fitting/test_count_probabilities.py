"""How what is seen is fitted to become probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.evaluation.scenes.synthetic_sessions import KINDS
from models.fitting.count_probabilities import (
    ANY,
    HandCase,
    fit,
    loss,
    match_boxes,
    missed_pieces_by_box,
    ranked_contents,
    traced_cases,
)
from vision.detector.model_set import ModelSet
from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.piece_probabilities import (
    EvidenceWeights,
    fitted_weights,
    hiding_probabilities,
    piece_probabilities,
)
from vision.kind_colours import NO_PIECE

RENDERED = Path(__file__).parents[1] / "piece_sign" / "traced"
RED = "search:red"
LEFT, RIGHT, ON_RIGHT = (10.0, 10.0, 20.0, 20.0), (60.0, 10.0, 20.0, 20.0), (63.0, 11.0, 18.0, 18.0)


def box(rng: np.random.Generator, x: float, score: float, *, area_log_ratios: float = 0.2) -> CandidatePiece:
    place = (x, 20.0, 22.0, 22.0)
    kinds = {**dict.fromkeys(KINDS, -80.0), RED: 0.0, NO_PIECE: -30.0}
    score = float(np.clip(score + rng.normal(0, 0.1), 0.1, 0.95))
    return CandidatePiece(place, place, score, 0.0, kinds, area_log_ratios=dict.fromkeys(KINDS, area_log_ratios))


def hands(seed: int, count: int = 150) -> list[HandCase]:
    """Hands of one red piece, some of which hide a second in a larger box, and a faint box where nothing lies."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(count):
        two = bool(rng.random() < 0.2)
        held = (box(rng, 10.0, 0.75, area_log_ratios=0.8 if two else 0.2), box(rng, 100.0, 0.3))
        pieces = [(held[0].box, 1.0)] + [((10.0, 24.0, 8.0, 8.0), 0.5)] * two
        cases.append(HandCase(held, {RED: len(pieces)}, {RED: len(pieces)}, tuple(pieces)))
    return cases


def test_a_box_is_no_second_piece() -> None:
    assert match_boxes([RIGHT, ON_RIGHT, LEFT], [RIGHT, LEFT]) == {0: 0, 1: 2}
    assert match_boxes([LEFT], [RIGHT]) == {}


def test_a_piece_without_a_box_lies_below_the_surest_near_it() -> None:
    pieces = [(RIGHT, 1.0), (LEFT, 0.9), ((66.0, 24.0, 10.0, 10.0), 0.4), ((12.0, 28.0, 8.0, 8.0), 0.1)]
    assert missed_pieces_by_box(pieces, [RIGHT, LEFT], [0.8, 0.8]) == [1, 0]
    assert missed_pieces_by_box(pieces, [LEFT], [0.8]) == [2]
    assert missed_pieces_by_box(pieces, [], []) == []


@pytest.mark.slow
def test_a_fit_learns_what_is_a_piece_and_what_hides_one() -> None:
    fitted = fit(hands(1))
    others = hands(2)
    assert loss(others, fitted) < loss(others, EvidenceWeights())
    real = np.array([piece_probabilities(case.held, fitted) for case in others])
    assert real[:, 0].mean() > 0.9 > 0.2 > real[:, 1].mean()
    below = {len(case.pieces): hiding_probabilities(case.held, fitted)[0] for case in others}
    assert below[2] > 3 * below[1]
    lone = next(case for case in others if len(case.pieces) == 1)
    assert ranked_contents(lone, fitted)[0].counts == {RED: 1}


def test_path_traced_hands_show_themselves_what_to_look_for() -> None:
    (case,) = traced_cases(
        RENDERED, ModelSet.shipped()
    )  # seven blue pieces and a sign, whose kinds are not asked for
    assert case.most == {ANY: 8}
    shown = match_boxes([box for box, _ in case.pieces], [one.box for one in case.held])
    assert len(shown) >= 7
    for number in shown:
        held = case.held[number]
        assert held.piece_log_odds is not None
        assert held.piece_log_odds > 0
        assert held.kinds.keys() == {ANY, NO_PIECE}
        assert -1 < held.area_log_ratios[ANY] < 1
    probabilities = {sum(one.counts.values()): one.probability for one in ranked_contents(case, fitted_weights())}
    assert probabilities[8] > 0.4
