"""Places where the wizards may stand after a shift, legally or not, ranked by probability. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import SPARE, Evidence, Floats
from companion.adapters.master.turns.possible_shifts import WAND, Shifted
from companion.adapters.master.turns.table_faults import Fault, FaultKind
from companion.games.master.components import PLACES, TOKENS
from companion.games.master.maze import CARRIED, Arrow, line_of, places
from companion.games.master.state import TAKEN, MasterState

STAYS: Final = 0.15
"""Prior that a wizard has not moved, or not yet."""
TAKES: Final = 0.8
"""Prior that a player who can take the next token does so."""
LEAVES: Final = 0.002
"""Prior that a player ends the move on the next token but does not take it."""
UNSEEN: Final = math.log(0.1)
"""Log-prior that no reading was made between a wizard's move and the following shift."""
UNREACHABLE: Final = 2e-3
"""Prior that a wizard is put on a place that it cannot reach."""
OUT_OF_TURN: Final = 2e-3
"""Prior that a player's wizard is moved out of turn."""
GOES_ON: Final = math.log(0.01)
"""Log-prior that a wizard goes on along open paths after its turn was entered."""
INSTEAD_OF_A_WAND: Final = math.log(0.05)
"""Logarithm of the factor on `OUT_OF_TURN` for a player who could have used a wand for an extra turn."""
MOVED_EARLY: Final = 0.02
"""Prior that a wizard is moved before the shift of its turn."""
_MAX_BELOW_BEST: Final = 12.0
"""Largest difference to the best placement's log-probability at which a placement is considered."""
_MOST_PLACEMENTS: Final = 30
"""Maximum number of placements that are considered for each shift."""
FORGOTTEN: Final = 0.02
"""Prior that a wizard or token that was pushed out is left on the spare tile."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A hypothesis where the wizards stand; at most the player to move and one other have left their places."""

    mover: int
    """Place of the wizard whose player is to move."""
    other: int | None
    """Seat of another wizard that is not where it should be; None if there is none."""
    other_place: int
    """Place of that other wizard; meaningless if `other` is None."""
    score: float
    """Sum of log-likelihood and log-prior."""
    faults: tuple[Fault, ...]
    """Faults that follow from these places; empty if they are legal."""


def _walk_priors(state: MasterState, seat: int) -> Floats:
    """Return the log-prior of each place or the spare as the end of a wizard's move, legal or not; shape (50,).

    seat: of the wizard's player.
    """
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
    """Return the likeliest placements of the wizards after the shifts of a hypothesis, best first."""
    after, latest = shifted.after, shifted.before.latest
    mover, here = after.mover, after.wizards[after.mover]
    entered = None if shifted.arrow is None else line_of(shifted.arrow)[0]
    if shifted.may_walk:
        walks = _walk_priors(after, mover)
    else:
        walks = np.full(PLACES + 1, math.log(MOVED_EARLY / PLACES))
        walks[here] = 0.0
    if here == entered:
        walks[SPARE] = math.log(FORGOTTEN)
    if shifted.taken_back is not None and shifted.taken_back.back is not None:
        walks[shifted.taken_back.back] = -np.inf  # Back where it was noted, nothing was taken back.
    scores = [seen.wizard_scores(after.wizards, mover) + walks]
    others: list[int | None] = [None]
    for other in range(len(after.players)):
        if other == mover:
            continue
        moved = np.full(PLACES + 1, math.log(OUT_OF_TURN / PLACES))
        if other == shifted.wand_of and shifted.arrow is None:
            moved = np.logaddexp(moved, WAND + _walk_priors(after, other))
        elif other == shifted.wand_of:
            moved += INSTEAD_OF_A_WAND
        if latest is not None and other == latest.shift.player:
            moved = np.logaddexp(moved, GOES_ON + _carried(_walk_priors(shifted.before, other), shifted.arrow))
        if after.wizards[other] == entered:
            moved[SPARE] = math.log(FORGOTTEN)
        if shifted.walker is not None and other == shifted.walker.seat:
            moved = _carried_priors(shifted)
        both = seen.wizard_scores(after.wizards, mover, other) + walks[:, None] + moved
        both[:, after.wizards[other]] = -np.inf
        scores.append(both.ravel())
        others.append(other)
    joined = np.concatenate(scores)
    kept = np.argsort(-joined)[:_MOST_PLACEMENTS]
    return [
        _placement(shifted, *_places_at(int(index), others), float(joined[index]))
        for index in kept
        if joined[index] >= joined[kept[0]] - _MAX_BELOW_BEST
    ]


def _places_at(index: int, others: Sequence[int | None]) -> tuple[int, int | None, int]:
    """Return (`mover`, `other`, `other_place`) of the `Placement` at an index of the concatenated scores.

    others: seat of the other wizard in each block of scores; None in the first, which has only the mover's place.
    """
    if index < PLACES + 1:
        return index, None, 0
    block, rest = divmod(index - PLACES - 1, (PLACES + 1) ** 2)
    return rest // (PLACES + 1), others[block + 1], rest % (PLACES + 1)


def _carried_priors(shifted: Shifted) -> Floats:
    """Return the log-prior of each place now for the wizard that may have moved before the latest shift.

    Shape (50,), relative to that of not having moved. A wizard in the shifted row or column is carried along.
    """
    walker = shifted.walker
    if walker is None:
        raise ValueError("Nobody moved before the shift.")
    before = _walk_priors(walker.before, walker.seat)
    relative: Floats = _carried(before, shifted.arrow) - before[walker.before.wizards[walker.seat]] + UNSEEN
    return relative


def _carried(before: Floats, arrow: Arrow | None) -> Floats:
    """Return values by place or spare before a shift, shape (50,), by the place after it.

    arrow: of the shift; None for no shift.
    """
    if arrow is None:
        return before
    after = before.copy()
    after[list(CARRIED[arrow])] = before[:PLACES]
    return after


def _placement(shifted: Shifted, mover: int, other: int | None, place: int, score: float) -> Placement:
    """Return a placement with its faults; `place` is its `other_place`, all else as its fields are named."""
    faults = []
    after = shifted.after
    here = after.wizards[after.mover]
    if mover == SPARE:
        faults.append(Fault("wizard_on_spare", seat=after.mover, back=here))
    elif mover != here and not shifted.may_walk:
        faults.append(Fault("no_shift", mover, after.mover, back=here))
    elif mover != here and not _reaches(after, after.mover, mover):
        faults.append(Fault("unreachable", mover, after.mover, back=here))
    if other is not None and not may_have_walked_to(shifted, other, place):
        back = after.wizards[other]
        kind: FaultKind = "wizard_on_spare" if place == SPARE else "out_of_turn"
        if shifted.walker is not None and other == shifted.walker.seat and kind == "out_of_turn":
            kind = "unreachable"
        elif shifted.arrow is None and other == shifted.wand_of and _reaches(after, other, place):
            kind = "wand"
        faults.append(Fault(kind, None if place == SPARE else place, other, back=back))
    return Placement(mover, other, place, score, tuple(faults))


def _reaches(state: MasterState, seat: int, place: int) -> bool:
    """Return whether a player's wizard can walk to a place; False for the spare."""
    return place != SPARE and state.maze is not None and bool(state.maze.reached(state.wizards[seat]) >> place & 1)


def may_have_walked_to(shifted: Shifted, seat: int, place: int) -> bool:
    """Return whether a wizard may legally stand on a place because it moved before the latest shift."""
    walker, arrow = shifted.walker, shifted.arrow
    if walker is None or arrow is None or seat != walker.seat or place == SPARE or walker.before.maze is None:
        return False
    before = CARRIED[arrow].index(place)
    return bool(walker.before.maze.reached(walker.before.wizards[seat]) >> before & 1)
