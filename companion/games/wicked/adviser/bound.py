"""A value that nothing reachable from a board exceeds, near enough to the truth that few boards need be tried.

It leaves out that rows fill up and in which order things happen. Then colours meet only in what they share:
promotions, recolourings, tokens gained in white, and the great oracles. What a colour can become with its share is
looked up, and all ways to share are tried, first for two colours at a time. One recolouring takes a token from one
colour and gives it to another; any more are taken to give a token for no more than its own worth. That is never too
little: who keeps the token loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from operator import add, itemgetter

from companion.games.wicked.adviser.packed import (
    CHANGES,
    CHANGES_MASK,
    GREAT,
    OPEN_MASK,
    PART,
    PART_MASK,
    PROMOTIONS,
    SMALL,
    Phase,
)
from companion.games.wicked.adviser.valuation import Judge, Ranks, worth_of
from companion.games.wicked.components import COLOURS

IMPOSSIBLE = -(1 << 60)
Share = tuple[int, int, int]
"""How many promotions, recolourings but one, and white tokens."""
_TWO_PARTS = (1 << 2 * PART) - 1

# What the one recolouring does to a colour: nothing, gives it a low, middle or high token, or takes one away.
_NOTHING, _TAKES = 0, 4
_COUNTERPART = (0, 4, 5, 6, 1, 2, 3)
_SPLITS = (
    tuple((way, _COUNTERPART[way]) for way in range(7)),
    *(((way, _NOTHING), (_NOTHING, way)) for way in range(1, 7)),
)


class Shares:
    """All ways to share promotions, recolourings but one, and white tokens between two."""

    def __init__(self, promotions: int, recoloured: int, whites: int) -> None:
        self.all = tuple(product(range(promotions + 1), range(recoloured + 1), range(whites + 1)))
        place = {share: number for number, share in enumerate(self.all)}
        self.splits = tuple(
            (
                _picker([place[share] for share in self.all if _within(share, whole)]),
                _picker([place[_less(whole, share)] for share in self.all if _within(share, whole)]),
            )
            for whole in self.all
        )
        """For each share, how to pick one's part of it and the other's, in the same order."""
        self.ways = sum(_within(share, whole) for whole in self.all for share in self.all)
        """How many ways there are to split any share."""


_shares = lru_cache(maxsize=256)(Shares)


class Bound:
    """Bounds the value of what can still become of the boards of one phase."""

    def __init__(self, judge: Judge) -> None:
        self._judge, self._phase = judge, judge.phase
        self._colours = _colours(judge.valuation.token, judge.valuation.wish)
        self._halves: dict[tuple[int, int, int], tuple[tuple[int, ...], ...]] = {}
        self._gifts = tuple(_gifts(judge.phase, mask) for mask in range(1 << len(judge.phase.small)))

    def effort(self, board: int) -> int:
        """Tell about how many times as long bounding what comes of a board takes as where there are no spells."""
        lifts, whites, _ = self._gifts[-1]
        promotions, changes = board >> PROMOTIONS, board >> CHANGES & CHANGES_MASK
        return 1 + _shares(promotions + lifts, max(0, changes - 1), whites).ways // 32

    def __call__(self, board: int) -> int:
        """Tell a value that nothing reachable from a board exceeds."""
        judge = self._judge
        open_great, open_small = board >> GREAT & OPEN_MASK, board >> SMALL & OPEN_MASK
        promotions, changes = board >> PROMOTIONS, board >> CHANGES & CHANGES_MASK
        bonus, whites = judge.small_bonus[open_small], 0
        gifts: tuple[int, ...] = (0, 0, 0, 0)
        if open_small:
            within_reach = self._within_reach(board, open_small, open_great, promotions, changes)
            lifts, whites, gifts = self._gifts[within_reach]
            promotions += lifts
            bonus += within_reach.bit_count() * judge.valuation.small
            # A gift counts as given for its worth, which comes on top here whether it is taken or not.
            bonus += (whites + sum(gifts)) * judge.valuation.token[0]
        shares = _shares(promotions, max(0, changes - 1), whites)
        ways = 7 if changes else 1
        resources = ((promotions << 5 | changes) << 5 | whites) << 20
        one_gifts, other_gifts = gifts[0] << 4 | gifts[1], gifts[2] << 4 | gifts[3]
        one_parts, other_parts = board & _TWO_PARTS, board >> 2 * PART & _TWO_PARTS
        best: int = IMPOSSIBLE
        left = open_great
        while True:
            masks = (open_great << 4 | left) << 8
            one = self._half(0, one_parts, resources | masks | one_gifts, shares, ways)
            other = self._half(2, other_parts, resources | masks | other_gifts, shares, ways)
            together: int = max(max(map(add, one[way], reversed(other[_COUNTERPART[way]]))) for way in range(ways))
            best = max(best, together + judge.great_bonus[left])
            if not left:
                return best + bonus
            left = (left - 1) & open_great

    def _half(self, first: int, parts: int, rest: int, shares: Shares, ways: int) -> tuple[tuple[int, ...], ...]:
        """Bound two neighbouring colours together: by the way of the recolouring, then by their share."""
        key = (first, parts, rest)
        found = self._halves.get(key)
        if found is None:
            wished = self._judge.wished
            before, left = wished[rest >> 12 & 15], wished[rest >> 8 & 15]
            one, other = (
                self._colours.table(
                    parts >> PART * i & PART_MASK,
                    rest >> 4 * (1 - i) & 15,
                    before[first + i] - left[first + i],
                    left[first + i],
                    shares,
                    ways,
                )
                for i in range(2)
            )
            found = tuple(
                tuple(
                    max(max(map(add, mine(one[x]), others(other[y]))) for x, y in _SPLITS[way][:ways])
                    for mine, others in shares.splits
                )
                for way in range(ways)
            )
            self._halves[key] = found
        return found

    def _within_reach(self, board: int, open_small: int, open_great: int, promotions: int, changes: int) -> int:
        """Tell which open small oracles each colour by itself could satisfy with all that the others might give."""
        on_great = self._phase.on_great[open_great]
        within = open_small
        while True:
            lifts, whites, gifts = self._gifts[within]
            still = 0
            for index, needs in enumerate(self._phase.needs):
                if within >> index & 1 and all(
                    _serves(
                        board >> PART * c & PART_MASK,
                        promotions + lifts,
                        changes,
                        whites + gifts[c],
                        low - on_great[c],
                        middle - on_great[c],
                        high - on_great[c],
                    )
                    for c, low, middle, high in needs
                ):
                    still |= 1 << index
            if still == within:
                return within
            within = still


class Colours:
    """What one colour can become by itself, for one way to value tokens; kept from phase to phase."""

    def __init__(self, token: Ranks, wish: Ranks) -> None:
        self._token, self._wish = token, wish
        self._most: dict[tuple[int, ...], int] = {}
        self._tables: dict[tuple[int, int, int, int, Shares, int], tuple[tuple[int, ...], ...]] = {}

    def table(
        self, part: int, gifts: int, taken: int, wished: int, shares: Shares, ways: int
    ) -> tuple[tuple[int, ...], ...]:
        """Bound one colour by the way of the recolouring, then by its share."""
        key = (part, gifts, taken, wished, shares, ways)
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) > 20_000 or len(self._most) > 400_000:  # some 100 MB
                self._tables.clear()
                self._most.clear()
            low, middle, high = part & 7, part >> 3 & 7, part >> 6
            found = tuple(
                tuple(
                    self._bound(low, middle, high, lifts, added, whites + gifts, way, taken, wished)
                    for lifts, added, whites in shares.all
                )
                for way in range(ways)
            )
            self._tables[key] = found
        return found

    def _bound(self, *state: int) -> int:
        found = self._most.get(state)
        if found is None:
            found = self._most[state] = self._bounded(*state)
        return found

    def _bounded(
        self,
        low: int,
        middle: int,
        high: int,
        lifts: int,
        added: int,
        gifts: int,
        way: int,
        taken: int,
        wished: int,
    ) -> int:
        bound, token = self._bound, self._token
        rest = (taken, wished)
        if 0 < way < _TAKES:  # the sooner the better
            return bound(
                low + (way == 1), middle + (way == 2), high + (way == 3), lifts, added, gifts, _NOTHING, *rest
            )
        found = [IMPOSSIBLE]
        if way == _NOTHING and high >= taken:
            found.append(worth_of(low, middle, high - taken, wished, token, self._wish))
        elif way == _TAKES and low:
            found.append(bound(low - 1, middle, high, lifts, added, gifts, _NOTHING, *rest))
        elif way == _TAKES + 1 and middle:
            found.append(bound(low, middle - 1, high, lifts, added, gifts, _NOTHING, *rest))
        elif way == _TAKES + 2 and high:
            found.append(bound(low, middle, high - 1, lifts, added, gifts, _NOTHING, *rest))
        if low >= 2:
            found.append(bound(low - 2, middle + 1, high, lifts, added, gifts, way, *rest))
        if middle >= 2:
            found.append(bound(low, middle - 2, high + 1, lifts, added, gifts, way, *rest))
        if lifts and low:
            found.append(bound(low - 1, middle + 1, high, lifts - 1, added, gifts, way, *rest))
        if lifts and middle:
            found.append(bound(low, middle - 1, high + 1, lifts - 1, added, gifts, way, *rest))
        if gifts:
            found.append(bound(low + 1, middle, high, lifts, added, gifts - 1, way, *rest) - token[0])
        if added:
            found.append(bound(low + 1, middle, high, lifts, added - 1, gifts, way, *rest) - token[0])
            found.append(bound(low, middle + 1, high, lifts, added - 1, gifts, way, *rest) - token[1])
            found.append(bound(low, middle, high + 1, lifts, added - 1, gifts, way, *rest) - token[2])
        return max(found)


_colours = lru_cache(maxsize=4)(Colours)


def _gifts(phase: Phase, mask: int) -> tuple[int, int, tuple[int, ...]]:
    """Count what small oracles give: promotions, white tokens, and tokens by colour."""
    rewards = [reward for index, oracle in enumerate(phase.small) if mask >> index & 1 for reward in oracle.reward]
    return (
        rewards.count("promotion"),
        rewards.count("white"),
        tuple(rewards.count(colour) for colour in COLOURS),
    )


@lru_cache(maxsize=100_000)
def _serves(
    part: int, lifts: int, changes: int, gifts: int, least_low: int, least_middle: int, least_high: int
) -> bool:
    """Tell whether one colour by itself can ever have so many tokens of at least each rank."""
    return _grows(part & 7, part >> 3 & 7, part >> 6, lifts, changes, gifts, least_low, least_middle, least_high)


@lru_cache(maxsize=100_000)
def _grows(low: int, middle: int, high: int, lifts: int, changes: int, gifts: int, *least: int) -> bool:
    if high >= least[2] and high + middle >= least[1] and high + middle + low >= least[0]:
        return True
    return (
        (low >= 2 and _grows(low - 2, middle + 1, high, lifts, changes, gifts, *least))
        or (middle >= 2 and _grows(low, middle - 2, high + 1, lifts, changes, gifts, *least))
        or (lifts > 0 and low > 0 and _grows(low - 1, middle + 1, high, lifts - 1, changes, gifts, *least))
        or (lifts > 0 and middle > 0 and _grows(low, middle - 1, high + 1, lifts - 1, changes, gifts, *least))
        or (changes > 0 and _grows(low, middle, high + 1, lifts, changes - 1, gifts, *least))
        or (gifts > 0 and _grows(low + 1, middle, high, lifts, changes, gifts - 1, *least))
    )


def _picker(places: list[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Pick these places of a tuple, as a tuple even where it is one."""
    if len(places) == 1:
        return lambda shares: (shares[places[0]],)
    return itemgetter(*places)


def _within(share: Share, whole: Share) -> bool:
    return all(one <= other for one, other in zip(share, whole, strict=True))


def _less(whole: Share, share: Share) -> Share:
    return whole[0] - share[0], whole[1] - share[1], whole[2] - share[2]
