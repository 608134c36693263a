"""What a hand's piece maps say in figures: one row for each heap of one kind, one for each printed sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reveal.colour import Colours
from vision.reveal.foreground import Mask
from vision.reveal.geometry import PATCH_PALM, PATCH_PX_PER_MM
from vision.reveal.pieces import PieceMap
from vision.reveal.skin import Skin

Layer = NDArray[np.float32]

HEAP_FEATURES = (
    "area", "root_area", "log_area", "hull", "solidity", "outline", "thickest", "peaks", "fine_peaks",
    "worn_parts_1", "worn_area_1", "worn_parts_2", "worn_area_2", "worn_parts_3", "worn_area_3",
    "long_side", "short_side", "soft_area", "surest", "light_spread", "edges", "strong_edges", "spots",
    "fine_spots", "top_parts", "top_area", "rim_on_skin", "contrast_light", "contrast_hue_1", "contrast_hue_2",
    "dents", "dent_depth", "packed", "packed_close", "lit_parts_1", "lit_area_1", "lit_parts_2", "lit_area_2",
    "lit_parts_3", "lit_area_3", "ridge", "unit_area", "from_palm", "heaps", "whole_area", "sign_area",
    "skin_light",
)  # fmt: skip
SIGN_FEATURES = (
    "disc", "ring", "second_disc", "area", "whole_disc", "largest", "largest_thickness", "largest_solidity",
    "search_area", "other_sign_area", "surest", "light_spread", "contrast_light", "skin_light", "unit_area",
    "from_palm", "bare_area",
)  # fmt: skip
_SMALLEST_SHARE = 0.10
"""Heaps smaller than this share of one piece are specks."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Touching pixels of one kind: features, box in the patch, area in pieces, some of its pixels (x, y)."""

    features: tuple[float, ...]
    box: tuple[int, int, int, int]
    pieces: float
    pixels: Layer

    def places(self, count: int) -> tuple[tuple[float, float, float, float], ...]:
        """Say where so many pieces lie in it: boxes in the patch, each round its share of the pixels."""
        if count <= 1 or len(self.pixels) <= count:
            x, y, width, height = self.box
            return ((float(x), float(y), float(width), float(height)),) * count
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
        cv2.setRNGSeed(1)
        start = np.zeros((len(self.pixels), 1), np.int32)
        _, labels, _ = cv2.kmeans(self.pixels, count, start, criteria, 2, cv2.KMEANS_PP_CENTERS)
        found = []
        for k in range(count):
            share = self.pixels[np.asarray(labels)[:, 0] == k]
            if len(share):
                (left, top), (right, bottom) = share.min(axis=0), share.max(axis=0)
                found.append((float(left), float(top), float(right - left + 1), float(bottom - top + 1)))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """One hand's patch, ready to be weighed."""

    colours: Colours
    mask: Mask
    skin: Skin
    pieces: PieceMap

    def heaps(self, kind: str, area_mm2: float, signs: Sequence[str]) -> tuple[Heap, ...]:
        """Give every heap of a kind; area_mm2: of one piece; signs: kinds whose pixels may lie over it."""
        unit = area_mm2 * PATCH_PX_PER_MM**2
        layer = self.pieces.kinds[kind]
        sign_area = sum(float(self.pieces.kinds[sign].sum()) for sign in signs) / unit
        solid = cv2.morphologyEx(
            (layer > 0.5).astype(np.uint8), cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        )
        count, labels, stats, centres = cv2.connectedComponentsWithStats(solid, connectivity=8)
        kept = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= _SMALLEST_SHARE * unit]
        whole = sum(float(stats[k, cv2.CC_STAT_AREA]) for k in kept) / unit
        found = []
        for k in kept:
            x, y, width, height = (int(v) for v in stats[k, :4])
            pad = 6
            rows = slice(max(0, y - pad), y + height + pad)
            columns = slice(max(0, x - pad), x + width + pad)
            cut = _Cut(
                _framed((labels[rows, columns] == k).astype(np.uint8)),
                _framed(layer[rows, columns]),
                np.asarray(
                    cv2.copyMakeBorder(self.colours[rows, columns], 2, 2, 2, 2, cv2.BORDER_REPLICATE), np.float32
                ),
                _framed(self.pieces.skin[rows, columns]),
            )
            off = float(np.hypot(centres[k][0] - PATCH_PALM[0], centres[k][1] - PATCH_PALM[1])) / PATCH_PX_PER_MM
            around = (area_mm2 / 100, off / 40, float(len(kept)), whole, sign_area, float(self.skin.mean[0]))
            shape = _shape(cut, unit)
            inner = (*_surface(cut, unit, self.skin), *_parts(cut, unit))
            found.append(Heap((*shape, *inner, *around), (x, y, width, height), shape[0], _pixels(labels == k)))
        return tuple(found)

    def sign(self, kind: str, area_mm2: float, others: Sequence[str], searches: Sequence[str]) -> Heap:
        """Weigh whether one printed disc of this kind lies in the hand."""
        unit = area_mm2 * PATCH_PX_PER_MM**2
        layer = self.pieces.kinds[kind]
        radius = max(3, round(float(np.sqrt(unit / np.pi)) * 0.85))
        disc = _disc(radius)
        # Half the size is enough to find a disc, at a tenth of the time.
        coarse = cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        density = cv2.filter2D(coarse, -1, _disc(max(2, round(radius / 2))), borderType=cv2.BORDER_CONSTANT)
        _, best, _, (half_x, half_y) = cv2.minMaxLoc(density)
        x, y = 2 * half_x, 2 * half_y
        outer = _disc(radius + max(3, radius // 3))
        wide = float((cv2.getRectSubPix(layer, outer.shape[::-1], (x, y)) * (outer > 0)).sum())
        ring = (wide - best * float((disc > 0).sum())) / max(1.0, float((outer > 0).sum() - (disc > 0).sum()))
        beyond = density.copy()
        cv2.circle(beyond, (half_x, half_y), round(0.8 * radius), 0.0, -1)
        everything = layer.copy()
        for other in searches:
            everything = np.maximum(everything, self.pieces.kinds[other])
        whole_disc = float((cv2.getRectSubPix(everything, disc.shape[::-1], (x, y)) * disc).sum())
        solid = (layer > 0.5).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
        largest = thick = solidity = 0.0
        box = (x - radius, y - radius, 2 * radius, 2 * radius)
        if count > 1:
            k = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
            bx, by, bw, bh = (int(v) for v in stats[k, :4])
            blob = cv2.copyMakeBorder(
                (labels[by : by + bh, bx : bx + bw] == k).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0
            )
            largest = float(stats[k, cv2.CC_STAT_AREA]) / unit
            thick = float(cv2.distanceTransform(blob, cv2.DIST_L2, 3).max()) / radius
            contour = max(cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
            hull = cv2.contourArea(cv2.convexHull(contour)) + 1.0
            solidity = float(stats[k, cv2.CC_STAT_AREA]) / hull
        inside = self._around(x, y, radius)
        light = inside[:, 0]
        off = float(np.hypot(x - PATCH_PALM[0], y - PATCH_PALM[1])) / PATCH_PX_PER_MM
        search_area = sum(float(self.pieces.kinds[other].sum()) for other in searches) / unit
        bare = float(
            (cv2.getRectSubPix((self.pieces.skin > 0).astype(np.float32), disc.shape[::-1], (x, y)) * disc).sum()
        )
        features = (
            best, ring, float(beyond.max()), float(layer.sum()) / unit, whole_disc, largest, thick, solidity,
            search_area, sum(float(self.pieces.kinds[o].sum()) for o in others) / unit, float(layer.max()),
            float(light.std()), float(light.mean() - self.skin.mean[0]), float(self.skin.mean[0]), area_mm2 / 100,
            off / 40, bare,
        )  # fmt: skip
        return Heap(features, box, largest, np.zeros((0, 2), np.float32))

    def _around(self, x: int, y: int, radius: int) -> Colours:
        reach = slice(max(0, y - radius), y + radius + 1), slice(max(0, x - radius), x + radius + 1)
        return self.colours[reach].reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class _Cut:
    heap: Mask
    layer: Layer
    colours: Colours
    skin: Mask


def _pixels(inside: NDArray[np.bool_]) -> Layer:
    rows, columns = np.nonzero(inside)
    return np.stack([columns[::2], rows[::2]], axis=1).astype(np.float32)


def _framed(layer: NDArray[Any]) -> NDArray[Any]:
    return np.pad(layer, 2)


def _shape(cut: _Cut, unit: float) -> tuple[float, ...]:
    side = float(np.sqrt(unit))
    heap = cut.heap
    area = float(cv2.countNonZero(heap)) / unit
    contours = cv2.findContours(heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    contour = max(contours, key=len)
    hull = cv2.contourArea(cv2.convexHull(contour)) / unit + 1e-3
    depth = np.asarray(cv2.distanceTransform(heap, cv2.DIST_L2, 5), np.float32)
    worn: list[float] = []
    for share in (0.12, 0.19, 0.26):
        parts, _, stats, _ = cv2.connectedComponentsWithStats((depth > share * side).astype(np.uint8))
        areas = stats[1:parts, cv2.CC_STAT_AREA]
        worn += [float((areas > 0.02 * unit).sum()), float(areas.sum()) / unit]
    (_, (one, two), _) = cv2.minAreaRect(contour)
    return (
        area, float(np.sqrt(area)), float(np.log(area)), hull, min(1.5, area / hull),
        cv2.arcLength(contour, True) / side, float(depth.max()) / side,
        _peaks(depth, 0.45 * side, 0.16 * side), _peaks(depth, 0.28 * side, 0.12 * side), *worn,
        max(one, two) / side, min(one, two) / side,
    )  # fmt: skip


def _surface(cut: _Cut, unit: float, skin: Skin) -> tuple[float, ...]:
    side = float(np.sqrt(unit))
    heap = cut.heap
    grown = cv2.dilate(heap, np.ones((5, 5), np.uint8))
    soft = float(cut.layer[grown > 0].sum()) / unit
    inside = cv2.erode(heap, np.ones((3, 3), np.uint8)) > 0
    if np.count_nonzero(inside) < 10:
        inside = heap > 0
    light = np.ascontiguousarray(cut.colours[..., 0])
    smooth = cv2.GaussianBlur(light, (0, 0), 1.0)
    slope = cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    steep = slope[inside]
    level = float(np.median(light[inside]))
    spots = []
    for width in (0.22, 0.14):
        wide = cv2.GaussianBlur(np.where(heap > 0, light - level, -0.6).astype(np.float32), (0, 0), width * side)
        top = cv2.dilate(wide, np.ones((2 * round(0.25 * side) + 1,) * 2, np.uint8))
        spots.append(float(np.count_nonzero((wide >= top) & inside)))
    tops = ((light > level - 0.02) & (heap > 0)).astype(np.uint8)
    bright = cv2.morphologyEx(tops, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    parts, _, stats, _ = cv2.connectedComponentsWithStats(bright)
    areas = stats[1:parts, cv2.CC_STAT_AREA]
    rim = (grown > 0) & (cv2.dilate(heap, np.ones((3, 3), np.uint8)) == 0)
    on_skin = float((cut.skin[rim] > 0).mean()) if rim.any() else 0.0
    contrast = cut.colours[inside].mean(axis=0) - skin.mean
    return (
        soft, float(cut.layer[inside].mean()), float(light[inside].std()), float(steep.mean()),
        float((steep > 0.6).sum()) / unit, *spots, float((areas > 0.08 * unit).sum()), float(areas.sum()) / unit,
        on_skin, float(contrast[0]), float(contrast[1]), float(contrast[2]),
    )  # fmt: skip


def _parts(cut: _Cut, unit: float) -> tuple[float, ...]:
    """Hints of single pieces: dents of the outline, how many fit in, lit tops, dark lines between."""
    side = float(np.sqrt(unit))
    heap = cut.heap
    contour = max(cv2.findContours(heap, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    dents = depth = 0.0
    if len(contour) > 12:
        hull = np.sort(cv2.convexHull(contour, returnPoints=False).reshape(-1, 1), axis=0)[::-1].copy()
        defects = cv2.convexityDefects(contour, hull) if len(hull) > 3 else None
        if defects is not None:
            deep = defects.reshape(-1, 4)[:, 3] / 256.0 / side
            dents, depth = float((deep > 0.13).sum()), float(deep[deep > 0.07].sum())
    light = cv2.GaussianBlur(np.ascontiguousarray(cut.colours[..., 0]), (0, 0), 0.7)
    level = float(np.median(light[heap > 0]))
    lit: list[float] = []
    for above in (0.12, 0.0, -0.15):
        bright = ((light > level + above) & (heap > 0)).astype(np.uint8)
        parts, _, stats, _ = cv2.connectedComponentsWithStats(bright, connectivity=4)
        areas = stats[1:parts, cv2.CC_STAT_AREA]
        lit += [float((areas > 0.06 * unit).sum()), float(areas.sum()) / unit]
    # Where two pieces meet there is a valley of light: darker than both sides.
    valley = cv2.morphologyEx(light, cv2.MORPH_BLACKHAT, np.ones((5, 5), np.uint8))
    inside = cv2.erode(heap, np.ones((3, 3), np.uint8)) > 0
    ridge = float(np.maximum(valley[inside] - 0.04, 0.0).sum()) / unit
    return (dents, depth, _packed(heap, 0.50 * side), _packed(heap, 0.42 * side), *lit, ridge)


def _packed(heap: Mask, radius: float) -> float:
    """Count how many discs go into a heap when each is put where there is most room left."""
    room = np.pad(heap, 1)
    for count in range(12):
        depth = cv2.distanceTransform(room, cv2.DIST_L2, 3)
        _, most, _, (x, y) = cv2.minMaxLoc(depth)
        if most < 0.55 * radius:
            return float(count)
        cv2.circle(room, (x, y), round(radius), 0, -1)
    return 12.0


def _peaks(depth: Layer, apart: float, least: float) -> float:
    """Count the places that are deepest within their surroundings."""
    reach = max(1, round(apart / 2))
    top = cv2.dilate(depth, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    count, _ = cv2.connectedComponents(((depth >= top - 0.25) & (depth > least)).astype(np.uint8))
    return float(count - 1)


def _disc(radius: int) -> Layer:
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
