"""`companion profile`: export and import a table's profile."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile, import_profile
from companion.cli.profile_options import plain_errors

_FILE = click.argument("file", type=click.Path(path_type=Path))
_NAMED = click.option(
    "--profile", "-p", help="Profile: a name, or the path of its folder. Default: the file's name."
)
_DECK = click.option("--deck", "deck_only", is_flag=True, help="Only the cards: no table, no pieces.")


@click.group()
def profile() -> None:
    """Export and import a table's profile. With --deck, only its cards."""


@profile.command("export")
@_NAMED
@_DECK
@_FILE
def export_(profile: str | None, deck_only: bool, file: Path) -> None:
    """Write a profile to FILE.

    It contains pictures of the table; --deck leaves them out.
    """
    with plain_errors():
        name = profile or file.stem
        export_profile(TableProfile.load(name), file, deck_only=deck_only)
    click.echo(f"{'The cards of ' if deck_only else ''}{name}: written to {file}, {_size_text(file)}.")


@profile.command("import")
@_NAMED
@_DECK
@click.option("--replace", is_flag=True, help="Overwrite a profile of that name.")
@_FILE
def import_(profile: str | None, deck_only: bool, replace: bool, file: Path) -> None:
    """Import a profile from FILE."""
    with plain_errors():
        name = profile or file.stem
        imported = import_profile(file, name, overwrite=replace, deck_only=deck_only)
    cards = 0 if imported.deck is None else len(imported.deck.cards)
    table = "a calibrated table" if imported.plane is not None else "no table yet"
    click.echo(f"{name}: {table}, {len(imported.pieces)} kinds of pieces, {cards} cards.")


def _size_text(file: Path) -> str:
    """Return the size of a file, such as "12 KB"."""
    return f"{max(1, round(file.stat().st_size / 1024)):,} KB"
