"""Model of the view of the table at rest, and measurement of how later pictures differ from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image

Floats = NDArray[np.float32]
"""Array of float32."""
Grey = NDArray[np.uint8]
"""Grey picture, (height, width)."""
Matrix = NDArray[np.float64]
"""3×3 matrix, or points (n, 2)."""

_WIDTH = 320
"""Width of the small picture, px."""
_TILE = 20
"""Side of the compared tiles, px of the small picture."""
_WINDOW = 11
"""Side of the window around a pixel for its correlation, px of the small picture."""
_MIN_PATTERN = 2.0
"""Minimum standard deviation of a tile or window with a recognisable pattern, grey levels."""
_MIN_TILE_CORRELATION = 0.7
"""Minimum correlation of two tiles that show the same thing."""
_MIN_PIXEL_CORRELATION = 0.35
"""Minimum correlation of two windows that show the same thing."""
_MIN_FADED = 0.25
"""Minimum remaining contrast of a window that may merely be dimmer than before."""
_MAX_PLAIN_DIFFERENCE = 26.0
"""Maximum difference of a plain pixel that shows the same thing, after light correction, grey levels."""
_MIN_DETAIL = 0.1
"""Minimum variance of fine detail of a tile used to measure sharpness."""
_MIN_TOUCH = 0.012
"""Minimum changed share of the picture's border for an object that reaches in."""
_MIN_MOVEMENT = 0.0004
"""Minimum movement that is compensated, as a share of the picture's width."""
_MAX_POINTS = 110
"""Maximum number of tracked corners."""
_MIN_POINTS = 14
"""Minimum number of tracked corners."""
_MIN_INLIER_SHARE = 0.35
"""Minimum share of the corners that agree on one movement."""
_MIN_TILES = 8
"""Minimum number of tiles to measure sharpness."""
_TRACKING_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 0.02)
"""Termination criteria of Lucas-Kanade tracking."""
_MAX_ROUND_TRIP_PX = 0.5
"""Maximum error of a point tracked there and back, px."""


@dataclass(frozen=True, eq=False)
class Downscaled:
    """A picture downscaled to a width of 320 px (the small picture); its properties are computed on demand."""

    colour: Floats
    """BGR, (height, 320, 3) float32."""
    half: Floats
    """Grey picture of twice that width and height, (2·height, 640), called the half-size picture."""
    size: tuple[int, int]
    """Width and height of the full picture, px."""

    @classmethod
    def of(cls, image: Image) -> Downscaled:
        """Downscale a BGR picture to whole tiles, which may change its aspect ratio slightly."""
        height, width = image.shape[:2]
        rows = max(2, round(_WIDTH * height / width / _TILE)) * _TILE
        half = cv2.resize(image, (2 * _WIDTH, 2 * rows), interpolation=cv2.INTER_AREA)
        colour = cv2.resize(half, (_WIDTH, rows), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
        return cls(colour.astype(np.float32), grey.astype(np.float32), (width, height))

    @cached_property
    def grey(self) -> Floats:
        """The small picture in grey."""
        return _as_float32(cv2.cvtColor(self.colour, cv2.COLOR_BGR2GRAY))

    @property
    def exposure(self) -> tuple[float, float]:
        """Mean grey level, and the share of saturated pixels."""
        return float(self.grey.mean()), float(np.mean(self.grey > 250.0))

    @cached_property
    def light_invariant(self) -> Grey:
        """Local contrast of the small picture (`local_contrast`), which changes of light do not affect."""
        return local_contrast(self.grey)

    @cached_property
    def bands(self) -> tuple[Floats, Floats]:
        """Fine and coarse detail of the half-size picture: two band-pass pictures around 0."""
        fine = cv2.blur(self.half, (3, 3))
        coarse = cv2.blur(fine, (9, 9))
        return _as_float32(cv2.subtract(self.half, fine)), _as_float32(cv2.subtract(fine, coarse))

    @cached_property
    def local_statistics(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation of grey around each pixel of the small picture."""
        mean = _window_mean(self.grey)
        return mean, np.sqrt(np.maximum(_window_mean(self.grey * self.grey) - mean * mean, 0.0))

    def stabilised(self, movement: Matrix) -> Downscaled:
        """Return a copy warped to undo a camera movement. movement: homography 3×3, px of the full picture."""
        half = _stabilised(self.half, movement, self.size)
        return Downscaled(_stabilised(self.colour, movement, self.size), half, self.size)

    @cached_property
    def tiles(self) -> tuple[Floats, Floats, Floats]:
        """Per tile: mean colour (rows, columns, 3), mean grey level, and its standard deviation."""
        grey = _tile_means(self.grey)
        return (
            _tile_means(self.colour),
            grey,
            np.sqrt(np.maximum(_tile_means(self.grey * self.grey) - grey * grey, 0.0)),
        )


@dataclass(frozen=True, slots=True)
class TableChange:
    """Change of a picture against the table at rest. Lengths are shares of the picture's width."""

    known: float
    """Share of the patterned pixels that show the same as before, 0..1."""
    movement: Matrix | None
    """Homography from the known picture to this one, 3×3 px to px; None where undecidable."""
    moved: float
    """Mean displacement of the picture's points, 0 where undecidable."""
    light: tuple[float, float, float]
    """Log gain by channel (b, g, r)."""
    brighter: float
    """Largest absolute log gain anywhere."""
    sharpness: float | None
    """Remaining share of fine detail, None where unmeasurable."""
    contrast: float | None
    """Remaining share of coarse detail after light correction, None where unmeasurable."""
    covered: float
    """Changed share of the picture."""
    thickness: float
    """Radius of the largest circle inside the changed area."""
    touching: bool
    """Whether the changed area reaches the picture's edge."""
    level: float
    """Mean grey level."""
    glare: float
    """Share of saturated pixels."""


@dataclass(frozen=True, eq=False)
class StillTable:
    """Model of the view of the table at rest. It takes two pictures to separate noise from detail."""

    first: Downscaled
    """First picture."""
    second: Downscaled
    """Second picture."""

    @classmethod
    def of(cls, first: Image, second: Image | None = None) -> StillTable:
        """Return the model of the table made from one noise-free picture, or from two consecutive ones."""
        one = Downscaled.of(first)
        return cls(one, one if second is None else Downscaled.of(second))

    @cached_property
    def points(self) -> Floats:
        """Corners of the small picture for tracking, (N, 1, 2)."""
        found = cv2.goodFeaturesToTrack(self.first.light_invariant, _MAX_POINTS, 0.02, 9, blockSize=5)
        return np.zeros((0, 1, 2), np.float32) if found is None else _as_float32(found)

    @cached_property
    def detail(self) -> tuple[Floats, Floats]:
        """Per tile: variance of fine and of coarse detail, without noise (which differs between the pictures)."""
        fine, coarse = (_tile_means(a * b) for a, b in zip(self.first.bands, self.second.bands, strict=True))
        return fine, coarse

    def change(self, now: Downscaled) -> TableChange:
        """Return how a picture differs from the table at rest. Raises ValueError if it is of another size."""
        if now.size != self.first.size:
            raise ValueError("The pictures differ in size.")
        level, glare = now.exposure
        movement = self._movement(now)
        moved = mean_displacement(movement, now.size)
        if movement is not None and moved > _MIN_MOVEMENT:
            now = now.stabilised(movement)
        recognised = self._recognised(now)
        light = self._light(now, recognised)
        other, known = self._changed(now, light)
        edge = np.concatenate([other[0], other[-1], other[:, 0], other[:, -1]])
        framed = cv2.copyMakeBorder(other, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        mean_light = light.mean(axis=(0, 1))
        sharpness, contrast = self._clarity(now, recognised, float(np.exp(mean_light.mean())))
        return TableChange(
            known=known,
            movement=movement,
            moved=moved,
            light=(float(mean_light[0]), float(mean_light[1]), float(mean_light[2])),
            brighter=float(np.abs(light).max()),
            sharpness=sharpness,
            contrast=contrast,
            covered=float(other.mean()),
            thickness=float(cv2.distanceTransform(framed, cv2.DIST_L2, 3).max()) / _WIDTH,
            touching=float(edge.mean()) > _MIN_TOUCH,
            level=level,
            glare=glare,
        )

    def _movement(self, now: Downscaled) -> Matrix | None:
        """Return the homography from the first picture to this one (px of full pictures) by tracked corners.

        None unless enough corners agree.
        """
        if len(self.points) < _MIN_POINTS:
            return None
        there, kept = track_points(self.first.light_invariant, now.light_invariant, self.points, 13, 3)
        if kept.sum() < _MIN_POINTS:
            return None
        matrix, inliers = cv2.estimateAffinePartial2D(
            self.points[kept], there[kept], method=cv2.RANSAC, ransacReprojThreshold=0.7, maxIters=200
        )
        if matrix is None or inliers.sum() < max(_MIN_POINTS, _MIN_INLIER_SHARE * len(self.points)):
            return None
        to_full = _to_full(now.grey.shape, now.size)
        return np.asarray(to_full @ np.vstack([matrix, [0, 0, 1]]) @ np.linalg.inv(to_full), np.float64)

    def _recognised(self, now: Downscaled) -> NDArray[np.bool_]:
        """Return a mask (rows, columns) of the tiles that show the same pattern as in the first picture."""
        _, mean, spread = self.first.tiles
        _, mean_now, spread_now = now.tiles
        together = _tile_means(self.first.grey * now.grey) - mean * mean_now
        return np.asarray(
            (spread > _MIN_PATTERN) & (together > _MIN_TILE_CORRELATION * spread * spread_now), np.bool_
        )

    def _light(self, now: Downscaled, recognised: NDArray[np.bool_]) -> Floats:
        """Return the log gains of the light since the first picture, (rows of tiles, columns of tiles, 3).

        They are a linear function over the picture. recognised: mask of the tiles that show the same as before.
        """
        logs = np.log((now.tiles[0] + 4.0) / (self.first.tiles[0] + 4.0))
        rows, columns = logs.shape[:2]
        v, u = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
        design = np.stack([np.ones(rows * columns), u.reshape(-1), v.reshape(-1)], axis=1)
        flat = logs.reshape(-1, 3).astype(np.float64)
        grey = flat.mean(axis=1)
        # Recognised tiles measure the light; others may show something else.
        trust = np.where(recognised.reshape(-1), 1.0, 0.05)
        fitted = np.full_like(flat, _weighted_median(grey, trust))
        for _ in range(4):
            weight = trust / (1.0 + ((grey - fitted.mean(axis=1)) / 0.1) ** 2)
            normal = design.T @ (design * weight[:, None]) + 1e-6 * np.eye(3)
            fitted = design @ np.linalg.solve(normal, design.T @ (flat * weight[:, None]))
        return _as_float32(fitted.reshape(logs.shape))

    def _changed(self, now: Downscaled, light: Floats) -> tuple[Grey, float]:
        """Return a mask (1 or 0) of the changed pixels, and the unchanged share of the patterned ones.

        Patterned pixels are compared by local correlation, plain ones by colour after light correction. light: from
        `_light`.
        """
        height, width = now.grey.shape
        mean, spread = self.first.local_statistics
        mean_now, spread_now = now.local_statistics
        together = _window_mean(self.first.grey * now.grey) - mean * mean_now
        patterned = spread > _MIN_PATTERN
        gain = cv2.resize(np.exp(light), (width, height), interpolation=cv2.INTER_LINEAR)
        differs = cv2.absdiff(now.colour, cv2.multiply(self.first.colour, gain))
        recoloured = cv2.max(cv2.max(differs[..., 0], differs[..., 1]), differs[..., 2]) > _MAX_PLAIN_DIFFERENCE
        # Where a pattern has vanished entirely, something plain covers it.
        strange = together < _MIN_PIXEL_CORRELATION * spread * np.maximum(spread_now, _MIN_FADED * spread)
        opened = cv2.morphologyEx(
            np.where(patterned, strange, recoloured).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        other = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
        return other, 1.0 - float(np.mean(other[patterned] if patterned.any() else other))

    def _clarity(
        self, now: Downscaled, recognised: NDArray[np.bool_], gain: float
    ) -> tuple[float | None, float | None]:
        """Return the remaining shares of fine and of coarse detail, None where unmeasurable.

        Fine detail is measured relative to coarse detail, coarse detail relative to the light. recognised: mask of
        the tiles that show the same as before. gain: factor by which the light has changed.
        """
        fine, coarse = self.detail
        use = recognised & (fine > _MIN_DETAIL)
        if use.sum() < _MIN_TILES:
            return None, None
        left = []
        for band, there in ((0, fine), (1, coarse)):
            known = 0.5 * (self.first.bands[band] + self.second.bands[band])
            left.append(float(_tile_means(now.bands[band] * known)[use].sum() / there[use].sum()))
        return left[0] / max(left[1], 1e-3), left[1] / gain


def local_contrast(grey: Floats) -> Grey:
    """Return a grey picture normalised locally to a mean of 128 and a standard deviation of about 45."""
    low = cv2.blur(grey, (25, 25))
    high = grey - low
    # Running sums may be slightly negative where a picture is plain.
    spread = np.sqrt(np.maximum(cv2.blur(high * high, (25, 25)), 0.0)) + 3.0
    return np.asarray(np.clip(128.0 + 45.0 * high / spread, 0, 255), np.uint8)


def _stabilised(picture: Floats, movement: Matrix, size: tuple[int, int]) -> Floats:
    """Return a downscaled picture warped to undo a movement of the camera.

    movement: 3×3 matrix in px of the full picture. size: width and height of the full picture.
    """
    to_full = _to_full(picture.shape, size)
    matrix = (np.linalg.inv(to_full) @ movement @ to_full)[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    there = (picture.shape[1], picture.shape[0])
    return _as_float32(cv2.warpAffine(picture, matrix, there, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _to_full(shape: tuple[int, ...], size: tuple[int, int]) -> Matrix:
    """Return the 3×3 matrix from px of a downscaled picture to px of the full one.

    shape: of the downscaled picture. size: width and height of the full one. Pixel centres are integers in both.
    """
    x, y = size[0] / shape[1], size[1] / shape[0]
    return np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])


def track_points(
    one: Grey, other: Grey, points: Floats, window: int, levels: int, guess: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Track points (n, 1, 2) from one grey picture to another and back by pyramidal Lucas-Kanade.

    Returns the new positions, and a mask (n,) of the points that come back to where they began. window: side of the
    search window, px. levels: number of pyramid levels. guess: approximate new positions.
    """
    size, flags = (window, window), cv2.OPTFLOW_USE_INITIAL_FLOW
    start = points.copy() if guess is None else guess.copy()
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, other, points, start, winSize=size, maxLevel=levels, criteria=_TRACKING_CRITERIA, flags=flags
    )
    back, again, _ = cv2.calcOpticalFlowPyrLK(
        other, one, there, points.copy(), winSize=size, maxLevel=levels, criteria=_TRACKING_CRITERIA, flags=flags
    )
    round_trip = np.linalg.norm((back - points).reshape(-1, 2), axis=1)
    kept = (found.reshape(-1) == 1) & (again.reshape(-1) == 1) & (round_trip < _MAX_ROUND_TRIP_PX)
    return _as_float32(there), np.asarray(kept, np.bool_)


def mean_displacement(movement: Matrix | None, size: tuple[int, int]) -> float:
    """Return by how far a homography moves a picture's points on average, as a share of its width; 0 for None.

    movement: 3×3, px to px. size: width and height of the picture, px.
    """
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


def _window_mean(values: Floats) -> Floats:
    """Return the mean of the window (`_WINDOW` px wide) around each pixel of a picture, of the same shape."""
    return _as_float32(cv2.blur(values, (_WINDOW, _WINDOW)))


def _tile_means(values: Floats) -> Floats:
    """Return the mean of each tile, (rows, columns, …).

    values: the small picture, or one of a multiple of its size.
    """
    side = _TILE * values.shape[1] // _WIDTH
    return _as_float32(
        cv2.resize(values, (values.shape[1] // side, values.shape[0] // side), interpolation=cv2.INTER_AREA)
    )


def _as_float32(values: object) -> Floats:
    """Cast an array to float32."""
    return np.asarray(values, np.float32)
