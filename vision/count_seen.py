"""A second pair of eyes for counting: what the detector sees lying on a bare table, held against patches of colour.

Colours tell kinds, but they split a printed disc and take a stain for a piece. The detector knows no kinds, but
sees where one thing ends and the next begins. Where both agree a count is sure; where not, it says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.count_pixels import LEAST_DENSITY
from vision.count_sizes import Measure
from vision.count_things import Patch
from vision.detector import CLOSE_PX_PER_MM
from vision.detector.network import Network
from vision.readings import Box
from vision.reveal.colour import Colours
from vision.reveal.kinds import KindColours

_SMALL_THINGS = ("loose", "token", "piece")
_LEAST = 0.2
"""Weaker boxes are not taken for things."""
_STRONG = 0.5
"""So strong a box without a patch of the pieces' colours is told of."""
_HARDLY_UNLIKE = 6.5
"""A thing in whose middle colours are no less likely than this (natural logarithm a pixel) may be of that kind."""
_SOME = 0.5
"""What is hardly more likely under any kind than something else anywhere is of none."""
_SHADOWS_REACH = 0.5
"""Nearer to a piece than this share of its own length a weak box may be of that piece's shadow; a strong one must
touch it."""
_APART_PX = 8.0
"""Boxes whose middles are nearer than this (5 mm) are one thing under two labels."""
_SIDE = 16
_ODD, _STRANGE = 2.0, 3.3
"""Colours less likely than this (natural logarithm a pixel) are asked about where the detector sees nothing; those
still less likely are not counted there."""
_WHOLE = 0.6
"""Nor is what covers less than this share of what its kind's pieces cover; of its very colour it is asked about."""
_VERY_LIKE = 1.0
_LITTLE, _FITTING = 0.8, (0.75, 1.5)
"""Odd colours on less than this share of a piece are of the next likely kind, if that size is usual for it."""
_SURE_OF_MORE = 0.6
"""When colours are this sure of several pieces where the detector sees one, somebody should look."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One small thing that the detector sees: its middle and box (x, y, width, height) in px, its score."""

    middle: tuple[float, float]
    box: tuple[float, float, float, float]
    score: float


def things_on(image: Image, network: Network, px_per_mm: float) -> tuple[Thing, ...]:
    """Find the small things on a table (BGR picture, px_per_mm in its middle), strongest first, in its pixels."""
    scale = CLOSE_PX_PER_MM / px_per_mm
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=flags)
    below, right = -large.shape[0] % _SIDE, -large.shape[1] % _SIDE
    padded = np.asarray(cv2.copyMakeBorder(large, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    found: list[Thing] = []
    for seen in sorted(network.detect([padded], _LEAST)[0], key=lambda one: -one.score):
        x, y, width, height = (value / scale for value in seen.box)
        middle = (x + width / 2, y + height / 2)
        near = (np.hypot(middle[0] - other.middle[0], middle[1] - other.middle[1]) for other in found)
        if seen.label in _SMALL_THINGS and all(away * scale > _APART_PX for away in near):
            found.append(Thing(middle, (x, y, width, height), seen.score))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What colours and detector say together.

    counted: patches that are pieces. disputed: those among them, by place, of which there may be one more than
    is counted; odd: those whose kind is a guess. dropped: patches that are likely nothing, but worth a look.
    hidden: things that hardly stand out from the table, with the kind that their colours are likeliest of; shadows:
    those among them that lie where a piece throws its shadow. strange: things of no piece's colour.
    """

    counted: tuple[Patch, ...]
    disputed: frozenset[int]
    odd: frozenset[int]
    dropped: tuple[Patch, ...]
    hidden: tuple[tuple[Thing, str], ...]
    shadows: tuple[tuple[Thing, str], ...]
    strange: tuple[Thing, ...]


def agree(
    patches: Sequence[Patch],
    things: Sequence[Thing],
    colours: Colours,
    models: Mapping[str, KindColours],
    measures: Mapping[str, Measure],
) -> Agreement:
    """Hold patches against what the detector sees (all in pixels of the same picture).

    colours: the picture's (height, width, 3) in the light of enrolment; models: how each kind looks in it.
    """
    counted: list[Patch] = []
    disputed: set[int] = set()
    odd: set[int] = set()
    dropped: list[Patch] = []
    owned = [(thing, _owner(patches, thing)) for thing in things]
    usual = _usual_shares([owner for _, owner in owned if owner is not None])
    for patch in patches:
        inside = [thing for thing, owner in owned if owner is patch]
        whole = patch.share >= _WHOLE * usual.get(patch.kind, 1.0)
        if not inside and (patch.unlike > _STRANGE or not whole or _part(patch, owned)):
            dropped += [patch] if whole or patch.unlike < _VERY_LIKE else []
            continue
        if len(inside) == 1 and patch.count > 1 and not patch.on_thing:
            if patch.chances[patch.count - 1] >= _SURE_OF_MORE:
                disputed.add(len(counted))
            patch = replace(patch, chances=(1.0,))
        elif sum(thing.score > _STRONG for thing in inside) > patch.count:
            disputed.add(len(counted))
        if not inside and patch.unlike > _ODD:
            odd.add(len(counted))
        elif patch.count == 1 and patch.share < _LITTLE and patch.unlike > _ODD:
            odd.add(len(counted))
            patch = _resized(patch, measures)
        counted.append(patch)
    strange: list[Thing] = []
    hidden: list[tuple[Thing, str]] = []
    shadows: list[tuple[Thing, str]] = []
    around = [(float(p.left), float(p.top), float(p.mask.shape[1]), float(p.mask.shape[0])) for p in patches]
    for thing in (thing for thing, owner in owned if owner is None):
        kind, unlike = _likeliest(thing, colours, models, measures)
        if thing.score > _STRONG and unlike >= _HARDLY_UNLIKE:
            strange.append(thing)
        elif _beside(thing, around, 0.0 if thing.score > _STRONG else _SHADOWS_REACH):
            shadows += [(thing, kind)] if thing.score > _STRONG else []
        elif thing.score > _STRONG or unlike < _ODD:
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


def _owner(patches: Sequence[Patch], thing: Thing) -> Patch | None:
    """Give the patch that is one thing with what the detector sees: the largest in its middle."""
    own = [patch for patch in patches if _within(patch, thing.middle)]
    return max(own, key=lambda patch: np.count_nonzero(patch.mask), default=None)


def _usual_shares(seen: Sequence[Patch]) -> dict[str, float]:
    """Give how much of a taught piece's area those of each kind cover here that the detector sees, at most all."""
    kinds = {patch.kind for patch in seen}
    return {kind: min(1.0, float(np.median([one.share for one in seen if one.kind == kind]))) for kind in kinds}


def _part(patch: Patch, owned: Sequence[tuple[Thing, Patch | None]]) -> bool:
    """Tell whether a patch lies in a thing in whose middle lies another patch: it is part of that one's print."""
    rows, columns = np.nonzero(patch.mask)
    at = (patch.left + float(columns.mean()), patch.top + float(rows.mean()))
    for thing, owner in owned:
        x, y, width, height = thing.box
        inside = x <= at[0] <= x + width and y <= at[1] <= y + height
        if inside and owner is not None and owner is not patch:
            return True
    return False


def _beside(thing: Thing, pieces: Sequence[Box], far: float) -> bool:
    """Tell whether a thing lies where a piece throws its shadow, as far as this share of the thing's length."""
    x, y, width, height = thing.box
    reach = far * max(width, height)
    for left, top, columns, rows in pieces:
        across = max(left - x - width, x - left - columns, 0.0)
        down = max(top - y - height, y - top - rows, 0.0)
        if np.hypot(across, down) <= reach:
            return True
    return False


def _likeliest(
    thing: Thing, colours: Colours, models: Mapping[str, KindColours], measures: Mapping[str, Measure]
) -> tuple[str, float]:
    """Give the kind that the middle of a thing looks most like, and how much less likely than usual that is."""
    x, y, width, height = thing.box
    rows = slice(max(0, round(y + height / 4)), max(1, round(y + 3 * height / 4)))
    columns = slice(max(0, round(x + width / 4)), max(1, round(x + 3 * width / 4)))
    middle = np.ascontiguousarray(colours[rows, columns].reshape(-1, 3))
    if not len(middle):
        return next(iter(models)), np.inf
    means = {kind: float(np.maximum(own.log_density(middle), LEAST_DENSITY).mean()) for kind, own in models.items()}
    best = max(means, key=lambda kind: means[kind])
    return best, np.inf if means[best] < LEAST_DENSITY + _SOME else measures[best].typical - means[best]


def _resized(patch: Patch, measures: Mapping[str, Measure]) -> Patch:
    """Take the next likely kind for a patch that is too small for the likeliest."""
    if len(patch.kinds) < 2:
        return patch
    first, second, *others = patch.kinds
    share = patch.share * measures[first[0]].area / measures[second[0]].area
    if second[1] < 1e-3 or not _FITTING[0] <= share <= _FITTING[1]:
        return patch
    return replace(
        patch, kind=second[0], kinds=((second[0], first[1]), (first[0], second[1]), *others), share=share
    )


def _within(patch: Patch, at: tuple[float, float]) -> bool:
    """Tell whether a point lies on a patch or hardly beside it."""
    column, row = round(at[0]) - patch.left, round(at[1]) - patch.top
    if min(row, column) < -2:
        return False
    return bool(np.any(patch.mask[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]))
