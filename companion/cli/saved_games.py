"""`companion game`: export and import saved games."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibration.files import crash_safe_files
from calibration.files.path_checks import is_file
from companion.cli.errors import Unusable
from companion.cli.profile_options import plain_errors
from companion.games.game import OVER
from companion.session import SUFFIX, Session, SessionError
from companion.session.archive import read_archive, write_archive

if TYPE_CHECKING:
    from companion.table.history.saved_games import SavedGames


@click.group()
def game() -> None:
    """List, export and import saved games."""


@game.command("list")
def list_() -> None:
    """List the saved games, the latest first."""
    games = _saved_games().saved_games()
    if not games:
        click.echo("No games are saved yet.", err=True)
    for saved in games:
        players = ", ".join(seat.name for seat in saved.seats)
        stage = "over" if saved.stage.phase == OVER else f"round {saved.stage.round}"
        click.echo(f"{saved.id:24} {saved.played[:16].replace('T', ' ')}  {saved.game:8} {stage:8}  {players}")


@game.command("export")
@click.argument("name")
@click.option("-o", "--output", "file", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--fixture", is_flag=True, help="Include the camera's frames, for `replay --fixture`.")
@click.option("--profile", "-p", metavar="PROFILE", help="With --fixture: include the table's profile.")
def export(name: str, file: Path, fixture: bool, profile: str | None) -> None:
    """Export a game to one file. NAME: as in `companion game list`, or a journal's path."""
    if profile is not None and not fixture:
        raise click.UsageError("--profile can be used only with --fixture.")
    buffer = io.BytesIO()
    try:
        profile_data = None if profile is None else _exported_profile(profile)
        path = Path(name) if is_file(name) else _saved_games().path(name.removesuffix(SUFFIX))
        with Session.open(path, read_only=True) as session:
            write_archive(session, buffer, frames=fixture, profile=profile_data)
    except SessionError as error:
        raise Unusable(str(error)) from None
    except OSError as error:
        raise Unusable(f"The game {name} cannot be read ({error.strerror or error}).") from None
    try:
        crash_safe_files.write_whole(file, buffer.getvalue())
    except OSError as error:
        raise Unusable(f"{file} cannot be written ({error.strerror or error}).") from None
    click.echo(f"Written to {file}, {max(1, round(len(buffer.getvalue()) / 1024)):,} KB.")


@game.command("import")
@click.argument("file", type=click.Path(path_type=Path))
def import_(file: Path) -> None:
    """Import an exported game."""
    try:
        archive = read_archive(file, file.name)
        name = _saved_games().import_game(archive)
    except SessionError as error:
        raise Unusable(str(error)) from None
    players = ", ".join(seat.name for seat in archive.seats)
    click.echo(f"{name}: {players}, {len(archive.entries)} entries.")


def _saved_games() -> SavedGames:
    from calibration.profile import home
    from companion.table.history.saved_games import SavedGames

    with plain_errors():
        return SavedGames(home() / "games")


def _exported_profile(name: str) -> bytes:
    """Return a profile as the bytes of the file that `profile export` writes."""
    import tempfile

    from calibration.profile import TableProfile
    from calibration.profile_sharing import export_profile

    with plain_errors(), tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / "profile.zip"
        export_profile(TableProfile.load(name), file)
        return file.read_bytes()
