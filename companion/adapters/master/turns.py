"""Posterior over everything that may have been done to the board since the journal's latest move (M1–M5). Pure.

Every legal turn is one hypothesis, and so is every way in which a table can break the rules: a shift, where each
wizard stands, what was taken, and for every tile and token the chance that it lies otherwise than it should. Legal
and illegal tables thus share the probability, and an illegal one is never read as the nearest legal turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.adapters.master.evidence import NONE, SHAPES, SPARE, Evidence, Floats
from companion.adapters.master.faults import Fault
from companion.adapters.master.shifts import Shifted, possible_shifts
from companion.games.game import IllegalMove
from companion.games.master.components import LOOSE, PLACES, TOKENS
from companion.games.master.maze import CARRIED, ROTATIONS, line_of, places
from companion.games.master.moves import Move, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import TAKEN, State

TAKES: Final = 0.8
"""Prior that a player who can take the next token does."""
LEAVES: Final = 0.002
"""Prior that a player ends on the next token and leaves it lying."""
STAYS: Final = 0.15
"""Prior that a wizard has not moved, or not yet."""
UNSEEN: Final = math.log(0.1)
"""Logarithm of the prior that a move and the shift after it are made without a rest between them."""
UNREACHABLE: Final = 2e-3
"""Prior that a wizard is put where it cannot come."""
FORGOTTEN: Final = 0.02
"""Prior that what was pushed out stays on the spare tile."""
OUT_OF_TURN: Final = 1e-3
"""Prior that another wizard is moved."""
MOVED_EARLY: Final = 0.02
"""Prior that a wizard is moved before the shift."""
WRONG_TAKE: Final = 0.02
"""Prior that a token which must not be taken is taken where a wizard stands."""
PASSED_TAKE: Final = 1e-3
"""Prior that a token is taken in passing."""
LOST_TOKEN: Final = 1e-5
"""Prior that a token vanishes elsewhere."""
MOVED_TOKEN: Final = 1e-4
"""Prior that a token is moved."""
TURNED_TILE: Final = 1e-3
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
_PRESENT: Final = 4.0
"""Log-likelihood ratio of a token to nothing beyond which it surely lies there."""
_DEPTH: Final = 12.0
"""Log-likelihood below the best placement of wizards beyond which one is not considered."""
_PLACEMENTS: Final = 30
"""Placements of wizards that are considered for each shift."""


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


def turn_posterior(state: State, seen: Evidence) -> TurnPosterior:
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
    """Return the explanation that another board lies there: all tiles are equally likely."""
    tiles = np.log(np.exp(seen.tiles[list(LOOSE)]).sum(axis=1) / 10.0).sum()
    return _Candidate((), (Fault("board"),), -math.inf, OTHER_BOARD + float(tiles), False)


# Tiles


def _tile_scores(after: State, seen: Evidence) -> tuple[float, float, list[tuple[float, Fault]]]:
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


# Wizards


@dataclass(frozen=True, slots=True)
class _Placement:
    """Where the wizards stand: where they should but for the mover and one other, and what that means."""

    mover: int
    """Place of the mover."""
    other: int | None
    """Seat of another wizard that stands elsewhere."""
    other_place: int
    score: float
    """Log-likelihood and prior."""
    faults: tuple[Fault, ...]


def _walk_priors(state: State, seat: int) -> Floats:
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


def _placements(shifted: Shifted, seen: Evidence) -> list[_Placement]:
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


def _placement(shifted: Shifted, mover: int, other: int | None, place: int, score: float) -> _Placement:
    faults = []
    after = shifted.after
    here = after.wizards[after.mover]
    if mover == SPARE:
        faults.append(Fault("wizard_on_spare", seat=after.mover, back=here))
    elif mover != here and not shifted.may_walk:
        faults.append(Fault("no_shift", mover, after.mover, back=here))
    elif mover != here and after.maze is not None and not after.maze.reached(here) >> mover & 1:
        faults.append(Fault("unreachable", mover, after.mover, back=here))
    if other is not None and not _may_come(shifted, other, place):
        back = after.wizards[other]
        kind = "wizard_on_spare" if place == SPARE else "out_of_turn"
        if shifted.walker is not None and other == shifted.walker.seat and kind == "out_of_turn":
            kind = "unreachable"
        faults.append(Fault(kind, None if place == SPARE else place, other, back=back))  # type: ignore[arg-type]
    return _Placement(mover, other, place, score, tuple(faults))


def _may_come(shifted: Shifted, seat: int, place: int) -> bool:
    """Return whether a player whose move came before the latest shift may stand at a place after it."""
    walker, arrow = shifted.walker, shifted.arrow
    if walker is None or arrow is None or seat != walker.seat or place == SPARE or walker.before.maze is None:
        return False
    before = CARRIED[arrow].index(place)
    return bool(walker.before.maze.reached(walker.before.wizards[seat]) >> before & 1)


# Turns


def _candidates(shifted: Shifted, seen: Evidence) -> Iterator[_Candidate]:
    """Yield the explanations that begin with these shifts."""
    tile_legal, tile_total, tile_faults = _tile_scores(shifted.after, seen)
    discs = _Discs.of(shifted.after, seen)
    shift_faults = [Fault("closed", arrow=shifted.arrow)] if shifted.closed else []
    for placement in _placements(shifted, seen):
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
            )


def _endings(shifted: Shifted, placement: _Placement) -> Iterator[tuple[tuple[Move, ...], State, float]]:
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


def _walked_before(shifted: Shifted, placement: _Placement) -> Iterator[tuple[tuple[Move, ...], State, float]]:
    walker, arrow = shifted.walker, shifted.arrow
    moved = walker is not None and placement.other == walker.seat
    if walker is None or arrow is None or not moved or not _may_come(shifted, walker.seat, placement.other_place):
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


def _at_closed_arrow(after: State, shifted: Shifted) -> State:
    """Return the position after the shift at the closed arrow that a walk came before."""
    return replace(shifted.after, players=after.players, tokens=shifted.after.tokens)


def _walked(
    moves: tuple[Move, ...], state: State, seat: int, place: int, prior: float
) -> Iterator[tuple[tuple[Move, ...], State, float]]:
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


def _put(state: State, seat: int, place: int) -> State:
    """Return the position with a wizard put somewhere, against the rules."""
    return replace(state, wizards=tuple(place if each == seat else at for each, at in enumerate(state.wizards)))


# Tokens


@dataclass(frozen=True, eq=False)
class _Discs:
    """What is seen of tokens on each place, once for all turns with the same shift."""

    seen: Evidence
    elsewhere: Floats
    """Odds of each token to nothing on each place where none should lie, shape (50, 21)."""
    anywhere: Floats
    """Sum over all places of the board, shape (21,)."""

    @classmethod
    def of(cls, after: State, seen: Evidence) -> _Discs:
        rows = seen.tokens
        odds = np.exp(np.minimum(50.0, rows[:, :NONE] - rows[:, NONE:]))
        odds[[place for place in after.tokens if place != TAKEN]] = 0.0
        return cls(seen, odds, odds[:PLACES].sum(axis=0))

    def scores(
        self, shifted: Shifted, placement: _Placement, after: State
    ) -> tuple[float, float, list[tuple[float, Fault]]]:
        """Return the log-likelihood of tokens as they should be, with all that may be wrong, and likely faults."""
        rows, below = self.seen.tokens, self.seen.tokens_below
        standing = {placement.mover, *after.wizards}
        if placement.other is not None:
            standing.add(placement.other_place)
        score = float(rows[:, NONE].sum())
        for place in standing:
            if place < PLACES:
                score += float(below[place, NONE] - rows[place, NONE])
        total, faults = score, []
        entered = None if shifted.arrow is None else line_of(shifted.arrow)[0]
        for index, place in enumerate(after.tokens):
            if place == TAKEN:
                continue
            row = below[place] if place in standing else rows[place]
            gain = float(row[index] - row[NONE])
            score += gain
            total += gain
            if gain > _PRESENT:
                continue
            gone = math.exp(-gain)
            options = [
                (_gone_prior(shifted, placement, place) * gone, _gone(shifted, placement, index, place)),
                (MOVED_TOKEN / PLACES * gone * float(self.anywhere[index]), self._moved(index, place)),
            ]
            if place == entered:
                left = FORGOTTEN * gone * float(self.elsewhere[SPARE, index])
                options.append((left, Fault("token_on_spare", None, token=TOKENS[index], back=place)))
            wrong = math.fsum(odds for odds, _ in options)
            total += math.log1p(wrong)
            faults.append((wrong, max(options, key=lambda each: each[0])[1]))
        return score, total, faults

    def _moved(self, index: int, place: int) -> Fault:
        there = int(self.elsewhere[:PLACES, index].argmax())
        return Fault("token_moved", there, token=TOKENS[index], back=place)


def _gone_prior(shifted: Shifted, placement: _Placement, place: int) -> float:
    """Return the prior that a token is gone that should lie there."""
    if placement.mover == place:
        return WRONG_TAKE
    after = shifted.after
    here = after.wizards[after.mover]
    passed = shifted.may_walk and after.maze is not None and after.maze.reached(here) >> place & 1
    return PASSED_TAKE if passed else LOST_TOKEN


def _gone(shifted: Shifted, placement: _Placement, index: int, place: int) -> Fault:
    number = TOKENS[index]
    if placement.mover != place:
        return Fault("missing", place, token=number)
    if number == shifted.after.next_token:
        return Fault("standing", place, shifted.after.mover, token=number)
    return Fault("wrong_token", place, shifted.after.mover, token=number, due=shifted.after.next_token)
