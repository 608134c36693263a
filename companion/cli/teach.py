"""`companion calibrate` and `companion enrol`: show the table its camera, its pieces and its cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from calibration import pieces as taught_pieces
from calibration.calibrate import Findings
from calibration.calibrate import calibrate as find_plane
from calibration.errors import TeachError
from calibration.kinds import PIECE_KINDS
from calibration.pictures import read_picture
from calibration.profile import FEWEST_SEATS, MOST_SEATS, TableProfile, exists
from companion.cli.errors import Unusable

_PROFILE = click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except TeachError as error:
        raise Unusable(str(error)) from error


@click.command()
@_PROFILE
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
    with _plain_errors():
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
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in (
        ("camera height", f"{findings.height_mm:.0f} mm"),
        ("tilt", f"{findings.tilt_deg:.1f}°"),
        ("field of view", f"{findings.fov_deg:.0f}°{assumed}"),
        ("corners found", f"{findings.corners} of 24"),
        ("reprojection error", f"{findings.reprojection_error_px:.2f} px"),
        ("at the middle", f"{findings.mm_per_px_centre:.2f} mm a pixel"),
        ("at the table's edge", f"{findings.mm_per_px_edge:.2f} mm a pixel"),
        ("sharpness", f"edges {findings.edge_width_px:.1f} px wide"),
        ("exposure", f"white {findings.white:.0f}, black {findings.black:.0f} of 255"),
    ):
        table.add_row(name, value)
    Console(highlight=False, soft_wrap=True).print(table)
    if findings.good:
        click.echo("Good enough to count pieces of 15 mm.")
    for problem in findings.problems:
        click.echo(f"Not good enough to count pieces of 15 mm: {problem}.")


@click.group()
def enrol() -> None:
    """Show the table what its pieces and cards look like."""


@enrol.command()
@_PROFILE
@click.option("--kind", type=click.Choice(PIECE_KINDS), required=True, metavar="KIND", help="E.g. search:purple.")
@click.option("--replace", is_flag=True, help="Forget what was known of this kind.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def pieces(profile: str, kind: str, replace: bool, images: tuple[Path, ...]) -> None:
    """Learn one kind of piece from pictures with some of them where the sheet lay."""
    with _plain_errors():
        before = TableProfile.load(profile)
        pictures = [read_picture(image) for image in images]
        after = taught_pieces.enrol(before, kind, pictures, replace=replace)
        after.save(profile)
    samples = after.pieces[kind]
    longer, shorter = samples.size_mm
    click.echo(f"{kind}: {len(samples.specimens)} specimens known, about {longer:.0f}×{shorter:.0f} mm.")
