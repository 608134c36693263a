"""Posterior over everything that may have been done to the board since the journal's latest move (M1–M5). Pure.

Every legal turn is one hypothesis, and so is every way in which a table can break the rules: a shift, where each
wizard stands, what was taken, and for every tile and token the chance that it lies wrongly. Both kinds share the
probability, so that an illegal table is never read as the nearest legal turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_evidence import SHAPES, SPARE, Evidence
from companion.adapters.master.turns.faults import Fault
from companion.adapters.master.turns.possible_shifts import Shifted, possible_shifts
from companion.adapters.master.turns.token_scores import TokenScores
from companion.adapters.master.turns.wizard_placements import LEAVES, TAKES, Placement, may_come, placements
from companion.games.game import IllegalMove
from companion.games.master.components import LOOSE
from companion.games.master.maze import CARRIED, ROTATIONS
from companion.games.master.moves import Move, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState

TURNED_TILE: Final = 3e-4
"""Prior that a loose tile is turned by accident."""
OTHER_TILE: Final = 1e-5
"""Prior that a loose tile is another one."""
OTHER_SPARE: Final = 1e-4
"""Prior that the spare is another one."""
OTHER_BOARD: Final = math.log(1e-6)
"""Logarithm of the prior that another board lies there."""
_OTHER_SHAPES: Final = tuple(
    tuple(value for value in range(16) if SHAPES[value] not in ("", SHAPES[tile])) for tile in range(16)
)
"""The possible openings of another tile, by the openings of one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A legal turn, or the part of it that was made."""

    moves: tuple[Move, ...]
    """Empty where nothing was done. A wizard that has not moved may still do so: `Stay` is not among them."""
    probability: float
    two_lines: bool = False
    """Whether two lines were pushed since the latest reading."""


@dataclass(frozen=True, slots=True)
class TurnPosterior:
    """What may have been done."""

    turns: tuple[Turn, ...]
    """Legal ones, likeliest first; those of hardly any probability are left out."""
    illegal: float
    """Probability that something is wrong on the table."""
    faults: tuple[Fault, ...] = ()
    """What is wrong in the likeliest illegal explanation."""
    nearest: tuple[Move, ...] = ()
    """The legal moves in that explanation."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    moves: tuple[Move, ...]
    faults: tuple[Fault, ...]
    legal: float
    """Log-probability without any fault; minus infinity where the placement itself is one."""
    total: float
    """Log-probability with all faults that are possible."""
    two_lines: bool
    tiles: float = 0.0
    """The part of `total` that the tiles have."""


def turn_posterior(state: MasterState, seen: Evidence) -> TurnPosterior:
    """Return the posterior over all turns. Raises ValueError in a state without a board or after play."""
    if state.maze is None or state.phase not in ("shift", "walk"):
        raise ValueError("No turn is made in this state.")
    found = [each for shifted in possible_shifts(state, seen) for each in _candidates(shifted, seen)]
    found.append(_other_board(found, seen))
    top = max(max(each.total, each.legal) for each in found)
    total = math.fsum(math.exp(each.total - top) for each in found)
    legal: dict[tuple[Move, ...], tuple[float, bool]] = {}
    for each in found:
        if each.legal > -math.inf:
            before = legal.get(each.moves, (0.0, each.two_lines))[0]
            legal[each.moves] = (before + math.exp(each.legal - top) / total, each.two_lines)
    turns = [Turn(moves, min(1.0, p), two) for moves, (p, two) in legal.items() if p > 1e-4]
    turns.sort(key=lambda turn: -turn.probability)
    # The part of a candidate's probability that is not legal belongs to its faults.
    wrong = max(found, key=lambda each: each.total + math.log1p(-min(0.999999, math.exp(each.legal - each.total))))
    illegal = max(0.0, 1.0 - math.fsum(p for p, _ in legal.values()))
    return TurnPosterior(tuple(turns), illegal, wrong.faults, wrong.moves)


def _other_board(found: Sequence[_Candidate], seen: Evidence) -> _Candidate:
    """Return the explanation that another board lies there: all tiles are equally likely, the rest fits best."""
    tiles = float(np.log(np.exp(seen.tiles[list(LOOSE)]).sum(axis=1) / 10.0).sum())
    rest = max(each.total - each.tiles for each in found)
    return _Candidate((), (Fault("board"),), -math.inf, OTHER_BOARD + tiles + rest, two_lines=False)


# Tiles


def _tile_scores(after: MasterState, seen: Evidence) -> tuple[float, float, list[tuple[float, Fault]]]:
    """Return the log-likelihood of tiles as they should be, with all that may be wrong, and likely faults."""
    maze = after.maze
    if maze is None:
        raise ValueError("There is no board.")
    legal = total = 0.0
    faults = []
    likelihoods = np.exp(seen.tiles)
    for place in LOOSE:
        should = maze.tile(place)
        row = likelihoods[place].tolist()
        right = row[should]
        turned = max((row[other] for other in ROTATIONS[should] if other != should), default=0.0)
        other = max(row[value] for value in _OTHER_SHAPES[should])
        wrong = TURNED_TILE * turned + OTHER_TILE * other
        legal += math.log(right)
        total += math.log(right + wrong)
        faults.append((wrong / right, Fault("tile", place)))
    right = math.exp(seen.spare[maze.spare])
    wrong = OTHER_SPARE * math.exp(float(seen.spare.max()))
    legal += math.log(right)
    total += math.log(right + wrong)
    faults.append((wrong / right, Fault("spare")))
    return legal, total, [each for each in faults if each[0] > 1e-3]


# Turns


def _candidates(shifted: Shifted, seen: Evidence) -> Iterator[_Candidate]:
    """Yield the explanations that begin with these shifts."""
    tile_legal, tile_total, tile_faults = _tile_scores(shifted.after, seen)
    discs = TokenScores.of(shifted.after, seen)
    shift_faults = [Fault("closed", arrow=shifted.arrow)] if shifted.closed else []
    for placement in placements(shifted, seen):
        for moves, after, prior in _endings(shifted, placement):
            token_legal, token_total, token_faults = discs.scores(shifted, placement, after)
            base = shifted.prior + placement.score + prior
            certain = [*shift_faults, *placement.faults]
            possible = sorted([*tile_faults, *token_faults], key=lambda each: -each[0])
            likely = [fault for odds, fault in possible if odds > 1.0]
            if not certain and not likely:
                likely = [fault for _, fault in possible[:1]]
            yield _Candidate(
                moves,
                (*certain, *likely),
                -math.inf if certain else base + tile_legal + token_legal,
                base + tile_total + token_total,
                len(shifted.lines) > 1,
                tile_total,
            )


def _endings(shifted: Shifted, placement: Placement) -> Iterator[tuple[tuple[Move, ...], MasterState, float]]:
    """Yield the moves of a placement, the position after them, and the log-prior of what was taken.

    Moves that are illegal are left out, so that the position is the nearest legal one.
    """
    for moves, after, prior in _walked_before(shifted, placement):
        here = after.wizards[after.mover]
        place = placement.mover
        if not shifted.may_walk or place in (here, SPARE):
            yield moves, after, prior
            continue
        yield from _walked(moves, after, after.mover, place, prior)


def _walked_before(shifted: Shifted, placement: Placement) -> Iterator[tuple[tuple[Move, ...], MasterState, float]]:
    walker, arrow = shifted.walker, shifted.arrow
    moved = walker is not None and placement.other == walker.seat
    if walker is None or arrow is None or not moved or not may_come(shifted, walker.seat, placement.other_place):
        yield shifted.moves, shifted.after, 0.0
        return
    before = CARRIED[arrow].index(placement.other_place)
    for (walk,), after, prior in _walked((), walker.before, walker.seat, before, 0.0):
        moves = (*shifted.moves[: walker.index], walk, *shifted.moves[walker.index + 1 :])
        try:
            for move in moves[walker.index + 1 :]:
                after = apply(after, move)
        except IllegalMove:
            continue
        yield moves, _at_closed_arrow(after, shifted) if shifted.closed else after, prior


def _at_closed_arrow(after: MasterState, shifted: Shifted) -> MasterState:
    """Return the position after the shift at the closed arrow that a walk came before."""
    return replace(shifted.after, players=after.players, tokens=shifted.after.tokens)


def _walked(
    moves: tuple[Move, ...], state: MasterState, seat: int, place: int, prior: float
) -> Iterator[tuple[tuple[Move, ...], MasterState, float]]:
    number = state.next_token
    takes = number is not None and state.token_at(place) == number
    for take, share in ((True, TAKES), (False, LEAVES)) if takes else ((False, 1.0),):
        move = Walk(seat, place, take)
        part = math.log(share / (TAKES + LEAVES)) if takes else 0.0
        try:
            yield (*moves, move), apply(state, move), prior + part
        except IllegalMove:
            if not take:
                yield moves, _put(state, seat, place), prior


def _put(state: MasterState, seat: int, place: int) -> MasterState:
    """Return the position with a wizard put somewhere, against the rules."""
    return replace(state, wizards=tuple(place if each == seat else at for each, at in enumerate(state.wizards)))
