"""Enumerates the ways to split promotions, recolourings and white tokens among colours, for `upper_bound`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from operator import itemgetter

Share = tuple[int, int, int]
"""Numbers of promotions, of tokens added by inexact recolourings (`upper_bound`), and of white tokens gained."""
Recolouring = tuple[tuple[int, ...], tuple[int, ...]]
"""The effect of recolourings on one or two colours: ranks of the tokens gained, and of the tokens lost."""


class Shares:
    """All shares up to these numbers of resources, and all ways to split each share between two colours."""

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
        """For each share, two functions that select the first and the second colour's values from values by share.

        Both return one value for each way to split the share, in the same order.
        """
        self.pairs = sum(_within(share, whole) for whole in self.all for share in self.all)
        """Number of ways to split, over all shares."""


class Recolourings:
    """All effects that up to `most` recolourings, each from one colour to another, have on a colour or a pair."""

    def __init__(self, most: int) -> None:
        items = range(6)  # a token of each rank got, or taken
        ways = [
            (tuple(item for item in chosen if item < 3), tuple(item - 3 for item in chosen if item >= 3))
            for size in range(most + 1)
            for chosen in combinations_with_replacement(items, size)
        ]
        self.ways: tuple[Recolouring, ...] = tuple(way for way in ways if not set(way[0]) & set(way[1]))
        """All effects; the first one is no effect."""
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
        """For each effect on a pair, with the recolourings between its two colours: the effects on each colour."""
        self.matches = tuple(
            (index, number[(way[1], way[0]), most - _size(way) - inside])
            for index, (way, inside) in enumerate(entries)
        )
        """For each effect on one pair of colours, the opposite effect on the other pair, as indices of `splits`."""


shares = lru_cache(maxsize=256)(Shares)
recolourings = lru_cache(maxsize=4)(Recolourings)


def _size(way: Recolouring) -> int:
    """Return the number of recolourings that an effect on a colour needs: tokens gained plus tokens lost."""
    return len(way[0]) + len(way[1])


def _together(one: Recolouring, other: Recolouring) -> tuple[Recolouring, int]:
    """Return the joint effect of the effects on two colours, and the number of recolourings between the two."""
    got, taken = Counter(one[0] + other[0]), Counter(one[1] + other[1])
    inside = got & taken
    way = tuple(sorted((got - inside).elements())), tuple(sorted((taken - inside).elements()))
    return way, inside.total()


def _picker(places: list[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return a function that returns a sequence's values at these indices, always as a tuple."""
    if len(places) == 1:
        return lambda values: (values[places[0]],)
    return itemgetter(*places)


def _within(share: Share, whole: Share) -> bool:
    return all(one <= other for one, other in zip(share, whole, strict=True))


def _less(whole: Share, share: Share) -> Share:
    return whole[0] - share[0], whole[1] - share[1], whole[2] - share[2]
