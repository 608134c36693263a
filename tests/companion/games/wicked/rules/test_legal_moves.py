"""`legal` lists exactly what `apply` accepts."""

from __future__ import annotations

import pytest

from companion.games.wicked import WickedState, apply, legal
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.conceivable import accepted, soul_moves
from tests.companion.games.wicked.scenarios import achieved, board, play, search_phase, soul_phase, with_board

BOARDS = {
    "empty": board(),
    "pairs": board("rrggby/rryy/gg"),
    "spells": board("rgb/ry/b", promotion=2, colour_change=1),
    "nothing can rise": board("//rgby", promotion=1, colour_change=1),
    "full middle row": board("rrgb/rrgby/r", promotion=1),
    "full high row": board("rr/gg/bbyy", promotion=1),
    "oracles": board("rrgb/rgg/rg", small=("S01", "S05"), great=("G01", "G08")),
    "owned on a card": board("bg/g/", small=("S01", "S09"), achieved_great=(achieved("G07", "red", "red"),)),
    "finished": board("rrgg", promotion=1, finished=True),
}


@pytest.mark.parametrize("player", BOARDS.values(), ids=BOARDS)
def test_of_all_conceivable_soul_moves_exactly_the_legal_ones_are_accepted(player: WickedPlayer) -> None:
    state = soul_phase(player)

    listed = legal(state).for_player(0)

    assert len(set(listed)) == len(listed)
    assert set(listed) == accepted(state, soul_moves(state, 0))


def perft(state: WickedState, depth: int) -> int:
    """Count the ways in which seat 0 can act so many times, as chess programs count positions."""
    if depth == 0:
        return 1
    actions = [move for move in legal(state).for_player(0) if not isinstance(move, FinishSoul)]
    return sum(perft(apply(state, move), depth - 1) for move in actions)


@pytest.mark.parametrize(("depth", "ways"), [(1, 15), (2, 122), (3, 487), (4, 999), (5, 972), (6, 80), (7, 0)])
def test_the_ways_through_the_soul_phase_of_e2_are_as_many_as_ever(depth: int, ways: int) -> None:
    # Golden numbers: they change only when a rule does. To depth 4 they were checked against all conceivable moves.
    # The board of E2 with the stand-in cards S01 and G01; after six actions nothing is left to do.
    player = board("yggbbb", promotion=1, colour_change=1, small=("S01",), great=("G01",))

    assert perft(soul_phase(player), depth) == ways


def test_everybodys_moves_are_listed_seat_by_seat_in_a_fixed_order() -> None:
    state = with_board(soul_phase(board("rr")), 1, "bb", promotion=1)

    moves = legal(state).moves

    assert moves == tuple(move for seat in range(3) for move in legal(state).for_player(seat))
    assert moves == legal(state).moves
    assert len(moves) == 2 + 3 + 1


def test_only_who_has_to_choose_gets_choices_in_the_gain_phase() -> None:
    state = play(search_phase("C19"), "reveal 3 0 2s")  # green over white

    assert [len(legal(state).for_player(seat)) for seat in range(3)] == [10, 0, 10]


def test_a_search_lists_hands_and_no_moves() -> None:
    choices = legal(search_phase("C01", players=5))

    assert choices.moves == ()
    assert [len(hands) for hands in choices.hands] == [9 * 2 * 2] * 5
