"""Scores of board readings: what is doubtful about a table as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from calibration.errors import PictureError
from companion.adapters.wicked.boards.table_score import TableScore, score_table
from companion.games.wicked.standin_deck import STANDIN
from vision.games.wicked.readings import (
    BoardReading,
    BoardsReading,
    GreatReading,
    ImpurityReading,
    SmallReading,
    SpaceReading,
    SpotReading,
)

_CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_BOX = (0.0, 0.0, 1.0, 1.0)


def reading(
    board: str, high: int = 0, great: Sequence[str] = (), reasons: tuple[str, ...] = (), impurity: int = 0
) -> BoardReading:
    spots = tuple(SpotReading("high", k, "red" if k < high else None, 0.99, _BOX) for k in range(4))
    cards = tuple(GreatReading(card, True, ("red", "red"), 0.99, _CORNERS) for card in great)
    return BoardReading(
        board,
        None,
        spots,
        (),
        cards,
        SmallReading(),
        ImpurityReading(impurity),
        0.5 if reasons else 0.98,
        _BOX,
        _CORNERS,
        reasons,
    )


def score(*boards: BoardReading, players: int = 3) -> TableScore:
    """Score boards of which each lies in a picture of its own."""
    pictures = [(f"{k}.png", BoardsReading((board,))) for k, board in enumerate(boards)]
    return score_table(pictures, players, STANDIN)


def test_clear_boards_have_a_winner() -> None:
    scored = score(reading("red", 2), reading("green", 1), reading("black", 1))

    assert (scored.sure, scored.ahead) == (True, ("red",))
    assert [board.score.place for board in scored.boards] == [1, 2, 2]
    assert scored.verdict.startswith("red wins with 10 points.")


def test_one_doubtful_board_makes_the_winner_not_sure() -> None:
    scored = score(reading("red", 4), reading("green", reasons=("Look there.",)), reading("black"))

    assert not scored.sure
    assert scored.verdict.startswith("The winner is not certain: as read, red leads with 20 points.")
    assert scored.verdict.endswith("Check: green.")


def test_a_doubt_about_spells_alone_leaves_the_winner_sure() -> None:
    space = SpaceReading("promotion", 2, 0.5, _BOX, "2 or 3 pieces: lay them apart")
    board = reading("green", reasons=(space.question,))
    scored = score(reading("red", 2), replace(board, spaces=(space,)), reading("black"))

    assert "2 or 3 pieces" in space.question
    assert (scored.sure, scored.ahead) == (True, ("red",))


def test_a_board_read_again_counts_once_by_its_surest_reading() -> None:
    scored = score(
        reading("red", 1, reasons=("Half of it.",)), reading("green", 2), reading("red", 3), reading("black")
    )

    assert [(board.reading.board, board.score.high) for board in scored.boards] == [
        ("red", 3),
        ("green", 2),
        ("black", 0),
    ]
    assert not scored.sure
    assert scored.boards[0].doubts == (
        "This board is in several pictures and counts once, from 2.png: show it in only one of 0.png and 2.png.",
    )


def test_two_boards_alike_in_one_picture_count_once() -> None:
    pictures = [("table.png", BoardsReading((reading("red", 1), reading("red", 2), reading("green"))))]

    scored = score_table(pictures, 3, STANDIN)

    assert (len(scored.boards), scored.sure) == (2, False)
    assert scored.verdict.endswith("Check: red.")


def test_one_card_beside_two_boards_is_doubtful_at_both() -> None:
    scored = score(reading("red", great=["G07"]), reading("green", great=["G07"]), reading("black"))

    assert [bool(board.doubts) for board in scored.boards] == [True, True, False]
    assert "G07" in scored.boards[0].doubts[0]


def test_one_card_read_twice_beside_a_board_counts_once_and_is_doubtful() -> None:
    scored = score(reading("red", great=["G07", "G07"]), reading("green"), reading("black"))

    assert (scored.boards[0].score.great, scored.sure) == (1, False)


@pytest.mark.parametrize("players", [4, 5])
def test_a_missing_board_makes_the_winner_not_sure(players: int) -> None:
    scored = score(reading("red", 2), reading("green"), reading("black"), players=players)

    assert not scored.sure
    assert scored.doubts == (
        f"3 boards are read, but {players} play: show every board, or set the number of players.",
    )
    assert "Check: " not in scored.verdict


def test_one_board_alone_leads_nobody() -> None:
    assert score(reading("red", 1)).verdict == "The winner is not certain: as read, red has 5 points."


def test_what_is_wrong_with_a_picture_is_passed_on() -> None:
    pictures = [
        ("a.png", BoardsReading((reading("red"), reading("green"), reading("black")), ("Something is hidden.",)))
    ]

    scored = score_table(pictures, 3, STANDIN)

    assert (scored.sure, scored.doubts) == (False, ("Something is hidden.",))


def test_pictures_that_cannot_be_scored_are_refused() -> None:
    with pytest.raises(PictureError, match=r"b\.png: Nothing there\."):
        score_table(
            [("a.png", BoardsReading((reading("red"),))), ("b.png", BoardsReading((), ("Nothing there.",)))],
            3,
            STANDIN,
        )
    with pytest.raises(PictureError, match="name at least one"):
        score_table([], 3, STANDIN)
    with pytest.raises(PictureError, match="6 boards are read"):
        score(*(reading(str(number)) for number in range(6)))


def test_a_doubt_that_cannot_change_who_wins_leaves_the_winner_named_with_the_points_that_are_possible() -> None:
    green = reading("green", 1, impurity=4)
    tiles = ImpurityReading(4, confidence=0.5, reason="hard to tell", alternatives=((3, 0.1), (5, 0.1)))
    scored = score(reading("red", 2), replace(green, impurity=tiles, reasons=(tiles.question,)), reading("black"))

    assert (scored.sure, scored.winners) == (False, ("red",))
    assert [board.totals for board in scored.boards] == [(10, 10), (0, 2), (0, 0)]
    assert scored.boards[1].doubts == ("Look at the impurity beside this board: hard to tell.",)
    assert scored.verdict == "red wins with 10 points. What is still uncertain cannot change that."


def test_a_doubt_that_can_change_who_wins_is_named() -> None:
    card = GreatReading("G07", False, (), 0.5, _CORNERS, "the tokens on it cannot be read clearly")
    green = replace(reading("green"), great=(card,), reasons=(card.question,))
    scored = score(reading("red", 2), green, reading("black"))

    assert (scored.winners, scored.boards[1].totals) == ((), (0, 15))
    assert scored.verdict == "red or green can win. It depends on green (great oracle G07)."


def test_a_board_that_is_read_twice_has_no_totals_to_tell() -> None:
    scored = score(reading("red", 2), reading("red", 3), reading("green"), reading("black"))

    assert scored.winners == ()
    assert [board.totals for board in scored.boards] == [None, (0, 0), (0, 0)]


def test_a_card_that_is_read_twice_beside_one_board_breaks_nothing() -> None:
    card = GreatReading("G07", True, ("red", "red"), 0.5, _CORNERS, "the tokens on it cannot be read clearly")
    green = replace(reading("green"), great=(card, card), reasons=(card.question,))
    scored = score(reading("red", 2), green, reading("black"))

    assert (scored.winners, scored.boards[1].totals) == ((), None)
    assert "only one of it" in " ".join(scored.boards[1].doubts)
