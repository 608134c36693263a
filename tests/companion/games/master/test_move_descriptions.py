"""Lines name places and sides of the board as their reader's board is turned."""

from __future__ import annotations

from calibration.translatable import Line
from companion.adapters.master.questions import which_tile, which_turn
from companion.adapters.master.turns.table_faults import Fault, fault_line
from companion.games.game import Step
from companion.games.master.game import MASTER
from companion.games.master.maze import bits
from companion.games.master.moves import Deal, EndGame, Move, NoteFormula, Shift
from companion.games.master.state import MasterState
from companion.games.master.text.move_descriptions import arrow_name, place_name, sides_name
from tests.companion.games.master.mazes import placed

NAMES = ("Ada", "Bruno")


def test_an_arrow_a_place_and_open_sides_have_a_name_from_each_side() -> None:
    assert arrow_name("T1").sides() == (
        "at the top of column 2",
        "at the right of row 2",
        "at the bottom of column 6",
        "at the left of row 6",
    )
    assert place_name(1).sides() == (
        "row 1, column 2",
        "row 2, column 7",
        "row 7, column 6",
        "row 6, column 1",
    )
    assert sides_name(bits("TR")).sides() == (
        "top and right",
        "right and bottom",
        "bottom and left",
        "top and left",
    )


def test_a_line_of_the_history_names_arrow_and_place_from_each_side() -> None:
    state = placed(players=2)
    move = Deal(0, 1, None, "T1", "TB", 1)
    line = MASTER.describe(Step(1, move, state, MASTER.apply(state, move)), state, NAMES, None)
    assert line == "Ada promises Bruno a wand for a tip: at the top of column 2, to row 1, column 2"
    assert line.sides()[2] == "Ada promises Bruno a wand for a tip: at the bottom of column 6, to row 7, column 6"


def test_a_noted_formula_card_has_no_numbers_on_any_screen_until_play_has_ended() -> None:
    state, move = placed(players=2), NoteFormula(0, (11, 3, 14))
    after = MASTER.apply(state, move)
    step: Step[MasterState, Move] = Step(1, move, state, after)
    numbers, without = "Ada's formula card is 11 · 3 · 14", "Ada notes a formula card"
    assert [MASTER.describe(step, after, NAMES, viewer) for viewer in (0, 1, None)] == [without] * 3
    assert [MASTER.describe(step, state, NAMES, viewer) for viewer in (0, 1, None)] == [numbers, without, without]
    assert MASTER.describe(step, MASTER.apply(after, EndGame()), NAMES, 1) == numbers


def test_the_cameras_questions_and_faults_name_them_from_each_side() -> None:
    turns = [(Shift(0, arrow, "TB"),) for arrow in ("T1", "L1")]
    question = which_turn(placed(players=2), turns, NAMES).question
    fault = fault_line(Fault("token_moved", place=1, token=7, back=8), NAMES)
    for line, turned in (
        (question, "Where was the spare tile pushed in: at the bottom of column 6 or at the right of row 6?"),
        (which_tile(1), "How does the tile on row 7, column 6 lie?"),
        (fault, "Token 7 lies on row 7, column 6. Lay it back on row 6, column 6."),
    ):
        assert isinstance(line, Line)
        assert line.sides()[2] == turned
