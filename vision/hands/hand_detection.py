"""Detect the hands of a picture and classify each as open or closed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.bounding_boxes import centre, overlap
from vision.cameras.frame import Image
from vision.detector import WIDE_PX_PER_MM, Detection
from vision.detector.inference_augmentation import detect_mirrored
from vision.detector.model_set import ModelSet
from vision.detector.network import Network
from vision.detector.open_closed_classifier import OpenClosedClassifier, hand_patch
from vision.hands.palm_height_scale import PALM_HEIGHT_MM, px_per_mm
from vision.readings import Box

_MIN_SCORE = 0.35
"""Minimum detector score of a hand."""
_LABELS = ("open", "closed")
"""Labels of the detector's classes that are hands."""
_AUGMENT_BELOW_CERTAINTY = 0.85
"""Certainty of open or closed below which mirrored copies of the picture are also evaluated. Of 450 pictures of 90
development sessions, 34 had a misclassified hand in one pass and 18 with the mirrored ones."""
_AUGMENT_BELOW_SCORE = 0.7
"""Detector score below which mirrored copies of the picture are also evaluated."""
_MIN_NEIGHBOUR_SCORE = 0.2
"""Score from which a weak box that overlaps a hand may be another hand: mirrored copies are also evaluated."""
STATE_WEIGHTS: Final = (-1.12, 0.28, 1.60)
"""Intercept, weight of the hand detector's log odds and weight of the open/closed classifier's, in the log odds
that a hand is open. A fit to the present detector (`python -m models.fitting.open_hand_probability`: -1.04, 0.46,
1.14) lowers the loss on 244 hands of other sessions from 0.011 to 0.007; none is misclassified either way, but one
more false hand is detected elsewhere."""
_MIN_RIVAL_PROBABILITY = 1e-3
"""Lower bound of the probability of the less probable state, so that log odds stay finite."""
_MIN_SAME_OVERLAP = 0.4
"""Minimum overlap (intersection over union) of two boxes of one hand. Of a player's two hands side by side, one may
cover half of the other's box: of 300 hands 80 to 180 mm apart 290 are found, and 282 if overlaps are divided by the
smaller box. On 160 pictures of held-out sessions both give the same hands."""
_GRID = 40
"""Side of the grid to which a box and its margin are resampled for change detection, cells of about 5 mm."""
_MARGIN = 0.12
"""Margin around the box in that grid, as a share of the box's longer side."""
_MIN_CHANGED_SHARE = 0.12
"""Minimum share of changed cells in a hand's grid."""
_MIN_ARM_CELLS = 7
"""Minimum number of consecutive changed cells along the grid's rim, where the arm enters."""
_MAX_CHANGE_LEVELS = 12.0
"""Upper bound of the threshold of a changed cell, grey levels."""
_MIN_CHANGE_LEVELS = 6.0
"""Lower bound of that threshold, grey levels: above sensor noise."""
_CHANGE_SHARE = 0.25
"""Threshold between the bounds, as a share of the background's grey level: in the dark all differences are
small."""
_GREY = (114.0, 114.0, 114.0)
"""Padding colour (BGR) of the network's input."""
_DIVISOR = 16
"""The network's input height and width must be a multiple of this, px."""


@dataclass(frozen=True, slots=True)
class FoundHand:
    """A detected hand."""

    state: Literal["open", "closed"]
    """Whether the hand is open or closed."""
    certainty: float
    """Probability of `state`, 0..1."""
    box: Box
    """Bounding box, px of the picture."""
    score: float
    """Score of the hand detector, 0..1."""
    pieces_beside: bool = False
    """Whether pieces were detected beside it, outside all hands, as in a hand that was not detected."""

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the box, px."""
        return centre(self.box)


def find_hands(
    networks: ModelSet, image: Image, plane: TablePlane, most: int, empty: Image | None = None
) -> tuple[FoundHand, ...]:
    """Return the hands in a BGR picture, each open or closed, highest score first, at most `most`.

    plane: table plane for pictures of this size. empty: picture of the table without hands; detections where
    nothing has changed are dropped.
    """
    found = detect_hands(networks.hands, image, plane)
    if empty is not None:
        found = [hand for hand in found if _is_new(image, empty, hand.box)]
    if not found:
        return ()
    found.sort(key=lambda hand: -hand.score)
    return tuple(_classified(networks.open_closed, image, plane, found[:most]))


def positions_mm(plane: TablePlane, hands: Sequence[FoundHand]) -> NDArray[np.float64]:
    """Return the positions (x, y) of hands, table mm, (hands, 2): their boxes' centres at palm height."""
    middles = np.array([hand.centre for hand in hands], np.float64).reshape(-1, 2)
    return np.asarray(plane.to_table(middles, PALM_HEIGHT_MM), np.float64).reshape(-1, 2)


def detect_hands(network: Network, image: Image, plane: TablePlane) -> list[FoundHand]:
    """Return the hands that the hand detector finds in a BGR picture, highest score first; boxes in px of it.

    If a hand is uncertain, mirrored copies of the picture are also evaluated. plane: table plane for pictures of
    this size.
    """
    height, width = image.shape[:2]
    scale = min(1.0, WIDE_PX_PER_MM / px_per_mm(plane, (width / 2, height / 2)))
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    down, right = -small.shape[0] % _DIVISOR, -small.shape[1] % _DIVISOR
    padded = np.asarray(cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_CONSTANT, value=_GREY), np.uint8)
    detections = network.detect([padded])[0]
    hands = fuse_hands(detections)
    if _is_uncertain(hands, detections):
        hands = fuse_hands(detect_mirrored(network, padded, _LABELS, detections))
    across, along = width / small.shape[1], height / small.shape[0]
    return [
        replace(hand, box=(hand.box[0] * across, hand.box[1] * along, hand.box[2] * across, hand.box[3] * along))
        for hand in hands
    ]


def _is_uncertain(hands: Sequence[FoundHand], boxes: Sequence[Detection]) -> bool:
    """Return whether a hand of one inference pass is uncertain, or may hide another. boxes: those of the pass."""
    if any(hand.certainty < _AUGMENT_BELOW_CERTAINTY or hand.score < _AUGMENT_BELOW_SCORE for hand in hands):
        return True
    weak = [box for box in boxes if box.label in _LABELS and _MIN_NEIGHBOUR_SCORE <= box.score < _MIN_SCORE]
    return any(0.0 < overlap(box.box, hand.box) <= _MIN_SAME_OVERLAP for box in weak for hand in hands)


def fuse_hands(boxes: Sequence[Detection]) -> list[FoundHand]:
    """Return one hand for each group of overlapping detections, highest score first.

    Its state is the label of the group's best box; boxes of the other label lower its certainty.
    """
    hands: list[FoundHand] = []
    left = sorted((box for box in boxes if box.label in _LABELS), key=lambda box: -box.score)
    while left and left[0].score >= _MIN_SCORE:
        first, *rest = left
        same = [other for other in rest if overlap(first.box, other.box) > _MIN_SAME_OVERLAP]
        left = [other for other in rest if other not in same]
        rival = max((other.score for other in same if other.label != first.label), default=0.0)
        state: Literal["open", "closed"] = "open" if first.label == "open" else "closed"
        hands.append(FoundHand(state, first.score / (first.score + rival), first.box, first.score))
    return hands


def _classified(
    classifier: OpenClosedClassifier, image: Image, plane: TablePlane, found: Sequence[FoundHand]
) -> list[FoundHand]:
    """Return copies of hands with the states that detector and open/closed classifier give together."""
    scores = classifier.log_odds(
        [hand_patch(image, hand.box, px_per_mm(plane, centre(hand.box))) for hand in found]
    )
    return [with_combined_state(hand, score) for hand, score in zip(found, scores.tolist(), strict=True)]


def finder_log_odds(hand: FoundHand) -> float:
    """Return the log odds, by the hand detector alone, that a hand is open."""
    return math.log(hand.certainty / max(_MIN_RIVAL_PROBABILITY, 1 - hand.certainty)) * (
        1 if hand.state == "open" else -1
    )


def with_combined_state(hand: FoundHand, score: float) -> FoundHand:
    """Return a copy of a hand whose state combines the detector's with the open/closed classifier's output.

    score: log odds by the classifier that the hand is open.
    """
    offset, finder, classifier = STATE_WEIGHTS
    odds = offset + finder * finder_log_odds(hand) + classifier * score
    return replace(hand, state="open" if odds > 0 else "closed", certainty=1 / (1 + math.exp(-abs(odds))))


def _is_new(image: Image, empty: Image, box: Box) -> bool:
    """Return whether a box differs from the empty table, both within and along a part of its rim, as with an arm.

    image, empty: BGR pictures with and without hands. A change of light of the whole box does not count.
    """
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
    # Only what changed differently from most of the box counts, so that a dimmed lamp is no hand.
    gain = np.median((now[inside] + 8) / (then[inside] + 8), axis=0) if inside.any() else np.ones(3)
    lit, plain = (_changed_cells(now, other) for other in ((then + 8) * gain - 8, then))
    changed = lit if lit.mean() < plain.mean() else plain
    # Outside the picture an arm may continue.
    changed |= ~inside
    rim = np.concatenate([changed[0], changed[1:, -1], changed[-1, -2::-1], changed[-2:0:-1, 0]])
    return float(changed.mean()) > _MIN_CHANGED_SHARE and _longest_run(rim) >= _MIN_ARM_CELLS


def _changed_cells(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return a mask (height, width) of the cells where a picture differs from the background in any channel.

    one, other: the picture and the background, (height, width, 3); the threshold depends on the background.
    """
    least = np.clip(_CHANGE_SHARE * other, _MIN_CHANGE_LEVELS, _MAX_CHANGE_LEVELS)
    blue, green, red = np.moveaxis(np.abs(one - other) > least, 2, 0)
    return np.asarray(blue | green | red, bool)


def _cut(image: Image, box: Box, margin: float) -> Image:
    """Return the part of a picture in a box and a margin (px), clipped to the picture; a view, not a copy."""
    x, y, width, height = box
    top, left = max(0, int(y - margin)), max(0, int(x - margin))
    return image[top : int(y + height + margin) + 1, left : int(x + width + margin) + 1]


def _longest_run(ring: NDArray[np.bool_]) -> int:
    """Return the length of the longest run of true values in a circular array."""
    if ring.all():
        return len(ring)
    unrolled = np.concatenate([ring, ring]).astype(np.int8)
    ends = np.flatnonzero(np.diff(np.concatenate([[0], unrolled, [0]])))
    return int((ends[1::2] - ends[::2]).max(initial=0))
