"""`companion read board`: read the personal boards in pictures, printed as a short table or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table

from calibration.profile import TableProfile
from calibration.seats import FEWEST_SEATS, MOST_SEATS
from calibration.translatable import say
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import PROFILE, plain_errors
from companion.cli.rounding import rounded
from companion.games.wicked.components import COLOURS, ORACLES_DEALT, RANKS
from vision.games.wicked.readings import BoardExpectation, BoardReading, BoardsReading


@click.command()
@PROFILE
@click.option(
    "--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), help="Boards on a whole table; default: all."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture, in order.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def board(profile: str, seats: int | None, as_json: bool, images: tuple[Path, ...]) -> None:
    """Read the personal boards of a table.

    Use a picture of the whole table from its camera, or one taken above each board. Doubtful parts are listed
    with the reason; check them before you score.
    """
    from vision.games.wicked.board_reader import BoardReader, mark_repeated_boards

    with plain_errors():
        table = TableProfile.load(profile)
        reader = BoardReader(table)
        expectation = BoardExpectation(seats, ORACLES_DEALT, ORACLES_DEALT)
        known: dict[str, str] = {}
        for path in images:
            reading = mark_repeated_boards(reader.read(read_picture(path), expectation), known)
            known |= {one.board: path.name for one in reading.boards if one.board not in known}
            if as_json:
                click.echo(json.dumps({"image": path.name, **as_value(reading)}))
            else:
                _show(path, reading)


def as_value(reading: BoardsReading) -> dict[str, Any]:
    """Return a reading as plain values for JSON."""
    return {
        "boards": [_board_value(one) for one in reading.boards],
        "problems": [str(problem) for problem in reading.problems],
        "milliseconds": round(reading.milliseconds, 1),
    }


def _board_value(one: BoardReading) -> dict[str, Any]:
    whole = rounded(TypeAdapter(BoardReading).dump_python(one, mode="json"))
    rows: dict[str, dict[str, int]] = {
        str(rank): {str(colour): one.tokens(rank).count(colour) for colour in COLOURS} for rank in RANKS
    }
    small = whole["small"]
    return {
        "seat": one.seat,
        "board": one.board,
        **rows,
        "spells": {space.spell: space.pieces for space in one.spaces},
        "great": whole["great"],
        "small": small,
        "impurity": one.impurity.points,
        "confidence": whole["confidence"],
        "doubtful": one.doubtful,
        "reasons": whole["reasons"],
        "spots": whole["spots"],
        "spaces": whole["spaces"],
        "impurity_tiles": whole["impurity"],
        "box": whole["box"],
        "corners": whole["corners"],
    }


def _row_in_words(tokens: tuple[str, ...]) -> str:
    counts = [(tokens.count(colour), colour) for colour in COLOURS]
    return " ".join(f"{count} {colour}" for count, colour in counts if count) or "-"


def _show(path: Path, reading: BoardsReading) -> None:
    """Print a reading: a line for each part of each board, then problems and reasons of doubts."""
    title = f"{path.name}, {reading.milliseconds:.0f} ms"
    table = Table("seat", "board", "part", "read", box=None, pad_edge=False, title=title, title_justify="left")
    for one in reading.boards:
        achieved = sum(card.achieved for card in one.great)
        parts: list[tuple[str, str]] = [
            *((rank, _row_in_words(one.tokens(rank))) for rank in RANKS),
            ("spells", "+".join(str(space.pieces) for space in one.spaces)),
            ("great", f"{achieved} of {len(one.great)}"),
            ("small", str(one.small.achieved)),
            ("impurity", str(one.impurity.points)),
            ("sure", "doubtful" if one.doubtful else f"{100 * one.confidence:.0f} %"),
        ]
        table.add_row("-" if one.seat is None else str(one.seat), one.board, *parts[0])
        for part in parts[1:]:
            table.add_row("", "", *part)
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if reading.boards:
        console.print(table)
    for problem in reading.problems:
        console.print(f"{path.name}: {problem}")
    for one in reading.boards:
        for reason in one.reasons:
            console.print(say("{board}: {reason}", board=one.board, reason=reason))
