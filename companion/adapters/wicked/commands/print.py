"""`companion print`: the calibration sheet, the stand-in deck, or boards with tile and discs, as a PDF."""

from __future__ import annotations

from pathlib import Path

import click

from companion.adapters.wicked.printing import SHEETS, Sheet, sheet_pdf
from companion.cli.errors import Unusable


@click.command("print")
@click.argument("what", type=click.Choice(SHEETS))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF file to write.")
def print_(what: Sheet, output: Path) -> None:
    """Write sheets to print at 100 %: the calibration sheet, the stand-in deck, or the boards."""
    try:
        output.write_bytes(sheet_pdf(what))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"Cannot write {output} ({reason}): name another file with -o.") from error
    click.echo(f"Wrote {output}: print it at 100 % (actual size).")
