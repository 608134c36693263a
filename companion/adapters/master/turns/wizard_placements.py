"""Where the wizards may stand after a shift, as the rules allow it or against them. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_evidence import SPARE, Evidence, Floats
from companion.adapters.master.turns.faults import Fault, FaultKind
from companion.adapters.master.turns.possible_shifts import Shifted
from companion.games.master.components import PLACES, TOKENS
from companion.games.master.maze import CARRIED, line_of, places
from companion.games.master.state import TAKEN, MasterState

STAYS: Final = 0.15
"""Prior that a wizard has not moved, or not yet."""
TAKES: Final = 0.8
"""Prior that a player who can take the next token does."""
LEAVES: Final = 0.002
"""Prior that a player ends on the next token and leaves it lying."""
UNSEEN: Final = math.log(0.1)
"""Logarithm of the prior that a move and the shift after it are made without a rest between them."""
UNREACHABLE: Final = 2e-3
"""Prior that a wizard is put where it cannot come."""
OUT_OF_TURN: Final = 2e-3
"""Prior that another wizard is moved."""
INSTEAD_OF_A_WAND: Final = math.log(0.05)
"""Logarithm of the factor of that prior for a player who might have used a wand."""
MOVED_EARLY: Final = 0.02
"""Prior that a wizard is moved before the shift."""
_DEPTH: Final = 12.0
"""Log-likelihood below the best placement of wizards beyond which one is not considered."""
_PLACEMENTS: Final = 30
"""Placements of wizards that are considered for each shift."""
FORGOTTEN: Final = 0.02
"""Prior that what was pushed out stays on the spare tile."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the wizards stand: where they should but for the mover and one other, and what that means."""

    mover: int
    """Place of the mover."""
    other: int | None
    """Seat of another wizard that stands elsewhere."""
    other_place: int
    score: float
    """Log-likelihood and prior."""
    faults: tuple[Fault, ...]


def _walk_priors(state: MasterState, seat: int) -> Floats:
    """Return the log-prior of each place where the move of a player may end, shape (50,); illegal ones too."""
    if state.maze is None:
        raise ValueError("There is no board.")
    here = state.wizards[seat]
    reached = places(state.maze.reached(here))
    number = state.next_token
    goal = state.tokens[TOKENS.index(number)] if number is not None else TAKEN
    priors = np.full(PLACES + 1, UNREACHABLE / PLACES)
    others = [place for place in reached if place not in (here, goal)]
    takes = goal in reached and goal != here
    free = 1.0 - STAYS - (TAKES + LEAVES if takes else 0.0)
    priors[others] = free / max(1, len(others))
    priors[here] = STAYS
    if takes:
        priors[goal] = TAKES + LEAVES
    logarithms: Floats = np.log(priors)
    return logarithms


def placements(shifted: Shifted, seen: Evidence) -> list[Placement]:
    """Return the likeliest placements of the wizards after a shift."""
    after = shifted.after
    mover, here = after.mover, after.wizards[after.mover]
    entered = None if shifted.arrow is None else line_of(shifted.arrow)[0]
    if shifted.may_walk:
        walks = _walk_priors(after, mover)
    else:
        walks = np.full(PLACES + 1, math.log(MOVED_EARLY / PLACES))
        walks[here] = 0.0
    if here == entered:
        walks[SPARE] = math.log(FORGOTTEN)
    scores = [seen.wizard_scores(after.wizards, mover) + walks]
    others: list[int | None] = [None]
    for other in range(len(after.players)):
        if other == mover:
            continue
        moved = np.full(PLACES + 1, math.log(OUT_OF_TURN / PLACES))
        if other == shifted.wand_of:
            moved += INSTEAD_OF_A_WAND
        if after.wizards[other] == entered:
            moved[SPARE] = math.log(FORGOTTEN)
        if shifted.walker is not None and other == shifted.walker.seat:
            moved = _carried_priors(shifted)
        both = seen.wizard_scores(after.wizards, mover, other) + walks[:, None] + moved
        both[:, after.wizards[other]] = -np.inf
        scores.append(both.ravel())
        others.append(other)
    joined = np.concatenate(scores)
    kept = np.argsort(-joined)[:_PLACEMENTS]
    return [
        _placement(shifted, *_where(int(index), others), float(joined[index]))
        for index in kept
        if joined[index] >= joined[kept[0]] - _DEPTH
    ]


def _where(index: int, others: Sequence[int | None]) -> tuple[int, int | None, int]:
    """Return mover's place, other seat and its place of an index into the joined scores."""
    if index < PLACES + 1:
        return index, None, 0
    block, rest = divmod(index - PLACES - 1, (PLACES + 1) ** 2)
    return rest // (PLACES + 1), others[block + 1], rest % (PLACES + 1)


def _carried_priors(shifted: Shifted) -> Floats:
    """Return the log-prior of each place of the player whose move may have come before the latest shift."""
    walker, arrow = shifted.walker, shifted.arrow
    if walker is None or arrow is None:
        raise ValueError("Nobody moved before the shift.")
    stays = walker.before.wizards[walker.seat]
    before = _walk_priors(walker.before, walker.seat)
    priors = np.empty_like(before)
    priors[list(CARRIED[arrow])] = before[:PLACES]
    priors[SPARE] = before[SPARE]
    relative: Floats = priors - before[stays] + UNSEEN
    return relative


def _placement(shifted: Shifted, mover: int, other: int | None, place: int, score: float) -> Placement:
    faults = []
    after = shifted.after
    here = after.wizards[after.mover]
    if mover == SPARE:
        faults.append(Fault("wizard_on_spare", seat=after.mover, back=here))
    elif mover != here and not shifted.may_walk:
        faults.append(Fault("no_shift", mover, after.mover, back=here))
    elif mover != here and after.maze is not None and not after.maze.reached(here) >> mover & 1:
        faults.append(Fault("unreachable", mover, after.mover, back=here))
    if other is not None and not may_come(shifted, other, place):
        back = after.wizards[other]
        kind: FaultKind = "wizard_on_spare" if place == SPARE else "out_of_turn"
        if shifted.walker is not None and other == shifted.walker.seat and kind == "out_of_turn":
            kind = "unreachable"
        faults.append(Fault(kind, None if place == SPARE else place, other, back=back))
    return Placement(mover, other, place, score, tuple(faults))


def may_come(shifted: Shifted, seat: int, place: int) -> bool:
    """Return whether a player whose move came before the latest shift may stand at a place after it."""
    walker, arrow = shifted.walker, shifted.arrow
    if walker is None or arrow is None or seat != walker.seat or place == SPARE or walker.before.maze is None:
        return False
    before = CARRIED[arrow].index(place)
    return bool(walker.before.maze.reached(walker.before.wizards[seat]) >> before & 1)
