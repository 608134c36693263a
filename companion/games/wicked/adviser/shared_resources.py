"""Resources that the colours of a board share, and all ways to split them; used by the bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from operator import itemgetter

Share = tuple[int, int, int]
"""Promotions, tokens added by recolourings that are not followed, and tokens gained in white."""
Recolouring = tuple[tuple[int, ...], tuple[int, ...]]
"""The effect of recolourings on some colours: ranks of the tokens gained, and of those lost."""


class Shares:
    """All shares of two colours or of one, and the ways to split each between two."""

    def __init__(self, promotions: int, added: int, whites: int) -> None:
        self.all: tuple[Share, ...] = tuple(
            product(range(promotions + 1), range(added + 1), range(whites + 1))  # in order: the last is the whole
        )
        place = {share: number for number, share in enumerate(self.all)}
        self.splits = tuple(
            (
                _picker([place[share] for share in self.all if _within(share, whole)]),
                _picker([place[_less(whole, share)] for share in self.all if _within(share, whole)]),
            )
            for whole in self.all
        )
        """For each share, how to pick one's part of it and the other's, in the same order."""
        self.pairs = sum(_within(share, whole) for whole in self.all for share in self.all)


class Recolourings:
    """All effects of a number of recolourings, each between two colours, on one colour or on two together."""

    def __init__(self, most: int) -> None:
        items = range(6)  # a token of each rank got, or taken
        ways = [
            (tuple(item for item in chosen if item < 3), tuple(item - 3 for item in chosen if item >= 3))
            for size in range(most + 1)
            for chosen in combinations_with_replacement(items, size)
        ]
        self.ways: tuple[Recolouring, ...] = tuple(way for way in ways if not set(way[0]) & set(way[1]))
        """The first does nothing."""
        place = {way: number for number, way in enumerate(self.ways)}
        entries = [(way, inside) for way in self.ways for inside in range(most - _size(way) + 1)]
        number = {entry: index for index, entry in enumerate(entries)}
        splits: list[list[tuple[int, int]]] = [[] for _ in entries]
        for one, other in product(self.ways, repeat=2):
            together, inside = _together(one, other)
            for index, (way, at_most) in enumerate(entries):
                if way == together and inside <= at_most:
                    splits[index].append((place[one], place[other]))
        self.splits = tuple(map(tuple, splits))
        """For what happens to two colours, with up to so many recolourings between them: what happens to each."""
        self.matches = tuple(
            (index, number[(way[1], way[0]), most - _size(way) - inside])
            for index, (way, inside) in enumerate(entries)
        )
        """What happens to two colours, and what then happens to the other two."""


shares = lru_cache(maxsize=256)(Shares)
recolourings = lru_cache(maxsize=4)(Recolourings)


def _size(way: Recolouring) -> int:
    return len(way[0]) + len(way[1])


def _together(one: Recolouring, other: Recolouring) -> tuple[Recolouring, int]:
    """Combine the effects on two colours; return the effect on both, and the recolourings between them."""
    got, taken = Counter(one[0] + other[0]), Counter(one[1] + other[1])
    inside = got & taken
    way = tuple(sorted((got - inside).elements())), tuple(sorted((taken - inside).elements()))
    return way, inside.total()


def _picker(places: list[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return a function that selects these indices of a tuple, as a tuple even where it is one."""
    if len(places) == 1:
        return lambda values: (values[places[0]],)
    return itemgetter(*places)


def _within(share: Share, whole: Share) -> bool:
    return all(one <= other for one, other in zip(share, whole, strict=True))


def _less(whole: Share, share: Share) -> Share:
    return whole[0] - share[0], whole[1] - share[1], whole[2] - share[2]
