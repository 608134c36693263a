"""`companion calibrate`: calibrate a table's camera with the printed sheet."""

from __future__ import annotations

import re
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from calibration.camera.calibrate import Calibration
from calibration.camera.calibrate import calibrate as find_table
from calibration.camera.hand_marked_corners import calibrate_by_corners
from calibration.camera.quality import Findings, FovFrom
from calibration.pieces.enrolment import with_empty_table
from calibration.plane import TablePlane
from calibration.profile import TableProfile, exists
from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import PROFILE, SEAT_ANGLES, FiniteRange, agreed_seats, plain_errors

_SEATS = 4
"""Seats of a new profile."""
_FOV_FROM: dict[FovFrom, str] = {
    "assumed": "typical, not measured",
    "picture": "from the pictures",
    "given": "as given",
    "height": "from the given height",
    "before": "from the previous calibration",
}
"""Text for each source of the field of view."""


@click.command()
@PROFILE
@click.option(
    "--image", "images", multiple=True, type=click.Path(path_type=Path), help="Picture of the sheet; repeatable."
)
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--corners", help='The sheet\'s corners by hand: "x,y x,y x,y x,y" px, upper left first, clockwise.')
@click.option("--empty", type=click.Path(path_type=Path), help="Picture of the empty table, without the sheet.")
@click.option("--flat", type=FiniteRange(0.1, 50), help="No sheet: camera straight above at this many px/mm.")
@click.option("--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), help="Default: unchanged, else 4.")
@SEAT_ANGLES
@click.option("--fov", type=FiniteRange(20, 150), help="The camera's horizontal field of view, degrees.")
@click.option("--height", type=FiniteRange(100, 5000), help="The camera's height above the table, mm.")
@click.option("--new-lens", is_flag=True, help="Another camera: discard the measured lens.")
@click.option("--anew", is_flag=True, help="Start a new profile: drop enrolled pieces and cards.")
def calibrate(
    profile: str,
    images: tuple[Path, ...],
    more: tuple[Path, ...],
    corners: str | None,
    empty: Path | None,
    flat: float | None,
    seats: int | None,
    seat_angles: Seating | None,
    fov: float | None,
    height: float | None,
    new_lens: bool,
    anew: bool,
) -> None:
    """Calibrate the camera with the printed sheet.

    The first picture shows the calibration sheet in the middle of the table, its bottom edge towards seat
    0. More pictures (MORE), with the sheet tilted and near the picture's corners, also measure the lens. For a
    patterned table, add a picture of the empty table (--empty): pieces are found by their difference from it.
    Enrolled pieces and cards are kept.
    """
    pictures = (*images, *more)
    if (not pictures) == (flat is None):
        raise click.UsageError("Use either --image with a picture of the sheet, or --flat with px/mm.")
    if corners is not None and len(pictures) != 1:
        raise click.UsageError("--corners belong to one picture: name it with --image.")
    if flat is not None and (corners or fov or height or empty):
        raise click.UsageError("--flat needs no sheet: leave out --corners, --fov, --height and --empty.")
    if corners is not None and height is not None:
        raise click.UsageError("--corners cannot use --height: use --fov if the field of view is known.")
    seats = agreed_seats(seats, seat_angles)
    with plain_errors():
        before = TableProfile.load(profile) if exists(profile) and not anew else None
        seats = seats or (_SEATS if before is None else before.seats)
        profile_before = before or TableProfile(seats)
        if flat is not None:
            after = profile_before.with_flat(flat, seats)
        else:
            lens = None if new_lens else profile_before.plane
            found = _calibration_from(
                pictures, seats, fov, height, lens, None if corners is None else _parse_corners(corners)
            )
            if found.findings.unusable is not None:
                raise Unusable(found.findings.unusable)
            after = profile_before.calibrated(found)
            if empty is not None:
                after = with_empty_table(after, read_picture(empty))
        if seat_angles is not None:
            after = after.with_seating(seat_angles)
        folder = after.save(profile)
    if after.findings is not None:
        _print_findings(after.findings)
        if (repeated := len(pictures) - after.findings.pictures) > 0:
            click.echo(
                f"Left out {repeated} of {len(pictures)} pictures, in which the sheet lies as in an earlier one: "
                "move and tilt it between pictures."
            )
    seating = after.seating()
    at = "" if seating.is_even else f" at {', '.join(f'{angle:g}' for angle in seating.angles)} degrees"
    click.echo(f"Calibrated for {seats} seats{at}: {folder}")


def _calibration_from(
    pictures: tuple[Path, ...],
    seats: int,
    fov: float | None,
    height: float | None,
    before: TablePlane | None,
    corners: list[tuple[float, float]] | None,
) -> Calibration:
    """Return the calibration from pictures of the sheet, the first one lying on the table.

    fov: horizontal field of view, degrees. height: of the camera above the table, mm. before: plane of the previous
    calibration, whose lens may be kept. corners: of the sheet in the first picture, px, where marked by hand; then
    only this picture and `fov` are used.
    """
    first, *others = pictures
    image = read_picture(first)
    if corners is not None:
        return calibrate_by_corners(image, corners, seats, fov)
    return find_table(
        image, seats, fov, height_mm=height, more=[read_picture(path) for path in others], before=before
    )


def _parse_corners(text: str) -> list[tuple[float, float]]:
    """Return the four points, px, of "x,y x,y x,y x,y". Raises UsageError."""
    parts = text.split()
    if len(parts) != 4 or not all(
        re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?,-?\d{1,6}(\.\d{1,6})?", part) for part in parts
    ):
        raise click.UsageError('--corners needs four points in px, for example "310,200 910,205 930,620 290,610".')
    points = [tuple(map(float, part.split(","))) for part in parts]
    return [(x, y) for x, y in points]


def _print_findings(findings: Findings) -> None:
    """Print the quality figures of a calibration as a table, then its problems and advice."""
    width = findings.edge_width_px
    table = Table(show_header=False, box=None, pad_edge=False)
    pictures = f" in {findings.pictures} pictures" if findings.pictures > 1 else ""
    corners = f"{findings.corners} of {24 * findings.pictures}{pictures}"
    for name, value in (
        ("camera height", f"{findings.height_mm:.0f} mm{_plus_minus(findings.height_doubt_mm)}"),
        ("tilt", f"{findings.tilt_deg:.1f}°"),
        ("field of view", f"{findings.fov_deg:.0f}° ({_FOV_FROM[findings.fov_from]})"),
        ("lens", "measured" if findings.lens_measured else "assumed free of distortion"),
        ("corners found", corners if findings.corners != 4 else "4, by hand"),
        ("reprojection error", f"{findings.reprojection_error_px:.2f} px"),
        ("at the middle", f"{findings.mm_per_px_centre:.2f} mm a pixel"),
        ("at the table's edge", f"{findings.mm_per_px_edge:.2f} mm a pixel"),
        (
            "accuracy there",
            "" if findings.edge_doubt_mm is None else f"about {findings.edge_doubt_mm:.0f} mm",
        ),
        ("sharpness", "unknown" if width is None else f"edges {width * findings.mm_per_px_centre:.1f} mm wide"),
        ("exposure", f"white {findings.white:.0f}, black {findings.black:.0f} of 255"),
    ):
        table.add_row(name, value)
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    if findings.good:
        console.print("[green]Good enough to count pieces of 15 mm.[/green]")
    for problem in findings.problems:
        console.print(f"[red]Not good enough to count pieces of 15 mm: {problem}.[/red]")
    for line in findings.advice:
        console.print(f"To be more accurate: {line[0].lower()}{line[1:]}.")


def _plus_minus(doubt_mm: float | None) -> str:
    return "" if doubt_mm is None else f", give or take {doubt_mm:.0f} mm"
