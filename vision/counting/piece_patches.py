"""Group piece-coloured pixels into patches: one piece, or several that touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.counting.count_by_size import (
    MAX_TOUCHING,
    Mask,
    PieceMeasures,
    area_px,
    count_probabilities,
    joint_count_probabilities,
    relative_size,
)
from vision.counting.pixel_classification import MIN_LOG_DENSITY, KindMap, Layer
from vision.kind_colours import KindColours

_MIN_SHARE = 0.3
"""Minimum area of a patch, as a share of a piece; smaller ones are specks or coloured rims."""
_EFFECTIVE_PIXELS = 6.0
"""Number of independent pixels that the correlated pixels of a piece amount to."""
_LACKING_WEIGHT = 2.5
"""Weight of missing print colours in a kind's log likelihood."""
_CLOSING_MM = 3.0
"""Diameter of the morphological closing of objects."""
_MAX_PRINT_DEFICIT = 1.5
"""Maximum deficit (nats per pixel) of a piece on a print against the enrolled pieces."""
_MAX_SURROUNDING = 0.25
"""Maximum mean probability of a kind around a piece on a print."""
_MIN_WHOLE_SHARE = 0.45
"""Minimum area of a kind's pixels, as a share of a piece, to trim the rest as shadow."""
_MIN_HEAP_SHARE = 0.35
"""Minimum share of piece-coloured pixels of a heap of pieces; below it, the object only carries pieces."""
_MIN_ENCLOSED_SHARE = 0.6
"""Minimum share of a part that lies inside another part's hull, for both to be one printed piece."""
_MAX_PRINT_AREA = 1.7
"""Maximum area of both parts together, in pieces, shadow included."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One piece, or several touching ones of the same kind."""

    kind: str
    """Most probable kind."""
    left: int
    """Left edge of the mask, px."""
    top: int
    """Top edge of the mask, px."""
    mask: Mask
    """Mask within its bounding box."""
    chances: tuple[float, ...]
    """Probability of each number of pieces from 1."""
    kinds: tuple[tuple[str, float], ...]
    """Probability of each kind, most probable first."""
    unlike: float
    """Deficit of its colours' log likelihood against the enrolled ones, nats per pixel."""
    share: float
    """Area in pieces of its kind."""
    on_thing: bool = False
    """Whether it lies on a larger object or is part of one."""

    @property
    def count(self) -> int:
        """Most probable number of pieces."""
        return int(np.argmax(self.chances)) + 1

    def boxes(self) -> tuple[tuple[float, float, float, float], ...]:
        """Return one box (x, y, width, height in px) per counted piece, by clustering the patch's pixels."""
        rows, columns = np.nonzero(self.mask)
        pixels = np.stack([columns, rows], axis=1).astype(np.float32)
        groups = [pixels]
        if self.count > 1 and len(pixels) > 4 * self.count:
            criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.2)
            cv2.setRNGSeed(1)
            start = np.zeros((len(pixels), 1), np.int32)
            _, labels, _ = cv2.kmeans(pixels, self.count, start, criteria, 3, cv2.KMEANS_PP_CENTERS)
            groups = [pixels[np.asarray(labels)[:, 0] == k] for k in range(self.count)]
        boxes = []
        for group in (group for group in groups if len(group)):
            (x, y), (right, bottom) = group.min(axis=0), group.max(axis=0) + 1
            boxes.append((float(x + self.left), float(y + self.top), float(right - x), float(bottom - y)))
        return tuple(boxes)


def find_patches(seen: KindMap, measures: Mapping[str, PieceMeasures], scale: Layer) -> tuple[Patch, ...]:
    """Return all patches of pieces in a picture.

    seen: the picture's pixels, classified. measures: size of each kind. scale: px/mm at each pixel, (height,
    width); 0 beyond the table's horizon.
    """
    found: list[Patch] = []
    coloured = seen.posterior.sum(axis=0) > 0.5
    # An object no larger than some pieces is classified as a whole, so that prints and reflections do not split it.
    larger = np.zeros(seen.table.shape, np.bool_)
    largest = max(own.area for own in measures.values())
    for mask, left, top, local in _components(_object_mask(seen, measures, scale), measures, scale):
        window = (slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1]))
        share = np.count_nonzero(coloured[window] & (mask > 0)) / np.count_nonzero(mask)
        area = area_px(mask) / local**2 / largest
        if area <= 1.35 or (share > _MIN_HEAP_SHARE and area < MAX_TOUCHING):
            found += _split_by_kind(seen, measures, mask, left, top, local)
        else:
            larger[window] |= mask > 0
    for mask, left, top, local in _components(coloured & larger, measures, scale):
        patches = _split_by_kind(seen, measures, mask, left, top, local)
        found += [replace(patch, on_thing=True) for patch in patches if _may_be_piece(patch, seen)]
    return _counted_jointly(found, measures, scale)


def _counted_jointly(
    found: Sequence[Patch], measures: Mapping[str, PieceMeasures], scale: Layer
) -> tuple[Patch, ...]:
    """Return the patches with their pieces recounted, assuming the same apparent size for all pieces of a kind."""
    alike = list(found)
    for kind, own in measures.items():
        places = [place for place, patch in enumerate(found) if patch.kind == kind and not patch.on_thing]
        outlines = [relative_size(found[place].mask, own, px_per_mm_of(found[place], scale)) for place in places]
        for place, (chances, fitting) in zip(places, joint_count_probabilities(outlines, own.spread), strict=True):
            kinds = ((kind, fitting * found[place].kinds[0][1]), *found[place].kinds[1:])
            alike[place] = replace(found[place], chances=chances, kinds=kinds)
    return tuple(alike)


def px_per_mm_of(patch: Patch, scale: Layer) -> float:
    """Return the scale at the centre of a patch. scale: px/mm, (height, width)."""
    height, width = patch.mask.shape
    return float(scale[patch.top + height // 2, patch.left + width // 2])


def _object_mask(seen: KindMap, measures: Mapping[str, PieceMeasures], scale: Layer) -> NDArray[np.bool_]:
    """Return a mask of the pixels of all objects on the table; small holes are filled."""
    local = float(np.median(scale[scale > 0])) if (scale > 0).any() else 1.0
    there = ((seen.table < 0.5) & (scale > 0)).astype(np.uint8)
    reach = round(_CLOSING_MM * local) | 1
    closed = cv2.morphologyEx(there, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    smallest = min(own.area for own in measures.values())
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    holes = stats[:, cv2.CC_STAT_AREA] < 0.5 * smallest * local**2
    holes[0] = False
    return np.asarray((closed > 0) | holes[labels], np.bool_)


def _may_be_piece(patch: Patch, seen: KindMap) -> bool:
    """Return whether a patch on a larger object may be a piece: isolated, whole, of the kind's colour."""
    if patch.count > 1 or patch.unlike > _MAX_PRINT_DEFICIT or patch.share < 0.5:
        return False
    padded = np.pad(patch.mask, 3)
    near = cv2.dilate(padded, np.ones((3, 3), np.uint8)) > 0
    ring = (cv2.dilate(padded, np.ones((3, 3), np.uint8), iterations=3) > 0) & ~near
    top, left = max(0, patch.top - 3), max(0, patch.left - 3)
    around = seen.posterior[
        :, top : patch.top + patch.mask.shape[0] + 3, left : patch.left + patch.mask.shape[1] + 3
    ]
    ring = ring[top - patch.top + 3 :, left - patch.left + 3 :][: around.shape[1], : around.shape[2]]
    own = around[seen.kinds.index(patch.kind)]
    return bool(ring.any() and own[ring].mean() < _MAX_SURROUNDING)


def _components(
    there: NDArray[np.bool_], measures: Mapping[str, PieceMeasures], scale: Layer
) -> Iterator[tuple[Mask, int, int, float]]:
    """Yield the connected components of a mask that are no specks.

    Each has a mask, the mask's left and top edge (px), and the scale there (px/mm).
    """
    smallest = min(own.area for own in measures.values())
    opened = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(opened, connectivity=4)
    for label in range(1, count):
        left, top, width, height, pixels = (int(value) for value in stats[label])
        local = float(scale[int(centres[label][1]), int(centres[label][0])])
        if local > 0 and pixels / local**2 >= _MIN_SHARE * smallest:
            window = (slice(top, top + height), slice(left, left + width))
            yield (labels[window] == label).astype(np.uint8), left, top, local


def _split_by_kind(
    seen: KindMap, measures: Mapping[str, PieceMeasures], mask: Mask, left: int, top: int, local: float
) -> list[Patch]:
    """Return the patches of a component: one for each part of a single kind, or one for all of it.

    mask, left, top, local: as `_components` yields them.
    """
    window = (slice(None), slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1]))
    posterior = np.stack([cv2.GaussianBlur(layer, (0, 0), 1.0) for layer in seen.posterior[window]])
    own = posterior.argmax(axis=0)
    area = float(np.count_nonzero(mask)) / local**2
    units = np.array([measures[kind].area for kind in seen.kinds])
    shares = np.array([np.count_nonzero(mask & (own == k)) for k in range(len(units))]) / local**2 / units
    there = np.flatnonzero(shares >= _MIN_SHARE)
    single = (area < 1.35 * units).any() and len(there) > 1
    if len(there) == 0 or len(there) == 1 or single:
        # Also a printed disc of several colours: all its pixels jointly determine the kind.
        return [patch] if (patch := _classified(seen, measures, mask, left, top, local, None)) is not None else []
    allowed = posterior[there].argmax(axis=0)
    # Pixels filled by the closing between neighbours are table.
    bare = seen.table[window[1:]] >= 0.5
    mask = np.where(bare, 0, mask).astype(np.uint8)
    parts: list[tuple[str | None, Mask]] = []
    for number, kind in enumerate(there):
        part = np.asarray(
            cv2.morphologyEx(
                mask & (allowed == number).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
            ),
            np.uint8,
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=4)
        for label in range(1, count):
            if stats[label][cv2.CC_STAT_AREA] / local**2 < _MIN_SHARE * units[kind]:
                continue
            parts.append((seen.kinds[kind], (labels == label).astype(np.uint8)))
    found = []
    for name, part in _with_prints_merged(parts, _MAX_PRINT_AREA * float(units.max()) * local**2):
        x, y, width, height = cv2.boundingRect(part)
        cut = np.ascontiguousarray(part[y : y + height, x : x + width])
        patch = _classified(seen, measures, cut, left + x, top + y, local, name)
        found += [patch] if patch is not None else []
    return found


def _with_prints_merged(parts: list[tuple[str | None, Mask]], most_px: float) -> list[tuple[str | None, Mask]]:
    """Return the parts (kind, mask), with those merged that lie inside each other, as on one printed piece.

    The kind of a merged part is None: it is determined later from all its colours. most_px: maximum area of a
    merged part.
    """
    whole = list(parts)
    for inner in parts:
        outer = next((other for other in whole if other is not inner and _inside(inner[1], other[1])), None)
        if outer is None or not any(one is inner for one in whole):
            continue
        both = np.maximum(inner[1], outer[1])
        if np.count_nonzero(both) <= most_px:
            whole = [one for one in whole if one is not inner and one is not outer]
            whole.append((None, both))
    return whole


def _inside(inner: Mask, outer: Mask) -> bool:
    """Return whether most of a mask lies within the convex hull of another."""
    rows, columns = np.nonzero(outer)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    filled = np.zeros(outer.shape, np.uint8)
    cv2.fillConvexPoly(filled, np.asarray(hull, np.int32), 1)
    return bool(np.count_nonzero(inner & filled) > _MIN_ENCLOSED_SHARE * np.count_nonzero(inner))


def _classified(
    seen: KindMap,
    measures: Mapping[str, PieceMeasures],
    mask: Mask,
    left: int,
    top: int,
    local: float,
    kind: str | None,
) -> Patch | None:
    """Return a patch with its kind and number of pieces; None for a speck.

    left, top: position of the mask, px. local: scale there, px/mm. kind: known kind, or None.
    """
    mask = _without_shadow(seen, measures, mask, left, top, local)
    window = seen.densities[:, top : top + mask.shape[0], left : left + mask.shape[1]]
    means = np.maximum(window[:, without_rim(mask) > 0], MIN_LOG_DENSITY).mean(axis=1)
    pixels = seen.colours[top : top + mask.shape[0], left : left + mask.shape[1]][mask > 0]
    means -= [_LACKING_WEIGHT * _missing_colours(measures[name].print, pixels) for name in seen.kinds]
    counted = [
        count_probabilities(relative_size(mask, measures[name], local), measures[name].spread)
        for name in seen.kinds
    ]
    scores = np.array(
        [_EFFECTIVE_PIXELS * mean + fit for mean, (_, fit) in zip(means, counted, strict=True)], np.float64
    )
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    best = int(np.argmax(chances)) if kind is None else seen.kinds.index(kind)
    numbers, _ = counted[best]
    name = seen.kinds[best]
    share = area_px(mask) / local**2 / measures[name].area
    if share < _MIN_SHARE:
        return None
    order = [best, *(int(k) for k in np.argsort(-chances) if k != best)]
    kinds = tuple((seen.kinds[k], float(chances[k])) for k in order)
    return Patch(name, left, top, mask, numbers, kinds, float(measures[name].typical - means[best]), share)


def without_rim(mask: Mask) -> Mask:
    """Return a mask eroded by its blurred rim; a mask that consists of little else is returned unchanged."""
    core = cv2.erode(np.pad(mask, 1), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    return np.asarray(core if np.count_nonzero(core) > 0.3 * np.count_nonzero(mask) else mask, np.uint8)


def _missing_colours(print_: KindColours | None, pixels: Colours) -> float:
    """Return how much of a print's colours is missing among pixels (n, 3), nats; 0 for kinds without print."""
    return 0.0 if print_ is None else print_.lacking(pixels)


def _without_shadow(
    seen: KindMap, measures: Mapping[str, PieceMeasures], mask: Mask, left: int, top: int, local: float
) -> Mask:
    """Return a patch's mask without its shadow; unchanged where that might remove a piece's own print."""
    posterior = seen.posterior[:, top : top + mask.shape[0], left : left + mask.shape[1]]
    coloured = (posterior.sum(axis=0) > 0.5).astype(np.uint8) & mask
    kind = seen.kinds[int(posterior[:, mask > 0].sum(axis=1).argmax())]
    if area_px(coloured) / local**2 < _MIN_WHOLE_SHARE * measures[kind].area:
        return mask
    near = cv2.dilate(np.pad(coloured, 1), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    return np.where(near > 0, mask, 0).astype(np.uint8)
