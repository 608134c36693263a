"""Fit table plane and lens to pictures of the calibration sheet, and check whether pieces can be counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import sheet
from calibration.camera.fitting import LensPrior, PlaneFit, Sighting, corner_noise_px, fit
from calibration.camera.quality import Findings, FovFrom, findings_of
from calibration.errors import SheetError
from calibration.light.grey_picture_check import refuse_colourless
from calibration.plane import Image, TablePlane
from calibration.translatable import say

MOST_ERROR_MM = 2.0
"""Largest root mean square error of the corners on the table, mm."""
MOST_PICTURES = 40
"""Largest number of calibration pictures that are used."""
LEAST_LENS_CORNERS = 8
"""Pictures used for the lens alone may show part of the sheet: corners near the picture's edge are worth more."""
_MIN_SHEET_SHIFT = 0.01
"""Smallest root mean square shift of the sheet's corners between two pictures that both are used, as a share of the
picture's width: the same pose once more says nothing about the lens."""
_MAX_SAME_LENS_ERROR = 3.0
"""Largest error of a fit with an earlier plane's lens, as a multiple of the corners' noise."""
_MAX_CONTRADICTION = 0.05
"""Largest relative deviation of a stated field of view or height from the value fitted to the pictures."""


@dataclass(frozen=True)
class Calibration:
    """The result of a calibration."""

    plane: TablePlane
    """The fitted table plane."""
    seats: int
    """Number of seats round the table."""
    findings: Findings
    """Quality of the picture and the fit."""
    image: Image
    """The picture of the sheet lying on the table, BGR."""


def calibrate(
    image: Image,
    seats: int,
    fov_deg: float | None = None,
    *,
    height_mm: float | None = None,
    more: Sequence[Image] = (),
    before: TablePlane | None = None,
) -> Calibration:
    """Return the calibration from a BGR picture of the sheet lying on the table.

    fov_deg, height_mm: the camera's horizontal field of view and its height above the table where they are known.
    more: pictures by the same camera with the sheet anywhere and held at a tilt, from which the lens is measured,
    too; one in which the sheet lies as in an earlier one is left out. before: the plane of an earlier calibration.
    Its lens is kept where it fits the picture, so that one picture is enough after the camera was moved.
    Raises SheetError with one plain line when there is no sheet, too little of it is visible, pictures differ in
    size, a sheet does not fit a plane within 2 mm, fov_deg or height_mm contradicts the pictures, or their pixels
    are not square; PictureError for a picture without colours.
    """
    if len(more) >= MOST_PICTURES:
        raise SheetError(
            say(
                "At most {most_pictures} calibration pictures are used: pass fewer of them.",
                most_pictures=MOST_PICTURES,
            )
        )
    refuse_colourless(image)
    size = (int(image.shape[1]), int(image.shape[0]))
    found = sheet.find(image)
    sightings = [(found.image_px, found.table_mm)]
    for sighting in _find_other_sheets(more, size):
        if not any(_same_pose(sighting, other, size) for other in sightings):
            sightings.append(sighting)
    several = len(sightings) > 1
    fov_from: FovFrom = "assumed"
    if several:
        best = _fit(sightings, size, LensPrior.any_lens(size, fov_deg), height_mm)
        fov_from = "picture" if best.plane.focal_measured else "assumed"
        with_covariance = best
    else:
        best = _fit(sightings, size, LensPrior.straight(size, fov_deg), height_mm)
        fov_from = "picture" if best.plane.focal_measured else "assumed"
        kept = None if fov_deg or height_mm else _with_lens_of(before, sightings, size, best)
        if kept is not None:
            best, fov_from = kept, "before"
        # A lens that one picture does not determine still has distortion: a typical webcam's is assumed.
        with_covariance = best
        if not best.plane.distortion:
            with_covariance = replace(
                best, covariance=_fit_with_distortion(sightings, size, fov_deg, height_mm, best).covariance
            )
    if fov_from != "before":
        check_aspect(sightings, size, best)
    _check_errors(best)
    if fov_deg is not None or height_mm is not None:
        prior = LensPrior.any_lens(size) if several else LensPrior.straight(size)
        _check_stated(best.plane, fov_deg, height_mm, lambda: _fit(sightings, size, prior).plane)
        fov_from = "given" if fov_deg is not None else "height"
    corners = sum(len(pixels) for pixels, _ in sightings)
    return Calibration(
        best.plane, seats, findings_of(image, with_covariance, corners, len(sightings), fov_from), image
    )


def _find_other_sheets(more: Sequence[Image], size: tuple[int, int]) -> list[Sighting]:
    """Return the sheet's points in further pictures.

    Raises SheetError for one without a sheet or of another size.
    """
    result = []
    for number, picture in enumerate(more, start=2):
        if (picture.shape[1], picture.shape[0]) != size:
            raise SheetError(
                say(
                    "Picture {number} is {shape}×{shape2} px, the first {size}×{size2}: take all of them "
                    "with the same camera and resolution.",
                    number=number,
                    shape=picture.shape[1],
                    shape2=picture.shape[0],
                    size=size[0],
                    size2=size[1],
                )
            )
        try:
            found = sheet.find(picture, LEAST_LENS_CORNERS)
        except SheetError as error:
            raise SheetError(say("Picture {number}: {error}", number=number, error=error)) from error
        result.append((found.image_px, found.table_mm))
    return result


def _same_pose(one: Sighting, other: Sighting, size: tuple[int, int]) -> bool:
    """Return whether two pictures of a size show the sheet in nearly the same pose."""
    (pixels, points), (other_pixels, other_points) = one, other
    mine, others = np.nonzero((points[:, None] == other_points[None]).all(axis=2))
    if not len(mine):
        return False
    shifts = np.linalg.norm(pixels[mine] - other_pixels[others], axis=1)
    return float(np.sqrt((shifts**2).mean())) < _MIN_SHEET_SHIFT * size[0]


def _fit(
    sightings: Sequence[Sighting], size: tuple[int, int], prior: LensPrior, height_mm: float | None = None
) -> PlaneFit:
    """Return the fitted plane, as `fitting.fit` does. Raises SheetError where no camera fits the points."""
    try:
        return fit(sightings, size, prior, height_mm=height_mm)
    except (ValueError, cv2.error) as error:
        raise SheetError(
            say("The sheet's corners fit no camera above the table: lay the sheet flat and take the picture again.")
        ) from error


def _fit_with_distortion(
    sightings: Sequence[Sighting],
    size: tuple[int, int],
    fov_deg: float | None,
    height_mm: float | None,
    otherwise: PlaneFit,
) -> PlaneFit:
    """Return the plane fitted with an unknown lens distortion; `otherwise` where that fails."""
    try:
        return fit(sightings, size, LensPrior.any_lens(size, fov_deg), height_mm=height_mm)
    except (ValueError, cv2.error):
        return otherwise


def _with_lens_of(
    before: TablePlane | None, sightings: Sequence[Sighting], size: tuple[int, int], fresh: PlaneFit
) -> PlaneFit | None:
    """Return the camera's pose fitted with the lens of an earlier plane; None where that does not fit.

    fresh: the fit that has a lens of its own, whose error the result's is compared with.
    """
    if before is None or not before.focal_measured or before.image_size != size:
        return None
    try:
        kept = fit(sightings, size, LensPrior.known(before))
    except (ValueError, cv2.error):
        return None
    return (
        kept if kept.error_px <= max(_MAX_SAME_LENS_ERROR * corner_noise_px(size), 1.5 * fresh.error_px) else None
    )


def check_aspect(sightings: Sequence[Sighting], size: tuple[int, int], square: PlaneFit) -> None:
    """Raise SheetError for pictures with a wrong aspect ratio, such as a 16:9 picture sent as 4:3.

    square: the fit that assumes square pixels. It is accepted at once where its error is small and its focal length
    usual. Else the pictures are rejected only if a fit with a free pixel aspect ratio is much better.
    """
    usual = LensPrior.straight(size).mean[0]
    if (
        square.error_px <= _MAX_UNQUESTIONED_ERROR * corner_noise_px(size)
        and abs(math.log(square.plane.focal_px) - usual) <= _MAX_LOG_FOCAL_DEVIATION
    ):
        return
    lens = LensPrior.any_lens(size)
    try:
        bent = fit(sightings, size, lens)
        stretched = fit(sightings, size, replace(lens, aspect_spread=_ASPECT_SPREAD))
    except (ValueError, cv2.error):
        return
    gain = bent.cost - stretched.cost
    if gain < _MIN_ASPECT_GAIN or abs(math.log(stretched.aspect)) < _MIN_LOG_ASPECT:
        return
    if _worst_error_mm(stretched)[1] > MOST_ERROR_MM:
        return
    aspect = stretched.aspect
    width, height = (size[0] * aspect, size[1]) if aspect > 1 else (size[0], size[1] / aspect)
    raise SheetError(
        say(
            "The picture is {distorted}: its pixels are not square (1 to {aspect}). Set the camera or stream to "
            "a size of its own shape, near {width}×{height} px, and take the picture again.",
            distorted=say("squeezed") if aspect > 1 else say("stretched"),
            aspect=f"{aspect:.2f}",
            width=f"{width:.0f}",
            height=f"{height:.0f}",
        )
    )


_MAX_UNQUESTIONED_ERROR = 2.0
"""Error of a fit up to which square pixels are not questioned, as a multiple of the corners' noise."""
_MAX_LOG_FOCAL_DEVIATION = 0.3
"""Deviation of the log focal length from a typical one up to which square pixels are not questioned."""
_ASPECT_SPREAD = 0.2
"""Standard deviation of the log of the pixels' aspect ratio, where it is fitted; 0.75 to 1.33 are usual."""
_MIN_ASPECT_GAIN = 12.0
"""Difference of the fits' costs (as of chi-squared). Square pixels stay below 8 with bent lenses and paper; of
pictures squeezed to three quarters, 29 of 30 exceed it."""
_MIN_LOG_ASPECT = 0.04
"""Smallest log of the pixels' aspect ratio that is reported as a distorted picture."""


def _worst_error_mm(found: PlaneFit) -> tuple[int, float]:
    """Return the index of the picture that fits worst, and its error on the table, mm."""
    worst = max(range(len(found.errors_px)), key=lambda k: found.errors_px[k])
    return worst, found.errors_px[worst] / float(found.plane.px_per_mm_at((0.0, 0.0)))


def _check_errors(found: PlaneFit) -> None:
    """Raise SheetError where a sheet deviates from a plane by more than MOST_ERROR_MM."""
    worst, error_mm = _worst_error_mm(found)
    if error_mm <= MOST_ERROR_MM:
        return
    which = (
        say("The sheet") if len(found.errors_px) == 1 else say("The sheet of picture {number}", number=worst + 1)
    )
    raise SheetError(
        say(
            "{which} fits a flat table only to {error} mm (at most {most_error}): press it flat, "
            "hold the camera still and take the picture again.",
            which=which,
            error=f"{error_mm:.1f}",
            most_error=f"{MOST_ERROR_MM:.0f}",
        )
    )


def _check_stated(
    plane: TablePlane, fov_deg: float | None, height_mm: float | None, fit_freely: Callable[[], TablePlane]
) -> None:
    """Raise SheetError for a stated field of view or height that contradicts the pictures.

    fit_freely: returns the plane fitted without the stated values.
    """
    if fov_deg is not None:
        tangent = math.tan(math.radians(plane.fov_deg) / 2) / math.tan(math.radians(fov_deg) / 2)
        if abs(math.log(tangent)) > _MAX_CONTRADICTION:
            raise SheetError(
                say(
                    "The pictures show a horizontal field of view near {fov_deg}°, not {fov_deg2}°: correct "
                    "it, or leave it out.",
                    fov_deg=f"{fit_freely().fov_deg:.0f}",
                    fov_deg2=f"{fov_deg:.0f}",
                )
            )
    if height_mm is not None and abs(math.log(plane.position_mm[2] / height_mm)) > _MAX_CONTRADICTION:
        raise SheetError(
            say(
                "The pictures show a camera near {position_mm} mm above the table, not {height_mm}: "
                "measure from the table straight up to the lens, or leave the height out.",
                position_mm=f"{fit_freely().position_mm[2]:.0f}",
                height_mm=f"{height_mm:.0f}",
            )
        )
