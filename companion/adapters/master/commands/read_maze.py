"""`companion read maze`: read the maze in pictures, printed as a short text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from calibration.pieces.samples import PieceSamples
from calibration.profile import EnrolledGame, TableProfile, exists
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import plain_errors
from companion.cli.rounding import rounded
from vision.games.master.readings import SIZE, MazeReading, TileReading


@click.command()
@click.option("--profile", "-p", help="Profile with enrolled tokens and wizards; default: the printable stand-in.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture, in order.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def maze(profile: str | None, as_json: bool, images: tuple[Path, ...]) -> None:
    """Read the maze with its tokens and wizards.

    The tiles and the spare tile are read, too. No calibration sheet is needed, since the board itself is
    recognised, and any camera will do. Confirm what is doubtful.
    """
    from vision.games.master.reader import MazeReader

    with plain_errors():
        reader = MazeReader(_pieces(profile))
        for path in images:
            reading = reader.read(read_picture(path))
            if as_json:
                click.echo(json.dumps({"image": path.name, **as_value(reading)}))
            else:
                _show(path, reading)


def _pieces(profile: str | None) -> Mapping[str, PieceSamples]:
    """Return the samples of this game's pieces in a profile, by kind; empty without a profile.

    profile: its name. Raises Unusable if there is no such profile.
    """
    if profile is None:
        return {}
    if not exists(profile):
        raise Unusable(
            f"There is no profile {profile}: leave out --profile if the tokens are those that the project prints; "
            f"enrol others with `companion enrol tokens --profile {profile} IMAGE`."
        )
    return TableProfile.load(profile).enrolled_games.get("master", EnrolledGame()).pieces


def as_value(reading: MazeReading) -> dict[str, Any]:
    """Return a reading as plain values for JSON."""
    tiles = [_tile_value(tile) for tile in reading.tiles]
    spare = reading.spare
    value = {
        "state": reading.state,
        "oriented": reading.oriented,
        "tiles": [tiles[start : start + SIZE] for start in range(0, len(tiles), SIZE)],
        "spare": None if spare is None else {**_tile_value(spare), "box": list(spare.box)},
        "tokens": [
            {
                "number": token.number,
                "unknown": token.unknown,
                **_row_and_column(token.place),
                "confidence": token.confidence,
                "doubtful": token.doubtful,
            }
            for token in reading.tokens
        ],
        "wizards": [
            {
                "colour": wizard.colour,
                **_row_and_column(wizard.place),
                "confidence": wizard.confidence,
                "doubtful": wizard.doubtful,
            }
            for wizard in reading.wizards
        ],
        "possible_wizards": [
            {"colour": wizard.colour, **_row_and_column(wizard.place), "confidence": wizard.confidence}
            for wizard in reading.possible_wizards
        ],
        "under_wizards": [
            _row_and_column(place)
            for place in sorted(reading.under_wizards, key=lambda place: -1 if place is None else place)
        ],
        "unseen_tokens": sorted(reading.unseen_tokens),
        "corners": [list(corner) for corner in reading.corners],
        "confidence": reading.confidence,
        "reason": str(reading.reason),
    }
    return {**rounded(value), "milliseconds": round(reading.milliseconds, 1)}


def _tile_value(tile: TileReading) -> dict[str, Any]:
    return {"openings": tile.openings, "confidence": tile.confidence, "doubtful": tile.doubtful}


def _row_and_column(place: int | None) -> dict[str, int | None]:
    """Return a place as `row` and `column`, both None for the spare tile."""
    row, column = (None, None) if place is None else divmod(place, SIZE)
    return {"row": row, "column": column}


def _show(path: Path, reading: MazeReading) -> None:
    """Print a reading: seven lines of openings, then the spare, tokens and wizards; `?` marks what is doubtful."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(f"{path.name}, {reading.milliseconds:.0f} ms: {reading.state.replace('_', ' ')}")
    if reading.reason:
        console.print(str(reading.reason))
    words = [_in_words(tile) for tile in reading.tiles]
    for start in range(0, len(words), SIZE):
        console.print(" ".join(f"{word:4}" for word in words[start : start + SIZE]).rstrip())
    if reading.tiles:
        spare = "not seen" if reading.spare is None else _in_words(reading.spare)
        console.print(f"spare: {spare}")
    for token in reading.tokens:
        number = "" if token.unknown else token.number
        console.print(f"token {number}{'?' * token.doubtful}: {_place_in_words(token.place)}")
    for number in sorted(reading.unseen_tokens):
        console.print(f"token {number}: not seen, though higher numbers lie there")
    for wizard in reading.wizards:
        hides = ", may hide a token" if wizard.place in reading.under_wizards else ""
        console.print(f"{wizard.colour} wizard{'?' * wizard.doubtful}: {_place_in_words(wizard.place)}{hides}")
    for wizard in reading.possible_wizards:
        console.print(f"{wizard.colour} wizard: probably not on the board, perhaps {_place_in_words(wizard.place)}")


def _in_words(tile: TileReading) -> str:
    return tile.openings + "?" * tile.doubtful


def _place_in_words(place: int | None) -> str:
    return "on the spare" if place is None else "row {}, column {}".format(*divmod(place, SIZE))
