"""The best board that a soul phase can end with, and a short way to it."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from companion.games.wicked.adviser.bound import Bound
from companion.games.wicked.adviser.packed_board import (
    CHANGES,
    CHANGES_MASK,
    ONE_CHANGE,
    ONE_PROMOTION,
    PROMOTIONS,
    SoulPhase,
)
from companion.games.wicked.adviser.valuation import BoardEvaluator

FEW = 1000
"""So many boards are tried one by one; where there are more, a bound is worth its time."""
MOST = 20_000
"""Boards without spells to bound before giving up, which takes about half a second; fewer with spells."""
_HANDFUL = 2, 1
"""Promotion and colour-change spells that are hardly ever too many to be sure."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best board, and the boards on the way to it, the first one and it included.

    proved: nothing better is reachable. shortest: nor is it, or one worth as much, in fewer actions. tried: how
    many boards were looked at.
    """

    way: tuple[int, ...]
    value: int
    proved: bool
    shortest: bool
    tried: int


def best(phase: SoulPhase, judge: BoardEvaluator, few: int = FEW, most: int = MOST) -> SearchResult:
    """Find the best board of a phase: by trying all where they are few, else by what promises most.

    Where that takes too long, spells are spent a handful at a time: a good way, but nothing is proved.
    """
    found = _by_trying(phase, judge, phase.start, few) or _by_promise(phase, judge, phase.start, most)
    if not found.proved:
        way = _by_handfuls(phase, judge, most)
        value = judge.value(way[-1])
        found = found if found.value >= value else SearchResult(way, value, False, False, found.tried)
    return found if found.shortest else _tightened(phase, judge, found)


def _by_trying(phase: SoulPhase, judge: BoardEvaluator, start: int, few: int) -> SearchResult | None:
    """Try every board in the order of how many actions lead to it; None where they are too many."""
    value, steps = judge.value, phase.steps
    came_from = {start: start}
    winner, highest = start, value(start)
    queue = [start]
    for board in queue:
        for after in steps(board):
            if after not in came_from:
                came_from[after] = board
                queue.append(after)
                worth = value(after)
                if worth > highest:
                    winner, highest = after, worth
        if len(queue) > few:
            return None
    return SearchResult(_way(came_from, winner), highest, True, True, len(queue))


def _by_promise(phase: SoulPhase, judge: BoardEvaluator, start: int, most: int) -> SearchResult:
    """Go on with the board that promises most until none promises more than the best one found.

    A board waits with what the one before it promised, and is bounded only when its turn comes: most never are.
    """
    bound = Bound(judge)
    came_from = {start: start}
    winner, highest = start, judge.value(start)
    # Among equals, what is worth more already comes first, then what keeps more spells.
    waiting = [(-bound(start), -highest, -start, True)]
    most //= bound.effort(start)
    tried = 1
    while waiting and -waiting[0][0] > highest and tried < most:
        promise, worth, board, bounded = heappop(waiting)
        board = -board
        if not bounded:
            tried += 1
            own = -bound(board)
            if own > promise:
                heappush(waiting, (own, worth, -board, True))
                continue
        for after in phase.steps(board):
            if after not in came_from:
                came_from[after] = board
                value = judge.value(after)
                if value > highest:
                    winner, highest = after, value
                heappush(waiting, (promise, -value, -after, False))
    proved = not waiting or -waiting[0][0] <= highest
    return SearchResult(_way(came_from, winner), highest, proved, False, tried)


def _by_handfuls(phase: SoulPhase, judge: BoardEvaluator, most: int) -> tuple[int, ...]:
    """Find a good way by looking at a few spells at a time, as if the others were not there."""
    way = [phase.start]
    while True:
        board = way[-1]
        kept = ONE_PROMOTION * max(0, (board >> PROMOTIONS) - _HANDFUL[0])
        kept += ONE_CHANGE * max(0, (board >> CHANGES & CHANGES_MASK) - _HANDFUL[1])
        found = _by_promise(phase, judge, board - kept, most)
        if len(found.way) == 1:
            return tuple(way)
        way += [after + kept for after in found.way[1:]]


def _tightened(phase: SoulPhase, judge: BoardEvaluator, found: SearchResult) -> SearchResult:
    """Leave out, one by one, actions without which the others are still legal and lead to as much."""
    way, place = found.way, 1
    while place < len(way):
        change = way[place] - way[place - 1]
        shorter = (*way[:place], *(board - change for board in way[place + 1 :]))
        legal = all(after in phase.steps(board) for board, after in pairwise(shorter[place - 1 :]))
        if legal and judge.value(shorter[-1]) >= judge.value(way[-1]):
            way, place = shorter, 1
        else:
            place += 1
    return SearchResult(way, judge.value(way[-1]), found.proved, False, found.tried)


def _way(came_from: dict[int, int], board: int) -> tuple[int, ...]:
    way = [board]
    while came_from[board] != board:
        board = came_from[board]
        way.append(board)
    return tuple(reversed(way))
