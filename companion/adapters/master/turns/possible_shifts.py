"""The shifts that may have been made since the journal's latest move, with the positions after them. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_evidence import Evidence
from companion.games.master.components import PLACES
from companion.games.master.maze import ARROWS, OPPOSITE, ROTATIONS, Arrow, letters, line_of, rotated
from companion.games.master.moves import Move, Shift, Stay, UseWand
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState

NO_SHIFT: Final = math.log(0.4)
"""Prior of a table on which no line was pushed."""
WAND: Final = math.log(0.01)
"""Prior of an extra turn by a wand, where the rules allow one."""
CLOSED: Final = math.log(0.01)
"""Prior of a shift at the closed arrow, in place of that of an arrow."""
TWO_LINES: Final = math.log(2e-3)
"""Prior of two shifts since the latest reading."""
_ARROW: Final = -math.log(len(ARROWS))
_NEAR: Final = 25.0
"""Log-likelihood below the best board beyond which a shift is not considered."""
_POOR: Final = 9.0
"""Log-likelihood below the best tiles beyond which two shifts are considered."""
_PAIRS: Final = 3
"""Boards after two shifts that are considered."""


@dataclass(frozen=True, slots=True)
class Walker:
    """A player whose move may have come before the latest shift."""

    seat: int
    index: int
    """Index of the player's `Stay` among the moves."""
    before: MasterState
    """The position of that move."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """One or more shifts, or none, and the position after them."""

    moves: tuple[Move, ...]
    """Legal moves up to the latest shift; without it where its arrow is closed."""
    after: MasterState
    prior: float
    """Logarithm."""
    arrow: Arrow | None = None
    """Of the latest shift; None where there was none."""
    closed: bool = False
    """Whether that arrow was closed."""
    walker: Walker | None = None
    lines: tuple[Arrow, ...] = ()
    """The arrows of all shifts."""
    wand_of: int | None = None
    """Seat of the player who might have used a wand instead."""

    @property
    def may_walk(self) -> bool:
        """Whether a move of the mover comes next."""
        return self.after.phase == "walk"


@dataclass(frozen=True, slots=True)
class _Start:
    moves: tuple[Move, ...]
    state: MasterState
    prior: float
    walker: Walker | None = None
    lines: tuple[Arrow, ...] = ()


def possible_shifts(state: MasterState, seen: Evidence) -> list[Shifted]:
    """Return what may have been pushed, as far as tiles do not rule it out; two lines where one does not fit."""
    singles = [Shifted((), state, NO_SHIFT), *(each for start in _starts(state) for each in _pushed(start))]
    scores = [seen.board_score(each.after.maze) for each in singles if each.after.maze is not None]
    best = max(scores)
    found = [each for each, score in zip(singles, scores, strict=True) if score >= best - _NEAR]
    if best < seen.best_board_score - _POOR:
        found += [each for each in _pairs(state, seen) if _score(each.after, seen) >= best - _NEAR]
    return found


def _score(state: MasterState, seen: Evidence) -> float:
    return -math.inf if state.maze is None else seen.board_score(state.maze)


def _starts(state: MasterState, moves: tuple[Move, ...] = (), lines: tuple[Arrow, ...] = ()) -> Iterator[_Start]:
    """Yield the positions in which the next shift may be made."""
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


def _pushed(start: _Start, arrows: Sequence[Arrow] = ARROWS) -> Iterator[Shifted]:
    """Yield the positions after every shift, also at the closed arrow."""
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
            yield Shifted(moves, after, prior, arrow, closed, start.walker, (*start.lines, arrow), state.wand_of)


def _pairs(state: MasterState, seen: Evidence) -> Iterator[Shifted]:
    """Yield the legal pairs of shifts that fit the tiles best, with every way to make them."""
    starts = list(_starts(state))
    if not starts:
        return
    firsts = [each for each in _pushed(starts[0]) if not each.closed]
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
    for _, index, arrow, openings in list(dict.fromkeys(ranked))[:_PAIRS]:
        first = firsts[index].moves[-1]
        for start in starts:
            if not isinstance(first, Shift):
                continue
            again = replace(first, player=start.state.mover)
            middle = apply(start.state, again)
            for second in _starts(middle, (*start.moves, again), (again.arrow,)):
                for each in _pushed(second, (arrow,)):
                    if each.after.maze is not None and each.after.maze.tile(line_of(arrow)[0]) == openings:
                        yield replace(each, prior=each.prior + start.prior + TWO_LINES + _ARROW)
