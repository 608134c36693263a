"""`companion enrol tokens`: enrol the tokens of another edition from one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import cv2

from calibration.pieces.samples import PieceSamples, contact_sheet
from calibration.profile import TableProfile, exists
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import PROFILE, plain_errors

_SEATS = 4
"""Number of seats of a new profile."""


@click.command()
@PROFILE
@click.option("--add", is_flag=True, help="Keep the earlier samples, too, e.g. of another light.")
@click.option("--show", type=click.Path(path_type=Path), help="Write the tokens that were found as a PNG picture.")
@click.argument("image", type=click.Path(path_type=Path))
def tokens(profile: str, add: bool, show: Path | None, image: Path) -> None:
    """Enrol Master Labyrinth's tokens.

    One picture shows all 21 in order. Lay them in four rows of five from left to right, and 25 alone below 16, with
    space between them, on an even ground: then the picture may be turned. No calibration sheet is needed. The
    tokens that the project prints need no enrolment.
    """
    from companion.adapters.master.token_enrolment import enrolled_tokens
    from vision.games.master.token_enrolment import UnclearOrderError

    note = ""
    with plain_errors():
        table = TableProfile.load(profile) if exists(profile) else TableProfile(_SEATS)
        picture = read_picture(image)
        try:
            table = enrolled_tokens(table, picture, add=add)
        except UnclearOrderError:
            table = enrolled_tokens(table, picture, add=add, upright=True)
            note = (
                " The picture was taken as upright: if it is turned, lay four rows of five and 25 alone below 16, "
                "and enrol them again."
            )
        found = [samples for kind, samples in table.pieces.items() if kind.startswith("token:")]
        if show is not None:
            _write_newest(show, found)
        table.save(profile)
    most = max(len(samples.specimens) for samples in found)
    click.echo(f"{len(found)} tokens enrolled" + (f", {most} samples of each." if most > 1 else ".") + note)


def _write_newest(path: Path, tokens: Sequence[PieceSamples]) -> None:
    """Write a PNG picture of the newest sample of each token. Raises Unusable if it cannot be written."""
    newest = PieceSamples(tuple(samples.specimens[-1] for samples in tokens))
    try:
        path.write_bytes(cv2.imencode(".png", contact_sheet(newest))[1].tobytes())
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror or error}.") from error
