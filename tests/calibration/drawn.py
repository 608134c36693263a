"""A plain drawn table for tests: flat pictures laid on a textured plane and seen by a pinhole camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import sheet
from calibration.plane import Image, TablePlane, focal_from_fov

PX_PER_MM = 2.0
HALF_MM = (760.0, 560.0)


def camera(
    height: float = 950.0,
    tilt: float = 12.0,
    fov: float = 70.0,
    turn: float = 2.0,
    size: tuple[int, int] = (1280, 720),
) -> TablePlane:
    """A camera above the origin's side that looks at the origin: tilt from straight down, turn about that axis."""
    back = height * math.tan(math.radians(tilt))
    position = np.array([0.0, -back, height])
    forward = -position / np.linalg.norm(position)
    right = np.cross(forward, [0.0, math.cos(math.radians(tilt)), math.sin(math.radians(tilt))])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward])
    roll = math.radians(turn)
    rotation = (
        np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]) @ rotation
    )
    translation = -rotation @ position
    vector = cv2.Rodrigues(rotation)[0].reshape(3)
    return TablePlane(size, focal_from_fov(fov, size[0]), tuple(vector.tolist()), tuple(translation.tolist()))


@cache
def table_top(seed: int = 0, colour: tuple[int, int, int] = (70, 110, 150)) -> Image:
    """An empty textured table, top view: streaks along x. Made once, so it may not be drawn on."""
    top = np.array(colour, np.float32) * (1 + _streaks(seed)[..., None] / 100)
    picture = np.clip(top, 0, 255).astype(np.uint8)
    picture.flags.writeable = False
    return picture


@cache
def _streaks(seed: int) -> NDArray[np.float32]:
    # Long streaks need no fine steps along x: an eighth of them is blurred, and drawn out afterwards.
    width, height = (round(2 * half * PX_PER_MM) for half in HALF_MM)
    noise = np.random.default_rng(seed).normal(0, 1, (height, width // 8)).astype(np.float32)
    short = cv2.GaussianBlur(noise, (0, 0), 7.5, sigmaY=3)
    streaks = cv2.resize(short, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(streaks * (9 / streaks.std()), np.float32)


def _to_canvas(x: float, y: float) -> tuple[float, float]:
    return (x + HALF_MM[0]) * PX_PER_MM, (HALF_MM[1] - y) * PX_PER_MM


def lay(top: Image, picture: NDArray[np.uint8], px_per_mm: float, x: float, y: float, angle: float = 0.0) -> Image:
    """Lay a BGR, BGRA or grey picture on the table: centre in mm, degrees clockwise."""
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    scale = PX_PER_MM / px_per_mm
    if scale < 1:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.45 / scale), np.uint8)
    u, v = _to_canvas(x, y)
    cos, sin = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    half_width, half_height = (picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2
    reach = math.ceil(math.hypot(*picture.shape[:2]) * scale / 2) + 2
    left, upper = max(0, round(u) - reach), max(0, round(v) - reach)
    patch = top[upper : round(v) + reach, left : round(u) + reach]
    matrix = np.array(
        [
            [cos, -sin, u - left - cos * half_width + sin * half_height],
            [sin, cos, v - upper - sin * half_width - cos * half_height],
        ]
    )
    laid = cv2.warpAffine(picture, matrix, (patch.shape[1], patch.shape[0]), flags=cv2.INTER_AREA)
    alpha = laid[..., 3:].astype(np.float32) / 255
    result = top.copy()
    blended = laid[..., :3] * alpha + patch * (1 - alpha)
    result[upper : round(v) + reach, left : round(u) + reach] = blended.astype(np.uint8)
    return result


def blob(
    top: Image, colour: Sequence[float], x: float, y: float, radius: float = 7.5, shadow: bool = True
) -> Image:
    """Lay a round piece with a soft shadow to its lower right."""
    u, v = _to_canvas(x, y)
    reach = math.ceil((radius + 16) * PX_PER_MM)
    left, upper = max(0, round(u) - reach), max(0, round(v) - reach)
    result = top.copy()
    patch = result[upper : round(v) + reach, left : round(u) + reach]
    drawn = patch.astype(np.float32)
    if shadow:
        mask = np.zeros(patch.shape[:2], np.float32)
        aside = round(4 * PX_PER_MM)
        centre = (round(u) + aside - left, round(v) + aside - upper)
        cv2.circle(mask, centre, round(radius * PX_PER_MM), 1.0, cv2.FILLED)
        drawn *= 1 - 0.5 * cv2.GaussianBlur(mask, (0, 0), 3)[..., None]
    cv2.circle(drawn, (round(u) - left, round(v) - upper), round(radius * PX_PER_MM), list(colour), cv2.FILLED)
    patch[:] = np.clip(drawn, 0, 255).astype(np.uint8)
    return result


@lru_cache(maxsize=8)
def _sensor_noise(seed: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return normal noise of deviation 1, made once for the pictures of a test module."""
    noise = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    noise.flags.writeable = False
    return noise


def photograph(top: Image, plane: TablePlane, seed: int = 0, noise: float = 2.0, light: float = 1.0) -> Image:
    """See the table top through the camera: lens softness, light falling off to one side, noise, JPEG."""
    to_canvas = np.array(
        [[PX_PER_MM, 0, HALF_MM[0] * PX_PER_MM], [0, -PX_PER_MM, HALF_MM[1] * PX_PER_MM], [0, 0, 1]]
    )
    soft = cv2.GaussianBlur(top, (0, 0), 0.9)
    if plane.distortion:
        # The lens is smooth: every eighth pixel is worked out, the others lie between.
        width, height = plane.image_size
        grid = np.stack(np.meshgrid(np.arange(0, width + 8, 8.0), np.arange(0, height + 8, 8.0)), axis=-1)
        coarse = plane.to_table(grid) @ to_canvas[:2, :2].T + to_canvas[:2, 2]
        coarse = np.nan_to_num(coarse, nan=-100.0).astype(np.float32)
        spots = cv2.warpAffine(coarse, np.diag([8.0, 8.0, 1.0])[:2], plane.image_size)
        seen = cv2.remap(soft, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderValue=(40, 40, 40))
    else:
        matrix = plane.homography() @ np.linalg.inv(to_canvas)
        seen = cv2.warpPerspective(soft, matrix, plane.image_size, flags=cv2.INTER_LINEAR, borderValue=(40, 40, 40))
    fall_off = np.linspace(1.12 * light, 0.88 * light, plane.image_size[0], dtype=np.float32)[None, :, None]
    noisy = seen * fall_off + noise * _sensor_noise(seed, seen.shape)
    _, data = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


@cache
def sheet_picture(
    plane: TablePlane, seed: int = 0, x: float = 0.0, y: float = 0.0, angle: float = 0.0, light: float = 1.0
) -> Image:
    """The calibration sheet on the drawn table as this camera sees it. Made once, so it may not be drawn on."""
    top = lay(table_top(seed), sheet.picture(4.0), 4.0, x, y, angle)
    picture = photograph(top, plane, seed, light=light)
    picture.flags.writeable = False
    return picture
