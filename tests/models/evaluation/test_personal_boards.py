from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from models.evaluation.cards_and_boards.personal_boards import (
    PHONE,
    TABLE,
    BoardSession,
    BoardsMeasured,
    BoardVerdict,
    ScoreVerdict,
    measure,
    summary,
)
from models.evaluation.scenes.tables_with_boards import SEATS, random_table


def test_what_lies_on_a_made_up_table_is_what_its_truth_tells() -> None:
    scene, truths = random_table(np.random.default_rng(3))
    kinds = Counter(piece.kind for piece in scene.pieces)
    on_cards = 2 * sum(achieved for truth in truths for achieved in truth.great.values())
    tokens = sum(truth.tokens(rank).total() for truth in truths for rank in ("low", "middle", "high"))
    assert tokens + on_cards == sum(number for kind, number in kinds.items() if kind.startswith("token:"))
    assert sum(truth.impurity for truth in truths) == kinds["impurity:1"] + 3 * kinds["impurity:3"]
    assert sum(sum(truth.spells) for truth in truths) == sum(
        number for kind, number in kinds.items() if kind.startswith("search:")
    )
    down = sum(card.back == "small" and card.face is None for card in scene.cards)
    assert down == sum(truth.small_achieved for truth in truths)
    assert len({board.colour for board in scene.boards}) == SEATS


def test_only_what_is_wrong_and_not_asked_about_is_silently_wrong() -> None:
    right = BoardVerdict("red", True, True, True, True, True, True, doubtful=False, confidence=0.98)
    asked = BoardVerdict("green", True, True, False, True, True, True, doubtful=True, confidence=0.5)
    silent = BoardVerdict("blue", True, False, True, True, True, True, doubtful=False, confidence=0.9)
    missed = BoardVerdict("black", False)
    table_ = BoardsMeasured("1", TABLE, (right, asked, silent, missed), 1, 300.0)
    phone = BoardsMeasured("2", PHONE, (right,), 0, 200.0)
    summarised = summary([BoardSession(1, "art", (table_, phone))], TABLE)
    assert {key: summarised[key] for key in ("boards", "found", "all_spots_right", "exact", "silently_wrong")} == {
        "boards": 4,
        "found": 3,
        "all_spots_right": 2,
        "exact": 1,
        "silently_wrong": 1,
    }
    assert (summarised["spots_silently_wrong"], summarised["doubtful"], summarised["ghosts"]) == (1, 2, 1)
    assert summary([BoardSession(1, "art", (table_, phone))], PHONE)["exact"] == 1


def test_the_final_score_of_a_table_is_judged_by_itself() -> None:
    scores = (
        ScoreVerdict(True, True),
        ScoreVerdict(True, False),
        ScoreVerdict(False, False),
        ScoreVerdict(False, True),
    )
    pictures = tuple(BoardsMeasured(str(k), TABLE, (), 0, 300.0, score) for k, score in enumerate(scores))
    summarised = summary([BoardSession(1, "art", pictures)], TABLE)
    assert {key: summarised[key] for key in summarised if key.startswith("scores")} == {
        "scores": 4,
        "scores_right": 2,
        "scores_asked": 2,
        "scores_silently_wrong": 1,
    }


@pytest.mark.slow
def test_a_tile_that_looks_like_another_piece_is_not_left_out_silently() -> None:
    table_ = measure(7138).pictures[1]
    assert not [board.colour for board in table_.boards if board.silently_wrong]
