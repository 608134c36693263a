"""Split touching pieces of one kind: specimens of one kind have about equal areas.

Masks are top views at the scale of `calibration.pieces.segmentation`; areas are in pixels of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

_MAX_TOGETHER = 6
"""Largest number of touching pieces that are split."""
_MIN_CORE_FRACTION = 0.62
"""Fraction of an object's largest thickness from which a part is a core; a neck separates two cores."""
_MIN_CORE_SHARE = 0.35
"""Smallest area of a core, as a fraction of the largest one."""
_MAX_AREA_ERROR = 0.3
"""Largest relative deviation of an area from a whole number of pieces."""
_NECK_MISMATCH_WEIGHT = 0.3
"""Weight of an area that is explained by another number of pieces than its necks suggest."""
_MIN_PART = 0.6
"""Smallest area of a part, as a multiple of one piece's area."""
_MAX_PART = 1.5
"""Largest area of a part, as a multiple of one piece's area."""
_PAIR_ELONGATION = 1.6
"""Two pieces without a neck between them lie side by side, twice as long as wide. One that lies on its side among
some that stand has the area of two of those, but not their shape."""
_MIN_THICK_PX = 5.0
"""Half as thick as the thinnest piece: the grain of wood comes in streaks thinner than 5 mm."""
_MIN_PIECE_PX = 360
"""Nothing is split into pieces smaller than 90 square mm: a piece half taken for its shadow has necks, too."""


def split_touching(masks: Sequence[Mask]) -> list[tuple[int, Mask]]:
    """Split masks of one or several touching pieces of one kind into single pieces.

    Returns (index of the mask, mask of one piece in the same shape) for each piece. The area of one piece is not
    known in advance: it is chosen so that most of the areas are small whole multiples of it, and as many pieces as
    the necks suggest. Masks that cannot be split into equal pieces, and those thinner than any piece, are left out.
    """
    thick = [number for number, mask in enumerate(masks) if _distance_from_edge(mask).max() >= _MIN_THICK_PX]
    if not thick:
        return []
    cores = [_cores(masks[number]) for number in thick]
    areas = [int(np.count_nonzero(masks[number])) for number in thick]
    counts = [max(1, len(own)) for own in cores]
    one = _area_of_one(areas, counts)
    result = []
    for number, own, area in zip(thick, cores, areas, strict=True):
        mask = masks[number]
        together = _piece_count(area, len(own), one)
        if together == 2 and len(own) < 2 and _elongation(mask) < _PAIR_ELONGATION:
            together = 1
        if together == 1:
            result.append((number, mask))
        elif 1 < together <= _MAX_TOGETHER:
            parts = _split_pixels(mask, own if len(own) == together else [], together)
            sizes = [np.count_nonzero(part) / one for part in parts]
            if one >= _MIN_PIECE_PX and all(_MIN_PART < size < _MAX_PART for size in sizes):
                result += [(number, part) for part in parts]
    return result


def filled_hull(mask: Mask) -> Mask:
    """Return the filled convex hull of a mask, for convex objects with print or edges in the table's colour."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(np.concatenate(contours))
    return np.asarray(cv2.fillConvexPoly(np.zeros(mask.shape, np.uint8), hull, 1) > 0)


def _distance_from_edge(mask: Mask) -> NDArray[np.float32]:
    """Return the distance of each pixel of an object from its edge, px."""
    framed = np.pad(mask.astype(np.uint8), 1)
    return np.asarray(cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)


def _piece_count(area: int, cores: int, one: float) -> int:
    """Return the number of pieces in an area. cores: its number of thick parts; one: area of one piece."""
    share = area / one
    if share < _MAX_PART:
        return 1
    # A piece on its edge has a smaller area: the number of necks is more reliable, if the areas allow it.
    if cores > 1 and _MIN_PART * cores < share < _MAX_PART * cores:
        return cores
    return max(2, round(share))


def _elongation(mask: Mask) -> float:
    """Return the ratio of an object's length to its width."""
    rows, columns = np.nonzero(mask)
    _, sides, _ = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
    return (max(sides) + 1) / (min(sides) + 1)


def _area_of_one(areas: Sequence[int], counts: Sequence[int]) -> float:
    """Return the area of one piece that explains most areas as whole numbers of pieces.

    counts: numbers of pieces that the necks suggest.
    """
    candidates = [area / count for area, count in zip(areas, counts, strict=True)] + [float(area) for area in areas]

    def explained(one: float) -> float:
        total = 0.0
        for area, count in zip(areas, counts, strict=True):
            together = max(1, round(area / one))
            if together <= _MAX_TOGETHER and abs(area / (together * one) - 1) < _MAX_AREA_ERROR:
                # Many small pieces explain everything: without a neck, more together count for less.
                total += 1.0 if count == together else (1.0 if count == 1 else _NECK_MISMATCH_WEIGHT) / together
        return total

    best = max(explained(one) for one in candidates)
    near = [one for one in candidates if explained(one) > best - 1e-9]
    return float(np.median(near))


def _cores(mask: Mask) -> list[Mask]:
    """Return the thick parts of an object that are separated by necks."""
    depth = _distance_from_edge(mask)
    thick = (depth > _MIN_CORE_FRACTION * depth.max()).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    return [labels == 1 + i for i in range(count - 1) if sizes[i] > _MIN_CORE_SHARE * sizes.max()]


def _split_pixels(mask: Mask, cores: Sequence[Mask], together: int) -> list[Mask]:
    """Return one mask per piece: every pixel belongs to the nearest core.

    Without cores, the pixels are divided into as many equal clusters as there are pieces together.
    """
    rows, columns = np.nonzero(mask)
    spots = np.stack([columns, rows], axis=1).astype(np.float32)
    if cores:
        away = np.stack([cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 5)[mask] for core in cores])
        owner = np.argmin(away, axis=0)
    else:
        cv2.setRNGSeed(0)  # the same picture gives the same pieces
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.1)
        start = np.zeros((len(spots), 1), np.int32)
        owner = np.asarray(cv2.kmeans(spots, together, start, criteria, 6, cv2.KMEANS_PP_CENTERS)[1]).reshape(-1)
    parts = []
    for number in range(together):
        part = np.zeros(mask.shape, np.bool_)
        own = owner == number
        part[rows[own], columns[own]] = True
        parts.append(part)
    return parts
