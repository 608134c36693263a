"""A great oracle that was read twice is doubtful for as long as two boards, or one board twice, have it."""

from __future__ import annotations

from companion.adapters.wicked.scoring import scoring_state as scoring
from companion.adapters.wicked.scoring.board_import import imported_boards
from companion.adapters.wicked.scoring.scoring_state import Scoring
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.moves import Hand
from companion.games.wicked.state import AchievedGreat, WickedPlayer
from tests.companion.adapters.wicked.board_readings import read
from vision.games.wicked.readings import BoardReading, BoardsReading


def board(colour: PlayerColour, *great: str) -> BoardReading:
    """A board with nothing on it, and these great oracles achieved beside it."""
    achieved = tuple(AchievedGreat(card, ("red", "blue")) for card in great)
    return read(WickedPlayer(colour, Hand(), achieved_great=achieved))


def added(*boards: BoardReading) -> Scoring:
    return imported_boards(Scoring(players=3), BoardsReading(boards)).scoring


def doubts(now: Scoring) -> list[list[str]]:
    return [[doubt.about for doubt in board.doubts] for board in now.boards]


def test_a_board_read_again_without_the_other_boards_card_settles_the_doubt_about_it() -> None:
    now = added(board("purple", "G01", "G02"), board("red", "G01", "G03"))
    assert doubts(now) == [[], ["board:card:G01"]]
    still = imported_boards(now, BoardsReading((board("purple", "G01", "G04"),)), "b1").scoring
    assert doubts(still) == [["board:card:G01"], ["board:card:G01"]]
    right = imported_boards(now, BoardsReading((board("purple", "G04", "G02"),)), "b1").scoring
    assert doubts(right) == [[], []]


def test_removing_the_other_board_settles_the_doubt_about_its_card() -> None:
    now = added(board("purple", "G01", "G02"), board("red", "G01", "G03"), board("black", "G02", "G04"))
    assert doubts(now) == [[], ["board:card:G01"], ["board:card:G02"]]
    assert doubts(scoring.without_board(now, "b2")) == [[], ["board:card:G02"]]
    assert doubts(scoring.without_board(now, "b1")) == [[], []]


def test_a_card_read_twice_beside_one_board_does_not_count_twice_unasked() -> None:
    now = added(board("purple", "G01", "G01"), board("red"), board("black"))
    assert doubts(now) == [["board:card:G01"], [], []]
    assert "only one of it" in now.boards[0].doubts[0].text
    assert not scoring.score_standing(now).sure
    assert scoring.score_standing(scoring.without_doubt(now, "b1", "board:card:G01")).sure
