"""An upper bound on the value of all boards reachable from one, tight enough that few need to be searched.

The relaxation ignores full rows and the order of actions. Colours then depend on each other only through shared
resources: promotions, recolourings, white (freely chosen) tokens, and the great oracles. The best result of each
colour with its share is tabulated, and all shares are tried, first for two colours at a time. Two recolourings are
followed exactly: each takes a token from one colour and adds it to another. Any more add a token for its own
worth, which is never too little, because the colour that keeps its token loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import add

from companion.games.wicked.adviser.packed_board import (
    CHANGES,
    CHANGES_MASK,
    GREAT,
    OPEN_MASK,
    PART,
    PART_MASK,
    PROMOTIONS,
    SMALL,
    SoulPhase,
)
from companion.games.wicked.adviser.resource_splits import Recolourings, Shares, recolourings, shares
from companion.games.wicked.adviser.valuation import BoardEvaluator, Ranks, worth_of
from companion.games.wicked.components import COLOURS

IMPOSSIBLE = -(1 << 60)
"""Value of a board that cannot be reached."""
_TWO_PARTS = (1 << 2 * PART) - 1
"""Mask of two neighbouring colours."""

MAX_EXACT_RECOLOURINGS = 2
"""Recolourings whose effects on both colours are computed exactly; any more are relaxed to an added token."""


class Bound:
    """Computes, for boards of one soul phase, upper bounds on the value of every board reachable from them."""

    def __init__(self, evaluator: BoardEvaluator) -> None:
        self._evaluator, self._phase = evaluator, evaluator.phase
        self._colours = _colours(evaluator.valuation.token, evaluator.valuation.wish)
        self._halves: dict[tuple[int, int, int], tuple[tuple[int, ...], ...]] = {}
        self._gifts = tuple(_gifts(evaluator.phase, mask) for mask in range(1 << len(evaluator.phase.small)))

    def effort(self, board: int) -> int:
        """Return the estimated time to bound a board's successors, as a multiple of that of one without spells."""
        lifts, whites, _ = self._gifts[-1]
        promotions, changes = board >> PROMOTIONS, board >> CHANGES & CHANGES_MASK
        followed = min(changes, MAX_EXACT_RECOLOURINGS)
        pairs = shares(promotions + lifts, changes - followed, whites).pairs
        return 1 + pairs * (1, 1, 3)[followed] // 32

    def __call__(self, board: int) -> int:
        """Return an upper bound on the value of all boards that can be reached from this packed board."""
        evaluator = self._evaluator
        open_great, open_small = board >> GREAT & OPEN_MASK, board >> SMALL & OPEN_MASK
        promotions, changes = board >> PROMOTIONS, board >> CHANGES & CHANGES_MASK
        bonus, whites = evaluator.small_bonus[open_small], 0
        gifts: tuple[int, ...] = (0, 0, 0, 0)
        if open_small:
            achievable = self._achievable(board, open_small, open_great, promotions, changes)
            lifts, whites, gifts = self._gifts[achievable]
            promotions += lifts
            bonus += achievable.bit_count() * evaluator.valuation.small
            # A gift counts as given for its worth, which comes on top here whether it is taken or not.
            bonus += (whites + sum(gifts)) * evaluator.valuation.token[0]
        followed = recolourings(min(changes, MAX_EXACT_RECOLOURINGS))
        shared = shares(promotions, max(0, changes - MAX_EXACT_RECOLOURINGS), whites)
        resources = ((promotions << 5 | changes) << 5 | whites) << 20
        one_gifts, other_gifts = gifts[0] << 4 | gifts[1], gifts[2] << 4 | gifts[3]
        one_parts, other_parts = board & _TWO_PARTS, board >> 2 * PART & _TWO_PARTS
        best: int = IMPOSSIBLE
        left = open_great
        while True:
            masks = (open_great << 4 | left) << 8
            one = self._colour_pair_bounds(0, one_parts, resources | masks | one_gifts, shared, followed)
            other = self._colour_pair_bounds(2, other_parts, resources | masks | other_gifts, shared, followed)
            together: int = max(max(map(add, one[x], reversed(other[y]))) for x, y in followed.matches)
            best = max(best, together + evaluator.great_bonus[left])
            if not left:
                return best + bonus
            left = (left - 1) & open_great

    def _colour_pair_bounds(
        self, first: int, parts: int, rest: int, shared: Shares, followed: Recolourings
    ) -> tuple[tuple[int, ...], ...]:
        """Return upper bounds on the value of two neighbouring colours: a row per recolouring, a column per share.

        first: index of the first colour. parts: packed token counts of both. rest: packed from bit 0 the tokens
        that small oracles may give of either colour, the great oracles to keep and those open (4 bits each), whites
        and changes (5 bits each), and promotions. shared: ways to divide these resources among the colours.
        followed: effects of recolourings that are computed exactly.
        """
        key = (first, parts, rest)
        found = self._halves.get(key)
        if found is None:
            wished = self._evaluator.wished
            before, left = wished[rest >> 12 & 15], wished[rest >> 8 & 15]
            one, other = (
                self._colours.table(
                    parts >> PART * i & PART_MASK,
                    rest >> 4 * (1 - i) & 15,
                    before[first + i] - left[first + i],
                    left[first + i],
                    shared,
                    followed,
                )
                for i in range(2)
            )
            found = tuple(
                tuple(
                    max(max(map(add, mine(one[x]), others(other[y]))) for x, y in ways)
                    for mine, others in shared.splits
                )
                for ways in followed.splits
            )
            self._halves[key] = found
        return found

    def _achievable(self, board: int, open_small: int, open_great: int, promotions: int, changes: int) -> int:
        """Return a mask of the open small oracles that includes all achievable ones, and maybe others.

        Each colour is checked alone, as if all spells and the rewards of all these oracles went to it.
        """
        on_great = self._phase.on_great[open_great]
        within = open_small
        while True:
            lifts, whites, gifts = self._gifts[within]
            still = 0
            for index, needs in enumerate(self._phase.needs):
                if within >> index & 1 and all(
                    _can_reach(
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


_Held = tuple[int, int, int, int, int, int, tuple[int, ...], int, int]
"""Arguments of `_outcomes`, in order."""


class ColourBounds:
    """Computes and caches upper bounds on the value of the tokens of a single colour, for one valuation."""

    def __init__(self, token: Ranks, wish: Ranks) -> None:
        self._token, self._wish = token, wish
        self._most: dict[tuple[object, ...], int] = {}
        self._tables: dict[tuple[object, ...], tuple[tuple[int, ...], ...]] = {}

    def table(
        self, part: int, gifts: int, taken: int, wished: int, shared: Shares, followed: Recolourings
    ) -> tuple[tuple[int, ...], ...]:
        """Return upper bounds on the value of one colour's tokens: a row per recolouring, a column per share.

        part: the tokens, 3 bits per rank. gifts: tokens gained from small oracles. taken: high tokens that great
        oracles take. wished: tokens of the colour that open great oracles need. shared: shares of spells and
        white tokens. followed: effects of recolourings that are computed exactly.
        """
        key = (part, gifts, taken, wished, shared, followed)
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) > 20_000 or len(self._most) > 400_000:  # some 100 MB
                self._tables.clear()
                self._most.clear()
            low, middle, high = part & 7, part >> 3 & 7, part >> 6
            found = tuple(
                tuple(
                    self._bound(
                        low + got.count(0),
                        middle + got.count(1),
                        high + got.count(2),
                        lifts,
                        added,
                        whites + gifts,
                        lost,
                        taken,
                        wished,
                    )
                    for lifts, added, whites in shared.all
                )
                for got, lost in followed.ways
            )
            self._tables[key] = found
        return found

    def _bound(self, *held: *_Held) -> int:
        """Return the maximum of `_outcomes` for these arguments, which are also the cache's key."""
        found = self._most.get(held)
        if found is None:
            found = self._most[held] = max(self._outcomes(*held))
        return found

    def _outcomes(
        self,
        low: int,
        middle: int,
        high: int,
        lifts: int,
        added: int,
        gifts: int,
        lost: tuple[int, ...],
        taken: int,
        wished: int,
    ) -> Iterator[int]:
        """Yield bounds on the value of one colour's tokens after each possible action, and without any.

        low, middle, high: tokens. lifts, added, gifts: promotions, recoloured and rewarded tokens left to use.
        lost: ranks of the tokens that recolourings take away. taken, wished: as in `table`.
        """
        bound, token = self._bound, self._token
        yield IMPOSSIBLE
        if not lost and high >= taken:
            yield worth_of(low, middle, high - taken, wished, token, self._wish)
        spells, rest = (lifts, added, gifts), (lost, taken, wished)
        for rank, count in enumerate((low, middle, high)):
            if rank in lost and count:
                at = lost.index(rank)
                still = (*lost[:at], *lost[at + 1 :])
                left = (low - (rank == 0), middle - (rank == 1), high - (rank == 2))
                yield bound(*left, *spells, still, taken, wished)
        if low >= 2:
            yield bound(low - 2, middle + 1, high, *spells, *rest)
        if middle >= 2:
            yield bound(low, middle - 2, high + 1, *spells, *rest)
        if lifts and low:
            yield bound(low - 1, middle + 1, high, lifts - 1, added, gifts, *rest)
        if lifts and middle:
            yield bound(low, middle - 1, high + 1, lifts - 1, added, gifts, *rest)
        if gifts:
            yield bound(low + 1, middle, high, lifts, added, gifts - 1, *rest) - token[0]
        if added:
            yield bound(low + 1, middle, high, lifts, added - 1, gifts, *rest) - token[0]
            yield bound(low, middle + 1, high, lifts, added - 1, gifts, *rest) - token[1]
            yield bound(low, middle, high + 1, lifts, added - 1, gifts, *rest) - token[2]


_colours = lru_cache(maxsize=4)(ColourBounds)


def _gifts(phase: SoulPhase, mask: int) -> tuple[int, int, tuple[int, ...]]:
    """Return what the small oracles in a mask give: number of promotions, of white tokens, of tokens by colour."""
    rewards = [reward for index, oracle in enumerate(phase.small) if mask >> index & 1 for reward in oracle.reward]
    return (
        rewards.count("promotion"),
        rewards.count("white"),
        tuple(rewards.count(colour) for colour in COLOURS),
    )


@lru_cache(maxsize=100_000)
def _can_reach(
    part: int, lifts: int, changes: int, gifts: int, least_low: int, least_middle: int, least_high: int
) -> bool:
    """Return whether one colour can reach `least_…` tokens of at least low, middle and high rank.

    part: its packed counts. lifts, changes, gifts: promotion spells, colour changes and low tokens that it gets.
    """
    return _can_grow_to(
        part & 7, part >> 3 & 7, part >> 6, lifts, changes, gifts, least_low, least_middle, least_high
    )


@lru_cache(maxsize=100_000)
def _can_grow_to(low: int, middle: int, high: int, lifts: int, changes: int, gifts: int, *least: int) -> bool:
    if high >= least[2] and high + middle >= least[1] and high + middle + low >= least[0]:
        return True
    return (
        (low >= 2 and _can_grow_to(low - 2, middle + 1, high, lifts, changes, gifts, *least))
        or (middle >= 2 and _can_grow_to(low, middle - 2, high + 1, lifts, changes, gifts, *least))
        or (lifts > 0 and low > 0 and _can_grow_to(low - 1, middle + 1, high, lifts - 1, changes, gifts, *least))
        or (lifts > 0 and middle > 0 and _can_grow_to(low, middle - 1, high + 1, lifts - 1, changes, gifts, *least))
        or (changes > 0 and _can_grow_to(low, middle, high + 1, lifts, changes - 1, gifts, *least))
        or (gifts > 0 and _can_grow_to(low + 1, middle, high, lifts, changes, gifts - 1, *least))
    )
