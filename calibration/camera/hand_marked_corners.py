"""Fit the table plane to the sheet's four corners, marked by hand where the sheet cannot be detected."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import sheet
from calibration.camera.calibrate import MOST_ERROR_MM, Calibration
from calibration.camera.fitting import PlaneFit, corner_noise_px, fit_plane
from calibration.camera.quality import findings_of
from calibration.errors import SheetError
from calibration.light.grey_picture_check import refuse_colourless
from calibration.plane import Image, TablePlane
from calibration.translatable import say

Points = NDArray[np.float64]

CORNER_NAMES = ("upper left", "upper right", "lower right", "lower left")
"""Order of the corners: clockwise round the sheet, its lower edge towards seat 0."""
_HAND_NOISE = 4.0 / 1280
"""Standard deviation of corners marked by hand, as a fraction of the picture's width."""
_RIM_NOISE = 0.4 / 1280
"""Standard deviation of corners fitted to the paper's rim, as a fraction of the picture's width."""
_MAX_HAND_ERROR = 0.02
"""Largest distance of corners from a fitted A4 sheet's, as a fraction of its diagonal in the picture."""
_MIN_SIDE = 40.0 / 1280
"""Smallest side of the sheet in the picture, as a fraction of the picture's width."""
_MAX_RIM_DEVIATION = 0.7 / 1280
"""Largest distance of rim points from a straight line, as a fraction of the picture's width."""
_MAX_SNAP_MM = 8.0
"""Largest distance of a detected corner from the marked one, mm; printed squares end 15 mm from the edge."""


def calibrate_by_corners(
    image: Image, corners: Sequence[tuple[float, float]], seats: int, fov_deg: float | None = None
) -> Calibration:
    """Return the calibration from the marked corners of an A4 sheet in a BGR picture, (x, y) px each.

    corners: upper left, upper right, lower right, lower left of the sheet in landscape format, as somebody at
    seat 0 sees it; the lower edge is seat 0's. A few pixels' error does no harm: where the printed squares or the
    paper's edge are detected, those are used instead. fov_deg: as for `calibrate`.
    Raises SheetError with one plain line for corners outside the picture, in another order, too close together,
    or that no sheet of this shape has; PictureError for a picture without colours.
    """
    refuse_colourless(image)
    height, width = image.shape[:2]
    size = (int(width), int(height))
    given = _check_corners(corners, size)
    paper = paper_corners()
    rough = _fit(given, paper, size, fov_deg, _HAND_NOISE * width)
    diagonal = float(np.linalg.norm(given[0] - given[2]) + np.linalg.norm(given[1] - given[3])) / 2
    if rough.error_px > max(_HAND_NOISE * width, _MAX_HAND_ERROR * diagonal):
        raise SheetError(
            say(
                "The four corners do not form an A4 sheet in landscape format in front of seat 0: mark the upper "
                "left, upper right, lower right and lower left corner of the paper itself."
            )
        )
    printed = _fit_printed_squares(image, rough.plane, size, fov_deg)
    if printed is not None:
        return Calibration(printed[0].plane, seats, findings_of(image, *printed), image)
    rim = _rim_corners(image, rough.plane)
    if rim is not None:
        snapped = _fit(rim, paper, size, fov_deg, _RIM_NOISE * width)
        if _error_mm(snapped) <= MOST_ERROR_MM:
            return Calibration(snapped.plane, seats, findings_of(image, snapped, len(rim)), image)
    return Calibration(rough.plane, seats, findings_of(image, rough, len(given)), image)


def paper_corners() -> Points:
    """Return the A4 sheet's corners on the table, (4, 2) mm, in the order of CORNER_NAMES."""
    x, y = sheet.PAPER_MM[0] / 2, sheet.PAPER_MM[1] / 2
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def _check_corners(corners: Sequence[tuple[float, float]], size: tuple[int, int]) -> Points:
    """Return the corners as an array, (4, 2) px.

    Raises SheetError unless they are four, in the picture and in order.
    """
    given = np.asarray(corners, np.float64)
    if given.shape != (4, 2) or not np.isfinite(given).all():
        raise SheetError(say("Four corners are needed, each as x,y in pixels: upper left first, then clockwise."))
    for name, (x, y) in zip(CORNER_NAMES, given, strict=True):
        if not (0 <= x <= size[0] - 1 and 0 <= y <= size[1] - 1):
            raise SheetError(
                say(
                    "The {name} corner ({x}, {y}) lies outside the picture of {size}×{size2} px: mark corners "
                    "inside the picture.",
                    name=name,
                    x=f"{x:.0f}",
                    y=f"{y:.0f}",
                    size=size[0],
                    size2=size[1],
                )
            )
    sides = np.roll(given, -1, axis=0) - given
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if np.linalg.norm(sides, axis=1).min() < _MIN_SIDE * size[0]:
        raise SheetError(
            say(
                "The corners lie closer together than {least_side_px} px: move the camera closer, or mark the "
                "corners of the whole sheet.",
                least_side_px=f"{_MIN_SIDE * size[0]:.0f}",
            )
        )
    if not (turns > 0).all():
        raise SheetError(
            say(
                "The corners are not in order: mark the upper left, upper right, lower right and lower left corner "
                "of the sheet as seen from seat 0."
            )
        )
    return given


def _fit(image_px: Points, table_mm: Points, size: tuple[int, int], fov: float | None, noise: float) -> PlaneFit:
    """Return the plane fitted to points of the table. Raises SheetError where no camera fits.

    fov: degrees; noise: px.
    """
    try:
        return fit_plane(image_px, table_mm, size, fov, noise)
    except (ValueError, cv2.error) as error:
        raise SheetError(
            say(
                "No camera above the table can show a flat sheet with these corners: mark the corners of the paper "
                "itself."
            )
        ) from error


def _error_mm(fit: PlaneFit) -> float:
    """Return the root mean square error of a fit on the table, mm."""
    return fit.error_px / float(fit.plane.px_per_mm_at((0.0, 0.0)))


def _fit_printed_squares(
    image: Image, rough: TablePlane, size: tuple[int, int], fov: float | None
) -> tuple[PlaneFit, int] | None:
    """Return the plane fitted to the printed squares, and the number of their corners; None where too few match.

    rough: plane of the marked corners. The printed sheet looks the same when rotated by 180 degrees, so they decide
    its orientation.
    """
    try:
        found = sheet.find(image)
    except SheetError:
        return None
    expected = rough.to_table(found.image_px)
    for turned in (found.table_mm, -found.table_mm):
        if np.median(np.linalg.norm(expected - turned, axis=1)) < _MAX_SNAP_MM:
            fit = _fit(found.image_px, turned, size, fov, corner_noise_px(size))
            return (fit, len(turned)) if _error_mm(fit) <= MOST_ERROR_MM else None
    return None


def _rim_corners(image: Image, rough: TablePlane) -> Points | None:
    """Return the paper's corners, (4, 2) px, where lines fitted to its rim meet; None where the rim is unclear.

    rough: plane of the marked corners.
    """
    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.8), np.uint8)
    strays = _MAX_RIM_DEVIATION * image.shape[1]
    corners = paper_corners()
    lines = [_rim_line(grey, rough, start, end, strays) for start, end in pairwise([*corners, corners[0]])]
    # The corner is where a side meets the one before it.
    met = [
        None if line is None or before is None else _intersection(before, line)
        for before, line in zip([lines[-1], *lines[:-1]], lines, strict=True)
    ]
    if any(corner is None for corner in met):
        return None
    found = np.array(met, np.float64)
    off = np.linalg.norm(rough.to_table(found) - corners, axis=1)
    return found if (off < 2 * _MAX_SNAP_MM).all() else None


def _rim_line(
    grey: NDArray[np.uint8], rough: TablePlane, start: Points, end: Points, strays: float
) -> Points | None:
    """Return one side of the paper as a line, (direction x, y, point x, y) px; None where its rim is unclear.

    rough: plane of the marked corners; start, end: corners of the side, table mm; strays: largest distance of rim
    points from the line, px.
    """
    across_mm = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
    offsets = np.arange(-_MAX_SNAP_MM, _MAX_SNAP_MM + 0.01, 0.25)
    along = start + np.linspace(0.06, 0.94, 60)[:, None] * (end - start)
    pixels = rough.to_image(along[:, None] + offsets[:, None] * across_mm).astype(np.float32)
    values = cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    # Steps of one direction only: the paper is brighter than the table along its whole rim, or darker.
    steps = np.diff(values, axis=1)
    steps *= np.sign(np.median(steps[np.arange(len(steps)), np.abs(steps).argmax(axis=1)])) or 1.0
    best = np.clip(steps.argmax(axis=1), 1, steps.shape[1] - 2)
    rows = np.arange(len(steps))
    before, peak, after = steps[rows, best - 1], steps[rows, best], steps[rows, best + 1]
    bend = np.minimum(before - 2 * peak + after, -1e-6)
    place = best + 0.5 + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    exact = offsets[0] + 0.25 * place
    points = rough.to_image(along + exact[:, None] * across_mm).astype(np.float32)
    points = points[peak > 1.0]
    if len(points) < 20:
        return None
    for _ in range(3):
        dx, dy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4)
        off = np.abs((points[:, 0] - x) * dy - (points[:, 1] - y) * dx)
        near = off < max(strays, 2.5 * float(np.median(off)))
        if near.sum() < 20:
            return None
        points = points[near]
    if len(points) < 30 or np.sqrt(np.mean(off[near] ** 2)) > strays:
        return None
    return np.array([dx, dy, x, y], np.float64)


def _intersection(one: Points, other: Points) -> Points | None:
    """Return the point where two lines of `_rim_line` meet, px; None for nearly parallel ones."""
    matrix = np.stack([one[:2], -other[:2]], axis=1)
    if abs(np.linalg.det(matrix)) < 0.1:
        return None
    along = np.linalg.solve(matrix, other[2:] - one[2:])
    return np.asarray(one[2:] + along[0] * one[:2], np.float64)
