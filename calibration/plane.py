"""Camera pose over the table plane: conversion between pixels and table coordinates at any height above it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import ConfigDict

from calibration.errors import ProfileError
from calibration.translatable import say

Image = NDArray[np.uint8]
"""Picture, (height, width, 3) BGR unless stated otherwise."""
Points = NDArray[np.float64]
"""Points (..., 2), or a matrix."""

TYPICAL_FOV_DEG = 70.0
"""Horizontal field of view of most webcams in 16:9 format, degrees."""
_MAX_SIDE_PX = 16_384
"""Longest side of a picture, px."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the table, and the pixel coordinates of a top view of it.

    The centre of the top view's pixel (0, 0) is at (left, top); x runs right, y towards seat 0.
    """

    left: float
    """Smallest x, table mm."""
    bottom: float
    """Smallest y, table mm: the side of seat 0."""
    right: float
    """Largest x, table mm."""
    top: float
    """Largest y, table mm."""

    def to_pixels(self, points_mm: ArrayLike, px_per_mm: float) -> Points:
        """Return points (..., 2) in table mm as top view pixels."""
        points = np.asarray(points_mm, np.float64)
        return (points - (self.left, self.top)) * (px_per_mm, -px_per_mm)

    def to_mm(self, points_px: ArrayLike, px_per_mm: float) -> Points:
        """Return points (..., 2) in top view pixels as table mm."""
        points = np.asarray(points_px, np.float64)
        return points / (px_per_mm, -px_per_mm) + (self.left, self.top)

    def size(self, px_per_mm: float) -> tuple[int, int]:
        """Return the (width, height) of the top view in pixels."""
        width, height = (self.right - self.left) * px_per_mm, (self.top - self.bottom) * px_per_mm
        return max(1, round(width)), max(1, round(height))


@dataclass(frozen=True)
class TablePlane:
    """A pinhole camera with lens distortion, and its pose over the table.

    Table coordinates are mm: origin at the calibration sheet's centre; for seat 0, +x is right, +y away, +z up.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    image_size: tuple[int, int]
    """Width and height of the picture, px."""
    focal_px: float
    """Focal length, px."""
    rotation: tuple[float, float, float]
    """Rodrigues vector of the rotation from table to camera axes (OpenCV's)."""
    translation: tuple[float, float, float]
    """Table origin in camera axes, mm."""
    focal_measured: bool = False
    """Whether the focal length was measured; otherwise it is typical, and heights are about 10 % less accurate."""
    distortion: tuple[float, ...] = ()
    """OpenCV's distortion coefficients; empty for a lens without distortion."""
    flat_px_per_mm: float | None = None
    """Scale of a plane defined by it, for a camera straight above (`flat`); None for a plane fitted to a sheet."""
    principal_point: tuple[float, float] | None = None
    """Principal point, px; None for the picture's centre."""

    def __post_init__(self) -> None:
        """Raise ValueError for impossible parameters of a camera."""
        if min(self.image_size) < 16 or max(self.image_size) > _MAX_SIDE_PX or not 0 < self.focal_px < 1e6:
            raise ValueError("picture size or focal length impossible")
        if len(self.distortion) not in (0, 4, 5, 8):
            raise ValueError("distortion has 0, 4, 5 or 8 coefficients")
        if max(map(abs, self.distortion), default=0.0) > 100:
            raise ValueError("no lens bends a picture so much")
        width, height = self.image_size
        if self.principal_point is not None and not (
            0 <= self.principal_point[0] < width and 0 <= self.principal_point[1] < height
        ):
            raise ValueError("the lens's axis lies outside the picture")
        if not self.position_mm[2] > 0:
            raise ValueError("the camera is under the table")

    @classmethod
    def flat(cls, px_per_mm: float, image_size: tuple[int, int] = (1280, 720)) -> TablePlane:
        """Return the plane of a camera straight above the origin. px_per_mm: scale of its pictures."""
        focal = focal_from_fov(TYPICAL_FOV_DEG, image_size[0])
        return cls(image_size, focal, (math.pi, 0.0, 0.0), (0.0, 0.0, focal / px_per_mm), flat_px_per_mm=px_per_mm)

    def fitting(self, image: Image) -> TablePlane:
        """Return the plane for a picture: this one, or if `flat` made it, one of the picture's size.

        Raises ProfileError if the size differs from the calibrated one.
        """
        height, width = image.shape[:2]
        if (width, height) == self.image_size:
            return self
        if self.flat_px_per_mm is not None:
            return TablePlane.flat(self.flat_px_per_mm, (width, height))
        expected = "×".join(map(str, self.image_size))
        raise ProfileError(
            say(
                "The picture is {width}×{height} px, but this table was calibrated at {expected}: use "
                "the same camera resolution or calibrate again.",
                width=width,
                height=height,
                expected=expected,
            )
        )

    @cached_property
    def camera_matrix(self) -> Points:
        """Return the 3×3 matrix of focal length and principal point, px."""
        x, y = self.principal_point or ((self.image_size[0] - 1) / 2, (self.image_size[1] - 1) / 2)
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1]], np.float64)

    @cached_property
    def _widest(self) -> float:
        """Return the tangent of the largest angle from the optical axis up to which the distortion is monotonic.

        Beyond it the polynomial decreases again, so points there would be projected into the picture a second time.
        """
        if not self.distortion:
            return math.inf
        k1, k2 = self.distortion[:2]
        k3 = self.distortion[4] if len(self.distortion) > 4 else 0.0
        r2 = np.linspace(0.0, 25.0, 2501)
        growth = 1 + 3 * k1 * r2 + 5 * k2 * r2**2 + 7 * k3 * r2**3
        if len(self.distortion) == 8:
            k4, k5, k6 = self.distortion[5:8]
            radius = np.sqrt(r2) * (1 + k1 * r2 + k2 * r2**2 + k3 * r2**3)
            growth = np.gradient(radius / (1 + k4 * r2 + k5 * r2**2 + k6 * r2**3))
        turning = np.flatnonzero(growth <= 0)
        return math.sqrt(float(r2[turning[0]])) if len(turning) else math.inf

    @cached_property
    def rotation_matrix(self) -> Points:
        """Return the 3×3 rotation from table to camera axes."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation, np.float64))[0], np.float64)

    @cached_property
    def position_mm(self) -> tuple[float, float, float]:
        """Return the camera's position in table mm; the third is its height."""
        x, y, z = -self.rotation_matrix.T @ np.array(self.translation)
        return float(x), float(y), float(z)

    @property
    def tilt_deg(self) -> float:
        """Return the angle of the optical axis from straight down, degrees."""
        return math.degrees(math.acos(min(1.0, max(-1.0, -self.rotation_matrix[2, 2]))))

    @property
    def fov_deg(self) -> float:
        """Return the horizontal field of view, degrees."""
        return math.degrees(2 * math.atan(self.image_size[0] / 2 / self.focal_px))

    def homography(self, height_mm: float = 0.0) -> Points:
        """Return the 3×3 homography from the plane at this height (table mm) to undistorted pixels."""
        columns = self.rotation_matrix.copy()
        columns[:, 2] = np.array(self.translation) + height_mm * self.rotation_matrix[:, 2]
        return np.asarray(self.camera_matrix @ columns, np.float64)

    def to_image(self, points_mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Points:
        """Return table points (..., 2) mm at a height above the table as pixels (..., 2).

        height_mm may be one number or one for each point. Points behind the camera become NaN.
        """
        points = np.asarray(points_mm, np.float64)
        heights = np.broadcast_to(np.asarray(height_mm, np.float64), points.shape[:-1])
        world = np.concatenate([points, heights[..., None]], axis=-1)
        camera = world @ self.rotation_matrix.T + np.array(self.translation)
        depth = np.where(camera[..., 2] > 1e-6, camera[..., 2], np.nan)
        if not self.distortion:
            flat = camera[..., :2] / depth[..., None] * self.focal_px + self.camera_matrix[:2, 2]
            return np.asarray(flat, np.float64)
        pixels, _ = cv2.projectPoints(
            world.reshape(-1, 1, 3),
            np.array(self.rotation),
            np.array(self.translation),
            self.camera_matrix,
            np.array(self.distortion),
        )
        off_axis = np.hypot(camera[..., 0], camera[..., 1]) / depth
        seen = (off_axis < self._widest)[..., None]
        return np.where(seen, np.asarray(pixels, np.float64).reshape(points.shape), np.nan)

    def to_table(self, points_px: ArrayLike, height_mm: float = 0.0) -> Points:
        """Return the intersections of pixel rays (..., 2) with the plane at a height above the table, mm (..., 2).

        Pixels at or above the horizon become NaN.
        """
        points = np.asarray(points_px, np.float64)
        if self.distortion:
            flat = cv2.undistortPoints(
                points.reshape(-1, 1, 2),
                self.camera_matrix,
                np.array(self.distortion),
                P=self.camera_matrix,
                criteria=_UNDISTORT_CRITERIA,
            )
            points = np.asarray(flat, np.float64).reshape(points.shape)
        back = np.linalg.inv(self.homography(height_mm))
        homogeneous = points @ back[:, :2].T + back[:, 2]
        # The third coordinate is one over the depth: not positive means that the ray never comes down.
        inverse_depth = np.where(homogeneous[..., 2] > 1e-9, homogeneous[..., 2], np.nan)
        return np.asarray(homogeneous[..., :2] / inverse_depth[..., None], np.float64)

    def px_per_mm_at(self, points_mm: ArrayLike) -> Points:
        """Return the local scale at table points (..., 2): square root of the pixels per mm²."""
        points = np.asarray(points_mm, np.float64)
        half_x, half_y = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        along_x = self.to_image(points + half_x) - self.to_image(points - half_x)
        along_y = self.to_image(points + half_y) - self.to_image(points - half_y)
        area = along_x[..., 0] * along_y[..., 1] - along_x[..., 1] * along_y[..., 0]
        return np.asarray(np.sqrt(np.abs(area)), np.float64)

    def region(self, reach_mm: float = 900.0) -> Region:
        """Return the bounding rectangle of the visible table, within `reach_mm` of the origin along each axis."""
        width, height = self.image_size
        u, v = np.linspace(0, width - 1, 40), np.linspace(0, height - 1, 40)
        grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
        seen = self.to_table(grid)
        seen = np.clip(seen[np.isfinite(seen).all(axis=1)], -reach_mm, reach_mm)
        if len(seen) == 0:
            return Region(-1.0, -1.0, 1.0, 1.0)
        (left, bottom), (right, top) = seen.min(axis=0), seen.max(axis=0)
        return Region(float(left), float(bottom), float(right), float(top))

    def rectify(
        self,
        image: Image,
        px_per_mm: float,
        region: Region | None = None,
        height_mm: float = 0.0,
    ) -> Image:
        """Return the top view of a region of the table (None: all that is visible); parts not visible are black.

        image: (height, width) or (height, width, channels) of this plane's size. `Region` defines the position of
        each pixel. height_mm: height above the table of the plane that is shown in true scale.
        """
        region = region or self.region()
        if not self.distortion:
            step = 1 / px_per_mm
            to_mm = np.array([[step, 0, region.left], [0, -step, region.top], [0, 0, 1]])
            matrix = self.homography(height_mm) @ to_mm
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(cv2.warpPerspective(image, matrix, region.size(px_per_mm), flags=flags), np.uint8)
        coarse, fine = _bent_map(self, px_per_mm, region, height_mm)
        return np.asarray(cv2.remap(image, coarse, fine, cv2.INTER_LINEAR), np.uint8)

    def unbent(self, image: Image) -> Image:
        """Return a picture (height, width, channels) of this plane's size without lens distortion."""
        if not self.distortion:
            return image
        return np.asarray(cv2.remap(image, *_unbending_map(self), cv2.INTER_LINEAR), np.uint8)


_UNDISTORT_CRITERIA = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 1e-9)
"""Termination criteria of undistorting points, in OpenCV's form."""


@lru_cache(maxsize=8)
def _bent_map(
    plane: TablePlane, px_per_mm: float, region: Region, height_mm: float
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the position in the picture of each pixel of a top view, for `cv2.remap`, in fixed-point form.

    It is cached, since it is the same for all pictures and costly to compute.
    """
    width, height = region.size(px_per_mm)
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
    pixels = plane.to_image(region.to_mm(grid, px_per_mm), height_mm).astype(np.float32)
    pixels = np.nan_to_num(pixels, nan=-1000.0)
    coarse, fine = cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
    return np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)


@lru_cache(maxsize=8)
def _unbending_map(plane: TablePlane) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the position in the picture of each undistorted pixel, for `cv2.remap`, in fixed-point form."""
    camera, distortion = plane.camera_matrix, np.array(plane.distortion)
    coarse, fine = cv2.initUndistortRectifyMap(camera, distortion, None, camera, plane.image_size, cv2.CV_16SC2)
    return np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)


def focal_from_fov(fov_deg: float, width: int) -> float:
    """Return the focal length, px. fov_deg: horizontal field of view. width: of the picture, px."""
    return width / 2 / math.tan(math.radians(fov_deg) / 2)
