"""Shifts that may have been made or taken back since the latest move in the journal, with the positions after them.

A shift pushes the spare tile in at an arrow, and so moves a row or column by one place. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import Evidence
from companion.adapters.master.turns.earlier_positions import before_shift, before_walk
from companion.adapters.master.turns.table_faults import Fault
from companion.games.master.components import PLACES
from companion.games.master.maze import ARROWS, OPPOSITE, ROTATIONS, Arrow, letters, line_of, rotated
from companion.games.master.moves import Move, Shift, Stay, UseWand
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState

NO_SHIFT: Final = math.log(0.4)
"""Log-prior that no shift was made."""
WAND: Final = math.log(0.01)
"""Log-prior of an extra turn by a wand, if the rules allow one."""
CLOSED: Final = math.log(0.01)
"""Log-prior of a shift at the closed arrow; it takes the place of `_ARROW`."""
TWO_LINES: Final = math.log(2e-3)
"""Log-prior of two shifts since the latest reading."""
TAKEN_BACK: Final = math.log(0.02)
"""Log-prior that a player takes back the latest entry in the journal, and perhaps plays something else."""
TURN_TAKEN_BACK: Final = math.log(1e-4)
"""The same for a whole turn. It is below `CLOSED`: from a turn without a walk, both lead to the same board."""
_ARROW: Final = -math.log(len(ARROWS))
"""Log-prior of a shift at one of the arrows, all being equally probable."""
_MAX_BELOW_BEST: Final = 25.0
"""Largest difference to the best board's log-likelihood at which a shift is considered."""
_MAX_MISFIT: Final = 9.0
"""Difference of the best board after one shift to the best openings of each place, in log-likelihood, above which
pairs of shifts are considered too."""
_MOST_PAIRS: Final = 3
"""Maximum number of boards after two shifts that are considered."""


@dataclass(frozen=True, slots=True)
class Walker:
    """A player whose wizard may have moved, unnoticed, before the latest shift."""

    seat: int
    """Seat of the player."""
    index: int
    """Index among `Shifted.moves` of the player's `Stay`, which a `Walk` may replace."""
    before: MasterState
    """Position before that move."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """A hypothesis of no, one or two shifts, and the position after them."""

    moves: tuple[Move, ...]
    """Moves up to and with the latest shift, which is left out if it is illegal because its arrow was closed."""
    before: MasterState
    """Position before the latest shift; `after` if there was none."""
    after: MasterState
    """Position after the shifts."""
    prior: float
    """Logarithm of the prior probability."""
    arrow: Arrow | None = None
    """Arrow of the latest shift; None if there was none."""
    closed: bool = False
    """Whether that arrow was closed."""
    walker: Walker | None = None
    """Player whose wizard may have moved before the latest shift; None if nobody's move was due."""
    lines: tuple[Arrow, ...] = ()
    """Arrows of all shifts, in order."""
    wand_of: int | None = None
    """Seat of the player who could have used a wand instead of the latest shift, even of one in the journal."""
    taken_back: Fault | None = None
    """The fault that the latest walk or shift in the journal was taken back on the table; None if it was not."""

    @property
    def may_walk(self) -> bool:
        """Whether the player whose turn it is has shifted and may move the wizard next."""
        return self.after.phase == "walk"


@dataclass(frozen=True, slots=True)
class _Start:
    """A position in which the next shift may be made."""

    moves: tuple[Move, ...]
    """Moves that lead to it."""
    state: MasterState
    """The position."""
    prior: float
    """Logarithm of the prior probability."""
    walker: Walker | None = None
    """Player whose wizard may have moved just before; None if nobody's move was due."""
    lines: tuple[Arrow, ...] = ()
    """Arrows of the shifts that were made already."""


def possible_shifts(state: MasterState, seen: Evidence) -> list[Shifted]:
    """Return the hypotheses of shifts, made or taken back, after which the tiles fit the evidence.

    Two shifts, and another one in place of the latest in the journal, are considered only if nothing simpler fits
    well. state: latest position in the journal.
    """
    singles = [
        Shifted((), state, state, NO_SHIFT, wand_of=state.unused_wand_of),
        *(each for start in _shift_starts(state) for each in _single_shifts(start)),
        *_taken_back(state),
    ]
    scores = [seen.board_score(each.after.maze) for each in singles if each.after.maze is not None]
    best = max(scores)
    found = [each for each, score in zip(singles, scores, strict=True) if score >= best - _MAX_BELOW_BEST]
    if best < seen.best_board_score - _MAX_MISFIT:
        others = [*_shift_pairs(state, seen), *_other_shifts(state)]
        found += [each for each in others if _board_score(each.after, seen) >= best - _MAX_BELOW_BEST]
    return found


def _board_score(state: MasterState, seen: Evidence) -> float:
    return -math.inf if state.maze is None else seen.board_score(state.maze)


def _shift_starts(
    state: MasterState, moves: tuple[Move, ...] = (), lines: tuple[Arrow, ...] = ()
) -> Iterator[_Start]:
    """Yield the positions from which the next shift may be made, with and without the use of a wand.

    A turn in which the wizard may still move is ended first. moves, lines: moves and arrows of shifts that led to
    this state.
    """
    walker = None
    if state.phase == "walk":
        walker = Walker(state.mover, len(moves), state)
        moves = (*moves, Stay(state.mover))
        state = apply(state, moves[-1])
    if state.phase != "shift":
        return
    yield _Start(moves, state, 0.0, walker, lines)
    if state.wand_of is not None and state.deal is None:
        wand = UseWand(state.wand_of)
        yield _Start((*moves, wand), apply(state, wand), WAND, walker, lines)


def _single_shifts(start: _Start, arrows: Sequence[Arrow] = ARROWS) -> Iterator[Shifted]:
    """Yield the hypotheses of one shift from a position: each arrow, even the closed one, and rotation."""
    state = start.state
    if state.maze is None:
        return
    for arrow in arrows:
        rotations = ROTATIONS[state.maze.spare]
        for openings in rotations:
            move = Shift(state.mover, arrow, letters(openings))
            closed = arrow == state.closed
            after = apply(replace(state, closed=None) if closed else state, move)
            moves = start.moves if closed else (*start.moves, move)
            prior = start.prior + (CLOSED if closed else _ARROW) - math.log(len(rotations))
            lines = (*start.lines, arrow)
            yield Shifted(moves, state, after, prior, arrow, closed, start.walker, lines, state.wand_of)


def _taken_back(state: MasterState) -> Iterator[Shifted]:
    """Yield the hypotheses that the latest walk, or it and the latest shift, was taken back on the table."""
    if (earlier := before_walk(state)) is not None:
        fault = Fault("walk_changed", seat=earlier.mover, back=state.wizards[earlier.mover])
        yield Shifted((), earlier, earlier, TAKEN_BACK, taken_back=fault)
    if (start := _start_before_shift(state)) is not None:
        fault = Fault("shift_changed", seat=start.state.mover)
        yield Shifted((), start.state, start.state, start.prior, taken_back=fault)


def _other_shifts(state: MasterState) -> Iterator[Shifted]:
    """Yield the hypotheses that the latest shift was taken back and another one made instead."""
    if (start := _start_before_shift(state)) is not None:
        fault = Fault("shift_changed", seat=start.state.mover)
        for each in _single_shifts(start):
            if each.moves != (start.state.pushed,):
                yield replace(each, moves=(), taken_back=fault)


def _start_before_shift(state: MasterState) -> _Start | None:
    """Return the start for a shift in place of the latest one in the journal; None where that one is not known."""
    earlier = before_shift(state)
    if earlier is None:
        return None
    return _Start((), earlier, TAKEN_BACK if state.phase == "walk" else TURN_TAKEN_BACK)


def _shift_pairs(state: MasterState, seen: Evidence) -> Iterator[Shifted]:
    """Yield the hypotheses of two legal shifts whose boards fit the tiles best.

    The same board may be yielded several times: with and without a wand, or by other players.
    """
    starts = list(_shift_starts(state))
    if not starts:
        return
    firsts = [each for each in _single_shifts(starts[0]) if not each.closed]
    ranked: list[tuple[float, int, Arrow, int]] = []
    boards = np.array([each.after.maze.tiles() for each in firsts if each.after.maze is not None])
    spares = [each.after.maze.spare for each in firsts if each.after.maze is not None]
    for arrow in ARROWS:
        line = list(line_of(arrow))
        pushed = boards.copy()
        pushed[:, line[1:]] = boards[:, line[:-1]]
        for quarters in range(4):
            pushed[:, line[0]] = [rotated(spare, quarters) for spare in spares]
            scores = seen.tiles[np.arange(PLACES), pushed].sum(axis=1) + seen.spare[boards[:, line[-1]]]
            ranked += [
                (float(score), index, arrow, int(pushed[index, line[0]]))
                for index, score in enumerate(scores)
                if firsts[index].arrow != OPPOSITE[arrow]
            ]
    ranked.sort(reverse=True)
    for _, index, arrow, openings in list(dict.fromkeys(ranked))[:_MOST_PAIRS]:
        first = firsts[index].moves[-1]
        for start in starts:
            if not isinstance(first, Shift):
                continue
            again = replace(first, player=start.state.mover)
            middle = apply(start.state, again)
            for second in _shift_starts(middle, (*start.moves, again), (again.arrow,)):
                for each in _single_shifts(second, (arrow,)):
                    if each.after.maze is not None and each.after.maze.tile(line_of(arrow)[0]) == openings:
                        yield replace(each, prior=each.prior + start.prior + TWO_LINES + _ARROW)
