"""Segments loose objects near the middle of the table, in a top view at 2 px/mm, without their shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.colours_unlike_table import novelty
from calibration.pieces.foreground import EmptyTable, difference, foreground_mask, matched, threshold
from calibration.pieces.shadows import shadow_mask
from calibration.pieces.touching_pieces import split_touching
from calibration.plane import Image, Region, TablePlane

PX_PER_MM = 2.0
"""Scale of the top view."""
MIDDLE = Region(-190.0, -190.0, 190.0, 190.0)
"""Region searched for specimens, mm: round the place of the sheet."""

LEAST_AREA_MM2 = 40.0
"""Smallest area of a specimen, mm²."""
MOST_AREA_MM2 = 700.0
"""Largest area of a specimen, mm²."""
MOST_SIDE_MM = 36.0
"""Longest side of a specimen, mm."""
_MIN_PX = LEAST_AREA_MM2 * PX_PER_MM**2
"""Smallest area of a specimen, px."""
_SMOOTHING_PX = 0.5 * PX_PER_MM
"""Standard deviation of the filter before shadow detection, px."""
_SURROUNDINGS_MM = 24.0
"""Distance over which the table's local colour is estimated, mm."""
_MIN_DIFFERENCE = 9.0
"""CIELAB difference from which a pixel may belong to an object."""
_TEXTURE_FACTOR = 5.0
"""Multiple of the table's texture that an object must exceed."""
_RIM_PX = 3
"""Inner distance of the ring examined round an object, px."""
_RING_PX = 7
"""Outer distance of that ring, px."""
_MAX_OWN_COLOUR_RATIO = 0.35
"""Ratio of colour distances, to the object over object to table, below which the ring has the object's colour."""
_MAX_OWN_COLOUR_FRACTION = 0.25
"""Largest fraction of the ring in the object's colour."""
_EDGE_PX = 7
"""Side of the erosion that leaves an object's core, px."""
_MIN_CORE_FRACTION = 0.25
"""Smallest area fraction of the core; an object with less is all edge."""
_MAX_GROUND_RATIO = 0.6
"""Ratio of the difference of an object's ground to that of all of it, below which it is a print."""
_MAX_LOOSE_FRACTION = 0.5
"""Fraction of an object's pixels left after shadow removal below which they count as loose parts of it."""
_MAX_SAME_COLOUR_DISTANCE = 15.0
"""Largest CIELAB distance of equal colours."""
_MAX_NEW = 0.2
"""Largest changed fraction of the known table; above it the table has another cloth."""
_PATTERN_CONTRAST = 14.0
"""CIELAB difference by which a pattern stands out from its surroundings."""
_MAX_PATTERN_FRACTION = 0.015
"""Largest fraction of a plain table that does (wood, felt, stone are below; prints far above)."""
_MAX_TABLE_CHANGE = 7.0
"""Largest CIELAB difference of the table itself from its earlier pictures."""
_MIN_KNOWN_FRACTION = 0.9
"""Fraction of an object's place in which the empty table must be known for a comparison."""
_MIN_GONE_EDGE_RATIO = 1.5
"""Ratio of edge strength, empty table over frame, above which the object is in the empty table's picture."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SegmentedObject:
    """A segmented object on the table."""

    mask: Mask
    """Pixels of the object, (height, width) bool: a top view of `region` at PX_PER_MM."""
    region: Region
    """Part of the table that `mask` shows."""
    size_mm: tuple[float, float]
    """Longer and shorter side of the smallest rectangle round it."""
    area_mm2: float
    """Area of the mask."""
    centre_mm: tuple[float, float]
    """Centre of that rectangle, on the table."""


@dataclass(frozen=True, eq=False)
class Window:
    """An object's part of the top view of MIDDLE."""

    mask: Mask
    """Pixels of the object, (height, width) bool."""
    at: tuple[int, int]
    """Column and row of its upper left pixel in the top view."""

    @property
    def place(self) -> tuple[slice, slice]:
        """Rows and columns of the window in the top view of MIDDLE, as slices."""
        (left, top), (height, width) = self.at, self.mask.shape
        return slice(top, top + height), slice(left, left + width)

    @property
    def region(self) -> Region:
        """Part of the table that the window shows, table mm."""
        rows, columns = self.place
        corners = np.array([(columns.start, rows.start), (columns.stop, rows.stop)])
        (x, y), (right, bottom) = MIDDLE.to_mm(corners, PX_PER_MM)
        return Region(float(x), float(bottom), float(right), float(y))

    def share_of(self, other: Mask) -> float:
        """Return the fraction of the object that another mask, of the whole top view, covers."""
        return float(np.mean(other[self.place][self.mask]))


@dataclass(frozen=True, eq=False)
class Survey:
    """New objects near the middle of a picture."""

    finds: tuple[SegmentedObject, ...]
    """Possible specimens, largest first."""
    rest: tuple[SegmentedObject, ...] = ()
    """Other changes on a patterned table, which are no pieces or doubtful."""
    patterned: bool = False
    """Whether the table has a pattern, so that only earlier pictures show it below an object."""


def survey(image: Image, plane: TablePlane, empty: EmptyTable | None = None) -> Survey:
    """Segment the objects near the middle of a BGR picture of this plane.

    empty: the top view of MIDDLE without objects, from earlier pictures. Where it is unknown, the table is
    estimated from the surroundings of each place.
    """
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    around, in_sight = _surroundings(view), _visible_mask(plane)
    table = _known_or_estimated_table(view, around, empty)
    search = _survey_plain_table if is_plain(table) else _survey_patterned_table
    return search(view, around, table, in_sight)


def _survey_plain_table(view: Image, around: Image, table: EmptyTable, in_sight: Mask) -> Survey:
    """Return the objects of a view that differ from `around`, its local median, and are no marks of the table."""
    seen, ground, change = _lab(view), _lab(around), difference(view, table)
    unlike = _difference(seen, ground)
    different = (unlike > _MIN_DIFFERENCE) & in_sight
    mask = different & ~shadow_mask(view, around, different, _MIN_PX, _SMOOTHING_PX)

    def things(windows: Sequence[Window]) -> tuple[SegmentedObject, ...]:
        new = [window for window in windows if not _was_there_before(window, change, table.known)]
        return _single_objects(_bounded_windows(new, seen, ground, unlike))

    # Where nothing else is found, an object may remain in parts: a dark rim round a print of the table's hue.
    return Survey(things(_windows(_outlined(mask, unlike))) or things(_hulls_of_remains(different, mask)))


def _survey_patterned_table(view: Image, around: Image, table: EmptyTable, in_sight: Mask) -> Survey:
    """Return the objects that differ from the empty table or, where that is unknown, have colours unlike it."""
    seen, ground, change = _lab(view), _lab(table.picture), difference(view, table)
    new = foreground_mask(view, table, change, one_kind=True)
    gone = [window for window in _windows(new) if _is_removed_object(window, seen, ground, table.known)]
    if gone:  # they have no colours of this kind, which the others are cut out by
        for window in gone:
            change[window.place] = 0
        new = foreground_mask(view, table, change, one_kind=True)
    new &= in_sight
    unlike = _MIN_DIFFERENCE * novelty(seen, table.known & ~new)
    mask = (unlike > _MIN_DIFFERENCE) & ~table.known & in_sight
    scale = _MIN_DIFFERENCE / threshold(change, table.known)
    differs = np.where(table.known, scale * change, unlike).astype(np.float32)
    windows = _windows(new | _outlined(mask, unlike))
    own = _plausible_objects(_bounded_windows(windows, seen, ground, differs), seen, table.known)
    marks = (object_of_mask(window.mask, window.region, 0.0, np.inf) for window in windows if window not in own)
    return Survey(_single_objects(own), tuple(mark for mark in marks if mark is not None), patterned=True)


def _bounded_windows(
    windows: Sequence[Window],
    seen: NDArray[np.float32],
    ground: NDArray[np.float32],
    differs: NDArray[np.float32],
) -> list[Window]:
    """Return the windows large enough for an object that is bounded on all sides; see `_is_bounded`."""
    return [
        window
        for window in windows
        if np.count_nonzero(window.mask) >= _MIN_PX and _is_bounded(window, seen, ground, differs)
    ]


def _was_there_before(window: Window, change: NDArray[np.float32], known: Mask) -> bool:
    """Return whether an object is a mark of the table itself. change: CIELAB difference from the empty table."""
    same = np.median(change[window.place][window.mask]) < _MAX_TABLE_CHANGE
    return bool(same and window.share_of(known) > _MIN_KNOWN_FRACTION)


def _known_or_estimated_table(view: Image, around: Image, empty: EmptyTable | None) -> EmptyTable:
    """Return the table in a top view of MIDDLE: where known, the empty table, elsewhere the local median."""
    unknown = EmptyTable(around, np.zeros(view.shape[:2], np.bool_))
    if empty is None:
        return unknown
    table = matched(view, empty)
    differs = difference(view, table)
    new = differs[table.known] > threshold(differs, table.known)
    if not len(new) or new.mean() > _MAX_NEW:
        return unknown  # the cloth was moved, or another one lies there
    return replace(table, picture=np.where(table.known[..., None], table.picture, around))


def is_plain(table: EmptyTable) -> bool:
    """Return whether the table has no pattern: hardly anything on its known part differs from its surroundings."""
    if not table.known.any():
        return True
    apart_by = np.linalg.norm(_lab(table.picture) - _lab(_surroundings(table.picture)), axis=2)
    return bool(np.mean(apart_by[table.known] > _PATTERN_CONTRAST) < _MAX_PATTERN_FRACTION)


def _is_removed_object(window: Window, seen: NDArray[np.float32], ground: NDArray[np.float32], known: Mask) -> bool:
    """Return whether a difference is an object that was on the empty table's picture and has been removed since."""
    if window.share_of(known) < _MIN_KNOWN_FRACTION:
        return False
    padded = np.pad(window.mask.astype(np.uint8), 1)
    rim = cv2.morphologyEx(padded, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    now, then = (_local_contrast(lab[window.place])[rim > 0].mean() for lab in (seen, ground))
    return bool(then > _MIN_GONE_EDGE_RATIO * now)


def _local_contrast(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the CIELAB difference across each pixel of a picture."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(np.linalg.norm(cv2.dilate(lab, kernel) - cv2.erode(lab, kernel), axis=2), np.float32)


def _plausible_objects(windows: Sequence[Window], seen: NDArray[np.float32], known: Mask) -> list[Window]:
    """Return the objects where the empty table is known, and those elsewhere that resemble them.

    Elsewhere, a difference may be part of the pattern. Without any of the former, all windows are returned.
    """
    sure = [window for window in windows if window.share_of(known) > 0.5]
    if not sure:
        return list(windows)
    colours = [np.median(seen[window.place][window.mask], axis=0) for window in sure]
    colour, area = np.median(colours, axis=0), np.median([np.count_nonzero(window.mask) for window in sure])

    def alike(window: Window) -> bool:
        share = np.count_nonzero(window.mask) / area
        own = np.median(seen[window.place][window.mask], axis=0)
        return bool(0.5 < share < 1.8 and np.linalg.norm(own - colour) < _MAX_SAME_COLOUR_DISTANCE)

    return [window for window in windows if window in sure or alike(window)]


def _single_objects(windows: Sequence[Window]) -> tuple[SegmentedObject, ...]:
    """Return the measured objects of some windows, largest first; touching ones are separated."""
    pieces = split_touching([window.mask for window in windows])
    measured = (_measure(replace(windows[number], mask=mask)) for number, mask in pieces)
    finds = [find for find in measured if find is not None]
    return tuple(sorted(finds, key=lambda find: -find.area_mm2))


def _outlined(mask: Mask, difference: NDArray[np.float32]) -> Mask:
    """Return a mask without specks and small gaps, each outline at half of its object's colour difference."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return _at_half_contrast(np.asarray(closed, np.uint8), difference) > 0


def _windows(mask: Mask) -> list[Window]:
    """Return the connected components of a mask of the whole top view, with holes filled."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [_window_of_contour(np.asarray(contour, np.int32)) for contour in contours]


def _is_bounded(
    window: Window,
    seen: NDArray[np.float32],
    ground: NDArray[np.float32],
    difference: NDArray[np.float32],
) -> bool:
    """Return whether an object is bounded on all sides; the corner of a sheet of paper continues on one side.

    seen, ground: CIELAB of the top view, and of the table below it; difference: of the two.
    """
    (left, top), mask = window.at, window.mask
    height, width = mask.shape
    rows = slice(max(0, top - _RING_PX), top + height + _RING_PX)
    columns = slice(max(0, left - _RING_PX), left + width + _RING_PX)
    seen, ground, difference = seen[rows, columns], ground[rows, columns], difference[rows, columns]
    own = np.zeros(difference.shape, np.uint8)
    own[top - rows.start :, left - columns.start :][:height, :width] = mask
    around, near = (cv2.dilate(own, np.ones((2 * far + 1,) * 2, np.uint8)) > 0 for far in (_RING_PX, _RIM_PX))
    rim = around & ~near & (difference <= _MIN_DIFFERENCE)
    inside = own > 0
    most = inside & (difference >= np.median(difference[inside]))
    colour, table = np.median(seen[most], axis=0), np.median(ground[most], axis=0)
    alike = np.linalg.norm(seen[rim] - colour, axis=1) < _MAX_OWN_COLOUR_RATIO * np.linalg.norm(table - colour)
    return not len(alike) or float(alike.mean()) < _MAX_OWN_COLOUR_FRACTION


def _hulls_of_remains(different: Mask, mask: Mask) -> list[Window]:
    """Return the convex hull of what is left in `mask` of each patch of `different` that lost more than half."""
    kept = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    count, labels = cv2.connectedComponents(different.astype(np.uint8))
    sizes, left = (np.bincount(labels[of], minlength=count) for of in (different, kept))
    at = np.argwhere(kept & (left < _MAX_LOOSE_FRACTION * sizes)[labels])
    patch = labels[tuple(at.T)]
    order = np.argsort(patch, kind="stable")
    points = np.split(at[order, ::-1].astype(np.int32), np.flatnonzero(np.diff(patch[order])) + 1)
    return [_window_of_contour(np.asarray(cv2.convexHull(of), np.int32)) for of in points if len(of)]


def object_of_mask(mask: Mask, region: Region, least_mm2: float, most_mm2: float) -> SegmentedObject | None:
    """Return the measured object of a mask, a top view of a region at PX_PER_MM.

    None where its area is out of bounds.
    """
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    area = int(np.count_nonzero(mask)) / PX_PER_MM**2
    if not contours or not least_mm2 <= area <= most_mm2:
        return None
    (u, v), (width, height), _ = cv2.minAreaRect(np.concatenate(contours))
    # The rectangle runs through the centres of the outermost pixels: half of each belongs to the object.
    longer, shorter = (max(width, height) + 1) / PX_PER_MM, (min(width, height) + 1) / PX_PER_MM
    x, y = region.to_mm((u, v), PX_PER_MM)
    return SegmentedObject(mask, region, (longer, shorter), area, (float(x), float(y)))


def _visible_mask(plane: TablePlane) -> Mask:
    width, height = plane.image_size
    inside = plane.rectify(np.full((height, width, 1), 255, np.uint8), PX_PER_MM, MIDDLE)
    return np.asarray(cv2.erode(inside, np.ones((9, 9), np.uint8)) == 255, np.bool_)


def _surroundings(view: Image) -> Image:
    """Return the table's local colour: the median over a window much wider than a piece."""
    # The median at quarter scale costs little, and grain finer than that is not wanted anyway.
    quarter = cv2.resize(view, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    window = round(2 * _SURROUNDINGS_MM * PX_PER_MM * 0.25) | 1
    size = (view.shape[1], view.shape[0])
    return np.asarray(cv2.resize(cv2.medianBlur(quarter, window), size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _lab(picture: Image) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(picture, (0, 0), _SMOOTHING_PX)
    return np.asarray(cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _difference(view: NDArray[np.float32], table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the CIELAB distance (height, width) from the table's colours, reduced on rough textures.

    Texture: per channel, the median absolute deviation of the differences, of which objects are a small part.
    """
    apart_by = view - table
    spread = 1.4826 * np.median(np.abs(apart_by - np.median(apart_by, axis=(0, 1))), axis=(0, 1))
    weight = np.minimum(1.0, _MIN_DIFFERENCE / (_TEXTURE_FACTOR * spread + 1e-6))
    return np.asarray(np.linalg.norm(apart_by * weight, axis=2), np.float32)


def _at_half_contrast(mask: NDArray[np.uint8], difference: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a mask whose outlines run at half of the object's difference, since lens and smoothing blur it."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    result = np.zeros_like(mask)
    for label in range(1, count):
        left, top, width, height, _ = stats[label]
        window = (slice(top, top + height), slice(left, left + width))
        own = labels[window] == label
        half = 0.5 * _object_contrast(difference[window], own)
        result[window] |= (own & (difference[window] > half)).astype(np.uint8)
    closed = cv2.morphologyEx(result, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _object_contrast(difference: NDArray[np.float32], own: Mask) -> float:
    """Return an object's colour difference from the table; of a printed piece, that of its base colour."""
    whole = float(np.percentile(difference[own], 80))
    inner = cv2.erode(own.astype(np.uint8), np.ones((_EDGE_PX, _EDGE_PX), np.uint8), borderValue=0) > 0
    if np.count_nonzero(inner) < _MIN_CORE_FRACTION * np.count_nonzero(own):
        return whole
    ground = float(np.percentile(difference[inner], 25))
    return ground if ground < _MAX_GROUND_RATIO * whole else whole


def _window_of_contour(contour: NDArray[np.int32]) -> Window:
    """Return the inside of a contour as a window."""
    left, top, width, height = cv2.boundingRect(contour)
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(-left, -top))
    return Window(mask.astype(bool), (left, top))


def _measure(window: Window) -> SegmentedObject | None:
    """Return the measured object in the top view of MIDDLE; None when no piece has such a shape."""
    mask, at = window.mask, window.at
    rows, columns = np.nonzero(mask)
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    corners = np.array([(at[0] + left, at[1] + top), (at[0] + right, at[1] + bottom)])
    (x, y), (right_mm, bottom_mm) = MIDDLE.to_mm(corners, PX_PER_MM)
    region = Region(float(x), float(bottom_mm), float(right_mm), float(y))
    find = object_of_mask(mask[top:bottom, left:right], region, LEAST_AREA_MM2, MOST_AREA_MM2)
    if find is None or find.size_mm[0] > MOST_SIDE_MM or find.size_mm[0] > 3.5 * find.size_mm[1]:
        return None
    return find


def covering_circles(
    finds: Sequence[SegmentedObject], plane: TablePlane, margin_mm: float
) -> list[tuple[tuple[float, float], ...]]:
    """Return a circle round each object as 12 points (x, y), px, with a margin that also covers its shadow."""
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    result = []
    for find in finds:
        around = np.array(find.centre_mm) + (find.size_mm[0] / 2 + margin_mm) * ring
        result.append(tuple((float(x), float(y)) for x, y in plane.to_image(around)))
    return result
