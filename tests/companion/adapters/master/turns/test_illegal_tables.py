"""A table that breaks a rule is named in one line, with its places, and nothing is entered by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.adapters.master.questions import did_two_turns_pass, enter_two_turns
from companion.adapters.master.turns.table_faults import Fault, FaultKind, fault_line
from companion.games.master.components import COLOURS
from companion.games.master.maze import Maze, places
from companion.games.master.moves import Move, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import TAKEN, MasterState
from companion.referee.finding import Finding
from tests.companion.adapters.master.findings import NAMES, certain, question, read
from tests.companion.adapters.master.laid_table import LaidTable
from tests.companion.adapters.master.scenarios import (
    BrokenTable,
    broken_tables,
    random_shift,
    random_turn,
    two_lines,
    with_wizard,
)
from tests.companion.games.master.mazes import SECOND, placed, random_position

KINDS: tuple[FaultKind, ...] = (
    "closed", "no_shift", "wizard_on_spare", "token_on_spare", "wrong_token", "standing", "missing", "unreachable",
    "out_of_turn", "tile",
)  # fmt: skip # a list of names


def broken(kind: FaultKind, number: int) -> Iterator[BrokenTable]:
    """So many tables with one kind of fault, from random positions."""
    for seed in range(1, 400):
        for one in broken_tables(random_position(seed), random.Random(seed)):
            if one.fault.kind == kind:
                yield one
                number -= 1
                if not number:
                    return
    raise AssertionError(f"there are too few tables with {kind}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_rule_is_named_with_its_places(kind: FaultKind) -> None:
    for one in broken(kind, 5):
        line = fault_line(one.fault, NAMES)
        finding = read(one.before, one.table)
        if one.nearest:
            assert line in question(finding)
            assert finding.proposal is not None
            assert not finding.proposal.certain
            where = {place for doubt in finding.proposal.doubts for place in doubt.where}
        else:
            assert finding.proposal is None
            assert finding.unread == line
            assert finding.supersedes
            where = set(finding.where)
        assert where.issuperset(one.fault.places)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("closed", "no_shift")])
def test_one_tap_enters_the_legal_part_of_a_turn_that_broke_a_rule(kind: FaultKind) -> None:
    for one in broken(kind, 3):
        finding = read(one.before, one.table)
        assert finding.proposal is not None
        assert finding.proposal.questions[0].choices[0].moves == one.nearest


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_is_corrected_is_read_as_if_nothing_had_been_wrong(kind: FaultKind) -> None:
    for one in broken(kind, 2):
        after = one.before
        for move in one.nearest:
            after = apply(after, move)
        corrected = read(one.before, LaidTable.of(after))
        if one.nearest:
            assert certain(corrected) == one.nearest
        else:
            assert corrected.supersedes
            assert not corrected.unread


def test_two_lines_are_asked_about_with_both_turns_as_the_answer() -> None:
    for seed in range(1, 8):
        state = random_position(seed)
        table, first, second = two_lines(state, random.Random(seed))
        finding = read(state, table)
        assert finding.proposal is not None
        assert not finding.proposal.certain
        assert did_two_turns_pass([first, second]) in question(finding)
        moves = finding.proposal.questions[0].choices[0].moves
        assert moves[0] == first
        assert moves[-1] == second


def test_moves_missed_between_two_lines_are_entered_by_hand_and_nobody_is_blamed() -> None:
    by_hand = 0
    for seed in range(10):
        dice, state = random.Random(seed), random_position(seed)
        journal = apply(state, random_shift(state, dice))
        after, lines = journal, []
        for _ in range(2):
            ends = [move for move in player_moves(after, after.mover) if isinstance(move, Walk) and not move.take]
            after = apply(after, dice.choice(ends) if ends else Stay(after.mover))
            lines.append(random_shift(after, dice))
            after = apply(after, lines[-1])
        finding = read(journal, LaidTable.of(after))
        if finding.proposal is None:
            assert finding.unread == enter_two_turns(lines)
            by_hand += 1
        else:
            assert did_two_turns_pass(lines) in question(finding)
    assert by_hand


def test_another_board_is_named_as_one_and_not_tile_by_tile() -> None:
    state = placed()
    assert state.maze is not None
    other = Maze.of(SECOND.tiles(), state.maze.spare)
    table = LaidTable.of(state)
    finding = read(state, LaidTable(other.tiles(), table.spare, table.tokens, table.wizards))
    assert finding.proposal is None
    assert finding.unread == "The board on the table is not the one on the screen. Lay it as shown there."


def test_a_token_that_lies_elsewhere_is_named_with_both_places() -> None:
    state = random_position(5)
    shift = random_shift(state, random.Random(5))
    after = apply(state, shift)
    number, place = next(
        (n, p) for n, p in LaidTable.of(after).tokens.items() if p is not None and p not in after.wizards
    )
    free = next(p for p in range(49) if after.token_at(p) is None and p not in after.wizards)
    finding = read(state, LaidTable.of(after).with_token(number, free))
    assert f"Token {number} lies on " in question(finding)
    assert finding.proposal is not None
    assert set(finding.proposal.doubts[0].where) == {place, free}


def test_a_token_in_view_that_the_journal_has_as_taken_is_named_until_it_is_taken_away(seed: int) -> None:
    """M5: a wizard hides a token that it leaves lying, so that it is entered as taken."""
    dice = random.Random(seed)
    table = new_game(COLOURS[:2], MasterSetup(seed))
    ada, bruno = table.players
    journal = replace(table, tokens=(TAKEN, *table.tokens[1:]), players=(replace(ada, tokens=(1,)), bruno))
    fault = Fault("noted_wrongly", table.tokens[0], 0, token=1)
    assert read(journal, LaidTable.of(table)) == Finding(
        unread=fault_line(fault, NAMES), where=(table.tokens[0],), supersedes=True
    )
    shift = random_shift(table, dice)
    pushed = apply(table, shift)
    finding = read(journal, LaidTable.of(pushed))
    assert question(finding) == fault_line(replace(fault, place=pushed.tokens[0]), NAMES)
    assert finding.proposal is not None
    assert not finding.proposal.certain
    assert finding.proposal.likeliest == (shift,)
    assert certain(read(journal, LaidTable.of(pushed).without_token(1))) == (shift,)


def went_on(number: int) -> Iterator[tuple[MasterState, MasterState]]:
    """So many positions after a turn, and the same with that turn's wizard on a place that it could walk on to."""
    for seed in range(number):
        dice = random.Random(seed)
        _, after = random_turn(random_position(seed), dice)
        if after.latest is None or after.maze is None:
            continue
        seat = after.latest.shift.player
        ends = [place for place in places(after.maze.reached(after.wizards[seat])) if after.token_at(place) is None]
        ends = [place for place in ends if place not in after.wizards]
        if ends:
            yield after, with_wizard(after, seat, dice.choice(ends))


def test_a_wizard_that_goes_on_after_its_turn_was_entered_is_named() -> None:
    for journal, table in went_on(40):
        assert journal.latest is not None
        seat = journal.latest.shift.player
        fault = Fault("walk_changed", seat=seat, back=journal.wizards[seat])
        if journal.latest.taken is not None:  # With the token in hand, the move had ended: it is no other move.
            fault = Fault("out_of_turn", table.wizards[seat], seat, back=journal.wizards[seat])
        finding = read(journal, LaidTable.of(table))
        assert fault_line(fault, NAMES) in finding.unread
        assert finding.where == fault.places


def only(fault: Fault) -> Finding[Move]:
    """A finding of a fault that leaves nothing to enter."""
    return Finding(unread=fault_line(fault, NAMES), where=fault.places, supersedes=True)


def walked(state: MasterState, dice: random.Random) -> MasterState | None:
    """The position after a random move of the wizard; None where it cannot move."""
    walks = [move for move in player_moves(state, state.mover) if isinstance(move, Walk)]
    return apply(state, dice.choice(walks)) if walks else None


def test_a_shift_that_is_taken_back_after_it_was_entered_is_named_and_what_was_made_instead_read_after_undo() -> (
    None
):
    checked = 0
    for seed in range(20):
        state, dice = random_position(seed), random.Random(seed)
        pushed = apply(state, random_shift(state, dice))
        fault = Fault("shift_changed", seat=state.mover)
        assert read(pushed, LaidTable.of(state)) == only(fault)
        other = apply(state, random_shift(state, dice))
        if other.maze == pushed.maze:
            continue
        for table in filter(None, (other, walked(other, dice))):
            assert read(pushed, LaidTable.of(table)) == only(fault)
            checked += 1
        after = walked(pushed, dice)
        if after is not None and after.phase == "shift":
            assert read(after, LaidTable.of(state)) == only(fault)
            assert "undo it" in read(after, LaidTable.of(other)).unread
        assert read(state, LaidTable.of(other)).proposal
    assert checked > 20


def test_a_walk_that_is_taken_back_after_it_was_entered_is_named() -> None:
    checked = 0
    for seed in range(20):
        state, dice = random_position(seed), random.Random(seed)
        pushed = apply(state, random_shift(state, dice))
        after, other = walked(pushed, dice), walked(pushed, dice)
        if after is None or after.phase != "shift":
            continue
        fault = Fault("walk_changed", seat=state.mover, back=after.wizards[state.mover])
        assert read(after, LaidTable.of(pushed)) == only(fault)
        if other is not None and other.wizards != after.wizards:
            assert read(after, LaidTable.of(other)) == only(fault)
            checked += 1
    assert checked > 5


def test_a_wizard_that_went_on_before_the_next_shift_is_never_entered_as_an_extra_turn() -> None:
    asked = 0
    for number, (journal, table) in enumerate(went_on(40)):
        shift = random_shift(table, random.Random(number))
        finding = read(journal, LaidTable.of(apply(table, shift)))
        assert finding.proposal is not None
        assert not finding.proposal.certain
        choices = [choice.moves for choice in finding.proposal.questions[0].choices]
        assert (shift,) in choices
        if any(isinstance(moves[0], UseWand) for moves in choices):
            assert "Who made this turn" in question(finding)
            asked += 1
    assert asked


def test_a_wand_whose_shift_was_entered_for_the_next_player_is_read_after_an_undo() -> None:
    """M6."""
    for seed in range(40):
        state, dice = random_position(seed), random.Random(seed)
        seat = state.wand_of
        if seat is None:
            continue
        extra = apply(state, UseWand(seat))
        pushed = apply(extra, random_shift(extra, dice))
        entered = state
        for move in certain(read(state, LaidTable.of(pushed))):
            entered = apply(entered, move)
        assert entered.mover != seat
        walks = [move for move in player_moves(pushed, seat) if isinstance(move, Walk)]
        walks = [move for move in walks if move.take or pushed.token_at(move.place) != pushed.next_token]
        if not walks:
            continue
        walk = dice.choice(walks)
        table = LaidTable.of(apply(pushed, walk))
        fault = Fault("wand", walk.place, seat, back=pushed.wizards[seat])
        finding = read(entered, table)
        assert fault_line(fault, NAMES) in (finding.unread or question(finding))
        undone = read(state, table).proposal
        assert undone is not None
        assert undone.likeliest[0] == UseWand(seat)
        assert undone.likeliest[-1] == walk
