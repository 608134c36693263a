"""Test-time augmentation: pass a picture through the networks in several orientations and fuse the boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.boxes import overlap
from vision.cameras.frame import Image
from vision.detector.detector import Detection
from vision.detector.network import Looking, Network
from vision.readings import Box

TURNS = (0, 7, 3, 4)
"""Ways round a square, the most different first; bits: 1 mirrored left to right, 2 top to bottom, 4 transposed."""
_MIRRORS = (1, 2, 3)
"""Turns after which a picture of any sides is as wide and high as before."""
_SAME = 0.4
"""Boxes of different looks that overlap by more (intersection over union) are one thing."""


class Turned:
    """A square picture (BGR, CROP_PX) in which things of one label are looked for, as many ways round as it takes.

    networks: each inference pass uses the next one, and again from the first. first: orientation and network of
    the first pass: several pictures of one thing are best not all passed in the same orientation.
    """

    def __init__(self, networks: Sequence[Network], square: Image, label: str, first: int = 0) -> None:
        self._networks, self._square, self._label, self._next = networks, square, label, first
        self._begun: list[tuple[Looking, int]] = []
        self._seen: list[list[Detection]] = []

    @property
    def looks(self) -> int:
        """How many looks have begun."""
        return len(self._begun)

    def begin(self, looks: int = 1) -> None:
        """Start so many more inference passes (4 in all at most) without waiting. No pass is repeated."""
        for look in range(self._next, self._next + looks):
            turn = TURNS[look % len(TURNS)]
            network = self._networks[look % len(self._networks)]
            self._begun.append((network.begin(_turned(self._square, turn)), turn))
        self._next += looks

    def seen(self, least: float, label: str | None = None) -> tuple[Detection, ...]:
        """Wait for the looks that have begun and give what they see, `merged`, strongest first.

        label: another one than what is looked for.
        """
        size = self._square.shape[:2]
        for looking, turn in self._begun[len(self._seen) :]:
            self._seen.append([replace(one, box=_turned_back(one.box, turn, size)) for one in looking.found()])
        wanted = label or self._label
        mine = [[one for one in of if one.label == wanted] for of in self._seen]
        return tuple(one for one in merged(mine) if one.score > least)


def detect_turned(
    networks: Sequence[Network],
    square: Image,
    label: str,
    least: float,
    looks: int,
    first: int = 0,
) -> tuple[Detection, ...]:
    """Return the things of one label in a square picture (BGR) after so many passes, strongest first.

    first: see `Turned`.
    """
    turned = Turned(networks, square, label, first)
    turned.begin(looks)
    return turned.seen(least)


def detect_mirrored(
    network: Network, picture: Image, labels: Sequence[str], seen: Sequence[Detection]
) -> tuple[Detection, ...]:
    """Look at a picture (BGR) in its three mirrors and make one answer of that and what was `seen` in itself."""
    looks = [list(seen)]
    for turn in _MIRRORS:
        mirror = _turned(picture, turn)
        found = network.detect([mirror])[0]
        looks.append([replace(one, box=_turned_back(one.box, turn, mirror.shape[:2])) for one in found])
    return tuple(
        each for label in labels for each in merged([[one for one in of if one.label == label] for of in looks])
    )


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
    return turned[:, ::-1] if turn & 1 else turned


def _turned_back(box: Box, turn: int, size: tuple[int, int]) -> Box:
    """Give where a box of a turned picture of this size (height, width) lies in the picture as it was."""
    x, y, width, height = box
    if turn & 1:
        x = size[1] - x - width
    if turn & 2:
        y = size[0] - y - height
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
