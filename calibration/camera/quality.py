"""Quality of a calibration picture: camera, light, and whether pieces can be counted with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from calibration.camera import sheet
from calibration.camera.fitting import PlaneFit, uncertainty_of
from calibration.camera.table_surface import MAX_GLARE_SHARE, colour_name, measure_ground
from calibration.plane import Image, TablePlane
from calibration.translatable import say

MIN_PIECE_MM = 15.0
"""Diameter of the smallest piece that must be countable, mm."""
LEAST_PIECE_PX = 9.0
"""Smallest width of such a piece at the table's far edge, px."""
MOST_EDGE_WIDTH_MM = 3.0
"""Largest width of the sheet's black-to-white edges on the table, mm: outlines of pieces are as soft. In a sharp
picture it is 1.5 to 2; edges are sampled over 8 mm, so the measured width is at most 3.8."""
TABLE_EDGE_MM = 600.0
"""Distance from the centre within which hands and boards lie, mm; the rest is not evaluated."""
MOST_EDGE_DOUBT_MM = 10.0
"""Largest standard deviation of positions at the table's edge before another picture is requested, mm."""
FovFrom = Literal["assumed", "picture", "given", "height", "before"]
"""Source of the field of view: default, pictures, a person, measured height, or an earlier calibration."""
_MIN_CONTRAST = 30.0
"""Smallest difference of the sheet's white and black, grey levels."""
_MAX_WHITE_LEVEL = 252.0
"""Grey level of white above which the sheet counts as over-exposed."""
_MAX_GLARE_LEVEL = 110.0
"""Grey level of black above which an over-exposed sheet shows glare."""
_MAX_EDGE_WIDTH_MM = 3.6
"""Blur of black-to-white edges on the table above which a picture is rejected, mm."""
_PLAUSIBLE_FOV_DEG = (25.0, 130.0)
"""Narrowest and widest plausible horizontal field of view, degrees."""
_PLAUSIBLE_HEIGHT_MM = (250.0, 3000.0)
"""Lowest and highest plausible height of the camera, mm; others come from cropped or stretched pictures."""
_MIN_EDGE_CONTRAST = 20.0
"""Smallest contrast of an edge from which sharpness is measured, grey levels."""
_SAMPLE_SPACING_MM = 0.2
"""Distance between samples across an edge, mm."""
_REACH_MM = 4.0
"""Length of the sample line on each side of an edge, mm."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Quality figures of one calibration."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    height_mm: float
    """Height of the camera above the table, mm."""
    tilt_deg: float
    """Angle of the optical axis from straight down, degrees."""
    fov_deg: float
    """Horizontal field of view, degrees."""
    fov_measured: bool
    """Whether the field of view is known; else a typical one is assumed."""
    corners: int
    """Number of sheet points used in all pictures; 4 where the corners were marked by hand."""
    reprojection_error_px: float
    """Root mean square distance of the sheet's corners from their projections, px."""
    mm_per_px_centre: float
    """Size of a pixel at the sheet's centre, mm."""
    mm_per_px_edge: float
    """Size of a pixel at the far edge of the table, mm."""
    edge_width_px: float | None
    """Width of the sheet's black-to-white edges, px (1 sharp, 4 blurred); None where no edge is clear enough."""
    white: float
    """Grey level of the sheet's white, 0..255."""
    black: float
    """Grey level of the sheet's black, 0..255."""
    problems: tuple[str, ...] = ()
    """One line per problem; empty when 15 mm pieces can be counted."""
    pictures: int = 1
    """Number of pictures used."""
    fov_from: FovFrom = "assumed"
    """Source of the field of view."""
    lens_measured: bool = False
    """Whether the pictures themselves determine the focal length."""
    height_doubt_mm: float | None = None
    """Standard deviation of the camera's height, mm; None in early profiles."""
    edge_doubt_mm: float | None = None
    """Standard deviation of positions at the table's edge, mm; None in early profiles."""
    palm_doubt_mm: float | None = None
    """The same at the height of an open palm, mm."""
    patterned: bool = False
    """See `table_surface.GroundAppearance`."""
    hard_colours: tuple[str, ...] = ()
    """See `table_surface.GroundAppearance`."""
    glare: float = 0.0
    """See `table_surface.GroundAppearance`."""

    @property
    def unusable(self) -> str | None:
        """Return the reason why a picture is too poor to use, as one line; None when it is usable.

        A usable picture becomes the table's reference picture, with which pieces are enrolled and hands detected.
        """
        if self.white - self.black < _MIN_CONTRAST:
            return say(
                "The picture is too dark: more light on the table, or a longer exposure, then take it again."
            )
        if self.white > _MAX_WHITE_LEVEL and self.black > _MAX_GLARE_LEVEL:
            return say(
                "The picture is over-exposed: less light on the table, or a shorter exposure, then take it again."
            )
        if self.edge_width_px is not None and self.edge_width_px * self.mm_per_px_centre > _MAX_EDGE_WIDTH_MM:
            return say(
                "The picture is blurred: focus on the table, keep the camera still and take the picture again."
            )
        return None

    @property
    def advice(self) -> tuple[str, ...]:
        """Return lines on how to make the calibration more accurate."""
        lines = []
        if not self.fov_measured:
            lines.append(
                say(
                    "The camera looks almost straight down, so this picture does not determine its field of "
                    "view: measure its height above the table and enter it, or add pictures with the sheet held "
                    "at a tilt of 20 to 40 degrees"
                )
            )
        if not self.lens_measured and (self.edge_doubt_mm or 0.0) > MOST_EDGE_DOUBT_MM:
            lines.append(
                say(
                    "The distortion of the lens is not measured: add some pictures with the sheet near the "
                    "picture's corners and held at a tilt"
                )
            )
        lines += [
            say(
                "Pieces in {colour} hardly stand out from this table: lay plain paper under them to enrol them",
                colour=colour_name(colour),
            )
            for colour in self.hard_colours
        ]
        if self.patterned:
            lines.append(
                say(
                    "The table has a pattern: first enrol a kind of piece whose colour is not in the pattern, and "
                    "check the outlines of the pieces"
                )
            )
        if self.glare > MAX_GLARE_SHARE:
            lines.append(
                say("A lamp is reflected by the table: move the lamp or the camera, or lay a cloth on the table")
            )
        return tuple(lines)

    @property
    def good(self) -> bool:
        """Whether pieces of 15 mm can be counted with this camera, pose and light."""
        return not self.problems


def findings_of(
    image: Image, fit: PlaneFit, corners: int, pictures: int = 1, fov_from: FovFrom | None = None
) -> Findings:
    """Return the quality figures of a BGR picture of the sheet, with the plane that was fitted to it.

    corners, pictures: numbers of sheet points and of pictures that were used; fov_from: source of the field of
    view, by the fit when None.
    """
    plane = fit.plane
    unsure = uncertainty_of(fit, TABLE_EDGE_MM)
    edge_width, white, black = _sheet_light(image, plane)
    edge_scale = _far_edge_mm_per_px(plane)
    centre_scale = float(1 / plane.px_per_mm_at((0.0, 0.0)))
    edge_width_mm = None if edge_width is None else edge_width * centre_scale
    ground = measure_ground(image, plane)
    return Findings(
        height_mm=plane.position_mm[2],
        tilt_deg=plane.tilt_deg,
        fov_deg=plane.fov_deg,
        fov_measured=plane.focal_measured,
        corners=corners,
        reprojection_error_px=fit.error_px,
        mm_per_px_centre=centre_scale,
        mm_per_px_edge=edge_scale,
        edge_width_px=edge_width,
        white=white,
        black=black,
        problems=(
            *_implausible(plane, known=fov_from in ("given", "height")),
            *_problems(edge_scale, edge_width_mm, white, black, plane.tilt_deg),
        ),
        pictures=pictures,
        fov_from=fov_from or ("picture" if plane.focal_measured else "assumed"),
        lens_measured=bool(plane.distortion),
        height_doubt_mm=unsure.height_mm,
        edge_doubt_mm=unsure.edge_mm,
        palm_doubt_mm=unsure.palm_mm,
        patterned=ground.patterned,
        hard_colours=ground.hard_colours,
        glare=ground.glare,
    )


def _far_edge_mm_per_px(plane: TablePlane) -> float:
    """Return the largest size of a pixel on the visible table up to TABLE_EDGE_MM from the centre, mm."""
    width, height = plane.image_size
    angles = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    rings = [radius * np.stack([np.sin(angles), np.cos(angles)], axis=1) for radius in (150.0, 300.0, 450.0)]
    points = np.concatenate([*rings, TABLE_EDGE_MM * np.stack([np.sin(angles), np.cos(angles)], axis=1)])
    pixels = plane.to_image(points)
    inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
    scales = plane.px_per_mm_at(points[inside] if inside.any() else np.zeros((1, 2)))
    return float(1 / scales.min())


def _sheet_light(image: Image, plane: TablePlane) -> tuple[float | None, float, float]:
    """Return the width of the sheet's black-to-white edges, px, its white and its black grey level.

    They are measured between the squares; on a blank sheet, whose corners were marked by hand, at the paper's
    rim. The width is None where no edge is clear.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    width, low, high = _edge_profiles(grey, plane, _square_edges())
    clear = high - low > _MIN_EDGE_CONTRAST
    if clear.mean() > 0.25:
        return float(np.median(width[clear])), float(np.median(high)), float(np.median(low))
    width, low, high = _edge_profiles(grey, plane, _paper_edges())
    clear = high - low > _MIN_EDGE_CONTRAST
    edge_width = float(np.median(width[clear])) if clear.mean() > 0.25 else None
    return edge_width, float(np.median(high)), float(np.percentile(grey, 2))


def _edge_profiles(
    grey: NDArray[np.uint8], plane: TablePlane, lines_mm: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the width (px), low and high grey level of the edge that each sample line crosses, (n,) each.

    lines_mm: (n, samples, 2), on the table. The width is the contrast over the steepest gradient.
    """
    pixels = plane.to_image(lines_mm).astype(np.float32)
    values = cv2.remap(grey, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    low, high = np.percentile(values, 5, axis=1), np.percentile(values, 95, axis=1)
    length_px = np.linalg.norm(pixels[:, -1] - pixels[:, 0], axis=1)
    slope = np.abs(np.diff(values, axis=1)).max(axis=1) / (length_px / (lines_mm.shape[1] - 1))
    return (high - low) / np.maximum(slope, 1e-6), low, high


def _square_edges() -> NDArray[np.float64]:
    """Return sample lines across the edges between the sheet's squares, (n, samples, 2) mm.

    They are 8 mm long and cross no marker: markers keep 4.5 mm away from an edge.
    """
    across = np.arange(-_REACH_MM, _REACH_MM + 0.01, _SAMPLE_SPACING_MM)
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
    return np.stack(lines)


def _paper_edges() -> NDArray[np.float64]:
    """Return sample lines across the paper's rim, (n, samples, 2) mm."""
    across = np.arange(-_REACH_MM, _REACH_MM + 0.01, _SAMPLE_SPACING_MM)
    half_width, half_height = sheet.PAPER_MM[0] / 2, sheet.PAPER_MM[1] / 2
    lines = []
    for share in np.linspace(-0.9, 0.9, 15):
        for side in (-1.0, 1.0):
            x, y = share * half_width, share * half_height
            lines.append(np.stack([np.full_like(across, x), side * half_height + across], axis=1))
            lines.append(np.stack([side * half_width + across, np.full_like(across, y)], axis=1))
    return np.stack(lines)


def _implausible(plane: TablePlane, *, known: bool) -> tuple[str, ...]:
    """Return one problem for an implausible lens or camera position, else none.

    known: a person stated the lens or the height.
    """
    fov, height = plane.fov_deg, plane.position_mm[2]
    narrowest, widest = _PLAUSIBLE_FOV_DEG
    lowest, highest = _PLAUSIBLE_HEIGHT_MM
    if known or (narrowest <= fov <= widest and lowest <= height <= highest):
        return ()
    return (
        say(
            "the picture seems to be taken from {height} mm above the table through a lens of {fov}°, which is "
            "implausible: use the camera's original picture, neither cropped nor stretched, or enter the camera's "
            "height",
            height=f"{height:.0f}",
            fov=f"{fov:.0f}",
        ),
    )


def _problems(
    edge_scale: float, edge_width_mm: float | None, white: float, black: float, tilt: float
) -> tuple[str, ...]:
    """Return one line per problem that keeps pieces of 15 mm from being counted.

    edge_scale: size of a pixel at the table's far edge, mm; edge_width_mm: blur of the sheet's edges; white,
    black: grey levels; tilt: degrees.
    """
    problems = []
    piece_px = MIN_PIECE_MM / edge_scale
    if piece_px < LEAST_PIECE_PX:
        problems.append(
            say(
                "a piece has only {piece_px} px at the edge: move the camera closer or raise its resolution",
                piece_px=f"{piece_px:.0f}",
            )
        )
    if white - black < 50:
        problems.append(say("the picture is too dark or too flat: more light on the table, or a longer exposure"))
    elif white > _MAX_WHITE_LEVEL and black > _MAX_GLARE_LEVEL:
        problems.append(say("the picture is over-exposed: less light, or a shorter exposure"))
    elif edge_width_mm is None:
        problems.append(
            say("no edge of the sheet is clear enough to measure the sharpness: show the printed sheet")
        )
    elif edge_width_mm > MOST_EDGE_WIDTH_MM:
        problems.append(say("the picture is blurred: focus on the table, clean the lens, keep the camera still"))
    if tilt > 55:
        problems.append(say("the camera looks across the table at too flat an angle: raise it"))
    return tuple(problems)
