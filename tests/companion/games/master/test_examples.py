"""The worked examples E-M1 to E-M7 of the rulings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.game import IllegalMove, Stage, Step
from companion.games.master.components import COLOURS, START, TOKENS
from companion.games.master.game import MASTER
from companion.games.master.maze import ARROWS, CARRIED, OPPOSITE, ROTATIONS, Arrow, Maze, bits, places
from companion.games.master.moves import Deal, EndGame, Move, NoteFormula, Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.moves_after_correction import rebase
from companion.games.master.rules.setup import MasterSetup, new_game, with_options
from companion.games.master.scoring import final_scores
from companion.games.master.state import TAKEN, MasterPlayer, MasterState
from companion.games.master.state_for_viewer import view
from companion.games.master.text.move_descriptions import describe
from tests.companion.games.master.mazes import FIRST, SECOND, placed


def turns(maze: Maze, wizard: int, closed: Arrow | None = None) -> list[tuple[Arrow, Maze, int]]:
    """Arrow, maze after the shift and place where the wizard ends, of every different turn."""
    return [
        (arrow, shifted, place)
        for arrow in ARROWS
        if arrow != closed
        for openings in ROTATIONS[maze.spare]
        for shifted in [maze.shifted(arrow, openings)]
        for place in places(shifted.reached(CARRIED[arrow][wizard]))
    ]


def pairs(maze: Maze, first: int, second: int) -> int:
    return sum(
        len(turns(shifted, CARRIED[arrow][second], OPPOSITE[arrow])) for arrow, shifted, _ in turns(maze, first)
    )


def test_first_turns_on_the_first_board_are_counted() -> None:
    assert {colour: len(turns(FIRST, START[colour])) for colour in COLOURS} == {
        "red": 166,
        "brown": 166,
        "blue": 277,
        "white": 257,
    }
    assert pairs(FIRST, START["red"], START["brown"]) == 52_804


def test_first_turns_on_the_second_board_are_counted() -> None:
    assert [len(turns(SECOND, corner)) for corner in (0, 6, 48, 42)] == [234, 87, 415, 111]
    assert pairs(SECOND, 0, 6) == 24_522


def test_the_engine_lists_the_same_turns() -> None:
    state = placed(tokens=(TAKEN,) * 20 + (24,))
    shifts = [move for move in player_moves(state, 0) if isinstance(move, Shift)]
    ends = [
        {apply(after, move).wizards[0] for move in player_moves(after, 0) if isinstance(move, (Walk, Stay))}
        for after in (apply(state, shift) for shift in shifts)
    ]
    assert sum(map(len, ends)) == 166


def test_the_arrow_where_the_spare_came_out_is_closed() -> None:
    state = apply(apply(placed(), Shift(0, "T1", "TB")), Stay(0))
    assert state.closed == "B1"
    shifts = [move for move in player_moves(state, 1) if isinstance(move, Shift)]
    assert {move.arrow for move in shifts} == {*ARROWS} - {"B1"}
    with pytest.raises(IllegalMove, match="closed"):
        apply(state, Shift(1, "B1", shifts[0].openings))


def test_what_is_pushed_out_comes_in_on_the_other_side_and_is_not_taken() -> None:
    edge = 3 * 7 + 6
    tokens = tuple(TAKEN if number < 7 else edge if number == 7 else 0 for number in TOKENS)
    state = apply(placed(wizards=(edge, 18), tokens=tokens), Shift(0, "L3", "LR"[::-1]))
    assert state.wizards[0] == 21
    assert state.tokens[6] == 21
    after = apply(state, Stay(0))
    assert after.players[0].tokens == ()
    assert after.next_token == 7


def test_a_wizard_that_stands_on_the_next_token_has_to_step_off_and_come_back() -> None:
    state = apply(placed(tokens=(TAKEN,) * 8 + (16,) + (0,) * 12), Shift(0, "T5", "TB"))
    assert state.next_token == 9
    assert state.wizards[0] == 16
    assert not [move for move in player_moves(state, 0) if isinstance(move, Walk) and move.place == 16]
    with pytest.raises(IllegalMove, match="cannot reach"):
        apply(state, Walk(0, 16, True))


@pytest.mark.parametrize(("place", "paid"), [(None, True), (0, False)])
def test_a_promise_is_due_for_exactly_its_turn(place: int | None, paid: bool) -> None:
    state = placed(players=3)
    state = replace(state, players=(replace(state.players[0], tokens=(4,)), *state.players[1:]))
    after_shift = apply(state, Shift(0, "L5", "TB"))
    target = next(move.place for move in player_moves(after_shift, 0) if isinstance(move, Walk))
    promised = apply(state, Deal(0, 2, 4, "L5", "TB", target if place is None else place))
    assert target != 0
    ended = apply(apply(promised, Shift(0, "L5", "TB")), Walk(0, target, False))
    assert (ended.players[0].tokens, ended.players[2].tokens) == (((), (4,)) if paid else ((4,), ()))
    assert ended.latest is not None
    assert ended.latest.end == target
    assert ended.latest.paid == (promised.deal if paid else None)


def test_a_payment_that_the_payer_no_longer_has_is_not_recorded() -> None:
    state = placed()
    state = replace(state, players=(replace(state.players[0], wands=1), *state.players[1:]))
    stays = apply(state, Shift(0, "T1", "TB")).wizards[0]
    promised = apply(state, Deal(0, 1, None, "T1", "TB", stays))
    without = replace(promised, players=(replace(promised.players[0], wands=0), *promised.players[1:]))
    kept, broke = (apply(apply(one, Shift(0, "T1", "TB")), Stay(0)) for one in (promised, without))
    assert (kept.players[1].wands, broke.players[1].wands) == (4, 3)
    assert kept.latest is not None
    assert kept.latest.paid == promised.deal
    assert broke.latest is not None
    assert broke.latest.paid is None


def test_the_score_of_the_example() -> None:
    state = replace(
        placed(),
        phase="over",
        players=(MasterPlayer("red", 1, (3, 11, 14, 20), (11, 3, 14)), MasterPlayer("brown", 0)),
    )
    first, second = final_scores(state)
    assert (first.total, first.place, second.total, second.place) == (111, 1, 0, 2)
    assert [(line.count, line.points) for line in first.lines] == [(4, 48), (3, 60), (1, 3)]


def ended(state: MasterState) -> MasterState:
    return apply(apply(state, Shift(state.mover, "T1", "TB")), Stay(state.mover))


def test_a_wand_gives_one_more_turn_and_no_second_one() -> None:
    state = ended(placed())
    assert state.mover == 1
    assert state.wand_of == 0
    again = apply(state, UseWand(0))
    assert (again.mover, again.extra, again.players[0].wands, again.closed) == (0, True, 2, "B1")
    openings = next(move.openings for move in player_moves(again, 0) if isinstance(move, Shift))
    done = apply(apply(again, Shift(0, "T1", openings)), Stay(0))
    assert done.wand_of is None
    assert done.mover == 1
    with pytest.raises(IllegalMove, match="once"):
        apply(done, UseWand(0))


def test_a_round_ends_once_no_wand_prolongs_its_last_turn() -> None:
    def staying(state: MasterState) -> MasterState:
        return apply(shifted(state), Stay(state.mover))

    def shifted(state: MasterState) -> MasterState:
        return apply(state, next(move for move in player_moves(state, state.mover) if isinstance(move, Shift)))

    second = staying(staying(placed()))
    assert (second.mover, MASTER.stage(second)) == (0, Stage("shift", 1, 1))
    assert MASTER.stage(shifted(second)) == Stage("walk", 2, 0)
    prolonged = apply(second, UseWand(1))
    assert MASTER.stage(prolonged) == Stage("shift", 1, 1)
    assert MASTER.stage(staying(prolonged)) == Stage("shift", 2, 0)


def test_the_game_ends_when_25_is_taken_and_formula_cards_are_shown() -> None:
    state = apply(placed(tokens=(TAKEN,) * 21), Shift(0, "T1", "TB"))
    reached = next(move.place for move in player_moves(state, 0) if isinstance(move, Walk))
    state = apply(replace(state, tokens=(TAKEN,) * 20 + (reached,)), Walk(0, reached, True))
    assert state.phase == "formulas"
    state = apply(state, NoteFormula(0, (18, 11, 19)))
    with pytest.raises(IllegalMove, match="Another player"):
        apply(state, NoteFormula(1, (18, 11, 19)))
    with pytest.raises(IllegalMove, match="already noted for this player"):
        apply(state, NoteFormula(0, (18, 11, 19)))
    with pytest.raises(IllegalMove, match="Play has ended already"):
        apply(state, EndGame())
    state = apply(state, NoteFormula(1, (25, 16, 2)))
    assert state.phase == "over"
    with pytest.raises(IllegalMove, match=r"The game is over\."):
        apply(state, EndGame())
    assert final_scores(state)[0].total == 25 + 9


def test_a_card_that_two_players_noted_is_shown_again_by_both_and_says_so_after_play_only() -> None:
    state = placed(players=3)
    for seat, card in enumerate(((18, 11, 19), (25, 16, 2), (18, 11, 19))):
        state = apply(state, NoteFormula(seat, card))
    assert view(state, 0).same_card == ()
    state = apply(state, EndGame())
    assert [player.formula for player in state.players] == [None, (25, 16, 2), None]
    assert view(state, None).same_card == (0, 2)
    state = apply(apply(state, NoteFormula(2, (18, 11, 19))), NoteFormula(0, (11, 3, 14)))
    assert (state.phase, state.same_card) == ("over", (0, 2))


def test_a_straight_tile_has_two_rotations_and_the_others_four() -> None:
    assert [len(ROTATIONS[bits(tile)]) for tile in ("TB", "TR", "TRL")] == [2, 4, 4]


def test_options_change_the_setup_and_what_is_not_chosen_stays() -> None:
    setup = with_options(MasterSetup(seed=7), {"first": 1, "tips": 1, "chained_wands": 0})
    assert setup == MasterSetup(seed=7, first=1, tips=True)
    assert with_options(setup, {"own_board": 1}) == replace(setup, seed=None)
    state = new_game(("red", "white"), setup)
    assert (state.phase, state.mover, state.tips) == ("shift", 1, True)


def test_the_line_of_a_turn_names_what_is_paid_for_a_tip() -> None:
    stays = apply(placed(), Shift(0, "T1", "TB")).wizards[0]
    before = apply(apply(placed(), Deal(0, 1, None, "T1", "TB", stays)), Shift(0, "T1", "TB"))
    step: Step[MasterState, Move] = Step(4, Stay(0), before, apply(before, Stay(0)))
    assert describe(step, step.after, ("Ada", "Bo"), None) == "Ada stays; Bo gets a wand for the tip"


def test_moves_after_an_end_that_a_correction_brings_forward_are_dropped() -> None:
    playing, showing = placed(), replace(placed(), phase="formulas")
    over = replace(playing, phase="over")
    turn, card = Shift(0, "T1", "TB"), NoteFormula(1, (18, 11, 19))
    assert [rebase(state, turn).result for state in (playing, showing, over)] == ["blocked", "dropped", "dropped"]
    assert [rebase(state, card).result for state in (showing, over)] == ["blocked", "dropped"]
