"""`companion count`: count the pieces on the table by kind, for the box check."""

from __future__ import annotations

import json
from pathlib import Path

import click
from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table

from calibration.errors import CalibrationError
from calibration.profile import TableProfile
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.rounding import rounded
from vision.readings import CountReading


@click.command()
@click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture, in order.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def count(profile: str, as_json: bool, images: tuple[Path, ...]) -> None:
    """Count the pieces on the table by kind.

    Lay them apart from each other and from cards and boards, and take your hands away. Doubtful pieces are listed
    with the reason.
    """
    from vision.counting.table_counter import PieceCounter

    try:
        counter = PieceCounter(TableProfile.load(profile))
        for path in images:
            reading = counter.count(read_picture(path))
            if as_json:
                found = TypeAdapter(CountReading).dump_python(reading, mode="json")
                click.echo(json.dumps({"image": path.name, **rounded(found)}))
            else:
                _print_counts(path, reading)
    except CalibrationError as error:
        raise Unusable(str(error)) from error


def _print_counts(path: Path, reading: CountReading) -> None:
    """Print the numbers of pieces in a picture by kind, then a line with place and reason for each doubtful one."""
    title = f"{path.name}, {reading.milliseconds:.0f} ms"
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for heading in ("kind", "pieces"):
        table.add_column(heading)
    for kind, number in reading.counts.items():
        table.add_row(kind, str(number))
    if reading.unknown:
        table.add_row("not enrolled", str(len(reading.unknown)))
    if not reading.counts and not reading.unknown:
        table.add_row("-", "no pieces")
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(table)
    for thing in reading.doubtful:
        x, y, width, height = thing.box
        console.print(f"Check x {x + width / 2:.0f}, y {y + height / 2:.0f}: {thing.reason}.".replace("?.", "?"))
