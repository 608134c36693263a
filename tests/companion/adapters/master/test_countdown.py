"""A turn on a running table: read, counted down, read again where the table changes, and entered."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.master.rules.engine import apply
from tests.companion.adapters.master.laid_table import LaidTable
from tests.companion.adapters.master.live_maze import LiveMaze, proposed, turn
from tests.companion.adapters.master.scenarios import two_lines


def test_a_whole_turn_is_one_proposal_that_is_entered_after_its_countdown(begun: LiveMaze) -> None:
    state = begun.state
    shift, walk = turn(state)
    begun.lay(LaidTable.of(apply(apply(state, shift), walk)))
    begun.watch(1.0)
    proposal = begun.table.view.proposal
    assert proposal is not None
    assert proposal.certain
    assert proposal.questions[0].choices[0].moves == (shift, walk)
    assert len(proposal.questions[0].choices[0].lines) == 2
    begun.watch(4.0)
    assert begun.state == apply(apply(state, shift), walk)


def test_one_picture_is_enough_for_a_certain_turn_but_not_for_a_fault(begun: LiveMaze) -> None:
    before, (shift, walk) = begun.state, turn(begun.state)
    begun.reader.pictures = 0
    begun.lay(LaidTable.of(apply(apply(before, shift), walk)))
    proposal = begun.table.view.proposal
    assert proposal is not None
    assert proposal.certain
    assert begun.reader.pictures == 1
    begun.watch(5.0)
    laid = LaidTable.of(begun.state)
    tiles = list(laid.tiles)
    tiles[9], tiles[11] = tiles[11], tiles[9]
    begun.reader.pictures = 0
    begun.lay(replace(laid, tiles=tuple(tiles)))
    assert begun.reader.pictures == 1
    assert not begun.table.view.camera.message
    begun.watch(0.5)
    assert begun.reader.pictures == 2
    assert begun.table.view.camera.message


def test_a_table_that_changes_during_a_countdown_is_read_again_at_once(begun: LiveMaze) -> None:
    before, (shift, walk) = begun.state, turn(begun.state)
    noticed = begun.table.view.noticed
    begun.lay(LaidTable.of(apply(before, shift)))
    begun.watch(0.5)
    assert proposed(begun) == (shift,)
    begun.lay(LaidTable.of(apply(apply(before, shift), walk)))
    assert proposed(begun) == (shift, walk)
    assert begun.state == before
    begun.watch(5.0)
    assert begun.state == apply(apply(before, shift), walk)
    assert begun.table.view.noticed == noticed


def test_a_hand_that_changes_nothing_leaves_the_countdown_running(begun: LiveMaze) -> None:
    before, (shift, walk) = begun.state, turn(begun.state)
    laid = LaidTable.of(apply(apply(before, shift), walk))
    begun.lay(laid)
    first = begun.table.view.proposal
    begun.watch(1.0)
    begun.lay(laid)
    now = begun.table.view.proposal
    assert first is not None
    assert now is not None
    assert now.id == first.id
    assert now.seconds_left < first.seconds_left - 1.0
    begun.watch(1.5)
    assert begun.state == apply(apply(before, shift), walk)


@pytest.mark.slow
def test_a_player_who_thinks_after_the_shift_is_waited_for(begun: LiveMaze) -> None:
    state = begun.state
    shift, walk = turn(state)
    begun.lay(LaidTable.of(apply(state, shift)))
    begun.watch(8.0)
    assert begun.state == apply(state, shift)
    assert begun.state.phase == "walk"
    begun.lay(LaidTable.of(apply(apply(state, shift), walk)))
    begun.watch(5.0)
    assert begun.state == apply(apply(state, shift), walk)


def test_a_turn_is_entered_if_the_next_player_is_quicker_than_its_countdown(begun: LiveMaze) -> None:
    first = turn(begun.state)
    after = apply(apply(begun.state, first[0]), first[1])
    second = turn(after)
    noticed = begun.table.view.noticed
    begun.lay(LaidTable.of(after))
    assert proposed(begun) == first
    begun.lay(LaidTable.of(apply(apply(after, second[0]), second[1])))
    begun.watch(0.5)
    assert begun.state == after
    assert proposed(begun) == second
    assert begun.table.view.noticed == noticed


def test_a_second_push_during_the_countdown_of_a_shift_enters_nothing(begun: LiveMaze) -> None:
    before = begun.state
    table, first, _ = two_lines(before, random.Random(1))
    begun.lay(LaidTable.of(apply(before, first)))
    assert proposed(begun) == (first,)
    begun.lay(table)
    begun.watch(5.0)
    assert begun.state == before
    assert begun.questions
