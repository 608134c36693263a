"""How the table looks while nothing is wrong, and what has become of it in a later picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image

Floats = NDArray[np.float32]
Grey = NDArray[np.uint8]
Matrix = NDArray[np.float64]

_WIDTH = 320
_TILE = 20
"""Width of the small picture, and side of the tiles that are compared, in its pixels."""
_WINDOW = 11
"""Side of the window round a pixel by which it is known again, in pixels of the small picture."""
_GRAIN = 2.0
"""Grey levels: where the standard deviation is less there is nothing that a place could be known again by."""
_ALIKE = 0.7
"""Correlation from which two tiles surely show the same thing."""
_STRANGE = 0.35
"""Correlation below which a place shows another thing."""
_FADED = 0.25
"""Share of its pattern's strength below which a place has not merely become dim."""
_OTHER = 26.0
"""Grey levels by which a plain pixel must differ, the light aside, to show another thing."""
_DETAIL = 0.1
_TOUCH = 0.012
"""Share of the border along which something else must be seen to be taken for an arm."""
_STILL = 0.0004
"""Shares of the picture's width: movements below this are nothing to carry a picture back by."""
_POINTS = 110
_FEWEST_POINTS = 14
_SAME_WAY = 0.35
_FEWEST_TILES = 8
_PRECISELY = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 0.02)
_STRAYED = 0.5
"""Pixels by which a point that was followed there and back again may miss where it began."""


@dataclass(frozen=True, eq=False)
class Small:
    """A picture made small: `colour` (height, 320, 3) and `grey` float32, `half` the grey picture at twice that."""

    colour: Floats
    half: Floats
    size: tuple[int, int]

    @classmethod
    def of(cls, image: Image) -> Small:
        """Shrink a BGR picture; its sides are brought to whole tiles, so its shape may change a little."""
        height, width = image.shape[:2]
        rows = max(2, round(_WIDTH * height / width / _TILE)) * _TILE
        half = cv2.resize(image, (2 * _WIDTH, 2 * rows), interpolation=cv2.INTER_AREA)
        colour = cv2.resize(half, (_WIDTH, rows), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
        return cls(colour.astype(np.float32), grey.astype(np.float32), (width, height))

    @cached_property
    def grey(self) -> Floats:
        """The small picture in grey."""
        return _f(cv2.cvtColor(self.colour, cv2.COLOR_BGR2GRAY))

    @property
    def exposure(self) -> tuple[float, float]:
        """Mean grey level, and the share of pixels that are as bright as can be."""
        return float(self.grey.mean()), float(np.mean(self.grey > 250.0))

    @cached_property
    def even(self) -> Grey:
        """The small grey picture with its local brightness and contrast taken out: the same in any light."""
        return local_contrast(self.grey)

    @cached_property
    def bands(self) -> tuple[Floats, Floats]:
        """The fine and the coarser detail of the half picture."""
        fine = cv2.blur(self.half, (3, 3))
        coarse = cv2.blur(fine, (9, 9))
        return _f(cv2.subtract(self.half, fine)), _f(cv2.subtract(fine, coarse))

    @cached_property
    def local(self) -> tuple[Floats, Floats]:
        """Round each pixel of the small picture: mean grey, and its standard deviation."""
        mean = _around(self.grey)
        return mean, np.sqrt(np.maximum(_around(self.grey * self.grey) - mean * mean, 0.0))

    def carried_back(self, movement: Matrix) -> Small:
        """Give the picture as it would look without this movement (3×3, in pixels of the full picture)."""
        half = _carried_back(self.half, movement, self.size)
        return Small(_carried_back(self.colour, movement, self.size), half, self.size)

    @cached_property
    def tiles(self) -> tuple[Floats, Floats, Floats]:
        """By tile: mean colour (rows, columns, 3), mean grey, and its standard deviation."""
        grey = _mean(self.grey)
        return _mean(self.colour), grey, np.sqrt(np.maximum(_mean(self.grey * self.grey) - grey * grey, 0.0))


@dataclass(frozen=True, slots=True)
class Change:
    """How a picture differs from the table that was known. Lengths are shares of the picture's width.

    known: share of what could be known again that is. movement: 3×3, from the known picture's pixels to this
    one's, None where too little is seen to tell; moved: how far that carries points of the picture on average.
    light: log of the gain by channel (b, g, r); brighter: its largest amount anywhere. sharpness: fine detail
    left, 1 for all of it, and contrast the same for coarser detail, the light aside; None where there is none to
    go by. covered: share of the picture in which something else is seen; thickness: radius of the largest circle
    in that; touching: it reaches in over the picture's edge. level: mean grey level; glare: share of pixels that
    are as bright as can be.
    """

    known: float
    movement: Matrix | None
    moved: float
    light: tuple[float, float, float]
    brighter: float
    sharpness: float | None
    contrast: float | None
    covered: float
    thickness: float
    touching: bool
    level: float
    glare: float


@dataclass(frozen=True, eq=False)
class StillTable:
    """The table as it was seen at rest: from two pictures, so that what is noise in one is not taken for detail."""

    first: Small
    second: Small

    @classmethod
    def of(cls, first: Image, second: Image | None = None) -> StillTable:
        """Take one noise-free picture of the table, or two that were taken one after the other."""
        one = Small.of(first)
        return cls(one, one if second is None else Small.of(second))

    @cached_property
    def points(self) -> Floats:
        """What can be followed: corners of the small picture, (N, 1, 2)."""
        found = cv2.goodFeaturesToTrack(self.first.even, _POINTS, 0.02, 9, blockSize=5)
        return np.zeros((0, 1, 2), np.float32) if found is None else _f(found)

    @cached_property
    def detail(self) -> tuple[Floats, Floats]:
        """By tile: how much fine and coarser detail there is, noise aside."""
        fine, coarse = (_mean(a * b) for a, b in zip(self.first.bands, self.second.bands, strict=True))
        return fine, coarse

    def change(self, now: Small) -> Change:
        """Tell how a picture of the same size differs. Raises ValueError for another size."""
        if now.size != self.first.size:
            raise ValueError("The pictures differ in size.")
        level, glare = now.exposure
        movement = self._movement(now)
        moved = carried(movement, now.size)
        if movement is not None and moved > _STILL:
            now = now.carried_back(movement)
        alike = self._alike(now)
        light = self._light(now, alike)
        other, known = self._other(now, light)
        edge = np.concatenate([other[0], other[-1], other[:, 0], other[:, -1]])
        framed = cv2.copyMakeBorder(other, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        mean_light = light.mean(axis=(0, 1))
        sharpness, contrast = self._clarity(now, alike, float(np.exp(mean_light.mean())))
        return Change(
            known=known,
            movement=movement,
            moved=moved,
            light=(float(mean_light[0]), float(mean_light[1]), float(mean_light[2])),
            brighter=float(np.abs(light).max()),
            sharpness=sharpness,
            contrast=contrast,
            covered=float(other.mean()),
            thickness=float(cv2.distanceTransform(framed, cv2.DIST_L2, 3).max()) / _WIDTH,
            touching=float(edge.mean()) > _TOUCH,
            level=level,
            glare=glare,
        )

    def _movement(self, now: Small) -> Matrix | None:
        """Follow the points; None unless enough of them went the same way."""
        if len(self.points) < _FEWEST_POINTS:
            return None
        there, kept = follow(self.first.even, now.even, self.points, 13, 3)
        if kept.sum() < _FEWEST_POINTS:
            return None
        matrix, inliers = cv2.estimateAffinePartial2D(
            self.points[kept], there[kept], method=cv2.RANSAC, ransacReprojThreshold=0.7, maxIters=200
        )
        if matrix is None or inliers.sum() < max(_FEWEST_POINTS, _SAME_WAY * len(self.points)):
            return None
        to_full = _to_full(now.grey.shape, now.size)
        return np.asarray(to_full @ np.vstack([matrix, [0, 0, 1]]) @ np.linalg.inv(to_full), np.float64)

    def _alike(self, now: Small) -> NDArray[np.bool_]:
        """Mark the tiles that can be known again and are."""
        _, mean, spread = self.first.tiles
        _, mean_now, spread_now = now.tiles
        together = _mean(self.first.grey * now.grey) - mean * mean_now
        return np.asarray((spread > _GRAIN) & (together > _ALIKE * spread * spread_now), np.bool_)

    def _light(self, now: Small, alike: NDArray[np.bool_]) -> Floats:
        """Fit how much brighter each place is now, as a slope over the picture: log gains (rows, columns, 3)."""
        logs = np.log((now.tiles[0] + 4.0) / (self.first.tiles[0] + 4.0))
        rows, columns = logs.shape[:2]
        v, u = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
        design = np.stack([np.ones(rows * columns), u.reshape(-1), v.reshape(-1)], axis=1)
        flat = logs.reshape(-1, 3).astype(np.float64)
        grey = flat.mean(axis=1)
        # Where the table is known again the light can be told; elsewhere it may be another thing that is seen.
        trust = np.where(alike.reshape(-1), 1.0, 0.05)
        fitted = np.full_like(flat, _weighted_median(grey, trust))
        for _ in range(4):
            weight = trust / (1.0 + ((grey - fitted.mean(axis=1)) / 0.1) ** 2)
            normal = design.T @ (design * weight[:, None]) + 1e-6 * np.eye(3)
            fitted = design @ np.linalg.solve(normal, design.T @ (flat * weight[:, None]))
        return _f(fitted.reshape(logs.shape))

    def _other(self, now: Small, light: Floats) -> tuple[Grey, float]:
        """Mark with 1 the pixels in which another thing is seen than before.

        Also gives the share of the pixels that can be known again that are. A place with some pattern is known
        by that; a plain one, by its colour in the light of now.
        """
        height, width = now.grey.shape
        mean, spread = self.first.local
        mean_now, spread_now = now.local
        together = _around(self.first.grey * now.grey) - mean * mean_now
        patterned = spread > _GRAIN
        gain = cv2.resize(np.exp(light), (width, height), interpolation=cv2.INTER_LINEAR)
        differs = cv2.absdiff(now.colour, cv2.multiply(self.first.colour, gain))
        recoloured = cv2.max(cv2.max(differs[..., 0], differs[..., 1]), differs[..., 2]) > _OTHER
        # Where a pattern was and nothing at all is seen now, something plain lies over it.
        strange = together < _STRANGE * spread * np.maximum(spread_now, _FADED * spread)
        opened = cv2.morphologyEx(
            np.where(patterned, strange, recoloured).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        other = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
        return other, 1.0 - float(np.mean(other[patterned] if patterned.any() else other))

    def _clarity(self, now: Small, alike: NDArray[np.bool_], gain: float) -> tuple[float | None, float | None]:
        """Give how much fine detail is left compared with the coarser, and of that compared with the light."""
        fine, coarse = self.detail
        use = alike & (fine > _DETAIL)
        if use.sum() < _FEWEST_TILES:
            return None, None
        left = []
        for band, there in ((0, fine), (1, coarse)):
            known = 0.5 * (self.first.bands[band] + self.second.bands[band])
            left.append(float(_mean(now.bands[band] * known)[use].sum() / there[use].sum()))
        return left[0] / max(left[1], 1e-3), left[1] / gain


def local_contrast(grey: Floats) -> Grey:
    """Return a small grey picture with its local brightness and contrast taken out, 128 in the middle."""
    low = cv2.blur(grey, (25, 25))
    high = grey - low
    # Running sums may come out a little below nothing where a picture is plain.
    spread = np.sqrt(np.maximum(cv2.blur(high * high, (25, 25)), 0.0)) + 3.0
    return np.asarray(np.clip(128.0 + 45.0 * high / spread, 0, 255), np.uint8)


def _carried_back(picture: Floats, movement: Matrix, size: tuple[int, int]) -> Floats:
    to_full = _to_full(picture.shape, size)
    matrix = (np.linalg.inv(to_full) @ movement @ to_full)[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    there = (picture.shape[1], picture.shape[0])
    return _f(cv2.warpAffine(picture, matrix, there, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _to_full(shape: tuple[int, ...], size: tuple[int, int]) -> Matrix:
    """Give the 3×3 matrix from a shrunk picture's pixels to the full picture's; a centre is half a pixel in."""
    x, y = size[0] / shape[1], size[1] / shape[0]
    return np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])


def follow(
    one: Grey, other: Grey, points: Floats, window: int, levels: int, guess: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Follow points (N, 1, 2) from one grey picture to another and back: where they are, and which are sure.

    window, levels: of the pyramidal Lucas-Kanade method; guess: about where the points are.
    """
    size, flags = (window, window), cv2.OPTFLOW_USE_INITIAL_FLOW
    start = points.copy() if guess is None else guess.copy()
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, other, points, start, winSize=size, maxLevel=levels, criteria=_PRECISELY, flags=flags
    )
    back, again, _ = cv2.calcOpticalFlowPyrLK(
        other, one, there, points.copy(), winSize=size, maxLevel=levels, criteria=_PRECISELY, flags=flags
    )
    strayed = np.linalg.norm((back - points).reshape(-1, 2), axis=1)
    kept = (found.reshape(-1) == 1) & (again.reshape(-1) == 1) & (strayed < _STRAYED)
    return _f(there), np.asarray(kept, np.bool_)


def carried(movement: Matrix | None, size: tuple[int, int]) -> float:
    """Give how far points of the picture are carried on average, as a share of its width."""
    if movement is None:
        return 0.0
    width, height = size
    at = np.array([[x * width, y * height, 1.0] for x in (0.15, 0.5, 0.85) for y in (0.15, 0.5, 0.85)])
    there = at @ movement.T
    return float(np.sqrt(np.mean(np.sum((there[:, :2] - at[:, :2]) ** 2, axis=1)))) / width


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def _around(values: Floats) -> Floats:
    return _f(cv2.blur(values, (_WINDOW, _WINDOW)))


def _mean(values: Floats) -> Floats:
    """Average over tiles, whatever whole multiple of the tiles' number the picture's size is."""
    side = _TILE * values.shape[1] // _WIDTH
    return _f(cv2.resize(values, (values.shape[1] // side, values.shape[0] // side), interpolation=cv2.INTER_AREA))


def _f(values: object) -> Floats:
    return np.asarray(values, np.float32)
