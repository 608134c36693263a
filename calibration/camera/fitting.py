"""Fit camera pose and lens to points of the table in one picture or several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.plane import TYPICAL_FOV_DEG, Points, TablePlane, focal_from_fov

CORNER_NOISE_PX = 0.1
"""Standard deviation of detected sheet corners in a picture of a webcam's size, px."""
_WEBCAM_WIDTH_PX = 1280
"""Width of the picture for which CORNER_NOISE_PX holds, px."""
MOST_FOCAL_SPREAD = 0.08
"""Largest relative standard deviation of a focal length that counts as measured."""
_HEIGHT_SPREAD = 0.01
"""Standard deviation of the log of a measured camera height."""
_PALM_HEIGHT_MM = 85.0
"""Height of an open palm above the table."""
_INTRINSICS = 6
"""Number of intrinsic parameters: log focal length, principal point (2), k1, k2, log aspect."""
_ASPECT = 5
"""Index of the logarithm of the pixels' aspect among the intrinsics."""

Sighting = tuple[Points, Points]
"""Points of the sheet in one picture: where they are in it (n, 2) px, and where on the sheet (n, 2) mm."""


@dataclass(frozen=True)
class LensPrior:
    """Prior distribution of the lens parameters."""

    mean: tuple[float, float, float, float, float]
    """Log focal length (px), principal point x and y (px), radial coefficients k1 and k2."""
    spread: tuple[float, float, float, float, float]
    """Standard deviations of these; a parameter with none stays fixed."""
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """OpenCV's coefficients; the first two are replaced by k1 and k2."""
    aspect_spread: float = 0.0
    """Standard deviation of the log of the pixels' aspect (see `PlaneFit`); 0 for square pixels."""

    @classmethod
    def straight(cls, size: tuple[int, int], fov_deg: float | None = None) -> LensPrior:
        """Return the prior of a lens without distortion, for pictures of this width and height.

        Its focal length is that of typical webcams, or follows from fov_deg within 2 %.
        """
        focal = math.log(focal_from_fov(fov_deg or TYPICAL_FOV_DEG, size[0]))
        spread = 0.25 if fov_deg is None else 0.02
        return cls((focal, (size[0] - 1) / 2, (size[1] - 1) / 2, 0.0, 0.0), (spread, 0.0, 0.0, 0.0, 0.0))

    @classmethod
    def any_lens(cls, size: tuple[int, int], fov_deg: float | None = None) -> LensPrior:
        """Return the prior of a typical webcam, with distortion and an off-centre principal point.

        size, fov_deg: as for `straight`.
        """
        straight = cls.straight(size, fov_deg)
        aside = 0.015 * size[0]
        return replace(straight, spread=(straight.spread[0], aside, aside, 0.1, 0.1))

    @classmethod
    def known(cls, plane: TablePlane) -> LensPrior:
        """Return the prior that keeps the lens of this plane.

        Where the plane has no distortion, the focal length may change by 4 %.
        """
        distortion = plane.distortion or (0.0, 0.0, 0.0, 0.0)
        centre = plane.camera_matrix[:2, 2]
        mean = (math.log(plane.focal_px), float(centre[0]), float(centre[1]), distortion[0], distortion[1])
        # One picture determines the field of view less exactly than several.
        return cls(mean, (0.0 if plane.distortion else 0.04, 0.0, 0.0, 0.0, 0.0), distortion)


@dataclass(frozen=True)
class PlaneFit:
    """A plane fitted to points, with its errors."""

    plane: TablePlane
    """The fitted plane."""
    error_px: float
    """Root mean square error, px."""
    errors_px: tuple[float, ...]
    """Root mean square error of each picture, px."""
    covariance: Points
    """(11, 11): log focal length, principal point (px), k1, k2, and the first picture's rotation (Rodrigues) and
    translation (mm); zero for fixed parameters."""
    aspect: float = 1.0
    """Focal length along y over that along x, 1 for square pixels; the plane has the one along x."""
    cost: float = 0.0
    """Sum of squared residuals, in standard deviations."""


def corner_noise_px(size: tuple[int, int]) -> float:
    """Return the standard deviation, px, of corners detected in a picture of this width and height.

    It grows with pictures larger than a webcam's, which may be upscaled.
    """
    return CORNER_NOISE_PX * max(1.0, size[0] / _WEBCAM_WIDTH_PX)


def fit_plane(
    image_px: Points,
    table_mm: Points,
    image_size: tuple[int, int],
    fov_deg: float | None = None,
    noise_px: float | None = None,
) -> PlaneFit:
    """Return the camera pose and focal length from points of the table, (n, 2) px and (n, 2) mm, n ≥ 4.

    One view of a plane determines the focal length only when it is tilted, so a prior is added: typical webcams
    (log-normal, 25 %) when fov_deg is None, else fov_deg within 2 %. In a view from straight above the focal length
    follows from the prior alone, which does not affect positions on the table. noise_px: standard deviation of the
    points, which weighs them against the prior. Raises ValueError when no camera above the table fits the points.
    """
    return fit([(image_px, table_mm)], image_size, LensPrior.straight(image_size, fov_deg), noise_px)


def fit(
    sightings: Sequence[Sighting],
    image_size: tuple[int, int],
    prior: LensPrior,
    noise_px: float | None = None,
    height_mm: float | None = None,
) -> PlaneFit:
    """Return the maximum a posteriori lens and camera poses; the first picture's sheet defines the table plane.

    The other pictures show the same sheet anywhere and at any tilt, and determine the lens. The prior fixes what
    the pictures leave undetermined, where a plain calibration would diverge; otherwise the result equals that of
    `cv2.calibrateCamera`. noise_px: standard deviation of the points; `corner_noise_px` when None. height_mm:
    measured height of the camera above the table, within 1 %.

    Raises ValueError when no camera above the table fits the points.
    """
    problem = _Problem(sightings, image_size, prior, noise_px or corner_noise_px(image_size), height_mm)
    offsets: tuple[float, ...] = (0.0, -0.35, 0.35) if prior.spread[0] > 0.1 else (0.0,)
    if height_mm is not None:
        offsets = (0.0, -0.35, 0.35, -0.7, 0.7)
    best: PlaneFit | None = None
    for offset in offsets:
        for aspect in (0.0,) if prior.aspect_spread == 0 else _ASPECT_STARTS:
            for start in problem.starts(offset, aspect):
                found = problem.solve(start)
                if found is not None and (best is None or found.cost < best.cost):
                    best = found
    if best is None:
        raise ValueError("no camera above the table fits the points")
    return best


_ASPECT_STARTS = (0.0, -0.25, 0.25)
"""Starting values for the log of the pixels' aspect ratio."""


class _Problem:
    """Levenberg-Marquardt over the lens and a pose for each picture.

    Parameters: log focal length, principal point x and y, k1, k2, log aspect, then rotation and translation of
    each picture.
    """

    def __init__(
        self,
        sightings: Sequence[Sighting],
        size: tuple[int, int],
        prior: LensPrior,
        noise_px: float,
        height_mm: float | None,
    ) -> None:
        self._pixels = [np.asarray(pixels, np.float64) for pixels, _ in sightings]
        self._worlds = [np.concatenate([mm, np.zeros((len(mm), 1))], axis=1) for _, mm in sightings]
        self._size, self._prior, self._noise, self._height = size, prior, noise_px, height_mm
        mean, spread = np.array([*prior.mean, 0.0]), np.array([*prior.spread, prior.aspect_spread])
        self._mean, self._weight = mean, np.where(spread > 0, 1 / np.where(spread > 0, spread, 1.0), 0.0)
        count = _INTRINSICS + 6 * len(sightings)
        self._free = np.concatenate([spread > 0, np.ones(6 * len(sightings), bool)])
        self._count = count
        self._prior_rows = np.zeros((_INTRINSICS, count))
        self._prior_rows[:, :_INTRINSICS] = np.diag(self._weight)

    def starts(self, focal_offset: float, log_aspect: float) -> list[Points]:
        """Return the parameter vectors to start from, one for each likely pose; none where a picture has no pose.

        focal_offset: added to the expected log focal length; log_aspect: starting value of the pixels' log aspect.
        """
        intrinsics = self._mean.copy()
        intrinsics[0] += focal_offset
        intrinsics[_ASPECT] = log_aspect
        poses = [
            self._poses(pixels, world, intrinsics) for pixels, world in zip(self._pixels, self._worlds, strict=True)
        ]
        if not all(poses):
            return []
        # One view of a plane has two poses that fit almost equally well; each picture's second one is tried, too.
        first = [candidates[0] for candidates in poses]
        result = [np.concatenate([intrinsics, *first])]
        for k, candidates in enumerate(poses):
            if len(candidates) > 1 and (k == 0 or len(poses) <= 12):
                other = [*first[:k], candidates[1], *first[k + 1 :]]
                result.append(np.concatenate([intrinsics, *other]))
        return result

    def _poses(self, pixels: Points, world: Points, intrinsics: Points) -> list[Points]:
        """Return the likely poses of the sheet in a picture, one or two, best first.

        A pose is rotation (Rodrigues) and translation (mm), (6,).
        """
        matrix, distortion = self._camera_matrix(intrinsics)
        count, rotations, translations, errors = cv2.solvePnPGeneric(
            world, pixels, matrix, distortion, flags=cv2.SOLVEPNP_IPPE
        )
        alike = [i for i in range(count) if len(self._worlds) == 1 or float(errors[i, 0]) < 4 * float(errors[0, 0])]
        return [
            np.concatenate([np.asarray(rotations[i]).reshape(3), np.asarray(translations[i]).reshape(3)])
            for i in alike
        ]

    def _camera_matrix(self, intrinsics: Points) -> tuple[Points, Points]:
        """Return the camera matrix, (3, 3), and OpenCV's distortion coefficients of some intrinsics."""
        focal = math.exp(min(max(float(intrinsics[0]), 1.0), 12.0))
        focal_y = focal * math.exp(min(max(float(intrinsics[_ASPECT]), -1.0), 1.0))
        matrix = np.array([[focal, 0, intrinsics[1]], [0, focal_y, intrinsics[2]], [0, 0, 1.0]])
        return matrix, np.array([*intrinsics[3:5], *self._prior.distortion[2:]])

    def _residuals(self, p: Points) -> tuple[Points, Points]:
        """Return residuals of points and priors at parameters p, and their Jacobian, in standard deviations."""
        matrix, distortion = self._camera_matrix(p[:_INTRINSICS])
        offs, rows = [], []
        for k, (world, pixels) in enumerate(zip(self._worlds, self._pixels, strict=True)):
            at = _INTRINSICS + 6 * k
            seen, jacobian = cv2.projectPoints(world, p[at : at + 3], p[at + 3 : at + 6], matrix, distortion)
            row = np.zeros((2 * len(world), self._count))
            row[:, 0] = jacobian[:, 6] * matrix[0, 0] + jacobian[:, 7] * matrix[1, 1]
            row[:, 1:_ASPECT] = jacobian[:, 8:12]
            row[:, _ASPECT] = jacobian[:, 7] * matrix[1, 1]
            row[:, at : at + 6] = jacobian[:, :6]
            offs.append((seen.reshape(-1, 2) - pixels).reshape(-1) / self._noise)
            row /= self._noise
            rows.append(row)
        offs.append((p[:_INTRINSICS] - self._mean) * self._weight)
        rows.append(self._prior_rows)
        if self._height is not None:
            pose = p[_INTRINSICS : _INTRINSICS + 6]
            row = np.zeros((1, self._count))
            now = _log_height(pose)
            for i in range(6):
                step = np.zeros(6)
                step[i] = 1e-4 if i < 3 else 1e-1
                row[0, _INTRINSICS + i] = (_log_height(pose + step) - now) / step[i] / _HEIGHT_SPREAD
            offs.append(np.array([(now - math.log(self._height)) / _HEIGHT_SPREAD]))
            rows.append(row)
        return np.concatenate(offs), np.concatenate(rows)[:, self._free]

    def solve(self, start: Points) -> PlaneFit | None:
        """Return the optimum reached from these parameters; None where the camera is below or behind the table."""
        p, damping = start.copy(), 1e-3
        off, rows = self._residuals(p)
        cost = float(off @ off)
        for _ in range(100):
            damped = rows.T @ rows
            # A view of the diagonal, which is changed in place.
            np.einsum("ii->i", damped)[:] += damping * (damped.diagonal() + 1e-12)
            step = np.zeros(self._count)
            step[self._free] = np.linalg.solve(damped, -(rows.T @ off))
            new_off, new_rows = self._residuals(p + step)
            new_cost = float(new_off @ new_off)
            if np.isfinite(new_cost) and new_cost < cost:
                settled = cost - new_cost < 1e-9 * cost
                p, off, rows, cost, damping = p + step, new_off, new_rows, new_cost, damping / 5
                if settled:
                    break
            else:
                damping *= 10
                if damping > 1e9:
                    break
        return self._plane_fit(p, off, rows, cost)

    def _plane_fit(self, p: Points, off: Points, rows: Points, cost: float) -> PlaneFit | None:
        """Return the plane of a parameter vector p, with its errors; None for parameters that no camera can have.

        off, rows: residuals and Jacobian at p; cost: sum of squared residuals.
        """
        errors, at = [], 0
        for pixels in self._pixels:
            own = off[at : at + 2 * len(pixels)].reshape(-1, 2) * self._noise
            errors.append(math.sqrt(float(np.mean(np.sum(own**2, axis=1)))))
            at += 2 * len(pixels)
        counts = np.array([len(pixels) for pixels in self._pixels])
        whole = math.sqrt(float(np.array(errors) ** 2 @ counts / counts.sum()))
        covariance = np.zeros((self._count, self._count))
        normal = rows.T @ rows
        covariance[np.ix_(self._free, self._free)] = np.linalg.inv(
            normal + 1e-12 * np.diag(np.diag(normal) + 1e-12)
        )
        focal_spread = math.sqrt(max(0.0, float(covariance[0, 0])))
        bent = bool(np.any(p[3:5] != 0)) or any(self._prior.distortion)
        aside = bool(self._weight[1]) or not np.allclose(p[1:3], ((self._size[0] - 1) / 2, (self._size[1] - 1) / 2))
        try:
            plane = TablePlane(
                self._size,
                math.exp(p[0]),
                (float(p[6]), float(p[7]), float(p[8])),
                (float(p[9]), float(p[10]), float(p[11])),
                focal_measured=focal_spread < MOST_FOCAL_SPREAD,
                distortion=(float(p[3]), float(p[4]), *self._prior.distortion[2:]) if bent else (),
                principal_point=(float(p[1]), float(p[2])) if aside else None,
            )
        except (ValueError, OverflowError):
            return None
        square = np.delete(np.delete(covariance[:12, :12], _ASPECT, 0), _ASPECT, 1)
        return PlaneFit(plane, whole, tuple(errors), square, math.exp(float(p[_ASPECT])), cost)


@dataclass(frozen=True, slots=True)
class PlaneUncertainty:
    """Standard deviations of a plane, mm."""

    height_mm: float
    """Of the camera's height."""
    edge_mm: float
    """Of positions on the table: the worst of the visible points within reach_mm, see `uncertainty_of`."""
    palm_mm: float
    """The same for points at the height of an open palm."""


def uncertainty_of(fit: PlaneFit, reach_mm: float) -> PlaneUncertainty:
    """Return the standard deviations of positions on the table that follow from those of lens and pose.

    reach_mm: distance from the centre up to which points count.
    """
    plane = fit.plane
    angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.concatenate([share * reach_mm * ring for share in (0.25, 0.5, 0.75, 1.0)])
    values, vectors = np.linalg.eigh(fit.covariance)
    shifts = [_perturbed(plane, vectors[:, i] * math.sqrt(max(0.0, float(values[i])))) for i in range(len(values))]
    spreads = [0.0, 0.0]
    for k, height in enumerate((0.0, _PALM_HEIGHT_MM)):
        pixels = plane.to_image(points, height)
        seen = ((pixels >= 0) & (pixels < plane.image_size)).all(axis=1)
        if not seen.any():
            continue
        squares = np.zeros(int(seen.sum()))
        for other in shifts:
            off = other.to_table(pixels[seen], height) - points[seen]
            squares += np.sum(np.nan_to_num(off, nan=reach_mm) ** 2, axis=1)
        spreads[k] = math.sqrt(float(squares.max()))
    heights = [other.position_mm[2] - plane.position_mm[2] for other in shifts]
    return PlaneUncertainty(math.hypot(*heights), *spreads)


def _perturbed(plane: TablePlane, change: Points) -> TablePlane:
    """Return a copy of a plane with changed parameters; the plane itself where that is impossible.

    change: (11,), in the order of `PlaneFit.covariance`.
    """
    centre = plane.camera_matrix[:2, 2] + change[1:3]
    k1, k2, *others = plane.distortion or (0.0, 0.0, 0.0, 0.0)
    rotation, translation = np.array(plane.rotation) + change[5:8], np.array(plane.translation) + change[8:11]
    try:
        return replace(
            plane,
            focal_px=plane.focal_px * math.exp(change[0]),
            principal_point=(float(centre[0]), float(centre[1])),
            distortion=(k1 + float(change[3]), k2 + float(change[4]), *others),
            rotation=(float(rotation[0]), float(rotation[1]), float(rotation[2])),
            translation=(float(translation[0]), float(translation[1]), float(translation[2])),
        )
    except ValueError:
        return plane


def _log_height(pose: Points) -> float:
    """Return the log of a camera's height above the table plane, mm.

    pose: rotation (Rodrigues) and translation, (6,).
    """
    rotation = cv2.Rodrigues(pose[:3])[0]
    return math.log(max(1e-6, float(-rotation[:, 2] @ pose[3:6])))
