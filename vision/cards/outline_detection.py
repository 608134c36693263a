"""Detect rectangles of card size in a top view of the table by their edges alone.

Straight edges come from OpenCV's line segment detector (von Gioi et al., "LSD: a Line Segment Detector", 2012). Two
that meet at a right angle propose a rectangle of each known size. It is accepted where an edge runs along all four
sides, and neither beyond the corners nor beside it: the lines of cloths, tiles and wood grain continue.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image, Region, TablePlane
from vision.cards.rectangle_geometry import (
    Corners,
    distances,
    enlarged,
    overlap,
    points_beyond_corners,
    points_on_sides,
    rotated_copies,
    shifted_copies,
    spanned,
)

PX_PER_MM = 0.625
"""Scale of the view in which edges are detected."""
_DETECTOR_SCALE = 0.8
"""Downscaling inside the line segment detector: a third faster, as many segments."""
_MIN_SEGMENT_MM = 14.0
"""Minimum length of a segment, mm."""
_MAX_SEGMENTS = 1500
"""Maximum number of segments, longest first."""
_MAX_OVERLONG_MM = 5.0
"""Maximum excess of a segment's length over the card's side it lies on."""
_MAX_GAP_MM = 11.0
"""Maximum distance of a segment's end before a corner, corners being round."""
_MAX_OVERSHOOT_MM = 3.5
"""Maximum distance of a segment's end behind a corner."""
_MAX_SKEW_DEG = 5.0
"""Maximum deviation of two segments from a right angle."""
_MAX_CANDIDATES = 1500
"""Maximum number of candidate rectangles."""
_STEP_MM = 4.0
"""Sampling step along a side."""
_ROUGH_STEP_MM = 14.0
"""Sampling step of the first, rough check."""
_MIN_ROUGH_SUPPORT = 0.68
"""Minimum mean share of edge along the sides in the rough check."""
_MIN_GRADIENT = 3.0
"""Minimum gradient of an edge, grey levels per pixel."""
_MIN_SHARE_OF_USUAL = 0.2
"""Minimum gradient of an edge on a side, as a share of the rectangle's median gradient."""
_MIN_SHARE_OUTSIDE = 0.4
"""Minimum gradient of an edge outside the rectangle, as a share of that median."""
_MIN_ALIGNED = math.cos(math.radians(22.0))
"""Minimum cosine between an edge's gradient and the normal of the side."""
_PAST_CORNER_MM = (5.0, 9.0)
"""Distances behind a corner at which crossing edges are sampled."""
_MAX_CROSSING = 0.5
"""Maximum share of those samples that show an edge; above it, the edges cross instead of ending at the corner."""
_BESIDE_MM = 6.5
"""Distance outside the sides at which parallel edges are sampled."""
_MIN_SUPPORT = 0.8
"""Minimum mean share of edge along the four sides."""
_MIN_SIDE_SUPPORT = 0.6
"""Minimum share of edge along each side."""
_MAX_BEYOND = 0.5
"""Maximum share of edge on the continuations of the sides behind the corners."""
_MIN_MARGIN = 0.3
"""Minimum difference between the edge shares on the sides and beside them."""
_MIN_SCORE = 0.6
"""Minimum score of an outline, see `Support.score`."""
_MIN_SCORE_OF_FITTED = 0.7
"""Minimum score of a rectangle fitted to the edges, which is biased upwards."""
_MAX_FITTED = 30
"""Maximum number of rectangles that are fitted."""
_FITTED_SPOT_MM = 15.0
"""Minimum distance between the centres of fitted rectangles."""
_FITTING_STEP_MM = 8.0
"""Sampling step along a side while fitting."""
_FITTING = (((-4.0, -2.0, 2.0, 4.0), 3.0), ((-1.0, 1.0), 1.2))
"""Per iteration of fitting: rotations in degrees, and shift in mm."""
_SAME_SPOT_MM = 25.0
"""Maximum distance between the centres of rectangles of the same card."""


@dataclass(frozen=True, eq=False)
class Support:
    """Evidence that n rectangles outline objects: shares 0..1 of sampled points that show an edge."""

    sides: NDArray[np.float64]
    """Share on each side, (n, 4)."""
    beyond: NDArray[np.float64]
    """Share on the continuations of the sides beyond the corners, (n,)."""
    beside: NDArray[np.float64]
    """Share on parallel lines slightly outside the sides, (n,)."""

    @property
    def score(self) -> NDArray[np.float64]:
        """Mean edge share on the sides, minus half of the share beyond and half of that beside them, (n,)."""
        return np.asarray(self.sides.mean(axis=1) - 0.5 * self.beyond - 0.5 * self.beside, np.float64)

    @property
    def sufficient(self) -> NDArray[np.bool_]:
        """Whether each rectangle has enough edge support to be the outline of an object, (n,)."""
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
    """Rectangles that do not overlap."""

    corners: Corners
    """Corners in table mm, (n, 4, 2)."""
    scores: NDArray[np.float64]
    """Scores of their edge support, (n,)."""

    @classmethod
    def none(cls) -> Outlines:
        """Return an empty set of outlines."""
        return cls(np.zeros((0, 4, 2)), np.zeros(0))


@dataclass(frozen=True, eq=False)
class EdgeView:
    """Top view of a part of the table, and its gradients, in which rectangles are detected."""

    lightness: NDArray[np.uint8]
    """Lightness, (height, width)."""
    region: Region
    """Part of the table, mm."""
    along_x: NDArray[np.int16]
    """Horizontal gradient, (height, width), eighths of a grey level per pixel."""
    along_y: NDArray[np.int16]
    """Vertical gradient, same unit."""

    @classmethod
    def of(cls, image: Image, plane: TablePlane, region: Region) -> EdgeView:
        """Compute the top view of a part of the table (mm) from a BGR picture."""
        # Mean of the brightest and the darkest channel: dark print on coloured cloth has contrast even where luma
        # has none.
        blue, green, red = cv2.split(image)
        bright, dark = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
        lightness = np.asarray(cv2.addWeighted(bright, 0.5, dark, 0.5, 0.0), np.uint8)
        view = plane.rectify(lightness, PX_PER_MM, region)
        along_x, along_y = cv2.spatialGradient(cv2.GaussianBlur(view, (3, 3), 0.7))
        return cls(view, region, np.asarray(along_x, np.int16), np.asarray(along_y, np.int16))

    def find_outlines(self, sizes_mm: Sequence[tuple[float, float]]) -> Outlines:
        """Return non-overlapping rectangles of these sizes (width, height in mm) that edges outline.

        As a card's orientation is unknown, the corners start at the left end of either shorter side.
        """
        candidates = self._candidates(sizes_mm)
        if len(candidates) == 0:
            return Outlines.none()
        rough = self.side_shares(candidates, _ROUGH_STEP_MM)
        fair = (rough.mean(axis=1) >= _MIN_ROUGH_SUPPORT) & (rough.min(axis=1) > 0)
        candidates, rough = candidates[fair], rough[fair].mean(axis=1)
        found = self._with_best(candidates, _MIN_SCORE, Outlines.none())
        # Grain that runs into an edge skews a rectangle: candidates where nothing was accepted are fitted.
        away = distances(candidates, found.corners).min(axis=1, initial=np.inf) > _SAME_SPOT_MM
        askew = _best_by_spot(candidates[away], rough[away])
        return self._with_best(self._fitted(askew), _MIN_SCORE_OF_FITTED, found)

    def _with_best(self, candidates: Corners, min_score: float, found: Outlines) -> Outlines:
        """Return `found` and the candidates of at least this score that overlap no better rectangle."""
        if len(candidates) == 0:
            return found
        support = self.edge_support(candidates)
        corners, scores = list(found.corners), found.scores.tolist()
        left = np.where(support.sufficient & (support.score >= min_score), support.score, -np.inf)
        while np.isfinite(left.max()):
            best = int(np.argmax(left))
            if not any(overlap(candidates[best], other) for other in corners):
                corners.append(candidates[best])
                scores.append(float(support.score[best]))
                left[distances(candidates, candidates[None, best])[:, 0] < _SAME_SPOT_MM] = -np.inf
            left[best] = -np.inf
        return Outlines(np.asarray(corners, np.float64).reshape(-1, 4, 2), np.asarray(scores, np.float64))

    def _fitted(self, corners: Corners) -> Corners:
        """Return rectangles rotated and shifted to maximise their edge support."""
        if len(corners) == 0:
            return corners
        for degrees, shift_mm in _FITTING:
            corners = self._best_pose(rotated_copies(corners, degrees))
            corners = self._best_pose(shifted_copies(corners, shift_mm))
        return corners

    def _best_pose(self, poses: NDArray[np.float64]) -> Corners:
        """Return the pose of each rectangle (n, poses, 4, 2) with the most edge support."""
        sides = self.side_shares(poses.reshape(-1, 4, 2), _FITTING_STEP_MM).mean(axis=1).reshape(poses.shape[:2])
        return np.asarray(poses[np.arange(len(poses)), sides.argmax(axis=1)], np.float64)

    def edge_support(self, corners: Corners) -> Support:
        """Return the shares of the sides of rectangles, and of lines beyond and beside them, that show an edge.

        corners: table mm, (n, 4, 2).
        """
        count = len(corners)
        sides = self._gradients(*points_on_sides(corners, _STEP_MM)).reshape(count, -1)
        beyond = self._gradients(*points_beyond_corners(corners))
        beside = self._gradients(*points_on_sides(enlarged(corners, _BESIDE_MM), _STEP_MM))
        # A card's outline is mostly one strong edge; wood grain or weave is weak beside it.
        usual = np.median(sides, axis=1, keepdims=True)
        seen = sides >= np.maximum(_MIN_GRADIENT, _MIN_SHARE_OF_USUAL * usual)
        clear = np.maximum(_MIN_GRADIENT, _MIN_SHARE_OUTSIDE * usual)
        return Support(
            np.asarray(seen.reshape(count, 4, -1).mean(axis=2), np.float64),
            np.asarray((beyond >= clear).mean(axis=1), np.float64),
            np.asarray((beside >= clear).mean(axis=1), np.float64),
        )

    def side_shares(self, corners: Corners, step_mm: float = _STEP_MM) -> NDArray[np.float64]:
        """Return the share of each side of rectangles that shows an edge, (n, 4).

        corners: table mm, (n, 4, 2). step_mm: distance of sampled points.
        """
        edges = self._gradients(*points_on_sides(corners, step_mm)) >= _MIN_GRADIENT
        return np.asarray(edges.reshape(len(corners), 4, -1).mean(axis=2), np.float64)

    def _gradients(self, points: NDArray[np.float64], normals: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the strength of edges through points in table mm (n, k, 2) across the given normals, (n, k).

        Grey levels per pixel, 0 where the gradient has another direction.
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

    def _both_end_at(
        self, corner: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return whether the two edges that meet at each corner end there instead of continuing, (n,).

        corner: corners in table mm, (n, 2). a, b: directions of the edges away from the corner, unit vectors (n,
        2).
        """
        far = np.array(_PAST_CORNER_MM)[:, None]
        points = np.concatenate([corner[:, None] - far * a[:, None], corner[:, None] - far * b[:, None]], axis=1)
        normals = np.repeat(np.stack([b, a], axis=1), len(far), axis=1)
        crossing = (self._gradients(points, normals) >= _MIN_GRADIENT).mean(axis=1)
        return np.asarray(crossing <= _MAX_CROSSING, np.bool_)

    def _segments(self, longest_mm: float) -> NDArray[np.float64]:
        """Return both ends of straight edges in table mm, (n, 2, 2), longest first. longest_mm: maximum length."""
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
        """Return rectangles of these sizes (width, height in mm) at edges that meet at right angles, (n, 4, 2)."""
        ends = self._segments(max(max(size) for size in sizes_mm) + _MAX_OVERLONG_MM)
        # Each segment in both directions: from the end near a corner to the far one.
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
        a, b = _at_right_angles(a, b, lengths[one], lengths[other])
        ends_there = self._both_end_at(corner, a, b)
        corner, a, b, reach_a, reach_b = (each[ends_there] for each in (corner, a, b, reach_a, reach_b))
        proposals, weights = [], []
        for width, height in sizes_mm:
            for along_a, along_b in ((width, height), (height, width)):
                fit = (reach_a <= along_a + _MAX_OVERLONG_MM) & (reach_b <= along_b + _MAX_OVERLONG_MM)
                right, up = along_a * a[fit], along_b * b[fit]
                if along_a > along_b:
                    right, up = up, right
                proposals.append(spanned(corner[fit], right, up))
                weights.append(reach_a[fit] + reach_b[fit])
        best = np.argsort(-np.concatenate(weights))[:_MAX_CANDIDATES]
        return np.asarray(np.concatenate(proposals)[best], np.float64)


def _close_pairs(points: NDArray[np.float64], reach: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of every two points (n, 2) less than `reach` apart in x and in y, each pair once."""
    order = np.argsort(points[:, 0])
    x = points[order, 0]
    until = np.searchsorted(x, x + reach)
    counts = until - np.arange(len(x)) - 1
    first = np.repeat(np.arange(len(x)), counts)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    one, other = order[first], order[second]
    close = np.abs(points[one, 1] - points[other, 1]) < reach
    return np.asarray(one[close], np.int64), np.asarray(other[close], np.int64)


def _best_by_spot(corners: Corners, score: NDArray[np.float64]) -> Corners:
    """Return the best rectangle at each spot: at most _MAX_FITTED, with centres at least _FITTED_SPOT_MM apart."""
    chosen: list[int] = []
    left = score.copy()
    while len(chosen) < _MAX_FITTED and np.isfinite(left.max(initial=-np.inf)):
        chosen.append(int(np.argmax(left)))
        left[distances(corners, corners[None, chosen[-1]])[:, 0] < _FITTED_SPOT_MM] = -np.inf
    return corners[chosen]


def _at_right_angles(
    a: NDArray[np.float64], b: NDArray[np.float64], weight_a: NDArray[np.float64], weight_b: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return pairs of directions, rotated to exactly right angles, (n, 2) each.

    a, b: unit vectors, (n, 2). weight_a, weight_b: length of the segments that they were measured on; the shorter
    one is rotated more.
    """
    handed = np.where(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0, 1.0, -1.0)[:, None]
    b_turned = np.stack([b[:, 1], -b[:, 0]], axis=1) * handed
    mean = a * weight_a[:, None] ** 2 + b_turned * weight_b[:, None] ** 2
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    return mean, np.stack([-mean[:, 1], mean[:, 0]], axis=1) * handed
