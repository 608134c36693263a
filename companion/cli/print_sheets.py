"""`companion print`: the calibration sheet, or sheets with cards, boards and pieces of a game, as a PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from calibration.printable_sheets import calibration_pdf
from companion.adapters import game_module
from companion.cli.errors import Unusable
from companion.games import available


def _sheets() -> dict[str, Callable[[], bytes]]:
    """Return a function for each printable sheet that makes its PDF, by the name of the sheet.

    Where an earlier game has a sheet of the same name, the name begins with the game's id.
    """
    found: dict[str, Callable[[], bytes]] = {"calibration": calibration_pdf}
    for game in available():
        module = game_module(game, "printable_sheets")
        sheets = {} if module is None else module.SHEETS
        for name, make in sheets.items():
            found[name if name not in found else f"{game}-{name}"] = make
    return found


_SHEETS = _sheets()


@click.command("print")
@click.argument("what", type=click.Choice(tuple(_SHEETS)))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF file to write.")
def print_(what: str, output: Path) -> None:
    """Write sheets to print at 100 % as a PDF.

    WHAT is the calibration sheet, or something in the box of a game.
    """
    try:
        output.write_bytes(_SHEETS[what]())
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"Cannot write {output} ({reason}): name another file with -o.") from error
    click.echo(f"Wrote {output}: print it at 100 % (actual size).")
