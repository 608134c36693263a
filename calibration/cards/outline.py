"""Detect the card or tile in the middle of the table by its edges in a top view.

The table's appearance is modelled on its empty surroundings: its colour as a smooth function of position, and the
spread about it. An outline is accepted only where the picture changes across all of its sides by more than anywhere
on the bare table, and where bare table begins outside of it: so neither a shadow nor a wrong picture of the empty
table below the card is taken for one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import Lab
from calibration.plane import Image

PX_PER_MM = 2.0
"""Scale of the top view."""
LEAST_SIDE_MM = 35.0
"""Shortest side of a card or tile, mm."""
MOST_SIDE_MM = 140.0
"""Longest side of a tile, mm."""
MOST_OF_CARD_MM = 121.0
"""Longest side of a card, mm; two usual cards side by side are a little wider."""
_CLEAR_MM = 92.0
"""Distance from the middle, along either axis, beyond which only the bare table is visible, mm."""
_MAX_ASIDE_MM = 45.0
"""Largest distance of a card's centre from the middle along either axis, mm."""
_ASPECT_RANGE = (1.2, 1.8)
"""Smallest and largest aspect ratio of a card of unknown size."""
_MIN_FILL = 0.65
"""Share of its rectangle that a tile fills; it may be a hexagon."""
_MAX_TABLE_DISTANCE = 6.0
"""Colour distance, in spreads of the table's own, above which a pixel is certainly not table."""
_SHARE_OF_CARD = 0.8
"""Fraction of the card's median distance used instead where larger: a blurred edge lies half-way up to it."""
_MIN_SPREAD = 1.5
"""Smallest spread assumed of a table's colours, CIELAB: camera noise and JPEG."""
_ACROSS_MM = 1.5
"""Distance from an edge at which the picture is compared across it, mm."""
_OUTSIDE_MM = 3.5
"""Distance outside of an edge at which bare table is required, mm."""
_CHANGE_PERCENT = 95.0
"""Percentile of changes on the bare table to which a change across an edge is compared."""
_MIN_CHANGE_RATIO = 1.25
"""Ratio to that percentile from which a change counts as an edge."""
_MAX_BARE = 0.5
"""Value below which a pixel may be bare table or shadow; most pixels outside of each side must be below it."""
_MIN_OF_A_SIDE = 0.5
"""Smallest fraction of each side that is an edge."""
_MIN_OF_ALL = 0.75
"""Smallest fraction of the whole outline that is an edge."""
_MIN_BARE = 0.5
"""Smallest fraction of each side with bare table outside."""
_MAX_GUESSES = 4
"""Largest number of candidate outlines that are refined."""
_LEVELS = (0.25, 0.35, 0.5, 0.65)
"""Thresholds between table (0) and object (1) at which outlines are extracted."""
_STEPS = ((2.0, 3.0, 2.0), (1.0, 1.5, 1.0), (0.5, 0.7, 0.5), (0.25, 0.35, 0.25))
"""Step sizes of each fitting iteration: shift in mm, rotation in degrees, size in mm."""

Floats = NDArray[np.float32]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RotatedRectangle:
    """A rectangle in a top view."""

    centre: tuple[float, float]
    """In px of the view."""
    size_mm: tuple[float, float]
    """Width and height."""
    turn: float
    """Degrees clockwise."""

    @property
    def corners(self) -> Points:
        """Return the corners in px, (4, 2): clockwise from the upper left one."""
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        half = np.array(self.size_mm) * PX_PER_MM / 2
        flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        return np.asarray(flat @ np.array([[cos, sin], [-sin, cos]]) + self.centre, np.float64)


@dataclass(frozen=True, eq=False)
class GroundDistance:
    """Colour distance of a top view from the bare table."""

    away: Floats
    """(height, width, 3), colours minus the table's, in spreads of the table's own colours."""
    strange: Floats
    """(height, width), combined distance: 0 table to 1 certainly not table."""
    change: float
    """Smallest change of `away` across an edge that counts."""

    @classmethod
    def of(cls, view: Image, seen: NDArray[np.bool_], empty: Image | None = None) -> GroundDistance | None:
        """Return each pixel's colour distance from the bare table, as modelled on the outer part of a BGR top view.

        seen: (height, width), False where the view lies outside the picture. empty: the same view without anything
        on it, for a patterned table; without it, the table's colour is assumed to change smoothly. None if too
        little of the outer part is visible.
        """
        height, width = seen.shape
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        right, down = columns - (width - 1) / 2, rows - (height - 1) / 2
        clear = (np.maximum(np.abs(right), np.abs(down)) > _CLEAR_MM * PX_PER_MM) & seen
        if np.count_nonzero(clear) < 0.1 * clear.size:
            return None
        colours = _smoothed_lab(view) if empty is None else _smoothed_lab(view) - _smoothed_lab(empty)
        x, y = right / width, down / height
        terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=2)
        some = np.flatnonzero(clear)[::7]  # enough for a fit
        known, wanted = terms.reshape(-1, 6)[some], colours.reshape(-1, 3)[some]
        for _ in range(2):
            fit = np.linalg.lstsq(known, wanted, rcond=None)[0]
            error = np.linalg.norm(wanted - known @ fit, axis=1)
            near = error <= np.percentile(error, 90)
            known, wanted = known[near], wanted[near]
        rest = wanted - known @ fit
        spread = np.cov(rest.T) + _MIN_SPREAD**2 * np.eye(3)
        whiten = np.linalg.inv(np.linalg.cholesky(spread)).T.astype(np.float32)
        away = np.asarray((colours - terms @ fit.astype(np.float32)) @ whiten, np.float32)
        far = np.linalg.norm(away, axis=2)
        of_card = far[~clear & seen & (far > _MAX_TABLE_DISTANCE)]
        certain = (
            max(_MAX_TABLE_DISTANCE, _SHARE_OF_CARD * float(np.median(of_card)))
            if len(of_card)
            else _MAX_TABLE_DISTANCE
        )
        strange = np.where(seen, np.minimum(far / certain, 1.0), 0.0).astype(np.float32)
        step = round(2 * _ACROSS_MM * PX_PER_MM)
        down_by = np.linalg.norm(away[step:] - away[:-step], axis=2)[clear[step:] & clear[:-step]]
        right_by = np.linalg.norm(away[:, step:] - away[:, :-step], axis=2)[clear[:, step:] & clear[:, :-step]]
        usual = max(float(np.percentile(changes, _CHANGE_PERCENT)) for changes in (down_by, right_by))
        return cls(away, strange, _MIN_CHANGE_RATIO * usual)

    def find(self, sizes_mm: Sequence[tuple[float, float]]) -> RotatedRectangle | None:
        """Return the card's outline: of one of these sizes (width, height in mm), else of any card-like size.

        None where no outline is clear.
        """
        laid = sorted(
            (guess for size in sizes_mm for guess in self._candidate_boxes(size)), key=lambda guess: -guess[0]
        )
        fitted = [self._refined_box(box) for _, box in laid[:_MAX_GUESSES]]
        known = [box for box in fitted if self._is_outline(box.corners)]
        if known:
            return max(known, key=self._contrast)
        hulls = [_rectangle_round(hull) for hull in self._hulls()]
        boxes = [self._refined_box(self._refined_box(box), with_size=True) for box in hulls if _may_be_card(box)]
        fresh = [box for box in boxes if _may_be_card(box) and self._is_outline(box.corners)]
        return max(fresh, key=self._contrast, default=None)

    def find_tile(self) -> RotatedRectangle | None:
        """Return the rectangle round a tile of any convex shape; None where no outline is clear."""
        tiles = [hull for hull in self._hulls() if self._is_outline(hull.astype(np.float64), by_side=False)]
        boxes = [(hull, _rectangle_round(hull)) for hull in tiles]
        filling = [
            (hull, box)
            for hull, box in boxes
            if _sides_in_range(box) and cv2.contourArea(hull) > _MIN_FILL * math.prod(box.size_mm) * PX_PER_MM**2
        ]
        if not filling:
            return None
        return max(filling, key=lambda pair: float(np.mean(self._contrasts_along(pair[0].astype(np.float64)))))[1]

    def edge_fraction(self, box: RotatedRectangle) -> float:
        """Return the fraction of a rectangle's outline across which the picture changes clearly."""
        points, normals, _ = _outline_points(box.corners, 5.0)
        return float(np.mean(self._is_edge(points, normals)))

    def rough_size(self) -> tuple[float, float] | None:
        """Return width and height, mm, of the large object in the middle; None where there is none."""
        hulls = list(self._hulls(_LEVELS[-1:]))
        return _rectangle_round(hulls[0]).size_mm if hulls else None

    def _candidate_boxes(self, size_mm: tuple[float, float]) -> Iterator[tuple[float, RotatedRectangle]]:
        """Yield (contrast, rectangle) for each rotation: the rectangle of this size with the highest contrast.

        The contrast is high with the object inside and bare table outside.
        """
        half = np.asarray(cv2.resize(self.strange, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
        scale = PX_PER_MM / 2
        middle = ((half.shape[1] - 1) / 2, (half.shape[0] - 1) / 2)
        reach = round(_MAX_ASIDE_MM * scale)
        for turn in np.arange(-45.0, 45.1, 3.0):
            matrix = cv2.getRotationMatrix2D(middle, float(turn), 1.0)
            straight = np.asarray(cv2.warpAffine(half, matrix, (half.shape[1], half.shape[0])), np.float32)
            sums = [
                (more, _box_sums(straight, (size_mm[0] + more) * scale, (size_mm[1] + more) * scale))
                for more in (-6.0, 0.0, 2.0, 8.0)
            ]
            (_, core), (_, whole), (_, near), (_, far) = sums
            areas = [(size_mm[0] + more) * (size_mm[1] + more) * scale**2 for more, _ in sums]
            contrast = (whole - core) / (areas[1] - areas[0]) - (far - near) / (areas[3] - areas[2])
            top, left = round(middle[1]) - reach, round(middle[0]) - reach
            inner = contrast[top : top + 2 * reach, left : left + 2 * reach]
            v, u = np.unravel_index(int(np.argmax(inner)), inner.shape)
            back = cv2.invertAffineTransform(matrix) @ (u + left, v + top, 1.0)
            centre = (float(back[0]) * 2 + 0.5, float(back[1]) * 2 + 0.5)
            yield float(inner[v, u]), RotatedRectangle(centre, size_mm, float(turn))

    def _hulls(self, levels: Sequence[float] = _LEVELS) -> Iterator[NDArray[np.int32]]:
        """Yield the convex hull, (n, 2) px, of the largest patch near the middle, for each threshold that has one.

        levels: thresholds of `strange`, 0 to 1.
        """
        middle = (self.strange.shape[1] / 2, self.strange.shape[0] / 2)
        for level in levels:
            mask = (self.strange > level).astype(np.uint8)
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
            closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((17, 17), np.uint8))
            whole = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((17, 17), np.uint8))
            contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            hulls = [cv2.convexHull(contour) for contour in contours]
            near = [hull for hull in hulls if cv2.pointPolygonTest(hull, middle, True) > -40 * PX_PER_MM]
            large = [hull for hull in near if cv2.contourArea(hull) > (LEAST_SIDE_MM * PX_PER_MM) ** 2]
            if large:
                yield np.asarray(max(large, key=cv2.contourArea).reshape(-1, 2), np.int32)

    def _refined_box(self, box: RotatedRectangle, *, with_size: bool = False) -> RotatedRectangle:
        """Return a rectangle with its position and rotation refined on the edges; its size, too, if with_size."""
        best, value = box, self._contrast(box)
        for aside, turn, size in _STEPS:
            for _ in range(6):
                before = value
                for moved in _neighbouring_boxes(best, aside, turn, size if with_size else 0.0):
                    now = self._contrast(moved)
                    if now > value:
                        best, value = moved, now
                if value == before:
                    break
        return best

    def _contrast(self, box: RotatedRectangle) -> float:
        """Return the mean contrast between the inside and the outside of a rectangle's sides, -1 to 1."""
        return float(np.mean(self._contrasts_along(box.corners)))

    def _contrasts_along(self, polygon: Points) -> Floats:
        """Return how much `strange` falls from inside to outside at points 1 mm apart along a polygon (n, 2) px."""
        points, normals, _ = _outline_points(polygon, 1.0)
        inside, outside = (
            _sample(self.strange, points + side * _ACROSS_MM * PX_PER_MM * normals) for side in (-1, 1)
        )
        return np.asarray(inside - outside, np.float32)

    def _is_outline(self, polygon: Points, *, by_side: bool = True) -> bool:
        """Return whether a convex polygon (n, 2) px has an edge all round and bare table outside.

        by_side: each side has to meet this by itself, and its ends are left out, since corners may be round.
        """
        points, normals, sides = _outline_points(polygon, 5.0 if by_side else 0.0)
        edge = self._is_edge(points, normals)
        bare = _sample(self.strange, points + _OUTSIDE_MM * PX_PER_MM * normals) < _MAX_BARE
        groups = [sides == side for side in np.unique(sides)] if by_side else [np.ones(len(sides), bool)]
        return bool(
            np.mean(edge) >= _MIN_OF_ALL
            and all(np.mean(edge[group]) >= _MIN_OF_A_SIDE for group in groups)
            and all(np.mean(bare[group]) >= _MIN_BARE for group in groups)
        )

    def _is_edge(self, points: Points, normals: Points) -> NDArray[np.bool_]:
        """Return at which points the picture changes across an outline, (n,). normals: outward unit vectors."""
        reach = _ACROSS_MM * PX_PER_MM * normals
        across = _sample(self.away, points + reach) - _sample(self.away, points - reach)
        return np.asarray(np.linalg.norm(across, axis=1) > self.change, np.bool_)


def _smoothed_lab(picture: Image) -> Lab:
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.5 * PX_PER_MM)
    return np.asarray(cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _box_sums(picture: Floats, width: float, height: float) -> Floats:
    """Return the sum over a window of this width and height, px, round each pixel."""
    return np.asarray(cv2.boxFilter(picture, -1, (round(width), round(height)), normalize=False), np.float32)


def _sample(picture: Floats, points: Points) -> Floats:
    """Return a picture's interpolated values at points (n, 2) px: (n,) or (n, channels)."""
    u, v = points.astype(np.float32).T
    values = cv2.remap(picture, u[:, None], v[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values[:, 0], np.float32)


def _outline_points(polygon: Points, clear_mm: float) -> tuple[Points, Points, NDArray[np.int64]]:
    """Return points 1 mm apart along a convex polygon, their outward normals, and the index of each one's side.

    clear_mm: length that is left out at both ends of a side, since corners may be round.
    """
    middle = polygon.mean(axis=0)
    points, normals, sides = [], [], []
    for number, (start, end) in enumerate(zip(polygon, np.roll(polygon, -1, axis=0), strict=True)):
        length = float(np.linalg.norm(end - start))
        places = np.arange(clear_mm * PX_PER_MM + 0.5, length - clear_mm * PX_PER_MM, PX_PER_MM)
        if not len(places):
            continue
        ahead = (end - start) / length
        normal = np.array([ahead[1], -ahead[0]])
        normal = normal if normal @ ((start + end) / 2 - middle) > 0 else -normal
        points.append(start + places[:, None] * ahead)
        normals.append(np.repeat(normal[None], len(places), axis=0))
        sides.append(np.full(len(places), number))
    return np.concatenate(points), np.concatenate(normals), np.concatenate(sides)


def _neighbouring_boxes(
    box: RotatedRectangle, aside: float, turn: float, size: float
) -> Iterator[RotatedRectangle]:
    """Yield copies of a rectangle that are shifted (aside, mm), rotated (turn, degrees) or resized (size, mm)."""
    (u, v), (width, height) = box.centre, box.size_mm
    step = aside * PX_PER_MM
    for du, dv in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
        yield replace(box, centre=(u + du, v + dv))
    for way in (turn, -turn):
        if abs(box.turn + way) <= 45.0:
            yield replace(box, turn=box.turn + way)
    if size:
        for more, taller in itertools.product((size, 0.0, -size), repeat=2):
            if more or taller:
                yield replace(box, size_mm=(width + more, height + taller))


def _rectangle_round(hull: NDArray[np.int32]) -> RotatedRectangle:
    """Return the least rotated of the small rectangles round a hull (n, 2) px.

    Local minima of the area count, up to 3 % above the smallest.
    """
    points = hull.astype(np.float64)
    boxes = []
    for turn in np.arange(-45.0, 45.1, 1.0):
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        straight = points @ np.array([[cos, -sin], [sin, cos]])
        low, high = straight.min(axis=0), straight.max(axis=0)
        centre = (low + high) / 2 @ np.array([[cos, sin], [-sin, cos]])
        width, height = (high - low + 1) / PX_PER_MM
        boxes.append(
            RotatedRectangle((float(centre[0]), float(centre[1])), (float(width), float(height)), float(turn))
        )
    areas = [math.prod(box.size_mm) for box in boxes]
    small = [
        (abs(box.turn), number)
        for number, (box, area) in enumerate(zip(boxes, areas, strict=True))
        if area <= 1.03 * min(areas) and area <= min(areas[max(0, number - 2) : number + 3])
    ]
    return boxes[min(small)[1]]


def _sides_in_range(box: RotatedRectangle) -> bool:
    """Return whether both sides are as long as a card's or tile's may be."""
    return all(LEAST_SIDE_MM < side < MOST_SIDE_MM for side in box.size_mm)


def _may_be_card(box: RotatedRectangle) -> bool:
    """Return whether a rectangle has a size and an aspect ratio that cards may have."""
    shape = max(box.size_mm) / min(box.size_mm)
    return (
        _sides_in_range(box)
        and max(box.size_mm) < MOST_OF_CARD_MM
        and _ASPECT_RANGE[0] <= shape <= _ASPECT_RANGE[1]
    )
