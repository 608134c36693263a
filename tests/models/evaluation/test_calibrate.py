"""How what is seen is fitted to become probabilities."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.evaluation.calibrate import ANY, Case, fit, loss, pairs, ranked, traced_cases, unseen
from models.evaluation.evenings import KINDS, Evening
from vision.detector.sight import Sight
from vision.reveal.evidence import Calibration, hidden, reality
from vision.reveal.held import Held
from vision.reveal.kinds import REST

RED = "search:red"
LEFT, RIGHT, ON_RIGHT = (10.0, 10.0, 20.0, 20.0), (60.0, 10.0, 20.0, 20.0), (63.0, 11.0, 18.0, 18.0)


def box(rng: np.random.Generator, x: float, score: float, *, larger: float = 0.2) -> Held:
    place = (x, 20.0, 22.0, 22.0)
    kinds = {**dict.fromkeys(KINDS, -80.0), RED: 0.0, REST: -30.0}
    score = float(np.clip(score + rng.normal(0, 0.1), 0.1, 0.95))
    return Held(place, place, score, 0.0, kinds, larger=dict.fromkeys(KINDS, larger))


def hands(seed: int, count: int = 150) -> list[Case]:
    """Hands of one red piece, some of which hide a second in a larger box, and a faint box where nothing lies."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(count):
        two = bool(rng.random() < 0.2)
        held = (box(rng, 10.0, 0.75, larger=0.8 if two else 0.2), box(rng, 100.0, 0.3))
        pieces = [(held[0].box, 1.0)] + [((10.0, 24.0, 8.0, 8.0), 0.5)] * two
        cases.append(Case(held, {RED: len(pieces)}, {RED: len(pieces)}, tuple(pieces)))
    return cases


def test_a_box_is_no_second_piece() -> None:
    assert pairs([RIGHT, ON_RIGHT, LEFT], [RIGHT, LEFT]) == {0: 0, 1: 2}
    assert pairs([LEFT], [RIGHT]) == {}


def test_a_piece_without_a_box_lies_below_the_surest_near_it() -> None:
    pieces = [(RIGHT, 1.0), (LEFT, 0.9), ((66.0, 24.0, 10.0, 10.0), 0.4), ((12.0, 28.0, 8.0, 8.0), 0.1)]
    assert unseen(pieces, [RIGHT, LEFT], [0.8, 0.8]) == [1, 0]
    assert unseen(pieces, [LEFT], [0.8]) == [2]
    assert unseen(pieces, [], []) == []


def test_a_fit_learns_what_is_a_piece_and_what_hides_one() -> None:
    fitted = fit(hands(1))
    others = hands(2)
    assert loss(others, fitted) < loss(others, Calibration())
    real = np.array([reality(case.held, fitted) for case in others])
    assert real[:, 0].mean() > 0.9 > 0.2 > real[:, 1].mean()
    below = {len(case.pieces): hidden(case.held, fitted)[0] for case in others}
    assert below[2] > 3 * below[1]
    lone = next(case for case in others if len(case.pieces) == 1)
    assert ranked(lone, fitted)[0].counts == {RED: 1}


def test_path_traced_hands_show_themselves_what_to_look_for(tmp_path: Path) -> None:
    evening = Evening(900_000)
    image, truth = evening.renderer.render_with_truth(evening.moment(0).scene, 100)
    hand = max(truth.hands, key=lambda one: len(one.pieces))
    middle = np.mean([[x + w / 2, y + h / 2] for x, y, w, h in (piece.box for piece in hand.pieces)], axis=0)
    left, top = (round(float(at)) - 75 for at in middle)
    cv2.imwrite(str(tmp_path / "7.png"), image[top : top + 150, left : left + 150])
    pieces = [
        {"visible": piece.visible, "box": [piece.box[0] - left, piece.box[1] - top, *piece.box[2:]]}
        for piece in hand.pieces
    ]
    told = {"seed": 7, "size": 150, "pieces": [*pieces, {"visible": 0.0, "box": None}]}
    (tmp_path / "truth-0.jsonl").write_text(json.dumps(told) + "\n", "utf-8")
    square = [[0.0, 0.0], [14.0, 0.0], [14.0, 14.0], [0.0, 14.0]]
    orders = [{"seed": 7, "pieces": [{"outline": square, "face": None}]}]
    (tmp_path / "specs.json").write_text(json.dumps(orders), "utf-8")
    (case,) = traced_cases(tmp_path, Sight.shipped())
    assert case.most == {ANY: len(pieces) + 1}
    shown = pairs([box for box, _ in case.pieces], [one.box for one in case.held])
    assert shown
    for number in shown:
        like = case.held[number].like_piece
        assert like is not None
        assert like > 0
        assert -1 < case.held[number].larger[ANY] < 1
