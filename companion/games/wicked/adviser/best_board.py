"""Finds the best board that a soul phase can end with, and a short sequence of actions to it."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from companion.games.wicked.adviser.packed_board import (
    CHANGES,
    CHANGES_MASK,
    ONE_CHANGE,
    ONE_PROMOTION,
    PROMOTIONS,
    SoulPhase,
)
from companion.games.wicked.adviser.upper_bound import Bound
from companion.games.wicked.adviser.valuation import BoardEvaluator

MAX_EXHAUSTIVE_BOARDS = 1000
"""Reachable boards up to which all are searched; with more, branch and bound is faster."""
MAX_BOUNDED_BOARDS = 20_000
"""Upper bounds computed before the proof is given up, about half a second; fewer for boards with spells."""
_SPELLS_AT_A_TIME = 2, 1
"""Promotion and colour-change spells that a partial search may spend; so few that it mostly finds the optimum."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best board found, with the actions that lead to it; boards are packed as by `SoulPhase.pack`."""

    path: tuple[int, ...]
    """The boards from the first to the best one; each follows from the previous one by one action."""
    value: int
    """Value of the best board, in units of the valuation."""
    proved: bool
    """Whether it is proven that no better board is reachable."""
    shortest: bool
    """Whether it is proven that no equally good board is reachable in fewer actions."""
    tried: int
    """Number of boards searched."""


def find_best_board(
    phase: SoulPhase,
    evaluator: BoardEvaluator,
    few: int = MAX_EXHAUSTIVE_BOARDS,
    most: int = MAX_BOUNDED_BOARDS,
) -> SearchResult:
    """Return the path to the best board that a soul phase can end with: by exhaustive search, or branch and bound.

    few: reachable boards up to which the search is exhaustive. most: upper bounds to compute before the proof is
    given up; then the search spends a few spells at a time, and the result is good but not proven.
    """
    found = _exhaustive(phase, evaluator, phase.start, few) or _best_first(phase, evaluator, phase.start, most)
    if not found.proved:
        path = _few_spells_at_a_time(phase, evaluator, most)
        value = evaluator.value(path[-1])
        found = found if found.value >= value else SearchResult(path, value, False, False, found.tried)
    return found if found.shortest else _without_needless_actions(phase, evaluator, found)


def _exhaustive(phase: SoulPhase, evaluator: BoardEvaluator, start: int, few: int) -> SearchResult | None:
    """Return the path to the best of all reachable boards, searched breadth-first; None for more than `few`."""
    value, steps = evaluator.value, phase.steps
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
    return SearchResult(_path_to(came_from, winner), highest, True, True, len(queue))


def _best_first(phase: SoulPhase, evaluator: BoardEvaluator, start: int, most: int) -> SearchResult:
    """Return the path to the best board of a best-first search, which ends when no upper bound exceeds its value.

    most: upper bounds to compute before the search ends without proof; fewer for boards with spells.
    A board is queued with its predecessor's bound; its own is computed only when it is taken from the queue.
    """
    bound = Bound(evaluator)
    came_from = {start: start}
    winner, highest = start, evaluator.value(start)
    # Among equals, the more valuable board comes first, then the one with more spells.
    waiting = [(-bound(start), -highest, -start, True)]
    most //= bound.effort(start)
    tried = 1
    while waiting and -waiting[0][0] > highest and tried < most:
        limit, worth, board, bounded = heappop(waiting)
        board = -board
        if not bounded:
            tried += 1
            own = -bound(board)
            if own > limit:
                heappush(waiting, (own, worth, -board, True))
                continue
        for after in phase.steps(board):
            if after not in came_from:
                came_from[after] = board
                value = evaluator.value(after)
                if value > highest:
                    winner, highest = after, value
                heappush(waiting, (limit, -value, -after, False))
    proved = not waiting or -waiting[0][0] <= highest
    return SearchResult(_path_to(came_from, winner), highest, proved, False, tried)


def _few_spells_at_a_time(phase: SoulPhase, evaluator: BoardEvaluator, most: int) -> tuple[int, ...]:
    """Return a path of boards to a good one, joined from searches that may each spend a few spells only."""
    path = [phase.start]
    while True:
        board = path[-1]
        kept = ONE_PROMOTION * max(0, (board >> PROMOTIONS) - _SPELLS_AT_A_TIME[0])
        kept += ONE_CHANGE * max(0, (board >> CHANGES & CHANGES_MASK) - _SPELLS_AT_A_TIME[1])
        found = _best_first(phase, evaluator, board - kept, most)
        if len(found.path) == 1:
            return tuple(path)
        path += [after + kept for after in found.path[1:]]


def _without_needless_actions(phase: SoulPhase, evaluator: BoardEvaluator, found: SearchResult) -> SearchResult:
    """Return a search result with a path without the actions that are not needed to reach its value."""
    path, place = found.path, 1
    while place < len(path):
        change = path[place] - path[place - 1]
        shorter = (*path[:place], *(board - change for board in path[place + 1 :]))
        legal = all(after in phase.steps(board) for board, after in pairwise(shorter[place - 1 :]))
        if legal and evaluator.value(shorter[-1]) >= evaluator.value(path[-1]):
            path, place = shorter, 1
        else:
            place += 1
    return SearchResult(path, evaluator.value(path[-1]), found.proved, False, found.tried)


def _path_to(came_from: dict[int, int], board: int) -> tuple[int, ...]:
    """Return the boards from the first one to this one. came_from: predecessor of each; the first is its own."""
    path = [board]
    while came_from[board] != board:
        board = came_from[board]
        path.append(board)
    return tuple(reversed(path))
