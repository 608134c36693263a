"""Compare patches of piece colours with the boxes of the general detector on a bare table.

Colours identify kinds, but split a printed disc and accept a stain as a piece. The detector does not distinguish
kinds, but separates objects. Where both agree a count is certain; elsewhere it needs confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.colour import Colours
from vision.counting.count_by_size import PieceMeasures
from vision.counting.piece_patches import Patch
from vision.counting.pixel_classification import MIN_LOG_DENSITY
from vision.detector import CLOSE_PX_PER_MM
from vision.detector.network import Network
from vision.kind_colours import KindColours
from vision.readings import Box

_SMALL_THINGS = ("loose", "token", "piece")
"""Detector labels of small objects."""
_MIN_SCORE = 0.2
"""Minimum score of a box."""
_MIN_STRONG_SCORE = 0.5
"""Minimum score of a box that is reported even without a patch."""
_MAX_KIND_DEFICIT = 6.5
"""Maximum deficit (nats per pixel) of an object's log likelihood under a kind for it to be of that kind."""
_MIN_DENSITY_MARGIN = 0.5
"""Minimum excess of the log density under a kind over that of an unknown object."""
_SHADOW_REACH = 0.5
"""Maximum distance of a piece's shadow, as a share of the box's length; a strong box must touch the piece."""
_MIN_SEPARATION_PX = 8.0
"""Minimum distance (px) between the centres of two objects, 5 mm; closer ones are one object with two labels."""
_DIVISOR = 16
"""The network's input height and width must be a multiple of this, px."""
_MIN_ODD_DEFICIT = 2.0
"""Deficit (nats per pixel) from which a patch without a box needs confirmation."""
_MIN_STRANGE_DEFICIT = 3.3
"""Deficit from which a patch without a box is not counted."""
_MIN_WHOLE_SHARE = 0.6
"""Minimum area of a patch without a box, as a share of the typical area of its kind."""
_MAX_LIKE_DEFICIT = 1.0
"""Deficit below which a smaller patch needs confirmation instead of being dropped."""
_MAX_REASSIGNED_SHARE = 0.8
"""Area (share of a piece) below which a patch of odd colour is reassigned to the next probable kind."""
_FITTING_SHARES = (0.75, 1.5)
"""Range of its area in pieces of that kind."""
_MIN_SEVERAL_PROBABILITY = 0.6
"""Minimum probability by colours of several pieces in one box for a confirmation to be needed."""


@dataclass(frozen=True, slots=True)
class SmallObject:
    """One small object found by the detector."""

    middle: tuple[float, float]
    """Centre, px."""
    box: tuple[float, float, float, float]
    """Box (x, y, width, height), px."""
    score: float
    """Score, 0..1."""


def detect_small_objects(image: Image, network: Network, px_per_mm: float) -> tuple[SmallObject, ...]:
    """Return the small objects that the detector finds in a BGR picture of the table, strongest first.

    px_per_mm: scale of the picture at its centre.
    """
    scale = CLOSE_PX_PER_MM / px_per_mm
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=flags)
    below, right = -large.shape[0] % _DIVISOR, -large.shape[1] % _DIVISOR
    padded = np.asarray(cv2.copyMakeBorder(large, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    found: list[SmallObject] = []
    for seen in sorted(network.detect([padded], _MIN_SCORE)[0], key=lambda one: -one.score):
        x, y, width, height = (value / scale for value in seen.box)
        middle = (x + width / 2, y + height / 2)
        near = (np.hypot(middle[0] - other.middle[0], middle[1] - other.middle[1]) for other in found)
        if seen.label in _SMALL_THINGS and all(away * scale > _MIN_SEPARATION_PX for away in near):
            found.append(SmallObject(middle, (x, y, width, height), seen.score))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Combined result of colour patches and detected objects."""

    counted: tuple[Patch, ...]
    """Patches accepted as pieces."""
    disputed: frozenset[int]
    """Indices in `counted` of patches that may contain one more piece."""
    odd: frozenset[int]
    """Indices in `counted` of patches whose kind is uncertain."""
    dropped: tuple[Patch, ...]
    """Patches that probably are no pieces, but need confirmation."""
    hidden: tuple[tuple[SmallObject, str], ...]
    """Detected objects with little contrast to the table, each with its most probable kind."""
    shadows: tuple[tuple[SmallObject, str], ...]
    """Detected objects that may be a piece's cast shadow, each with its most probable kind."""
    strange: tuple[SmallObject, ...]
    """Detected objects that have the colour of no enrolled piece."""


def combine(
    patches: Sequence[Patch],
    things: Sequence[SmallObject],
    colours: Colours,
    models: Mapping[str, KindColours],
    measures: Mapping[str, PieceMeasures],
) -> Agreement:
    """Return which colour patches and detected objects of a picture are pieces, and which need confirmation.

    things: the detected objects. colours: the picture's colours, corrected to the light of enrolment, (height,
    width, 3). models, measures: colour model and size of each kind.
    """
    counted: list[Patch] = []
    disputed: set[int] = set()
    odd: set[int] = set()
    dropped: list[Patch] = []
    owned = [(thing, _owner(patches, thing)) for thing in things]
    usual = _median_shares([owner for _, owner in owned if owner is not None])
    for patch in patches:
        inside = [thing for thing, owner in owned if owner is patch]
        whole = patch.share >= _MIN_WHOLE_SHARE * usual.get(patch.kind, 1.0)
        if not inside and (patch.unlike > _MIN_STRANGE_DEFICIT or not whole or _is_part(patch, owned)):
            dropped += [patch] if whole or patch.unlike < _MAX_LIKE_DEFICIT else []
            continue
        if len(inside) == 1 and patch.count > 1 and not patch.on_thing:
            if patch.chances[patch.count - 1] >= _MIN_SEVERAL_PROBABILITY:
                disputed.add(len(counted))
            patch = replace(patch, chances=(1.0,))
        elif sum(thing.score > _MIN_STRONG_SCORE for thing in inside) > patch.count:
            disputed.add(len(counted))
        if not inside and patch.unlike > _MIN_ODD_DEFICIT:
            odd.add(len(counted))
        elif patch.count == 1 and patch.share < _MAX_REASSIGNED_SHARE and patch.unlike > _MIN_ODD_DEFICIT:
            odd.add(len(counted))
            patch = _reassigned_by_size(patch, measures)
        counted.append(patch)
    strange: list[SmallObject] = []
    hidden: list[tuple[SmallObject, str]] = []
    shadows: list[tuple[SmallObject, str]] = []
    around = [(float(p.left), float(p.top), float(p.mask.shape[1]), float(p.mask.shape[0])) for p in patches]
    for thing in (thing for thing, owner in owned if owner is None):
        kind, unlike = _most_probable_kind(thing, colours, models, measures)
        if thing.score > _MIN_STRONG_SCORE and unlike >= _MAX_KIND_DEFICIT:
            strange.append(thing)
        elif _is_beside(thing, around, 0.0 if thing.score > _MIN_STRONG_SCORE else _SHADOW_REACH):
            shadows += [(thing, kind)] if thing.score > _MIN_STRONG_SCORE else []
        elif thing.score > _MIN_STRONG_SCORE or unlike < _MIN_ODD_DEFICIT:
            hidden.append((thing, kind))
            around.append(thing.box)
    return Agreement(
        tuple(counted),
        frozenset(disputed),
        frozenset(odd),
        tuple(dropped),
        tuple(hidden),
        tuple(shadows),
        tuple(strange),
    )


def _owner(patches: Sequence[Patch], thing: SmallObject) -> Patch | None:
    """Return the largest patch at the centre of a detected object, None if there is none."""
    own = [patch for patch in patches if _contains(patch, thing.middle)]
    return max(own, key=lambda patch: np.count_nonzero(patch.mask), default=None)


def _median_shares(seen: Sequence[Patch]) -> dict[str, float]:
    """Return the median area of each kind's patches, in areas of an enrolled piece, at most 1."""
    kinds = {patch.kind for patch in seen}
    return {kind: min(1.0, float(np.median([one.share for one in seen if one.kind == kind]))) for kind in kinds}


def _is_part(patch: Patch, owned: Sequence[tuple[SmallObject, Patch | None]]) -> bool:
    """Return whether a patch is only a part, such as a print, of an object that belongs to another patch."""
    rows, columns = np.nonzero(patch.mask)
    at = (patch.left + float(columns.mean()), patch.top + float(rows.mean()))
    for thing, owner in owned:
        x, y, width, height = thing.box
        inside = x <= at[0] <= x + width and y <= at[1] <= y + height
        if inside and owner is not None and owner is not patch:
            return True
    return False


def _is_beside(thing: SmallObject, pieces: Sequence[Box], max_gap: float) -> bool:
    """Return whether an object lies so close to a piece that it may be the piece's shadow.

    max_gap: maximum distance of their boxes, as a share of the object's length.
    """
    x, y, width, height = thing.box
    reach = max_gap * max(width, height)
    for left, top, columns, rows in pieces:
        across = max(left - x - width, x - left - columns, 0.0)
        down = max(top - y - height, y - top - rows, 0.0)
        if np.hypot(across, down) <= reach:
            return True
    return False


def _most_probable_kind(
    thing: SmallObject, colours: Colours, models: Mapping[str, KindColours], measures: Mapping[str, PieceMeasures]
) -> tuple[str, float]:
    """Return the kind that fits the colours at an object's centre best, and how much worse than an enrolled piece.

    The latter is the deficit of their log likelihood in nats per pixel, infinite where no kind fits.
    """
    x, y, width, height = thing.box
    rows = slice(max(0, round(y + height / 4)), max(1, round(y + 3 * height / 4)))
    columns = slice(max(0, round(x + width / 4)), max(1, round(x + 3 * width / 4)))
    middle = np.ascontiguousarray(colours[rows, columns].reshape(-1, 3))
    if not len(middle):
        return next(iter(models)), np.inf
    means = {
        kind: float(np.maximum(own.log_density(middle), MIN_LOG_DENSITY).mean()) for kind, own in models.items()
    }
    best = max(means, key=lambda kind: means[kind])
    return best, np.inf if means[best] < MIN_LOG_DENSITY + _MIN_DENSITY_MARGIN else measures[best].typical - means[
        best
    ]


def _reassigned_by_size(patch: Patch, measures: Mapping[str, PieceMeasures]) -> Patch:
    """Return a patch reassigned to its second most probable kind if its area is that of one such piece."""
    if len(patch.kinds) < 2:
        return patch
    first, second, *others = patch.kinds
    share = patch.share * measures[first[0]].area / measures[second[0]].area
    if second[1] < 1e-3 or not _FITTING_SHARES[0] <= share <= _FITTING_SHARES[1]:
        return patch
    return replace(
        patch, kind=second[0], kinds=((second[0], first[1]), (first[0], second[1]), *others), share=share
    )


def _contains(patch: Patch, point: tuple[float, float]) -> bool:
    """Return whether a point (x, y) in px lies on a patch or within two pixels of it."""
    column, row = round(point[0]) - patch.left, round(point[1]) - patch.top
    if min(row, column) < -2:
        return False
    return bool(np.any(patch.mask[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]))
