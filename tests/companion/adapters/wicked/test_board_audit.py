"""Boards as seen against the journal: each difference in a sentence, and the final score by both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.adapters.wicked.boards.journal_differences import audit, final_audit
from companion.games.wicked.rules.player_described_cards import OWN_CARDS
from companion.games.wicked.scoring.final_scores import final_scores
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer
from tests.companion.adapters.wicked.board_readings import BOX, doubting, read, table
from tests.companion.games.wicked.scenarios import board, soul_phase
from vision.games.wicked.readings import BoardsReading

NAMES = ("Ada", "Bruno", "Chie")
KEPT = board(
    "rgb/y/bb",
    promotion=1,
    impurity=3,
    great=("G01",),
    small=("S01",),
    achieved_small=("S02",),
    achieved_great=(AchievedGreat("G02", STANDIN.great_oracle("G02").colours),),
)


def test_boards_that_lie_as_in_the_journal_differ_in_nothing() -> None:
    state = soul_phase(KEPT)
    assert audit(state, NAMES, table(state.players)) == ()


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (replace(KEPT, high=Tokens(blue=3)), "Ada: the camera sees three high blue tokens; the journal has two."),
        (
            replace(KEPT, low=Tokens(green=1, blue=1)),
            "Ada: the camera sees no low red tokens; the journal has one.",
        ),
        (replace(KEPT, promotion=0), "Ada: the camera sees no promotion spells; the journal has one."),
        (replace(KEPT, colour_change=1), "Ada: the camera sees one colour-change spell; the journal has none."),
        (replace(KEPT, impurity=4), "Ada: the camera sees four impurity; the journal has three."),
        (
            replace(KEPT, great=(), achieved_great=(*KEPT.achieved_great, AchievedGreat("G01", ("red", "red")))),
            "Ada: the camera sees the great oracle (high red + green) achieved; in the journal it is open.",
        ),
        (
            replace(KEPT, great=("G01", "G02"), achieved_great=()),
            "Ada: the camera sees the great oracle (high red + blue) open; in the journal it is achieved.",
        ),
        (
            replace(KEPT, small=(), achieved_small=("S01", "S02")),
            "Ada: the camera sees two achieved small oracles; the journal has one.",
        ),
    ],
)
def test_each_difference_is_described_in_a_sentence(seen: WickedPlayer, text: str) -> None:
    state = soul_phase(KEPT)
    (difference,) = audit(state, NAMES, table((seen, *state.players[1:])))
    assert (difference.text, difference.seat, difference.box, difference.doubtful) == (text, 0, BOX, False)


def test_what_the_camera_is_not_sure_of_is_marked() -> None:
    state = soul_phase(KEPT)
    wrong = doubting(read(replace(KEPT, low=Tokens(1, 1))), "low", 2, "blue")
    seen = BoardsReading((wrong, *table(state.players).boards[1:]))
    (difference,) = audit(state, NAMES, seen)
    assert difference.doubtful
    assert difference.text == "Ada: the camera sees no low blue tokens; the journal has one."


def test_boards_that_are_not_seen_or_that_nobody_plays_with_are_reported() -> None:
    state = soul_phase(KEPT)
    stranger = read(replace(KEPT, colour="yellow"))
    seen = BoardsReading((*table(state.players).boards[:2], stranger))
    assert [(one.seat, one.text) for one in audit(state, NAMES, seen)] == [
        (2, "Chie: the board was not found, so it is not checked."),
        (None, "A yellow board lies on the table, but no player has this colour."),
    ]


def test_a_board_of_another_name_belongs_to_whom_it_lies_before() -> None:
    state = soul_phase(KEPT)
    boards = table(state.players).boards
    seen = BoardsReading((replace(boards[0], board="mine"), *boards[1:]))
    assert audit(state, NAMES, seen) == ()


def test_the_final_score_by_camera_stands_beside_the_journals() -> None:
    state = replace(soul_phase(KEPT), phase="over")
    kept = [score.total for score in final_scores(state)]
    same = final_audit(state, table(state.players))
    assert same.agrees
    assert [one.seen for one in same.points] == kept
    other = final_audit(state, table((replace(KEPT, high=Tokens(blue=3)), *state.players[1:])))
    assert not other.agrees
    assert (other.points[0].seen, other.points[0].kept) == (kept[0] + 5, kept[0])


def test_the_score_by_camera_says_between_which_points_it_lies_and_who_wins_all_the_same() -> None:
    state = replace(soul_phase(KEPT), phase="over")
    kept = [score.total for score in final_scores(state)]
    unsure = doubting(read(state.players[0]), "low", 0, None)
    audited = final_audit(state, BoardsReading((unsure, *table(state.players).boards[1:])))
    assert audited.points[0].possible == (kept[0] - 1, kept[0])
    assert audited.points[1].possible == (kept[1], kept[1])
    assert audited.doubts == ("purple: Look at the spot low 1: it is hard to tell.",)
    assert audited.verdict.startswith(f"purple wins with {kept[0] - 1} to {kept[0]} points.")


def test_an_achieved_oracle_that_the_deck_lacks_is_scored_and_doubtful() -> None:
    state = replace(soul_phase(board("r"), OWN_CARDS), phase="over")
    achieved = replace(
        state.players[0], great=("open",), achieved_great=(AchievedGreat("my-card", ("red", "green")),)
    )
    audited = final_audit(state, table((achieved, *state.players[1:])))
    # Two high tokens and the card (W16).
    assert (audited.points[0].seen, audited.points[0].kept) == (1 + 2 * 5 + 5, 1)
    assert audited.doubts == ("purple: There is no oracle card my-card in this deck.",)


def test_no_board_at_all_has_no_score_by_camera() -> None:
    state = replace(soul_phase(KEPT), phase="over")
    nothing = final_audit(state, BoardsReading((), ("No board is seen.",)))
    assert not nothing.agrees
    assert nothing.doubts == ("No board is seen.",)
