"""Enrolment of the calibration sheet and of pieces: finds them in a picture, to be saved once confirmed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import sheet
from calibration.camera.calibrate import Calibration, calibrate
from calibration.camera.hand_marked_corners import calibrate_by_corners, paper_corners
from calibration.camera.quality import Findings
from calibration.errors import SheetError
from calibration.pieces.enrolment import (
    empty_table_of,
    enrol_marked,
    enrol_objects,
    resembled_kind,
    specimens_in,
)
from calibration.pieces.hand_marked_segmentation import find_at_points
from calibration.pieces.segmentation import PX_PER_MM, SegmentedObject
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say

Polyline = tuple[tuple[float, float], ...]
"""Points (x, y) of a line or outline in a picture, px."""

_MOST_LENS_PICTURES = 12
"""Largest number of pictures for measuring the lens."""
_MARKED_CORNERS = 4
"""Number of corners in a calibration from corners that a person marked; a detected sheet has more."""
_POINTS_PER_LINE = 8
"""Number of points on each drawn line of the sheet: a lens may bend it."""


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet as found in a picture, for screens."""

    findings: Findings
    """Quality of the calibration."""
    good: bool
    """As `Findings.good`."""
    advice: tuple[str, ...]
    """How to improve the calibration, a line each."""
    corners: Polyline
    """Corners of the paper, clockwise from the upper left one; seat 0 is at the edge between the last two."""
    grid: tuple[Polyline, ...]
    """The lines between the sheet's squares."""


@dataclass(frozen=True, slots=True)
class PieceView:
    """One object that was found, for screens."""

    outline: Polyline
    """Its outline in the picture, px."""
    size_mm: tuple[float, float]
    """Lengths of its two sides, mm."""


@dataclass(frozen=True, slots=True)
class PiecesView:
    """The objects found in a picture of pieces of one kind."""

    kind: str
    """Id of the kind."""
    pieces: tuple[PieceView, ...]
    """The objects found."""
    like: str | None = None
    """Another enrolled kind that they look like, if any."""


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """How found pieces are to be saved as specimens."""

    without: frozenset[int] = frozenset()
    """Indexes of the found objects to leave out."""
    force: bool = False
    """Whether to save them even if they look like another kind."""
    replace: bool = False
    """Whether they replace the specimens enrolled before."""


@dataclass(frozen=True, eq=False)
class SheetStep:
    """The sheet as found, to be saved as the table's calibration."""

    calibration: Calibration
    """The calibration to save."""
    more: tuple[Image, ...] = ()
    """Further pictures of the sheet, for measuring the lens."""

    @property
    def view(self) -> SheetView:
        """What screens show of the sheet: quality of the calibration, advice, and the sheet's outline and grid."""
        findings = self.calibration.findings
        plane = self.calibration.plane
        return SheetView(
            findings, findings.good, findings.advice, paper_corners_px(plane) or (), sheet_grid_px(plane)
        )

    def added_to(self, profile: TableProfile, options: KeepOptions) -> TableProfile:
        """Return a copy of the profile with this calibration in place of the old one. options: ignored."""
        return profile.calibrated(self.calibration)

    def with_lens_picture(self, image: Image) -> SheetStep:
        """Return a copy calibrated with one more BGR picture of the sheet, tilted and anywhere in view.

        Raises SheetError where it shows no sheet, shows it as an earlier picture does, or does not fit the others.
        """
        if self.calibration.findings.corners == _MARKED_CORNERS:
            raise SheetError(
                say("The corners were marked by hand. Wait until the sheet is found, then measure the lens.")
            )
        if len(self.more) >= _MOST_LENS_PICTURES:
            raise SheetError(say("There are enough pictures to measure the lens. Save them."))
        more = (*self.more, image)
        step = _checked(calibrate(self.calibration.image, self.calibration.seats, more=more))
        if step.calibration.findings.pictures <= len(more):
            raise SheetError(
                say("The sheet lies as in an earlier picture: move and tilt it, then take the picture again.")
            )
        return replace(step, more=more)


@dataclass(frozen=True, eq=False)
class PiecesStep:
    """Pieces of one kind that were found in a picture, to be saved as specimens."""

    image: Image
    """The picture, BGR."""
    plane: TablePlane
    """The table plane."""
    kind: str
    """Id of the kind."""
    finds: tuple[SegmentedObject, ...]
    """The objects to save."""
    marked: bool = False
    """Whether a person marked some of the pieces."""
    like: str | None = None
    """Another enrolled kind that they look like, if any."""

    @property
    def view(self) -> PiecesView:
        """What screens show of the pieces: their outlines and sizes, and another kind that they look like."""
        pieces = tuple(PieceView(_outline_in_picture(find, self.plane), find.size_mm) for find in self.finds)
        return PiecesView(self.kind, pieces, self.like)

    def added_to(self, profile: TableProfile, options: KeepOptions) -> TableProfile:
        """Return a copy of the profile with these pieces as specimens of their kind, saved as `options` say.

        Raises EnrolError where no piece is left, and without force for pieces that look like another kind.
        """
        kept = [find for number, find in enumerate(self.finds) if number not in options.without]
        others = [find for number, find in enumerate(self.finds) if number in options.without]
        if self.marked or not kept:
            centres = centres_in_picture(kept, self.plane)
            return enrol_marked(
                profile, self.kind, self.image, spots=centres, force=options.force, replace=options.replace
            )
        return enrol_objects(
            profile, self.kind, self.image, kept, others=others, force=options.force, replace=options.replace
        )

    def with_marked_pieces(self, profile: TableProfile, spots: Sequence[tuple[float, float]]) -> PiecesStep:
        """Return a copy with the pieces at these points, px, added; segmented as `added_to` will do it.

        profile: its empty table, if known, helps on patterned grounds. Raises EnrolError where there is none at a
        point.
        """
        every = (*centres_in_picture(self.finds, self.plane), *spots)
        finds = find_at_points(self.image, self.plane, every, empty_table_of(profile, self.image))
        return replace(self, finds=finds, marked=True, like=None)


def sheet_step(image: Image, profile: TableProfile) -> SheetStep:
    """Calibrate by the printed sheet in a BGR picture; return the calibration, to be saved.

    Raises SheetError where the sheet cannot be found, or the calibration is unusable.
    """
    return _checked(calibrate(image, profile.seats, before=profile.plane))


def corners_step(image: Image, profile: TableProfile, corners: Sequence[tuple[float, float]]) -> SheetStep:
    """Calibrate by the sheet's four corners, px, marked in a BGR picture; return the calibration, to be saved.

    corners: ordered as `SheetView.corners`. Raises SheetError where the calibration is unusable.
    """
    known = profile.plane.fov_deg if profile.plane is not None and profile.plane.focal_measured else None
    return _checked(calibrate_by_corners(image, corners, profile.seats, known))


def pieces_step(image: Image, profile: TableProfile, kind: str) -> PiecesStep:
    """Find the pieces of one kind in a BGR picture; return them, perhaps none, to be saved.

    Raises CalibrationError without a calibration, and for a picture that does not fit it.
    """
    finds = specimens_in(profile, kind, image)
    if profile.plane is None:
        raise ValueError("without a plane nothing is found")
    return PiecesStep(image, profile.plane, kind, finds, like=resembled_kind(profile, kind, image, finds))


def paper_corners_px(plane: TablePlane) -> Polyline | None:
    """Return the corners of the calibration sheet's paper in the picture, px, clockwise from the upper left one.

    None where one is behind the camera.
    """
    return _finite_polyline(plane.to_image(paper_corners()))


def sheet_grid_px(plane: TablePlane) -> tuple[Polyline, ...]:
    """Return the grid lines of the calibration sheet in the picture, px, without any behind the camera."""
    half_x, half_y = (count * sheet.SQUARE_MM / 2 for count in (sheet.COLUMNS, sheet.ROWS))
    along = np.linspace(-1, 1, _POINTS_PER_LINE)
    upright = [np.stack([np.full_like(along, x), half_y * along], axis=1) for x in _grid_lines_mm(sheet.COLUMNS)]
    across = [np.stack([half_x * along, np.full_like(along, y)], axis=1) for y in _grid_lines_mm(sheet.ROWS)]
    lines = (_finite_polyline(plane.to_image(line)) for line in (*upright, *across))
    return tuple(line for line in lines if line is not None)


def centres_in_picture(finds: Sequence[SegmentedObject], plane: TablePlane) -> tuple[tuple[float, float], ...]:
    """Return the centre of each object in the picture, px."""
    return _rounded_points(plane.to_image([find.centre_mm for find in finds])) if finds else ()


def _checked(calibration: Calibration) -> SheetStep:
    """Return a calibration as a step that can be saved. Raises SheetError where the calibration is unusable."""
    if (reason := calibration.findings.unusable) is not None:
        raise SheetError(reason)
    return SheetStep(calibration)


def _grid_lines_mm(count: int) -> NDArray[np.float64]:
    """Return the positions of the lines that bound `count` squares in a row, mm from the sheet's middle."""
    return np.asarray((np.arange(count + 1) - count / 2) * sheet.SQUARE_MM, np.float64)


def _outline_in_picture(find: SegmentedObject, plane: TablePlane) -> Polyline:
    contours, _ = cv2.findContours(find.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = cv2.approxPolyDP(max(contours, key=len), 0.6, True).reshape(-1, 2)
    return _rounded_points(plane.to_image(find.region.to_mm(rim, PX_PER_MM)))


def _finite_polyline(points: ArrayLike) -> Polyline | None:
    """Return points, px, as a polyline; None where one is not finite, as for a point behind the camera."""
    return _rounded_points(points) if np.isfinite(np.asarray(points)).all() else None


def _rounded_points(points: ArrayLike) -> Polyline:
    """Return points, px, as a polyline, rounded to 0.01 px."""
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in np.asarray(points).reshape(-1, 2))
