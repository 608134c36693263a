"""Look at a square picture several ways round and make one answer of it: what is missed one way is seen another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.boxes import overlap
from vision.cameras.frame import Image
from vision.detector.detector import Detection
from vision.detector.network import Network
from vision.readings import Box

TURNS = (0, 7, 3, 4)
"""Ways round a square, the most different first; bits: 1 mirrored left to right, 2 top to bottom, 4 transposed."""
_SAME = 0.4
"""Boxes of different looks that overlap by more (intersection over union) are one thing."""


class Turned:
    """A square picture (BGR) in which things of one label are looked for, and what was seen in it so far."""

    def __init__(self, square: Image, label: str) -> None:
        self._square, self._label = square, label
        self._seen: list[list[Detection]] = []

    def seen(self, least: float) -> tuple[Detection, ...]:
        """Give what all looks so far saw, `merged`, strongest first."""
        return tuple(one for one in merged(self._seen) if one.score > least)

    def ways(self, looks: int) -> tuple[int, ...]:
        """Give the ways round that are missing until there were so many looks (1 to 4)."""
        return TURNS[len(self._seen) : looks]

    def picture(self, turn: int) -> Image:
        """Give the square one way round."""
        return _turned(self._square, turn)

    def add(self, turn: int, found: Sequence[Detection]) -> None:
        """Take in what was found in the square one way round."""
        side = self._square.shape[0]
        mine = (one for one in found if one.label == self._label)
        self._seen.append([replace(one, box=_turned_back(one.box, turn, side)) for one in mine])


def look(network: Network, squares: Sequence[Turned], looks: int) -> None:
    """Look at squares until there were so many looks (1 to 4) at each, at all at once. No look is repeated."""
    missing = [(square, turn) for square in squares for turn in square.ways(looks)]
    found = network.detect([square.picture(turn) for square, turn in missing])
    for (square, turn), seen in zip(missing, found, strict=True):
        square.add(turn, seen)


def detect_turned(network: Network, square: Image, label: str, least: float, looks: int) -> tuple[Detection, ...]:
    """Find things of one label in a square picture (BGR) in so many looks, strongest first."""
    turned = Turned(square, label)
    look(network, [turned], looks)
    return turned.seen(least)


def merged(looks: Sequence[Sequence[Detection]]) -> tuple[Detection, ...]:
    """Make one of what several looks saw of the same things, strongest first.

    A score is the mean over all looks, 0 where one did not see the thing; a box their mean, weighted by the scores.
    """
    one_each = [
        Detection(group[0].label, _mean_box(group), sum(d.score for d in group) / len(looks))
        for group in _together(looks)
    ]
    return tuple(sorted(one_each, key=lambda d: -d.score))


def _turned(square: Image, turn: int) -> Image:
    turned = np.asarray(square.transpose(1, 0, 2) if turn & 4 else square)
    turned = turned[::-1] if turn & 2 else turned
    return np.ascontiguousarray(turned[:, ::-1] if turn & 1 else turned)


def _turned_back(box: Box, turn: int, side: int) -> Box:
    x, y, width, height = box
    if turn & 1:
        x = side - x - width
    if turn & 2:
        y = side - y - height
    return (y, x, height, width) if turn & 4 else (x, y, width, height)


def _together(looks: Sequence[Sequence[Detection]]) -> list[list[Detection]]:
    """Put together what several looks saw of one thing, at most one of each look, the strongest first."""
    ranked = sorted(((d, look) for look, of in enumerate(looks) for d in of), key=lambda pair: -pair[0].score)
    groups: list[list[Detection]] = []
    looked: list[set[int]] = []
    for found, look in ranked:
        fits = [
            (common, index)
            for index, group in enumerate(groups)
            if look not in looked[index] and (common := overlap(found.box, _mean_box(group))) > _SAME
        ]
        if fits:
            index = max(fits)[1]
            groups[index].append(found)
            looked[index].add(look)
        else:
            groups.append([found])
            looked.append({look})
    return groups


def _mean_box(group: Sequence[Detection]) -> Box:
    # In plain Python: for one or two boxes NumPy takes many times as long.
    total = sum(d.score for d in group)
    x, y, width, height = (sum(d.score * d.box[side] for d in group) / total for side in range(4))
    return x, y, width, height
