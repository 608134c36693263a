"""Random flat tables with patterned tops (grounds) and prints such as cards, seen by a random camera.

Pictures of a table are drawn from above (the canvas, PX_PER_MM) and then warped into the camera's picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image, TablePlane, focal_from_fov
from vision.cameras.simulated.scene import Pose

PX_PER_MM = 2.0
"""Scale of the canvas."""
HALF_MM = (620.0, 430.0)
"""Half the width and depth of a table, mm."""
_TO_CANVAS = np.array(
    [[PX_PER_MM, 0, HALF_MM[0] * PX_PER_MM], [0, -PX_PER_MM, HALF_MM[1] * PX_PER_MM], [0, 0, 1.0]]
)
"""Homography from the table, mm, to the canvas, px."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class GroundPrint:
    """A card or another flat print on the table."""

    picture: NDArray[np.uint8]
    """Its face, BGRA."""
    size_mm: tuple[float, float]
    """Width and height, mm."""
    pose: Pose
    """Pose on the table."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """Corners on the table, mm, (4, 2), clockwise from the print's own top left."""
        half = np.array(self.size_mm) / 2
        cos, sin = math.cos(math.radians(self.pose.angle)), math.sin(math.radians(self.pose.angle))
        flat = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half
        return np.asarray(flat @ np.array([[cos, -sin], [sin, cos]]) + (self.pose.x, self.pose.y), np.float64)


def random_camera(rng: np.random.Generator) -> TablePlane:
    """Return a random camera aimed at the middle of the table, 0.85 to 1.1 m high, tilted by up to 20 degrees."""
    height, tilt, roll = float(rng.uniform(850, 1100)), math.radians(rng.uniform(0, 20)), rng.normal(0, 0.05)
    position = np.array([0.0, -height * math.tan(tilt), height])
    forward = -position / np.linalg.norm(position)
    right = np.cross(forward, [0.0, math.cos(tilt), math.sin(tilt)])
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(forward, right), forward])
    rotation = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0] @ axes
    x, y, z = cv2.Rodrigues(rotation)[0].reshape(3).tolist()
    focal = focal_from_fov(float(rng.uniform(62, 74)), 1280)
    shift = -rotation @ position
    return TablePlane((1280, 720), focal, (x, y, z), (float(shift[0]), float(shift[1]), float(shift[2])))


def photograph(ground: Image, prints: Sequence[GroundPrint], plane: TablePlane, rng: np.random.Generator) -> Image:
    """Return a camera's picture (BGR) of a table with prints, with random light, noise and JPEG compression.

    ground: empty table on the canvas; prints: later ones lie on earlier ones; plane: the camera.
    """
    top = ground.copy()
    for thing in prints:
        _draw_print(top, thing)
    soft = cv2.GaussianBlur(top, (0, 0), 0.45 * PX_PER_MM)
    seen = cv2.warpPerspective(soft, plane.homography() @ np.linalg.inv(_TO_CANVAS), plane.image_size)
    left, right = (float(light) for light in rng.uniform(0.8, 1.15, 2))
    light = np.linspace(left, right, plane.image_size[0], dtype=np.float32)[None, :, None]
    tint = rng.uniform(0.92, 1.06, 3).astype(np.float32)
    noisy = seen * light * tint + rng.normal(0, rng.uniform(1, 3.5), seen.shape)
    coded = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _draw_print(top: Image, thing: GroundPrint) -> None:
    """Draw a print and its thin shadow on the canvas in place."""
    height, width = thing.picture.shape[:2]
    outline = cv2.perspectiveTransform(thing.corners[None], _TO_CANVAS)[0].astype(np.float32)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 8, 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 8, top.shape[1::-1])
    if (high <= low).any():
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    scale = width / (thing.size_mm[0] * PX_PER_MM)
    soft = cv2.GaussianBlur(thing.picture, (0, 0), 0.4 * scale) if scale > 1 else thing.picture
    matrix = cv2.getPerspectiveTransform(corners, outline - low.astype(np.float32))
    laid = cv2.warpPerspective(soft, matrix, size)
    patch = top[low[1] : high[1], low[0] : high[0]]
    alpha = laid[..., 3:].astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(alpha[..., 0], (2, 2), (0, 1)), (0, 0), 1.5)[..., None]
    drawn = laid[..., :3] * alpha + patch * (1 - 0.3 * shadow) * (1 - alpha)
    top[low[1] : high[1], low[0] : high[0]] = np.clip(drawn, 0, 255).astype(np.uint8)


def _noise(rng: np.random.Generator, along_mm: float, across_mm: float) -> Floats:
    """Return smooth noise of standard deviation about 1 for each pixel of the canvas.

    along_mm, across_mm: horizontal and vertical size of its features.
    """
    width, height = _SIZE_PX
    shape = (int(height / (across_mm * PX_PER_MM)) + 2, int(width / (along_mm * PX_PER_MM)) + 2)
    coarse = rng.standard_normal(shape, dtype=np.float32)
    return np.asarray(cv2.resize(coarse, _SIZE_PX, interpolation=cv2.INTER_CUBIC), np.float32)


_SIZE_PX = (round(2 * HALF_MM[0] * PX_PER_MM), round(2 * HALF_MM[1] * PX_PER_MM))
"""Width and height of the canvas, px."""


def _random_colour(rng: np.random.Generator) -> Floats:
    """Return a random colour, BGR, 0..255."""
    hsv = (rng.integers(180), rng.integers(10, 220), rng.integers(40, 245))
    return np.asarray(cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _two_random_colours(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return two random colours, BGR, that differ clearly in at least one channel."""
    one = _random_colour(rng)
    while np.abs((other := _random_colour(rng)) - one).max() < 50:
        pass
    return one, other


def _axes(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the coordinates, mm, of each pixel of the canvas along two perpendicular axes at a random angle."""
    y, x = np.mgrid[0 : _SIZE_PX[1], 0 : _SIZE_PX[0]].astype(np.float32) / PX_PER_MM
    angle = rng.uniform(0, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.05)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return x * cos + y * sin, y * cos - x * sin


def _shaded(colour: Floats, shade: Floats) -> Floats:
    """Return a colour, or a picture, made lighter or darker per pixel. shade: 0.1 for 10 % lighter."""
    return colour * (1 + shade[..., None])


def _plain(rng: np.random.Generator) -> Floats:
    return _shaded(_random_colour(rng), 0.04 * _noise(rng, 200, 200) + 0.02 * _noise(rng, 1.5, 1.5))


def _wood(rng: np.random.Generator) -> Floats:
    along, across = _axes(rng)
    rows = across + 10 * _noise(rng, 300, 90)
    grain = 0.1 * np.sin(rows * np.float32(2 * np.pi / rng.uniform(10, 30))) + 0.03 * _noise(rng, 3, 3)
    brown = np.array((60, 100, 150), np.float32) * rng.uniform(0.5, 1.3)
    planks = np.where((across % 90 < 1.5) | ((along + 330 * (across // 90)) % 600 < 1.5), -0.4, 0)
    return _shaded(brown, (grain + (planks if rng.random() < 0.5 else 0)).astype(np.float32))


def _checks(rng: np.random.Generator) -> Floats:
    along, across = _axes(rng)
    one, other = _two_random_colours(rng)
    side = rng.uniform(12, 70)
    odd = ((np.floor(along / side) + np.floor(across / side)) % 2)[..., None]
    return np.asarray(one * odd + other * (1 - odd), np.float32)


def _gingham(rng: np.random.Generator) -> Floats:
    along, across = _axes(rng)
    one, other = _two_random_colours(rng)
    side = rng.uniform(8, 60)
    share = ((along % (2 * side) < side).astype(np.float32) + (across % (2 * side) < side)) / 2
    return np.asarray(one + (other - one) * share[..., None], np.float32)


def _stripes(rng: np.random.Generator) -> Floats:
    along, _ = _axes(rng)
    one, other = _two_random_colours(rng)
    period = rng.uniform(10, 130)
    odd = (along % period < period * rng.uniform(0.3, 0.7))[..., None]
    return np.where(odd, one, other).astype(np.float32)


def _flowers(rng: np.random.Generator) -> Floats:
    ground = np.empty((_SIZE_PX[1], _SIZE_PX[0], 3), np.float32)
    ground[:] = _random_colour(rng)
    colours = [_random_colour(rng).tolist() for _ in range(4)]
    for _ in range(int(rng.integers(150, 400))):
        x, y = (int(rng.integers(side)) for side in _SIZE_PX)
        size, petals = float(rng.uniform(8, 45)), int(rng.integers(4, 8))
        for turn in np.arange(petals) * 2 * np.pi / petals + rng.uniform(0, 1):
            centre = (round(x + size * math.cos(turn)), round(y + size * math.sin(turn)))
            axes = (round(0.6 * size), round(0.35 * size))
            cv2.ellipse(
                ground, centre, axes, math.degrees(turn), 0, 360, colours[int(rng.integers(3))], -1, cv2.LINE_AA
            )
        cv2.circle(ground, (x, y), round(0.4 * size), colours[3], -1, cv2.LINE_AA)
    return ground


def _tiles(rng: np.random.Generator) -> Floats:
    along, across = _axes(rng)
    one, other = _two_random_colours(rng)
    width, height = (rng.uniform(40, 110), rng.uniform(40, 110)) if rng.random() < 0.6 else (63.0, 88.0)
    joint = (along % width < 2) | (across % height < 2)
    shade = 0.06 * np.sin(12.9 * np.floor(along / width) + 78.2 * np.floor(across / height)) + 0.02 * _noise(
        rng, 4, 4
    )
    return np.where(joint[..., None], other, _shaded(one, shade.astype(np.float32))).astype(np.float32)


def _newspaper(rng: np.random.Generator) -> Floats:
    page = np.full((_SIZE_PX[1], _SIZE_PX[0], 3), 215, np.float32)
    for left in range(0, _SIZE_PX[0] - 160, 160):
        top = int(rng.integers(0, 60))
        while top < _SIZE_PX[1]:
            if rng.random() < 0.04:
                height = int(rng.integers(80, 260))
                page[top : top + height, left + 8 : left + 150] = _random_colour(rng)
                top += height + 12
            else:
                ink = (rng.random(142) < 0.6).astype(np.float32)
                page[top : top + 4, left + 8 : left + 150] -= 150 * np.repeat(ink[::2], 2)[:142][None, :, None]
                top += 8
    return page


def _playmat(rng: np.random.Generator) -> Floats:
    ground = _shaded(_random_colour(rng), 0.1 * _noise(rng, 60, 60))
    for _ in range(60):
        spots = rng.integers(0, _SIZE_PX, (3, 2)).astype(np.int32)
        spots[1:] = spots[0] + rng.integers(-220, 220, (2, 2))
        if rng.random() < 0.5:
            cv2.fillPoly(ground, [spots], _random_colour(rng).tolist(), cv2.LINE_AA)
        else:
            cv2.polylines(ground, [spots], True, _random_colour(rng).tolist(), int(rng.integers(2, 8)), cv2.LINE_AA)
    return ground


GROUNDS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "plain": _plain, "wood": _wood, "checks": _checks, "gingham": _gingham, "stripes": _stripes,
    "flowers": _flowers, "tiles": _tiles, "newspaper": _newspaper, "playmat": _playmat,
}  # fmt: skip # a list of names
"""Functions that draw a random canvas (BGR, 0..255) of each kind of ground."""


def random_ground(kind: str, rng: np.random.Generator) -> Image:
    """Return a random empty table top on the canvas (BGR). kind: of GROUNDS."""
    return np.asarray(np.clip(GROUNDS[kind](rng), 0, 255), np.uint8)
