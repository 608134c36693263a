"""Random turns on a laid table, legal ones and ones that break a rule, with what is to be said of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.adapters.master.turns.table_faults import Fault, FaultKind
from companion.games.master.components import LOOSE, PLACES, TOKENS
from companion.games.master.maze import ROTATIONS, letters, line_of, places
from companion.games.master.moves import Move, Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.state import MasterState
from tests.companion.adapters.master.laid_table import LaidTable

WANDS = 0.05
"""Share of turns after which a wand is used."""
TAKING = 0.9
"""Share of players who take a token that they can take."""
STAYING = 0.1
"""Share of turns in which the wizard stays."""


@dataclass(frozen=True)
class BrokenTable:
    """A table that no legal turn leads to."""

    before: MasterState
    table: LaidTable
    fault: Fault
    nearest: tuple[Move, ...]
    """The legal part of what was done."""


def random_turn(state: MasterState, dice: random.Random) -> tuple[tuple[Move, ...], MasterState]:
    """A legal turn, and the position after it. An extra turn ends with a move: otherwise nothing shows the wand.

    Who ends on the next token takes it: a wizard that stands there hides whether it was left lying.
    """
    wand = state.wand_of
    if wand is not None and dice.random() < WANDS:
        moves, after = _random_turn(apply(state, UseWand(wand)), dice)
        if isinstance(moves[-1], Walk):
            return (UseWand(wand), *moves), after
    return _random_turn(state, dice)


def _random_turn(state: MasterState, dice: random.Random) -> tuple[tuple[Move, ...], MasterState]:
    shift = random_shift(state, dice)
    state = apply(state, shift)
    ends = [move for move in player_moves(state, state.mover) if isinstance(move, Walk)]
    takes = [move for move in ends if move.take]
    ends = [move for move in ends if move.take or all(move.place != take.place for take in takes)]
    move: Move = dice.choice(ends) if ends else Stay(state.mover)
    if takes and dice.random() < TAKING:
        move = takes[0]
    elif not state.extra and dice.random() < STAYING:
        move = Stay(state.mover)
    return (shift, move), apply(state, move)


def random_shift(state: MasterState, dice: random.Random) -> Shift:
    return dice.choice([move for move in player_moves(state, state.mover) if isinstance(move, Shift)])


def broken_tables(state: MasterState, dice: random.Random) -> Iterator[BrokenTable]:
    """Every way to break a rule that is possible in this position after a random shift."""
    assert state.maze is not None
    shift = random_shift(state, dice)
    after = apply(state, shift)
    assert after.maze is not None
    mover, here = after.mover, after.wizards[after.mover]
    colour = after.players[mover].colour
    laid, before = LaidTable.of(after), LaidTable.of(state)
    reached = set(places(after.maze.reached(here)))
    entered = line_of(shift.arrow)[0]
    number = after.next_token
    assert number is not None
    if state.closed is not None:
        openings = dice.choice(ROTATIONS[state.maze.spare])
        pushed = apply(replace(state, closed=None), Shift(mover, state.closed, letters(openings)))
        yield BrokenTable(state, LaidTable.of(pushed), Fault("closed", arrow=state.closed), ())
    elsewhere = dice.choice([place for place in range(PLACES) if place != state.wizards[mover]])
    yield BrokenTable(
        state,
        before.with_wizard(colour, elsewhere),
        Fault("no_shift", elsewhere, mover, back=state.wizards[mover]),
        (),
    )
    seat = dice.randrange(len(state.players))
    at_the_end = with_wizard(state, seat, line_of(shift.arrow)[-1])
    yield BrokenTable(
        at_the_end,
        LaidTable.of(apply(at_the_end, shift)).with_wizard(state.players[seat].colour, None),
        Fault("wizard_on_spare", seat=seat, back=entered),
        (shift,),
    )
    carried = after.token_at(entered)
    if carried is not None:
        yield BrokenTable(
            state, laid.with_token(carried, None), Fault("token_on_spare", token=carried, back=entered), (shift,)
        )
    goal = after.tokens[TOKENS.index(number)]
    if goal in reached and goal != here:
        yield BrokenTable(state, laid.without_token(number), Fault("missing", goal, token=number), (shift,))
    far = [place for place in range(PLACES) if place not in reached and after.token_at(place) is None]
    if far:
        place = dice.choice(far)
        yield BrokenTable(
            state, laid.with_wizard(colour, place), Fault("unreachable", place, mover, back=here), (shift,)
        )
    seat = dice.choice(
        [seat for seat in range(len(after.players)) if seat not in (mover, state.wand_of)] or [mover]
    )
    if seat != mover:
        place = dice.choice([place for place in range(PLACES) if place != after.wizards[seat]])
        yield BrokenTable(
            state,
            laid.with_wizard(after.players[seat].colour, place),
            Fault("out_of_turn", place, seat, back=after.wizards[seat]),
            (shift,),
        )
    place = dice.choice(LOOSE)
    turned = [value for value in ROTATIONS[after.maze.tile(place)] if value != after.maze.tile(place)]
    yield BrokenTable(state, laid.with_tile(place, dice.choice(turned)), Fault("tile", place), (shift,))
    yield from taken_under_a_wizard(state, number, "standing", dice)
    others = [one for one, place in LaidTable.of(state).tokens.items() if one != number and place is not None]
    if others:
        yield from taken_under_a_wizard(state, dice.choice(others), "wrong_token", dice)


def taken_under_a_wizard(
    state: MasterState, number: int, kind: FaultKind, dice: random.Random
) -> Iterator[BrokenTable]:
    """A token is taken from under a wizard, which hides that until its next move.

    None where it cannot move, or another wizard stands there and still hides it.
    """
    state = with_wizard(state, state.mover, state.tokens[TOKENS.index(number)])
    shift = random_shift(state, dice)
    after = apply(state, shift)
    ends = [move for move in player_moves(after, after.mover) if isinstance(move, Walk) and not move.take]
    if ends and after.wizards.count(after.wizards[after.mover]) == 1:
        walk = dice.choice(ends)
        here, mover = after.wizards[after.mover], after.mover
        due = after.next_token if kind == "wrong_token" else None
        table = LaidTable.of(apply(after, walk)).without_token(number)
        yield BrokenTable(state, table, Fault(kind, here, mover, token=number, due=due), (shift, walk))


def with_wizard(state: MasterState, seat: int, place: int) -> MasterState:
    """The position with one wizard elsewhere."""
    return replace(state, wizards=tuple(place if one == seat else at for one, at in enumerate(state.wizards)))


def two_lines(state: MasterState, dice: random.Random) -> tuple[LaidTable, Shift, Shift]:
    """One player pushes two lines: the table, and both shifts."""
    first = random_shift(state, dice)
    after = apply(apply(state, first), Stay(first.player))
    second = random_shift(after, dice)
    return LaidTable.of(apply(after, second)), first, second
