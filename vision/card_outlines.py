"""Rectangles of a card's size in a top view of the table, by their edges alone.

Straight edges come from OpenCV's line segment detector (von Gioi et al., "LSD: a Line Segment Detector", 2012). Two
that meet at a right angle propose a rectangle of each known size; it counts where an edge runs along all four of
its sides, and neither beyond its corners nor beside it: the lines of checked cloths, tiles and grain run on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image, Region, TablePlane

PX_PER_MM = 0.625
"""Scale of the view in which edges are found."""
_DETECTOR_SCALE = 0.8
"""The detector shrinks the view by so much: it is a third faster and finds as much."""
_MIN_SEGMENT_MM, _MAX_SEGMENTS = 14.0, 1500
_MAX_OVERLONG_MM = 5.0
"""How much longer than a card's side a segment on it may be."""
_MAX_GAP_MM, _MAX_OVERSHOOT_MM = 11.0, 3.5
"""How far from a corner a segment may end before it, corners being round, and behind it."""
_MAX_SKEW_DEG = 5.0
_MAX_CANDIDATES = 1500
_CORNER_MM, _STEP_MM, _ROUGH_STEP_MM = 6.0, 4.0, 14.0
"""A side is sampled this far from its corners on, at such steps; first at rough ones."""
_MIN_ROUGH_SUPPORT = 0.68
_MIN_GRADIENT = 3.0
"""Grey levels a pixel from which on there is an edge."""
_MIN_SHARE_OF_USUAL, _MIN_SHARE_OUTSIDE = 0.2, 0.4
"""Of the usual gradient on a rectangle's sides: an edge there has so much at least, one outside so much."""
_MIN_ALIGNED = math.cos(math.radians(22.0))
_PAST_CORNER_MM, _MAX_CROSSING = (5.0, 9.0), 0.5
"""Two edges cross at a corner where more of the points this far past it have an edge."""
_BEYOND_MM = (4.0, 14.0)
_BESIDE_MM = 6.5
_MIN_SUPPORT, _MIN_SIDE_SUPPORT, _MAX_BEYOND, _MIN_MARGIN, _MIN_SCORE = 0.8, 0.6, 0.5, 0.3, 0.6
_MIN_SCORE_OF_FITTED = 0.7
"""What was moved until edges support it best needs more of them."""
_MAX_FITTED, _FITTED_SPOT_MM, _FITTING_STEP_MM = 30, 15.0, 8.0
_FITTING = (((-4.0, -2.0, 2.0, 4.0), 3.0), ((-1.0, 1.0), 1.2))
"""By round of fitting: degrees, and mm aside."""
_SAME_SPOT_MM = 25.0
"""Rectangles whose centres are nearer to each other are of one card."""
_MAX_SHARED = 0.15
"""Outlines that share more of the smaller one's area are one."""

Corners = NDArray[np.float64]
"""Corners of rectangles in table mm, (n, 4, 2), clockwise."""


@dataclass(frozen=True, eq=False)
class Support:
    """How well edges support rectangles, shares 0 to 1 of the sampled points.

    sides: (n, 4), of each side; beyond: (n,), of the lines that go on past the corners; beside: (n,), of lines
    parallel to the sides a little outside of them.
    """

    sides: NDArray[np.float64]
    beyond: NDArray[np.float64]
    beside: NDArray[np.float64]

    @property
    def score(self) -> NDArray[np.float64]:
        """How much more edge there is on the sides than where they go on and beside them, (n,)."""
        return np.asarray(self.sides.mean(axis=1) - 0.5 * self.beyond - 0.5 * self.beside, np.float64)

    @property
    def holds(self) -> NDArray[np.bool_]:
        """Whether each is the outline of a thing that lies there, (n,)."""
        whole = self.sides.mean(axis=1)
        return np.asarray(
            (whole >= _MIN_SUPPORT)
            & (self.sides.min(axis=1) >= _MIN_SIDE_SUPPORT)
            & (self.beyond <= _MAX_BEYOND)
            & (whole - self.beside >= _MIN_MARGIN),
            np.bool_,
        )


@dataclass(frozen=True, eq=False)
class Outlines:
    """Rectangles that do not overlap: corners in table mm, (n, 4, 2), and how well edges support them, (n,)."""

    corners: Corners
    scores: NDArray[np.float64]

    @classmethod
    def none(cls) -> Outlines:
        """Return no outlines."""
        return cls(np.zeros((0, 4, 2)), np.zeros(0))


@dataclass(frozen=True, eq=False)
class EdgeView:
    """A top view of a region, and its gradients: (height, width) int16, eighths of a level a pixel."""

    lightness: NDArray[np.uint8]
    region: Region
    along_x: NDArray[np.int16]
    along_y: NDArray[np.int16]

    @classmethod
    def of(cls, image: Image, plane: TablePlane, region: Region) -> EdgeView:
        """Find the edges of a part of the table (mm) in a BGR picture of a plane."""
        # Halfway between the brightest and the darkest channel: dark print stands out from coloured cloth, too,
        # where luma hardly differs.
        blue, green, red = cv2.split(image)
        bright, dark = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
        lightness = np.asarray(cv2.addWeighted(bright, 0.5, dark, 0.5, 0.0), np.uint8)
        view = plane.rectify(lightness, PX_PER_MM, region)
        along_x, along_y = cv2.spatialGradient(cv2.GaussianBlur(view, (3, 3), 0.7))
        return cls(view, region, np.asarray(along_x, np.int16), np.asarray(along_y, np.int16))

    def find(self, sizes_mm: Sequence[tuple[float, float]]) -> Outlines:
        """Return rectangles of these sizes (width, height in mm) that do not overlap.

        Each starts at the left end of a shorter side: which way up a card lies is not known.
        """
        candidates = self._candidates(sizes_mm)
        if len(candidates) == 0:
            return Outlines.none()
        rough = self.sides(candidates, _ROUGH_STEP_MM)
        fair = (rough.mean(axis=1) >= _MIN_ROUGH_SUPPORT) & (rough.min(axis=1) > 0)
        candidates, rough = candidates[fair], rough[fair].mean(axis=1)
        found = self._best(candidates, _MIN_SCORE, Outlines.none())
        # Grain that runs into an edge leaves a rectangle askew: what lies where nothing was found is fitted.
        away = _distances(candidates, found.corners).min(axis=1, initial=np.inf) > _SAME_SPOT_MM
        askew = _spread_out(candidates[away], rough[away])
        return self._best(self._fitted(askew), _MIN_SCORE_OF_FITTED, found)

    def _best(self, candidates: Corners, min_score: float, found: Outlines) -> Outlines:
        """Add to the outlines found the candidates that hold and overlap nothing better."""
        if len(candidates) == 0:
            return found
        support = self.support(candidates)
        corners, scores = list(found.corners), found.scores.tolist()
        left = np.where(support.holds & (support.score >= min_score), support.score, -np.inf)
        while np.isfinite(left.max()):
            best = int(np.argmax(left))
            if not any(overlap(candidates[best], other) for other in corners):
                corners.append(candidates[best])
                scores.append(float(support.score[best]))
                left[_distances(candidates, candidates[None, best])[:, 0] < _SAME_SPOT_MM] = -np.inf
            left[best] = -np.inf
        return Outlines(np.asarray(corners, np.float64).reshape(-1, 4, 2), np.asarray(scores, np.float64))

    def _fitted(self, corners: Corners) -> Corners:
        """Turn and shift rectangles a little until edges support their sides best."""
        if len(corners) == 0:
            return corners
        for degrees, shift_mm in _FITTING:
            corners = self._best_way(_turned(corners, degrees))
            corners = self._best_way(_shifted(corners, shift_mm))
        return corners

    def _best_way(self, ways: NDArray[np.float64]) -> Corners:
        """Return of each rectangle's ways to lie (n, ways, 4, 2) the one that edges support best."""
        sides = self.sides(ways.reshape(-1, 4, 2), _FITTING_STEP_MM).mean(axis=1).reshape(ways.shape[:2])
        return np.asarray(ways[np.arange(len(ways)), sides.argmax(axis=1)], np.float64)

    def support(self, corners: Corners) -> Support:
        """Return how well edges support rectangles in table mm."""
        count = len(corners)
        sides = self._gradients(*_along_sides(corners, _STEP_MM)).reshape(count, -1)
        beyond = self._gradients(*_beyond_corners(corners))
        beside = self._gradients(*_along_sides(_grown(corners, _BESIDE_MM), _STEP_MM))
        # A card's outline is mostly one strong edge; the grain of wood or the weave of a cloth is none beside it.
        usual = np.median(sides, axis=1, keepdims=True)
        seen = sides >= np.maximum(_MIN_GRADIENT, _MIN_SHARE_OF_USUAL * usual)
        clear = np.maximum(_MIN_GRADIENT, _MIN_SHARE_OUTSIDE * usual)
        return Support(
            np.asarray(seen.reshape(count, 4, -1).mean(axis=2), np.float64),
            np.asarray((beyond >= clear).mean(axis=1), np.float64),
            np.asarray((beside >= clear).mean(axis=1), np.float64),
        )

    def sides(self, corners: Corners, step_mm: float = _STEP_MM) -> NDArray[np.float64]:
        """Return the share of each side of rectangles in table mm that has an edge, (n, 4)."""
        edges = self._gradients(*_along_sides(corners, step_mm)) >= _MIN_GRADIENT
        return np.asarray(edges.reshape(len(corners), 4, -1).mean(axis=2), np.float64)

    def _gradients(self, points: NDArray[np.float64], normals: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return how strong an edge runs through points in table mm (n, k, 2) across the given normals, (n, k).

        Levels a pixel, 0 where the picture changes in another direction.
        """
        height, width = self.along_x.shape
        across = normals * (1.0, -1.0)  # the view's rows run down
        pixels = self.region.to_pixels(points, PX_PER_MM)
        strongest = np.zeros(points.shape[:2], np.float32)
        for offset in (-1.0, 0.0, 1.0):
            u, v = np.moveaxis(np.round(pixels + offset * across).astype(np.int32), -1, 0)
            inside = (u >= 0) & (v >= 0) & (u < width) & (v < height)
            places = np.where(inside, v * width + u, 0)
            along_x, along_y = (np.take(map_, places).astype(np.float32) for map_ in (self.along_x, self.along_y))
            size = np.hypot(along_x, along_y)
            aligned = np.abs(along_x * across[..., 0] + along_y * across[..., 1]) >= _MIN_ALIGNED * size
            np.maximum(strongest, np.where(inside & aligned, size / 8, 0.0), out=strongest)
        return strongest

    def _ends_at(
        self, corner: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return whether edges along a and b (n, 2) end at corners (n, 2), rather than cross there, (n,)."""
        far = np.array(_PAST_CORNER_MM)[:, None]
        points = np.concatenate([corner[:, None] - far * a[:, None], corner[:, None] - far * b[:, None]], axis=1)
        normals = np.repeat(np.stack([b, a], axis=1), len(far), axis=1)
        crossing = (self._gradients(points, normals) >= _MIN_GRADIENT).mean(axis=1)
        return np.asarray(crossing <= _MAX_CROSSING, np.bool_)

    def _segments(self, longest_mm: float) -> NDArray[np.float64]:
        """Return straight edges in table mm, (n, 2, 2), longest first."""
        detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE, _DETECTOR_SCALE)
        lines = detector.detect(self.lightness)[0]
        if lines is None:
            return np.zeros((0, 2, 2))
        ends = self.region.to_mm(lines.reshape(-1, 2, 2), PX_PER_MM)
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        order = np.argsort(-lengths)
        fitting = (lengths[order] >= _MIN_SEGMENT_MM) & (lengths[order] <= longest_mm)
        return np.asarray(ends[order[fitting][:_MAX_SEGMENTS]], np.float64)

    def _candidates(self, sizes_mm: Sequence[tuple[float, float]]) -> Corners:
        """Propose rectangles from segments that meet at right angles."""
        ends = self._segments(max(max(size) for size in sizes_mm) + _MAX_OVERLONG_MM)
        # Each segment both ways round: from the end that may be at a corner to the far one.
        near, far = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
        lengths = np.linalg.norm(far - near, axis=1)
        ahead = (far - near) / lengths[:, None]
        one, other = _close_pairs(near, 1.5 * _MAX_GAP_MM)
        square = np.abs((ahead[one] * ahead[other]).sum(axis=1)) < math.sin(math.radians(_MAX_SKEW_DEG))
        one, other = one[square], other[square]
        a, b = ahead[one], ahead[other]
        cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        between = near[other] - near[one]
        # near[one] + s·a = near[other] + t·b: the corner lies s and t ahead of the ends, mostly a little behind.
        s = (between[:, 0] * b[:, 1] - between[:, 1] * b[:, 0]) / cross
        t = (between[:, 0] * a[:, 1] - between[:, 1] * a[:, 0]) / cross
        fits = (s <= _MAX_OVERSHOOT_MM) & (s >= -_MAX_GAP_MM) & (t <= _MAX_OVERSHOOT_MM) & (t >= -_MAX_GAP_MM)
        one, other, a, b, s, t = one[fits], other[fits], a[fits], b[fits], s[fits], t[fits]
        corner = near[one] + s[:, None] * a
        reach_a, reach_b = lengths[one] - s, lengths[other] - t
        a, b = _squared(a, b, lengths[one], lengths[other])
        ends_there = self._ends_at(corner, a, b)
        corner, a, b, reach_a, reach_b = (each[ends_there] for each in (corner, a, b, reach_a, reach_b))
        proposals, weights = [], []
        for width, height in sizes_mm:
            for along_a, along_b in ((width, height), (height, width)):
                fit = (reach_a <= along_a + _MAX_OVERLONG_MM) & (reach_b <= along_b + _MAX_OVERLONG_MM)
                right, up = along_a * a[fit], along_b * b[fit]
                if along_a > along_b:
                    right, up = up, right
                proposals.append(_clockwise(corner[fit], right, up))
                weights.append(reach_a[fit] + reach_b[fit])
        best = np.argsort(-np.concatenate(weights))[:_MAX_CANDIDATES]
        return np.asarray(np.concatenate(proposals)[best], np.float64)


def _close_pairs(points: NDArray[np.float64], reach: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of every two points (n, 2) that are nearer to each other than a reach, each pair once."""
    order = np.argsort(points[:, 0])
    x = points[order, 0]
    until = np.searchsorted(x, x + reach)
    counts = until - np.arange(len(x)) - 1
    first = np.repeat(np.arange(len(x)), counts)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    one, other = order[first], order[second]
    close = np.abs(points[one, 1] - points[other, 1]) < reach
    return np.asarray(one[close], np.int64), np.asarray(other[close], np.int64)


def overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles (4, 2) share more of the smaller one than two cards side by side may."""
    if np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > (_diagonal(one) + _diagonal(other)) / 2:
        return False
    polygons = [np.asarray(corners, np.float32) for corners in (one, other)]
    shared, _ = cv2.intersectConvexConvex(polygons[0], polygons[1])
    return bool(shared > _MAX_SHARED * min(cv2.contourArea(polygon) for polygon in polygons))


def _distances(some: Corners, others: Corners) -> NDArray[np.float64]:
    """Return how far the middles of rectangles are from those of others, (some, others) mm."""
    between = some.mean(axis=1)[:, None] - others.mean(axis=1)[None]
    return np.asarray(np.linalg.norm(between, axis=2), np.float64)


def _spread_out(corners: Corners, score: NDArray[np.float64]) -> Corners:
    """Return the best rectangle of each spot, at most _MAX_FITTED."""
    chosen: list[int] = []
    left = score.copy()
    while len(chosen) < _MAX_FITTED and np.isfinite(left.max(initial=-np.inf)):
        chosen.append(int(np.argmax(left)))
        left[_distances(corners, corners[None, chosen[-1]])[:, 0] < _FITTED_SPOT_MM] = -np.inf
    return corners[chosen]


def _turned(corners: Corners, degrees: Sequence[float]) -> NDArray[np.float64]:
    """Return rectangles turned about their middles, (n, 1 + degrees, 4, 2); first as they are."""
    angles = np.radians((0.0, *degrees))
    turns = np.stack([np.cos(angles), np.sin(angles), -np.sin(angles), np.cos(angles)], axis=1).reshape(-1, 2, 2)
    middle = corners.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("nij,tjk->ntik", corners - middle, turns) + middle[:, None], np.float64)


def _shifted(corners: Corners, by_mm: float) -> NDArray[np.float64]:
    """Return rectangles shifted along their sides, (n, 9, 4, 2); first as they are."""
    steps = sorted(itertools.product((-1, 0, 1), repeat=2), key=lambda step: step != (0, 0))
    along = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], axis=1)
    along = along / np.linalg.norm(along, axis=2, keepdims=True) * by_mm
    shifts = np.einsum("sk,nkj->nsj", np.array(steps, np.float64), along)
    return np.asarray(corners[:, None] + shifts[:, :, None], np.float64)


def _diagonal(corners: Corners) -> float:
    return float(np.linalg.norm(corners[2] - corners[0]))


def _squared(
    a: NDArray[np.float64], b: NDArray[np.float64], weight_a: NDArray[np.float64], weight_b: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn pairs of directions (n, 2) so that they are at right angles; the longer segments count more."""
    handed = np.where(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0, 1.0, -1.0)[:, None]
    b_turned = np.stack([b[:, 1], -b[:, 0]], axis=1) * handed
    mean = a * weight_a[:, None] ** 2 + b_turned * weight_b[:, None] ** 2
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    return mean, np.stack([-mean[:, 1], mean[:, 0]], axis=1) * handed


def _clockwise(first: NDArray[np.float64], right: NDArray[np.float64], up: NDArray[np.float64]) -> Corners:
    """Return rectangles spanned from their first corners (n, 2), clockwise in the table's frame."""
    corners = np.stack([first, first + right, first + right + up, first + up], axis=1)
    counter_clockwise = right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0] > 0
    corners[counter_clockwise] = corners[counter_clockwise][:, [1, 0, 3, 2]]
    return corners


def _along_sides(corners: Corners, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points along the sides of rectangles (n, 4·k, 2), side by side, and the normals there."""
    start, end = corners, np.roll(corners, -1, axis=1)
    length = np.linalg.norm(end - start, axis=2)
    steps = max(4, round((float(length.max()) - 2 * _CORNER_MM) / step_mm))
    margin = (_CORNER_MM / length)[..., None]
    share = margin + (1 - 2 * margin) * np.linspace(0, 1, steps)
    points = start[:, :, None] + share[..., None] * (end - start)[:, :, None]
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def _beyond_corners(corners: Corners) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points on the sides' lines past both ends, (n, k, 2), and the normals there."""
    start, end = corners, np.roll(corners, -1, axis=1)
    ahead = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    far = np.arange(_BEYOND_MM[0], _BEYOND_MM[1] + 0.1, 2.5)[:, None]
    points = np.concatenate(
        [end[:, :, None] + far * ahead[:, :, None], start[:, :, None] - far * ahead[:, :, None]], 2
    )
    normals = np.broadcast_to(_normals(start, end)[:, :, None], points.shape)
    return points.reshape(len(corners), -1, 2), normals.reshape(len(corners), -1, 2)


def _normals(start: Corners, end: Corners) -> NDArray[np.float64]:
    ahead = (end - start) / np.linalg.norm(end - start, axis=-1, keepdims=True)
    return np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)


def _grown(corners: Corners, by_mm: float) -> Corners:
    """Return rectangles whose sides lie so far outside."""
    right = corners[:, 1] - corners[:, 0]
    down = corners[:, 3] - corners[:, 0]
    right = right / np.linalg.norm(right, axis=1, keepdims=True) * by_mm
    down = down / np.linalg.norm(down, axis=1, keepdims=True) * by_mm
    grown = corners + np.stack([-right - down, right - down, right + down, down - right], axis=1)
    return np.asarray(grown, np.float64)
