"""Test-time augmentation: run detectors on a picture in several orientations and fuse the boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.bounding_boxes import overlap
from vision.cameras.frame import Image
from vision.detector.detection_types import Detection
from vision.detector.network import Network, PendingDetection
from vision.readings import Box

ORIENTATIONS = (0, 7, 3, 4)
"""Orientations of a square picture, as bit masks: 1 mirrored horizontally, 2 mirrored vertically, 4 transposed. The
most different ones come first."""
_MIRRORS = (1, 2, 3)
"""Orientations that keep the width and height of any picture."""
_MIN_SAME_OVERLAP = 0.4
"""Minimum overlap (intersection over union) of boxes from different passes that belong to one object."""


class AugmentedDetection:
    """Detection of one label in a square picture (BGR, CROP_PX) with test-time augmentation.

    networks: each inference pass uses the next one, cyclically. first: index of the first pass's orientation (in
    ORIENTATIONS) and network; crops of the same picture should begin with different ones. inset: margin of the
    square that is left out, px; the remaining side must be a multiple of 16.
    """

    def __init__(
        self, networks: Sequence[Network], square: Image, label: str, first: int = 0, inset: int = 0
    ) -> None:
        height, width = square.shape[:2]
        self._networks, self._label, self._next = networks, label, first
        self._square, self._inset = square[inset : height - inset, inset : width - inset], inset
        self._begun: list[tuple[PendingDetection, int]] = []
        self._seen: list[list[Detection]] = []

    @property
    def passes(self) -> int:
        """Number of inference passes started so far."""
        return len(self._begun)

    def begin(self, passes: int = 1) -> None:
        """Start further inference passes without waiting, each in another orientation; at most 4 in all."""
        for number in range(self._next, self._next + passes):
            turn = ORIENTATIONS[number % len(ORIENTATIONS)]
            network = self._networks[number % len(self._networks)]
            self._begun.append((network.begin(_reoriented(self._square, turn)), turn))
        self._next += passes

    def fused(self, least: float, label: str | None = None) -> tuple[Detection, ...]:
        """Wait for all started passes and return their fused boxes, strongest first.

        least: minimum score. label: replaces the label given to the constructor.
        """
        size = self._square.shape[:2]
        for looking, turn in self._begun[len(self._seen) :]:
            boxes = ((one, _in_original(one.box, turn, size)) for one in looking.found())
            self._seen.append([replace(one, box=_shifted(box, self._inset)) for one, box in boxes])
        wanted = label or self._label
        mine = [[one for one in of if one.label == wanted] for of in self._seen]
        return tuple(one for one in fuse_passes(mine) if one.score > least)


def detect_augmented(
    networks: Sequence[Network],
    square: Image,
    label: str,
    least: float,
    passes: int,
    first: int = 0,
) -> tuple[Detection, ...]:
    """Return the objects of one label in a square BGR picture, fused over several passes, strongest first.

    networks, first: see `AugmentedDetection`. least: minimum score. passes: number of inference passes.
    """
    turned = AugmentedDetection(networks, square, label, first)
    turned.begin(passes)
    return turned.fused(least)


def detect_mirrored(
    network: Network, picture: Image, labels: Sequence[str], seen: Sequence[Detection]
) -> tuple[Detection, ...]:
    """Return the objects with these labels, fused over a BGR picture and its three mirror images.

    seen: objects that the network detected in the picture itself; only the mirror images are processed.
    """
    passes = [list(seen)]
    for turn in _MIRRORS:
        mirror = _reoriented(picture, turn)
        found = network.detect([mirror])[0]
        passes.append([replace(one, box=_in_original(one.box, turn, mirror.shape[:2])) for one in found])
    return tuple(
        each
        for label in labels
        for each in fuse_passes([[one for one in of if one.label == label] for of in passes])
    )


def fuse_passes(passes: Sequence[Sequence[Detection]]) -> tuple[Detection, ...]:
    """Fuse the boxes of several inference passes into one box per object, strongest first.

    The fused score is the mean over all passes, with 0 for a pass that did not detect the object; the fused box is
    the mean of the boxes, weighted by score.
    """
    one_each = [
        Detection(group[0].label, _mean_box(group), sum(d.score for d in group) / len(passes))
        for group in _grouped(passes)
    ]
    return tuple(sorted(one_each, key=lambda d: -d.score))


def _reoriented(square: Image, turn: int) -> Image:
    """Return a picture in another orientation. turn: bit mask, see ORIENTATIONS."""
    turned = np.asarray(square.transpose(1, 0, 2) if turn & 4 else square)
    turned = turned[::-1] if turn & 2 else turned
    return turned[:, ::-1] if turn & 1 else turned


def _in_original(box: Box, turn: int, size: tuple[int, int]) -> Box:
    """Return a box of a picture in another orientation as a box of the original picture.

    turn: bit mask of the orientation, see ORIENTATIONS. size: height and width of the picture in that orientation.
    """
    x, y, width, height = box
    if turn & 1:
        x = size[1] - x - width
    if turn & 2:
        y = size[0] - y - height
    return (y, x, height, width) if turn & 4 else (x, y, width, height)


def _shifted(box: Box, by: float) -> Box:
    """Return a box moved by this number of px, right and down."""
    x, y, width, height = box
    return x + by, y + by, width, height


def _grouped(passes: Sequence[Sequence[Detection]]) -> list[list[Detection]]:
    """Group the boxes of all passes by object, at most one per pass, strongest first."""
    ranked = sorted(((d, number) for number, of in enumerate(passes) for d in of), key=lambda pair: -pair[0].score)
    groups: list[list[Detection]] = []
    looked: list[set[int]] = []
    for found, number in ranked:
        fits = [
            (common, index)
            for index, group in enumerate(groups)
            if number not in looked[index] and (common := overlap(found.box, _mean_box(group))) > _MIN_SAME_OVERLAP
        ]
        if fits:
            index = max(fits)[1]
            groups[index].append(found)
            looked[index].add(number)
        else:
            groups.append([found])
            looked.append({number})
    return groups


def _mean_box(group: Sequence[Detection]) -> Box:
    """Return the mean of detected boxes, weighted by score."""
    # In plain Python: for one or two boxes NumPy is much slower.
    total = sum(d.score for d in group)
    x, y, width, height = (sum(d.score * d.box[side] for d in group) / total for side in range(4))
    return x, y, width, height
