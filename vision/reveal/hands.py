"""Hands in a picture: where, whose by seat, open or closed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.boxes import centre, shared
from vision.cameras.frame import Image
from vision.detector import WIDE_PX_PER_MM, Detection
from vision.detector.network import Network
from vision.detector.openness import Openness, patch
from vision.detector.sight import Sight
from vision.detector.turned import detect_mirrored
from vision.readings import Box
from vision.reveal.geometry import PALM_HEIGHT_MM, px_per_mm

_LEAST = 0.35
"""A weaker box is no hand."""
_LABELS = ("open", "closed")
_SURE_STATE, _SURE_HAND = 0.85, 0.7
"""A picture with a hand that is less surely open or closed, or less surely a hand, is looked at in its mirrors,
too: of 450 pictures of 90 development evenings 34 had a hand told wrong in one look, 18 with these."""
WEIGHTS: Final = (-1.12, 0.28, 1.60)
"""Offset, weight of the hand finder's log odds and of the open/closed classifier's, in the log odds that a hand is
open. A fit to the present finder (`python -m models.evaluation.fit_openness`: -1.04, 0.46, 1.14) lowers the loss on
244 hands of other sessions from 0.011 to 0.007, none is wrong either way, and one false hand more is found
elsewhere."""
_LEAST_RIVAL = 1e-3
_SAME = 0.45
"""An open and a closed hand that overlap by so much (of the smaller one) are one hand."""
_GRID, _MARGIN = 40, 0.12
_NEW_SHARE, _ARM_CELLS = 0.12, 7
"""A box and what is round it is looked at in a grid: a hand covers this share of cells with something new, and its
arm so many cells of the rim, each about 5 mm long."""
_OTHER_LEVELS, _LEAST_LEVELS, _OTHER_SHARE = 12.0, 6.0, 0.25
"""A cell is new from so many grey levels on, and in the dark, where all differences are small, already from this
share of what was there, but not below the least, which is noise."""
_GREY = (114.0, 114.0, 114.0)
_DIVISOR = 16


@dataclass(frozen=True, slots=True)
class FoundHand:
    """A hand: open or closed and how surely, its box in pixels of the picture, the detector's score."""

    state: Literal["open", "closed"]
    certainty: float
    box: Box
    score: float

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box, px."""
        return centre(self.box)


def find_hands(
    sight: Sight, image: Image, plane: TablePlane, most: int, empty: Image | None = None
) -> tuple[FoundHand, ...]:
    """Return the hands of a BGR picture of the calibrated size, strongest first and `most` at most.

    empty: the same table without hands, if it is known: what lay there already is no hand.
    """
    found = detect_hands(sight.hands, image, plane)
    if empty is not None:
        found = [hand for hand in found if _new(image, empty, hand.box)]
    if not found:
        return ()
    found.sort(key=lambda hand: -hand.score)
    return tuple(_looked_at(sight.openness, image, plane, found[:most]))


def places_mm(plane: TablePlane, hands: Sequence[FoundHand]) -> NDArray[np.float64]:
    """Return where on the table the middles of hands are, (hands, 2) in table mm."""
    middles = np.array([hand.centre for hand in hands], np.float64).reshape(-1, 2)
    return np.asarray(plane.to_table(middles, PALM_HEIGHT_MM), np.float64).reshape(-1, 2)


def detect_hands(network: Network, image: Image, plane: TablePlane) -> list[FoundHand]:
    """Detect at the scale of hands; boxes in pixels of the picture.

    What may be a fist, or no hand at all, is looked at in mirrors, too.
    """
    height, width = image.shape[:2]
    scale = min(1.0, WIDE_PX_PER_MM / px_per_mm(plane, (width / 2, height / 2)))
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    down, right = -small.shape[0] % _DIVISOR, -small.shape[1] % _DIVISOR
    padded = np.asarray(cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_CONSTANT, value=_GREY), np.uint8)
    seen = network.detect([padded])[0]
    hands = merged_hands(seen)
    if any(hand.certainty < _SURE_STATE or hand.score < _SURE_HAND for hand in hands):
        hands = merged_hands(detect_mirrored(network, padded, _LABELS, seen))
    across, along = width / small.shape[1], height / small.shape[0]
    return [
        replace(hand, box=(hand.box[0] * across, hand.box[1] * along, hand.box[2] * across, hand.box[3] * along))
        for hand in hands
    ]


def merged_hands(boxes: Sequence[Detection]) -> list[FoundHand]:
    """Make one hand of an open and a closed box in the same place: the stronger one, less sure of its state."""
    hands: list[FoundHand] = []
    left = sorted((box for box in boxes if box.label in _LABELS), key=lambda box: -box.score)
    while left and left[0].score >= _LEAST:
        first, *rest = left
        same = [other for other in rest if _shared(first.box, other.box) > _SAME]
        left = [other for other in rest if other not in same]
        rival = max((other.score for other in same if other.label != first.label), default=0.0)
        state: Literal["open", "closed"] = "open" if first.label == "open" else "closed"
        hands.append(FoundHand(state, first.score / (first.score + rival), first.box, first.score))
    return hands


def _looked_at(openness: Openness, image: Image, plane: TablePlane, found: Sequence[FoundHand]) -> list[FoundHand]:
    """Look closer at hands, and say anew how surely each is open or closed."""
    looks = openness.tell([patch(image, hand.box, px_per_mm(plane, centre(hand.box))) for hand in found])
    return [weighed(hand, look) for hand, look in zip(found, looks.tolist(), strict=True)]


def finder_log_odds(hand: FoundHand) -> float:
    """Return the log odds that a hand is open by what the hand finder detected it as."""
    return math.log(hand.certainty / max(_LEAST_RIVAL, 1 - hand.certainty)) * (1 if hand.state == "open" else -1)


def weighed(hand: FoundHand, look: float) -> FoundHand:
    """Combine what a hand was found as with the open/closed classifier's score (log odds that it is open)."""
    offset, finder, classifier = WEIGHTS
    odds = offset + finder * finder_log_odds(hand) + classifier * look
    return replace(hand, state="open" if odds > 0 else "closed", certainty=1 / (1 + math.exp(-abs(odds))))


def _new(image: Image, empty: Image, box: Box) -> bool:
    """Tell whether a box shows something that the table without hands does not, and that an arm leads to."""
    x, y, width, height = box
    margin = _MARGIN * max(width, height)
    left, top = x - margin, y - margin
    scale = (_GRID / (width + 2 * margin), _GRID / (height + 2 * margin))
    matrix = np.array([[scale[0], 0, -left * scale[0]], [0, scale[1], -top * scale[1]]])
    soft = [cv2.blur(_cut(each, box, margin), (5, 5)) for each in (image, empty)]
    moved = matrix.copy()
    moved[:, 2] += matrix[:, :2] @ np.array([max(0, int(left)), max(0, int(top))])
    now, then = (cv2.warpAffine(each, moved, (_GRID, _GRID)).astype(np.float32) for each in soft)
    inside = cv2.warpAffine(np.full(soft[0].shape[:2], 255, np.uint8), moved, (_GRID, _GRID)) > 127
    # A lamp that was dimmed is no hand: only what changed otherwise than most of the box counts.
    gain = np.median((now[inside] + 8) / (then[inside] + 8), axis=0) if inside.any() else np.ones(3)
    lit, plain = (_differ(now, other) for other in ((then + 8) * gain - 8, then))
    changed = lit if lit.mean() < plain.mean() else plain
    # Whatever lies beyond the picture's edge may be the arm.
    changed |= ~inside
    rim = np.concatenate([changed[0], changed[1:, -1], changed[-1, -2::-1], changed[-2:0:-1, 0]])
    return float(changed.mean()) > _NEW_SHARE and _longest_run(rim) >= _ARM_CELLS


def _differ(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Tell where a picture (height, width, 3) differs clearly in any channel from another one."""
    least = np.clip(_OTHER_SHARE * other, _LEAST_LEVELS, _OTHER_LEVELS)
    blue, green, red = np.moveaxis(np.abs(one - other) > least, 2, 0)
    return np.asarray(blue | green | red, bool)


def _cut(image: Image, box: Box, margin: float) -> Image:
    x, y, width, height = box
    top, left = max(0, int(y - margin)), max(0, int(x - margin))
    return image[top : int(y + height + margin) + 1, left : int(x + width + margin) + 1]


def _longest_run(ring: NDArray[np.bool_]) -> int:
    """Give the length of the longest run of true cells round a ring."""
    if ring.all():
        return len(ring)
    unrolled = np.concatenate([ring, ring]).astype(np.int8)
    ends = np.flatnonzero(np.diff(np.concatenate([[0], unrolled, [0]])))
    return int((ends[1::2] - ends[::2]).max(initial=0))


def _shared(one: Box, other: Box) -> float:
    """Give the overlap of two boxes as a fraction of the smaller one."""
    return shared(one, other) / max(1e-9, min(one[2] * one[3], other[2] * other[3]))
