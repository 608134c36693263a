"""Posterior over the turns that may have been played since the latest move in the journal (M1–M5). Pure.

A hypothesis consists of a shift, the wizards' places and the tokens taken, with or without faults: things that
break the rules. Legal and faulty hypotheses share one distribution, so that an illegal table is not taken for the
most similar legal turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import SHAPES, SPARE, Evidence
from companion.adapters.master.turns.possible_shifts import Shifted, possible_shifts
from companion.adapters.master.turns.table_faults import Fault
from companion.adapters.master.turns.token_likelihoods import TokenLikelihoods
from companion.adapters.master.turns.wizard_placements import (
    LEAVES,
    TAKES,
    Placement,
    may_have_walked_to,
    placements,
)
from companion.games.game import IllegalMove
from companion.games.master.components import LOOSE
from companion.games.master.maze import CARRIED, ROTATIONS
from companion.games.master.moves import Move, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import TAKEN, MasterState

TURNED_TILE: Final = 3e-4
"""Prior that a loose tile was turned by accident."""
OTHER_TILE: Final = 1e-5
"""Prior that a loose tile was replaced by one of another shape."""
OTHER_SPARE: Final = 1e-4
"""Prior that the spare was replaced by one of another shape."""
OTHER_BOARD: Final = math.log(1e-6)
"""Log-prior that a different board lies on the table."""
_OTHER_SHAPES: Final = tuple(
    tuple(value for value in range(16) if SHAPES[value] not in ("", SHAPES[tile])) for tile in range(16)
)
"""All openings of tiles of another shape, by the openings of a tile; both as four bits."""


@dataclass(frozen=True, slots=True)
class PossibleTurn:
    """A legal turn, or the part of one that was made so far."""

    moves: tuple[Move, ...]
    """Moves; empty if nothing was done. They do not end with `Stay`, since the wizard may still move."""
    probability: float
    """Posterior probability."""
    two_lines: bool = False
    """Whether two shifts were made since the latest reading."""


@dataclass(frozen=True, slots=True)
class TurnPosterior:
    """Probabilities of legal turns and of faults."""

    turns: tuple[PossibleTurn, ...]
    """Legal turns, likeliest first; those below 0.0001 are left out."""
    illegal: float
    """Probability that the table has a fault."""
    faults: tuple[Fault, ...] = ()
    """Faults of the likeliest hypothesis that has any."""
    nearest: tuple[Move, ...] = ()
    """The legal moves of that hypothesis."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A hypothesis of a shift, wizards' places and tokens taken."""

    moves: tuple[Move, ...]
    """Its legal moves."""
    faults: tuple[Fault, ...]
    """Faults that it certainly or probably has; the likeliest one if none is probable."""
    legal: float
    """Log-probability without any fault; minus infinity if a shift or place breaks the rules."""
    total: float
    """Log-probability summed over all possible faults and none."""
    two_lines: bool
    """Whether it has two shifts."""
    tiles: float = 0.0
    """Part of `total` that comes from the tiles."""


def turn_posterior(state: MasterState, seen: Evidence) -> TurnPosterior:
    """Return the probabilities of all legal turns and of faults, given evidence about the board now.

    state: position in the journal. Raises ValueError in a state without a board or after the end of play.
    """
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
    turns = [PossibleTurn(moves, min(1.0, p), two) for moves, (p, two) in legal.items() if p > 1e-4]
    turns.sort(key=lambda turn: -turn.probability)
    # The part of a candidate's probability that is not legal belongs to its faults.
    wrong = max(found, key=lambda each: each.total + math.log1p(-min(0.999999, math.exp(each.legal - each.total))))
    illegal = max(0.0, 1.0 - math.fsum(p for p, _ in legal.values()))
    return TurnPosterior(tuple(turns), illegal, wrong.faults, wrong.moves)


def _other_board(found: Sequence[_Candidate], seen: Evidence) -> _Candidate:
    """Return the hypothesis that a different board lies on the table.

    All openings of each loose tile are equally probable then; tokens and wizards fit as in the best candidate.
    """
    tiles = float(np.log(np.exp(seen.tiles[list(LOOSE)]).sum(axis=1) / 10.0).sum())
    rest = max(each.total - each.tiles for each in found)
    return _Candidate((), (Fault("board"),), -math.inf, OTHER_BOARD + tiles + rest, two_lines=False)


# Tiles


def _tile_scores(after: MasterState, seen: Evidence) -> tuple[float, float, list[tuple[float, Fault]]]:
    """Return the log-likelihood of all tiles without faults, that allowing for faults, and (odds, fault) pairs.

    The odds are those of a fault to none. after: position after the shift.
    """
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
    """Yield the hypotheses of whole turns that begin with these shifts."""
    tile_legal, tile_total, tile_faults = _tile_scores(shifted.after, seen)
    discs = TokenLikelihoods.of(shifted.after, seen)
    shift_faults = [Fault("closed", arrow=shifted.arrow)] if shifted.closed else []
    for placement in placements(shifted, seen):
        for moves, after, prior in _endings(shifted, placement):
            token_legal, token_total, token_faults = discs.scores(shifted, placement, after)
            base = shifted.prior + placement.score + prior
            certain = [*shift_faults, *placement.faults]
            possible = sorted([*tile_faults, *token_faults], key=lambda each: -each[0])
            likely = [fault for odds, fault in possible if odds > 1.0]
            if shifted.taken_back is not None:
                # Once the entry is undone, the table is read again, and with it whatever else is wrong.
                moves, certain, likely = (), [shifted.taken_back], []
            elif not certain and not likely:
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
    """Yield (legal moves, position after them, log-prior) by which the wizards came to their places.

    The log-prior is that of taking or leaving the token where a move ended. An illegal wizard's move is not among
    the moves, but the wizard stands there in the position.
    """
    for moves, after, prior in _with_earlier_walk(shifted, placement):
        here = after.wizards[after.mover]
        place = placement.mover
        if not shifted.may_walk or place in (here, SPARE):
            yield moves, after, prior
            continue
        yield from _with_walk(moves, after, after.mover, place, prior)


def _with_earlier_walk(
    shifted: Shifted, placement: Placement
) -> Iterator[tuple[tuple[Move, ...], MasterState, float]]:
    """Yield (moves, position, log-prior) as `_endings` does, but only up to the latest shift.

    They contain the wizard's move before that shift which the placement requires. If it requires none, these are
    the moves and the position of the shifts alone, and 0.
    """
    walker, arrow = shifted.walker, shifted.arrow
    moved = walker is not None and placement.other == walker.seat
    if (
        walker is None
        or arrow is None
        or not moved
        or not may_have_walked_to(shifted, walker.seat, placement.other_place)
    ):
        yield shifted.moves, shifted.after, 0.0
        return
    before = CARRIED[arrow].index(placement.other_place)
    for (walk,), after, prior in _with_walk((), walker.before, walker.seat, before, 0.0):
        moves = (*shifted.moves[: walker.index], walk, *shifted.moves[walker.index + 1 :])
        try:
            for move in moves[walker.index + 1 :]:
                after = apply(after, move)
        except IllegalMove:
            continue
        yield moves, _at_closed_arrow(after, shifted) if shifted.closed else after, prior


def _at_closed_arrow(after: MasterState, shifted: Shifted) -> MasterState:
    """Return the position after an illegal shift at the closed arrow, without tokens taken before it.

    after: position just before that shift.
    """
    pairs = zip(after.tokens, shifted.after.tokens, strict=True)
    tokens = tuple(TAKEN if before == TAKEN else place for before, place in pairs)
    return replace(shifted.after, players=after.players, tokens=tokens)


def _with_walk(
    moves: tuple[Move, ...], state: MasterState, seat: int, place: int, prior: float
) -> Iterator[tuple[tuple[Move, ...], MasterState, float]]:
    """Yield (moves, position after them, log-prior) with a wizard's move to a place added.

    If the next token lies there: once with it taken, once with it left. If the place cannot be reached, the moves
    stay the same, but the wizard stands there. moves, state, prior: before the wizard's move.
    """
    number = state.next_token
    takes = number is not None and state.token_at(place) == number
    for take, share in ((True, TAKES), (False, LEAVES)) if takes else ((False, 1.0),):
        move = Walk(seat, place, take)
        part = math.log(share / (TAKES + LEAVES)) if takes else 0.0
        try:
            yield (*moves, move), apply(state, move), prior + part
        except IllegalMove:
            if not take:
                yield moves, _with_wizard_at(state, seat, place), prior


def _with_wizard_at(state: MasterState, seat: int, place: int) -> MasterState:
    """Return the state with a player's wizard put on a place, whether it can reach it by the rules or not."""
    return replace(state, wizards=tuple(place if each == seat else at for each, at in enumerate(state.wizards)))
