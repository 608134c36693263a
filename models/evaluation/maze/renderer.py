"""Draw a table in perspective (flat pieces, standing pawns, arms) and simulate lens, light and sensor.

This renderer is independent of the simulated camera's (`vision.cameras.simulated`), so that reading is evaluated
with two. Lengths are in tiles: x to the right and y downwards on the board from the outer corner of place 0, and
heights above the board. Drawing functions draw on a supersampled picture, which `simulate_camera` scales down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.hands import arm_pictures
from vision.cameras.simulated.hands.worn_item_drawing import arm
from vision.cameras.simulated.table_surfaces import SPAN_MM, Ground, draw

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Bgr = tuple[int, int, int]
"""Colour as blue, green, red, 0..255."""
Light = Literal["day", "lamp", "half", "glare", "shadow"]
"""Even daylight; a warm lamp; a warm lamp at half the exposure; a reflection of a lamp; hard shadows."""

TILE_MM: Final = 40.0
"""Width of a tile on the simulated ground, mm."""
_FINE: Final = 2
"""Supersampling of drawn pictures."""
_GROUND_COUNT: Final = 40
"""Number of different table tops."""


@dataclass(frozen=True)
class PinholeCamera:
    """Pinhole camera with radial distortion."""

    rotation: Floats
    """Rotation (3, 3) from the board's frame, with its third axis pointing down, to the camera's."""
    offset: Floats
    """Position of the centre of the 7 × 7 field in the camera's frame, (3,), tiles."""
    focal: float
    """Focal length, px."""
    size: tuple[int, int]
    """Width and height of the picture, px."""
    k1: float = 0.0
    """First radial distortion coefficient, for distances from the centre in halves of the picture's width."""

    def project_undistorted(self, points: Floats | Sequence[Sequence[float]]) -> Floats:
        """Return the px (N, 2) at which points (N, 3) would appear through a lens without distortion."""
        rays = self._in_camera_frame(points)
        return np.asarray(rays[:, :2] / rays[:, 2:] * self.focal + np.asarray(self.size) / 2, np.float64)

    def project(self, points: Floats | Sequence[Sequence[float]]) -> Floats:
        """Return the px (N, 2) at which points (N, 3) appear, lens distortion included."""
        centred = (self.project_undistorted(points) - np.asarray(self.size) / 2) / (self.size[0] / 2)
        squared = np.sum(centred**2, axis=1, keepdims=True)
        return np.asarray(centred * (1 + self.k1 * squared) * self.size[0] / 2 + np.asarray(self.size) / 2)

    def distance(self, point: Sequence[float]) -> float:
        """Return the distance of a point (x, y, height) from the camera, tiles."""
        return float(np.linalg.norm(self._in_camera_frame([point])))

    def homography_at(self, height: float) -> Floats:
        """Return the homography from (x, y) at a height above the board, tiles, to px without lens distortion."""
        square = np.array([[0, 0], [7, 0], [7, 7], [0, 7]], np.float32)
        pixels = self.project_undistorted(np.c_[square, np.full(4, height)])
        return np.asarray(cv2.getPerspectiveTransform(square, pixels.astype(np.float32)), np.float64)

    def distort(self, image: Image) -> Image:
        """Return a picture with the lens distortion added. image: without it, in the camera's size."""
        if self.k1 == 0:
            return image
        width, height = self.size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        u, v = (x + 0.5 - width / 2) / (width / 2), (y + 0.5 - height / 2) / (width / 2)
        scale = np.ones_like(u)
        for _ in range(4):
            scale = 1 / (1 + self.k1 * (u**2 + v**2) * scale**2)
        map_x = u * scale * width / 2 + width / 2 - 0.5
        map_y = v * scale * width / 2 + height / 2 - 0.5
        bent = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(bent, np.uint8)

    def _in_camera_frame(self, points: Floats | Sequence[Sequence[float]]) -> Floats:
        """Return points (N, 3) on the table in the camera's frame, tiles."""
        world = np.asarray(points, np.float64) * [1, 1, -1] - [3.5, 3.5, 0]
        return np.asarray(world @ self.rotation.T + self.offset)


@dataclass(frozen=True)
class Slab:
    """A flat square or round piece with thickness, such as a tile, a token or the board."""

    face: Image
    """Picture of its upper side, square, BGR or BGRA."""
    centre: tuple[float, float]
    """Centre on the board (x, y), tiles."""
    width: float
    """Side or diameter, tiles."""
    bottom: float
    """Height of its underside, tiles."""
    top: float
    """Height of its upper side, tiles."""
    edge: Bgr
    """Colour of its side faces."""
    angle: float = 0.0
    """Rotation, degrees clockwise."""
    is_round: bool = False
    """Whether it is a disc."""

    def outline(self, height: float) -> Floats:
        """Return the slab's outline as points (N, 3) at a height, tiles, clockwise from above."""
        turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        flat = np.c_[np.cos(turns), np.sin(turns)] if self.is_round else _SQUARE
        return self._placed(flat, height)

    def corners(self) -> Floats:
        """Return the corners (4, 3) of its upper side, clockwise from the face's upper left."""
        return self._placed(_SQUARE, self.top)

    def _placed(self, flat: Floats, height: float) -> Floats:
        """Return points (N, 3) on the slab at a height. flat: the points (N, 2) in -1..1, from its centre."""
        angle = np.radians(self.angle)
        rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        placed = flat * self.width / 2 @ rotation + self.centre
        return np.asarray(np.c_[placed, np.full(len(flat), height)], np.float64)


_SQUARE: Final[Floats] = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""Corners of a square of half side 1."""


def ground_picture(seed: int, camera: PinholeCamera, height: float) -> Image:
    """Return a supersampled picture of a random empty table. height: of the table top above the board, tiles."""
    width_mm, height_mm = SPAN_MM
    scale = 1 / TILE_MM
    to_tiles = np.array(
        [[scale, 0, 3.5 - width_mm / 2 * scale], [0, scale, 3.5 - height_mm / 2 * scale], [0, 0, 1]]
    )
    image = cv2.warpPerspective(
        _table_top(seed % _GROUND_COUNT),
        np.diag([_FINE, _FINE, 1.0]) @ camera.homography_at(height) @ to_tiles,
        (camera.size[0] * _FINE, camera.size[1] * _FINE),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    return np.asarray(image, np.uint8)


@lru_cache(maxsize=6)
def _table_top(seed: int) -> Image:
    """Return a picture (BGR) of a random table top from above."""
    return draw(Ground.from_seed(seed))


def draw_slab(image: Image, camera: PinholeCamera, slab: Slab, shadow_shift: Floats) -> None:
    """Draw a slab on a supersampled picture in place: its shadow, its side faces, its upper side.

    shadow_shift: offset (x, y) of a point's shadow from the point, per unit of the point's height.
    """
    low, high = slab.outline(slab.bottom), slab.outline(slab.top)
    thick = slab.top - slab.bottom
    hull = cv2.convexHull((camera.project_undistorted(np.r_[low, high]) * _FINE).astype(np.float32))[:, 0]
    fallen = low + np.array([shadow_shift[0], shadow_shift[1], 0.0]) * (thick + 0.02)
    shadow = cv2.convexHull((camera.project_undistorted(np.r_[low, fallen]) * _FINE).astype(np.float32))[:, 0]
    both = np.r_[hull, shadow]
    start = np.maximum(np.floor(both.min(axis=0)).astype(int) - 6, 0)
    end = np.minimum(np.ceil(both.max(axis=0)).astype(int) + 7, image.shape[1::-1])
    if np.any(end <= start):
        return
    under = image[start[1] : end[1], start[0] : end[0]]
    dark = np.zeros(under.shape[:2], np.uint8)
    cv2.fillConvexPoly(dark, np.round((shadow - start) * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
    _darken(under, np.asarray(cv2.GaussianBlur(dark, (0, 0), 2.5), np.uint8), 0.45)
    edge = tuple(map(float, slab.edge))
    cv2.fillConvexPoly(under, np.round((hull - start) * 16).astype(np.int32), edge, cv2.LINE_AA, 4)
    px = len(slab.face)
    source = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32) - 0.5
    target = (camera.project_undistorted(slab.corners()) * _FINE - start).astype(np.float32)
    _blend(under, slab.face, np.asarray(cv2.getPerspectiveTransform(source, target), np.float64))


def draw_pawn(
    image: Image, camera: PinholeCamera, foot: Sequence[float], colour: Bgr, shadow_shift: Floats, shape: int
) -> None:
    """Draw a standing pawn and its shadow on a supersampled picture in place, as a stack of discs.

    foot: x, y and height of its foot's centre; shadow_shift: as in `draw_slab`; shape: 0 a cone with a head, 1 a
    skittle, 2 a tall hat.
    """
    profile = _PROFILES[shape % len(_PROFILES)]
    heights = np.linspace(0, profile[-1][0], 48)
    radii = np.interp(heights, [height for height, _ in profile], [radius for _, radius in profile])
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.c_[np.cos(turns), np.sin(turns), np.zeros(24)]
    x, y, ground = foot
    fallen = [
        circle * radius + [x + shadow_shift[0] * h, y + shadow_shift[1] * h, ground]
        for h, radius in zip(heights, radii, strict=True)
    ]
    pixels = [np.round(camera.project_undistorted(spot) * _FINE).astype(np.int32) for spot in fallen[::4]]
    start = np.maximum(np.min([ring.min(axis=0) for ring in pixels], axis=0) - 8, 0)
    end = np.minimum(np.max([ring.max(axis=0) for ring in pixels], axis=0) + 9, image.shape[1::-1])
    if np.all(end > start):
        under = image[start[1] : end[1], start[0] : end[0]]
        dark = np.zeros(under.shape[:2], np.uint8)
        for ring in pixels:
            cv2.fillConvexPoly(dark, ring - start, 255.0)
        _darken(under, np.asarray(cv2.GaussianBlur(dark, (0, 0), 3.0), np.uint8), 0.4)
    lit = -shadow_shift / max(1e-6, float(np.linalg.norm(shadow_shift)))
    for height, radius in zip(heights, radii, strict=True):
        for inset, shade in ((1.0, 0.62), (0.72, 0.85), (0.4, 1.0)):
            middle = [x + lit[0] * radius * (1 - inset) * 0.6, y + lit[1] * radius * (1 - inset) * 0.6]
            ring = circle * radius * inset + [*middle, ground + height]
            tone = shade + 0.12 * height / heights[-1]
            paint = tuple(float(min(255.0, value * tone)) for value in colour)
            cv2.fillConvexPoly(
                image, np.round(camera.project_undistorted(ring) * _FINE * 16).astype(np.int32), paint, 16, 4
            )


_PROFILES: Final = (
    ((0.0, 0.2), (0.04, 0.2), (0.4, 0.06), (0.42, 0.1), (0.5, 0.125), (0.58, 0.1), (0.62, 0.0)),
    ((0.0, 0.22), (0.06, 0.22), (0.1, 0.12), (0.35, 0.1), (0.42, 0.14), (0.5, 0.16), (0.6, 0.11), (0.65, 0.0)),
    ((0.0, 0.24), (0.05, 0.24), (0.08, 0.2), (0.3, 0.14), (0.34, 0.17), (0.38, 0.14), (0.8, 0.02), (0.82, 0.0)),
)
"""Outlines of the shapes of pawns: pairs of height and radius, from foot to head, tiles."""


def foot_radius(shape: int) -> float:
    """Return the radius of a pawn's foot, tiles. shape: as in `draw_pawn`."""
    return _PROFILES[shape % len(_PROFILES)][0][1]


def draw_stick(
    image: Image,
    camera: PinholeCamera,
    ends: Sequence[Sequence[float]],
    width: float,
    colour: Bgr,
    shadow_shift: Floats,
) -> None:
    """Draw a stick that lies flat, and its shadow, on a supersampled picture in place.

    ends: x, y and height of its two ends; width: tiles; shadow_shift: as in `draw_slab`.
    """
    pixels = camera.project_undistorted(ends) * _FINE
    fallen = (
        camera.project_undistorted(np.asarray(ends) + np.array([shadow_shift[0], shadow_shift[1], -0.67]) * 0.06)
        * _FINE
    )
    size = float(np.hypot(*(pixels[1] - pixels[0])) / np.hypot(*(np.subtract(ends[1], ends[0])[:2])))
    thick = max(1, round(width * size))
    for points, paint in ((fallen, (25.0, 25.0, 25.0)), (pixels, tuple(map(float, colour)))):
        first, second = np.round(points * 16).astype(int)
        cv2.line(image, tuple(map(int, first)), tuple(map(int, second)), paint, thick, cv2.LINE_AA, 4)


def draw_arm(
    image: Image,
    camera: PinholeCamera,
    person_number: int,
    palm: Sequence[float],
    direction: float,
    closed: bool,
    shadow_shift: Floats,
) -> Image:
    """Draw a person's arm on a supersampled picture in place, and return a mask (0..255) of it.

    The mask has the camera's size and no lens distortion. person_number: which synthetic person
    (`arm_pictures.person`); palm: x, y and height of the palm's centre; direction: of the fingers, degrees
    clockwise from upwards (-y); closed: whether the hand is a fist; shadow_shift: as in `draw_slab`.
    """
    shown = arm(arm_pictures.person(person_number, varied=True), "closed" if closed else "open")
    scale = 1 / (arm_pictures.SCALE * TILE_MM)
    angle = np.radians(direction)
    cos, sin = np.cos(angle), np.sin(angle)
    to_board = np.array([[cos, -sin, palm[0]], [sin, cos, palm[1]], [0, 0, 1]]) @ np.array(
        [[scale, 0, -arm_pictures.ORIGIN[0] * scale], [0, scale, -arm_pictures.ORIGIN[1] * scale], [0, 0, 1]]
    )
    size = image.shape[1::-1]
    zoom = np.diag([_FINE, _FINE, 1.0])
    fallen = np.array([[1, 0, shadow_shift[0] * palm[2]], [0, 1, shadow_shift[1] * palm[2]], [0, 0, 1]])
    shadow = cv2.warpPerspective(shown.cover, zoom @ camera.homography_at(0) @ fallen @ to_board, size)
    _darken(image, np.asarray(cv2.GaussianBlur(shadow, (0, 0), 12.0), np.uint8), 0.4)
    face = np.dstack([shown.colour, shown.cover])
    cover = _blend(image, face, zoom @ camera.homography_at(palm[2]) @ to_board)
    return np.asarray(cv2.resize(cover, camera.size, interpolation=cv2.INTER_AREA), np.uint8)


def simulate_camera(image: Image, camera: PinholeCamera, light: Light, rng: np.random.Generator) -> Image:
    """Return a supersampled picture as the camera would take it, in the camera's size.

    It adds lens distortion, light, exposure, blur, noise and JPEG compression, random within the kind of light.
    """
    width, height = camera.size
    small = camera.distort(np.asarray(cv2.resize(image, camera.size, interpolation=cv2.INTER_AREA), np.uint8))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    way = rng.uniform(0, 2 * np.pi)
    u, v = x / width - 0.5, y / height - 0.5
    gain = (1 + (u * np.cos(way) + v * np.sin(way)) * rng.uniform(0.1, 0.6))[..., None] * np.ones(3, np.float32)
    gain *= (1 - rng.uniform(0.0, 0.5) * (u**2 + v**2))[..., None]
    if light in ("lamp", "half"):
        warm = float(rng.uniform(0.1, 0.3))
        gain *= np.array([1 - 1.4 * warm, 1 - 0.25 * warm, 1 + 0.35 * warm], np.float32)
    gain *= rng.uniform(0.85, 1.15) * (0.5 if light == "half" else 1.0)
    if light == "shadow":
        bent = 0.03 * np.sin(u * rng.uniform(5, 30)) * rng.uniform(0, 1)
        beyond = (u + rng.uniform(-0.2, 0.2)) * np.cos(way) + (v + rng.uniform(-0.2, 0.2)) * np.sin(way) + bent
        gain *= (1 - rng.uniform(0.3, 0.6) * np.clip(beyond * rng.uniform(30, 150) + 0.5, 0, 1))[..., None]
    lit = small * gain
    if light == "glare":
        angle, cx, cy = rng.uniform(0, np.pi), rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)
        across = (u - cx) * np.cos(angle) + (v - cy) * np.sin(angle)
        along = -(u - cx) * np.sin(angle) + (v - cy) * np.cos(angle)
        lobe = (across / rng.uniform(0.03, 0.08)) ** 2 + (along / rng.uniform(0.06, 0.2)) ** 2
        lit += (rng.uniform(90, 220) * np.exp(-lobe))[..., None]
    lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.4, 1.0)))
    noise = cv2.GaussianBlur(rng.standard_normal(lit.shape, dtype=np.float32), (0, 0), 0.5)
    lit += noise * (float(rng.uniform(2, 5)) / 0.55 * (1.6 if light == "half" else 1.0))
    taken = np.asarray(np.clip(lit, 0, 255), np.uint8)
    _, coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _blend(image: Image, face: Image, matrix: Floats) -> Image:
    """Warp a face (BGR or BGRA) onto a picture in place; return a mask (0..255) of the pixels it covers.

    matrix: homography from px of the face to px of the picture.
    """
    size = image.shape[1::-1]
    colour = cv2.warpPerspective(
        face[..., :3], matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = face[..., 3] if face.shape[2] == 4 else np.full(face.shape[:2], 255, np.uint8)
    cover = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR)
    weight = np.multiply(cover, np.float32(1 / 255), dtype=np.float32)
    image[:] = cv2.blendLinear(colour, image, weight, 1 - weight)
    return np.asarray(cover, np.uint8)


def _darken(image: Image, mask: Image, strength: float) -> None:
    """Darken a picture in place: multiply it by 1 − strength where the mask is 255, by less elsewhere."""
    keep = cv2.cvtColor(255 - cv2.convertScaleAbs(mask, alpha=strength), cv2.COLOR_GRAY2BGR)
    image[:] = cv2.multiply(image, keep, scale=1 / 255.0)
