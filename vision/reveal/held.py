"""The pieces in one hand: where the detector sees them, and which kinds their colours could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.detector import CROP_PX, Detection
from vision.detector.network import Network
from vision.readings import Box
from vision.reveal.colour import of_picture
from vision.reveal.geometry import CropFrame, crop_round
from vision.reveal.hands import FoundHand
from vision.reveal.kinds import KindColours, kind_evidence, learn_rest

REST = ""
"""Stands among kinds for what is no piece: the skin, mostly."""
_LEAST = 0.08
"""Weaker boxes are not even a doubt."""
_MIRRORED = ((False, False), (True, False), (False, True), (True, True))
"""Mirrored left to right, top to bottom: the views of a hand, the plain one first."""
_SAME = 0.5
"""Boxes of two views that overlap by more (intersection over union) show the same piece."""
_EDGE_PX = 5.0
_INSIDE = 0.05
"""A piece's centre lies at least so far (of the box's size) inside a hand's box: not beside a finger."""


@dataclass(frozen=True, slots=True)
class Held:
    """A box that may be a piece in a hand: in pixels of the picture and of the crop; the detector's score; how much
    of it (0..1) a stronger box covers; log likelihood of each kind, and of REST, for its colours (if asked for)."""

    box: Box
    in_crop: Box
    score: float
    covered: float
    kinds: Mapping[str, float] = field(default_factory=dict)


def look_into(
    network: Network,
    image: Image,
    hand: FoundHand,
    others: tuple[FoundHand, ...],
    plane: TablePlane,
    models: Mapping[str, KindColours],
    light: NDArray[np.float64],
    views: int = 1,
) -> tuple[Held, ...]:
    """Find what lies in an open hand of a BGR picture.

    light: gains (b, g, r) to the light of enrolment. views: 1, or 4 to look at the hand mirrored as well,
    which takes four times as long and errs less.
    """
    frame = crop_round(plane, hand.centre)
    found = held_in(network, image, frame, hand, others, views)
    if any(_at_edge(piece.in_crop) for piece in found):
        # Pieces lie off the middle: look again where they are.
        middles = np.array([[x + w / 2, y + h / 2] for x, y, w, h in (piece.box for piece in found)])
        x, y = (middles.min(axis=0) + middles.max(axis=0)) / 2
        frame = crop_round(plane, (float(x), float(y)))
        found = held_in(network, image, frame, hand, others, views)
    if not found:
        return ()
    crop = frame.picture(image)
    colours = of_picture(crop, light)
    rest = learn_rest(crop, light, [piece.in_crop for piece in found])
    known = dict(models) if rest is None else {**models, REST: rest}
    return tuple(replace(piece, kinds=kind_evidence(colours, piece.in_crop, known)) for piece in found)


def held_in(
    network: Network,
    image: Image,
    frame: CropFrame,
    hand: FoundHand,
    others: tuple[FoundHand, ...],
    views: int = 1,
) -> tuple[Held, ...]:
    """Find what lies in a hand, in one crop of a picture, without asking for its kind."""
    crop = frame.picture(image)
    seen = []
    for across, along in _MIRRORED[:views]:
        turned = np.ascontiguousarray(crop[:: -1 if along else 1, :: -1 if across else 1])
        found = network.detect([turned], _LEAST)[0]
        seen.append([_mirrored(piece, across, along) for piece in found if piece.label == "piece"])
    mine = [piece for piece in _agreed(seen) if _belongs(frame.box(piece.box), hand, others)]
    return tuple(Held(frame.box(p.box), p.box, p.score, _covered(p, mine)) for p in mine)


def _mirrored(piece: Detection, across: bool, along: bool) -> Detection:
    x, y, width, height = piece.box
    box = (CROP_PX - x - width if across else x, CROP_PX - y - height if along else y, width, height)
    return Detection(piece.label, box, piece.score)


def _agreed(seen: list[list[Detection]]) -> list[Detection]:
    """Bring together what several views show: boxes that overlap are one piece, with their mean score."""
    if len(seen) == 1:
        return seen[0]
    left = sorted(((piece, view) for view, found in enumerate(seen) for piece in found), key=lambda e: -e[0].score)
    agreed = []
    while left:
        first = left[0][0]
        best: dict[int, Detection] = {}
        for piece, view in left:
            if view not in best and _overlap(first.box, piece.box) > _SAME:
                best[view] = piece
        members = list(best.values())
        left = [(piece, view) for piece, view in left if best.get(view) is not piece]
        box = np.mean([piece.box for piece in members], axis=0)
        score = sum(piece.score for piece in members) / len(seen)
        agreed.append(Detection(first.label, (float(box[0]), float(box[1]), float(box[2]), float(box[3])), score))
    return [piece for piece in agreed if piece.score >= _LEAST]


def _overlap(one: Box, other: Box) -> float:
    """Give intersection over union."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0.0, wide) * max(0.0, high)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared)


def _belongs(box: Box, hand: FoundHand, others: tuple[FoundHand, ...]) -> bool:
    """Tell whether a piece lies in this hand and not in another one nearby."""
    own = _depth(box, hand.box)
    return own > _INSIDE and all(own >= _depth(box, other.box) for other in others if other is not hand)


def _depth(piece: Box, hand: Box) -> float:
    """Tell how far inside a hand's box a piece's centre lies: 0.5 in its middle, 0 at its edge, below outside."""
    x = (piece[0] + piece[2] / 2 - hand[0]) / max(hand[2], 1.0)
    y = (piece[1] + piece[3] / 2 - hand[1]) / max(hand[3], 1.0)
    return min(x, 1 - x, y, 1 - y)


def _at_edge(box: Box) -> bool:
    x, y, width, height = box
    return min(x, y, CROP_PX - x - width, CROP_PX - y - height) < _EDGE_PX


def _covered(piece: Detection, pieces: list[Detection]) -> float:
    """Give the largest share of a box that a stronger box covers."""
    x, y, width, height = piece.box
    shares = [0.0]
    for other in pieces:
        if other.score > piece.score:
            ox, oy, ow, oh = other.box
            wide, high = min(x + width, ox + ow) - max(x, ox), min(y + height, oy + oh) - max(y, oy)
            shares.append(max(0.0, wide) * max(0.0, high) / (width * height))
    return max(shares)
