"""From one picture of the calibration sheet to the table plane, and whether pieces can be counted with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from pydantic import ConfigDict

from calibration import sheet
from calibration.errors import SheetError
from calibration.plane import Image, TablePlane, fit_plane

MOST_ERROR_PX = 1.5
PIECE_MM = 15.0
LEAST_PIECE_PX = 9.0
MOST_EDGE_WIDTH_PX = 3.0
TABLE_EDGE_MM = 600.0
"""Hands and boards lie within this distance of the centre; what is further out is not judged."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What one calibration picture told.

    fov_measured: the tilt was enough to measure the field of view, else a typical one is assumed.
    edge_width_px: how wide the sheet's black-to-white steps are (1 sharp, 4 blurred). white and black: grey
    levels 0..255 of the sheet. mm_per_px_edge: mm that a pixel covers at the far edge of the table.
    problems: plain lines, empty when 15 mm pieces can be counted.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    height_mm: float
    tilt_deg: float
    fov_deg: float
    fov_measured: bool
    corners: int
    reprojection_error_px: float
    mm_per_px_centre: float
    mm_per_px_edge: float
    edge_width_px: float
    white: float
    black: float
    problems: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether pieces of 15 mm can be counted with this camera, place and light."""
        return not self.problems


@dataclass(frozen=True)
class Calibration:
    """The table plane found from one picture, with the picture and what it told."""

    plane: TablePlane
    seats: int
    findings: Findings
    image: Image


def calibrate(image: Image, seats: int, fov_deg: float | None = None) -> Calibration:
    """Find the table plane from one BGR picture of the sheet.

    fov_deg: the camera's horizontal field of view where it is known. Raises SheetError with one plain line
    when there is no sheet, too little of it is seen, or it does not fit a plane within 1.5 px.
    """
    found = sheet.find(image)
    size = (int(image.shape[1]), int(image.shape[0]))
    try:
        fit = fit_plane(found.image_px, found.table_mm, size, fov_deg)
    except (ValueError, cv2.error) as error:
        raise SheetError(
            "The sheet's corners fit no camera above the table: lay the sheet flat and take the picture again."
        ) from error
    if fit.error_px > MOST_ERROR_PX:
        raise SheetError(
            f"The sheet fits a flat table only to {fit.error_px:.1f} px (at most {MOST_ERROR_PX}): "
            "press it flat, hold the camera still and take the picture again."
        )
    plane = fit.plane
    edge_width, white, black = _sheet_light(image, plane)
    edge_scale = _edge_mm_per_px(plane)
    problems = _problems(edge_scale, edge_width, white, black, plane.tilt_deg)
    findings = Findings(
        height_mm=plane.position_mm[2],
        tilt_deg=plane.tilt_deg,
        fov_deg=plane.fov_deg,
        fov_measured=plane.focal_measured,
        corners=len(found.image_px),
        reprojection_error_px=fit.error_px,
        mm_per_px_centre=float(1 / plane.px_per_mm_at((0.0, 0.0))),
        mm_per_px_edge=edge_scale,
        edge_width_px=edge_width,
        white=white,
        black=black,
        problems=problems,
    )
    return Calibration(plane, seats, findings, image)


def _edge_mm_per_px(plane: TablePlane) -> float:
    width, height = plane.image_size
    angles = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    rings = [radius * np.stack([np.sin(angles), np.cos(angles)], axis=1) for radius in (150.0, 300.0, 450.0)]
    points = np.concatenate([*rings, TABLE_EDGE_MM * np.stack([np.sin(angles), np.cos(angles)], axis=1)])
    pixels = plane.to_image(points)
    inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
    scales = plane.px_per_mm_at(points[inside] if inside.any() else np.zeros((1, 2)))
    return float(1 / scales.min())


def _sheet_light(image: Image, plane: TablePlane) -> tuple[float, float, float]:
    """Measure the sheet's step width in px, and its white and black levels.

    Each step between two squares is sampled across: within 4 mm of it both squares are plain (markers keep
    4.5 mm away). Contrast over steepest slope is the step's width.
    """
    across = np.arange(-4.0, 4.01, 0.2)
    along = np.linspace(-12.0, 12.0, 9)
    lines = []
    for column in range(1, sheet.COLUMNS):
        for row in range(sheet.ROWS):
            x = column * sheet.SQUARE_MM - sheet.COLUMNS * sheet.SQUARE_MM / 2
            y = sheet.ROWS * sheet.SQUARE_MM / 2 - (row + 0.5) * sheet.SQUARE_MM
            lines += [np.stack([x + across, np.full_like(across, y + offset)], axis=1) for offset in along]
    for row in range(1, sheet.ROWS):
        for column in range(sheet.COLUMNS):
            x = (column + 0.5) * sheet.SQUARE_MM - sheet.COLUMNS * sheet.SQUARE_MM / 2
            y = sheet.ROWS * sheet.SQUARE_MM / 2 - row * sheet.SQUARE_MM
            lines += [np.stack([np.full_like(across, x + offset), y + across], axis=1) for offset in along]
    points = np.stack(lines)
    pixels = plane.to_image(points).astype(np.float32)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    values = cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    low, high = np.percentile(values, 5, axis=1), np.percentile(values, 95, axis=1)
    length_px = np.linalg.norm(pixels[:, -1] - pixels[:, 0], axis=1)
    slope = np.abs(np.diff(values, axis=1)).max(axis=1) / (length_px / (len(across) - 1))
    clear = high - low > 20
    width = float(np.median((high - low)[clear] / slope[clear])) if clear.any() else 99.0
    return width, float(np.median(high)), float(np.median(low))


def _problems(edge_scale: float, edge_width: float, white: float, black: float, tilt: float) -> tuple[str, ...]:
    problems = []
    piece_px = PIECE_MM / edge_scale
    if piece_px < LEAST_PIECE_PX:
        problems.append(
            f"a piece has only {piece_px:.0f} px at the edge: move the camera closer or raise its resolution"
        )
    if white - black < 50:
        problems.append("the picture is too dark or too flat: more light on the table, or a longer exposure")
    elif white > 252 and black > 110:
        problems.append("the picture is over-exposed: less light, or a shorter exposure")
    elif edge_width > MOST_EDGE_WIDTH_PX:
        problems.append("the picture is blurred: focus on the table, clean the lens, keep the camera still")
    if tilt > 55:
        problems.append("the camera looks too flat across the table: raise it")
    return tuple(problems)
