"""`companion calibrate`: show the camera its table."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from calibration.calibrate import calibrate as find_plane
from calibration.findings import Findings
from calibration.pictures import read_picture
from calibration.profile import FEWEST_SEATS, MOST_SEATS, TableProfile, exists
from companion.cli.profiles import PROFILE, plain_errors


@click.command()
@PROFILE
@click.option("--image", type=click.Path(path_type=Path), help="One picture of the calibration sheet.")
@click.option("--flat", type=click.FloatRange(0.1, 50), help="No sheet: camera straight above at this many px/mm.")
@click.option("--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), default=4, show_default=True)
@click.option("--fov", type=click.FloatRange(20, 150), help="The camera's horizontal field of view, degrees.")
@click.option("--anew", is_flag=True, help="Forget pieces and cards taught before, or a damaged profile.")
def calibrate(
    profile: str, image: Path | None, flat: float | None, seats: int, fov: float | None, anew: bool
) -> None:
    """Find the table from one picture of the calibration sheet.

    Lay the printed sheet in the middle of the table, its bottom edge towards seat 0. Pieces and cards that were
    taught before are kept.
    """
    if (image is None) == (flat is None):
        raise click.UsageError("Give either --image with a picture of the sheet, or --flat with px/mm.")
    with plain_errors():
        before = TableProfile.load(profile) if exists(profile) and not anew else TableProfile(seats)
        if image is None:
            after = before.with_flat(flat or 1.0, seats)
        else:
            after = before.calibrated(find_plane(read_picture(image), seats, fov))
        folder = after.save(profile)
    if after.findings is not None:
        _show(after.findings)
    click.echo(f"Calibrated for {seats} seats: {folder}")


def _show(findings: Findings) -> None:
    assumed = "" if findings.fov_measured else " (typical: the camera looks too straight down to measure it)"
    width = findings.edge_width_px
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in (
        ("camera height", f"{findings.height_mm:.0f} mm"),
        ("tilt", f"{findings.tilt_deg:.1f}°"),
        ("field of view", f"{findings.fov_deg:.0f}°{assumed}"),
        ("corners found", f"{findings.corners} of 24"),
        ("reprojection error", f"{findings.reprojection_error_px:.2f} px"),
        ("at the middle", f"{findings.mm_per_px_centre:.2f} mm a pixel"),
        ("at the table's edge", f"{findings.mm_per_px_edge:.2f} mm a pixel"),
        ("sharpness", "unknown" if width is None else f"edges {width:.1f} px wide"),
        ("exposure", f"white {findings.white:.0f}, black {findings.black:.0f} of 255"),
    ):
        table.add_row(name, value)
    Console(highlight=False, soft_wrap=True).print(table)
    if findings.good:
        click.echo("Good enough to count pieces of 15 mm.")
    for problem in findings.problems:
        click.echo(f"Not good enough to count pieces of 15 mm: {problem}.")
