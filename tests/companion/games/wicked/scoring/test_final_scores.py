"""Scoring and its tie chain (W16)."""

from __future__ import annotations

import pytest

from companion.games.wicked import final_scores
from companion.games.wicked.scoring.final_scores import FinalScore, winners
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.scenarios import achieved, board, over, soul_phase

GREAT = (achieved("G01", "red", "green"),)


def test_w16_points_line_by_line() -> None:
    player = board("rgb/ry/b", achieved_great=GREAT, achieved_small=("S01", "S02"), impurity=7)

    score = final_scores(over(player, board(), board()))[0]

    assert score == FinalScore(
        player=0,
        low=3,
        middle=2,
        high=3,  # one on the board, two on the great oracle
        great=1,
        small=2,
        impurity=7,
        given_back=2,
        total=3 + 4 + 15 + 5 + 4 - 5,
        place=1,
        decided_by="",
    )


def test_w16_a_total_may_be_below_nothing() -> None:
    assert final_scores(over(board("r", impurity=5), board(), board()))[0].total == -4


@pytest.mark.parametrize(
    ("ahead", "behind", "decided_by"),
    [
        (board("rr"), board("r"), "points"),
        # 15 points each: with a great oracle, or with three high tokens
        (board("", achieved_great=GREAT), board("//rrr"), "great"),
        # 10 points each, no great oracle: the number of high tokens decides, then middle, then low
        (board("//rr"), board("/rrrrr/"), "high"),
        (board("/rr/"), board("rrrr"), "middle"),
        (board("rrr", achieved_small=()), board("r", achieved_small=("S01",)), "low"),
        (board("rr"), board("rr", impurity=1, achieved_small=()), "points"),
    ],
)
def test_w16_the_tie_chain(ahead: WickedPlayer, behind: WickedPlayer, decided_by: str) -> None:
    scores = final_scores(over(behind, ahead, board(impurity=30)))

    assert [score.place for score in scores] == [2, 1, 3]
    assert scores[0].decided_by == decided_by
    assert winners(scores) == (1,)


def test_w16_less_impurity_left_after_the_give_back_decides_last() -> None:
    # Alike in points, oracles and tokens; one small oracle more pays for two impurity more.
    clean = board("r", achieved_small=("S01",), impurity=1)
    tainted = board("r", achieved_small=("S01", "S02"), impurity=3)

    scores = final_scores(over(tainted, clean, board(impurity=30)))

    assert (scores[0].total, scores[1].total) == (2, 2)
    assert (scores[0].place, scores[0].decided_by, scores[1].place) == (2, "impurity", 1)


def test_w16_impurity_is_compared_after_the_give_back_not_before() -> None:
    more_taken = board("", achieved_great=GREAT, impurity=2)
    none_taken = board("", achieved_great=GREAT, impurity=0)

    scores = final_scores(over(more_taken, none_taken, board()))

    assert [score.impurity_left for score in scores[:2]] == [0, 0]
    assert [score.place for score in scores] == [1, 1, 3]  # shared


def test_w16_players_who_stay_tied_share_the_victory() -> None:
    scores = final_scores(over(board("r/g/"), board("b/y/"), board("r")))

    assert [score.place for score in scores] == [1, 1, 3]
    assert [score.decided_by for score in scores] == ["", "", "points"]
    assert winners(scores) == (0, 1)


def test_w16_great_oracles_come_before_all_tokens() -> None:
    # 25 points each; two great oracles beat one with more high tokens only if points are equal.
    two = board("", achieved_great=(*GREAT, achieved("G02", "red", "blue")), impurity=9)
    other = board("//rr", achieved_great=GREAT)

    scores = final_scores(over(other, two, board()))

    assert (scores[0].total, scores[1].total) == (25, 25)
    assert scores[0].decided_by == "great"


def test_the_standing_may_be_asked_for_at_any_time() -> None:
    scores = final_scores(soul_phase(board("rr/g/")))

    assert [score.total for score in scores] == [4, 0, 0]
    assert [score.place for score in scores] == [1, 2, 2]
