"""`companion score`: final scores and the winner from pictures of the personal boards alone."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.table import Table

from calibration.errors import ProfileError
from calibration.profile import TableProfile
from calibration.translatable import counted, say
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import PROFILE, plain_errors
from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT, Deck
from companion.games.wicked.scoring.final_scores import GREAT_POINTS, POINTS, SMALL_POINTS, FinalScore
from vision.games.wicked.readings import BoardExpectation

if TYPE_CHECKING:
    from companion.adapters.wicked.boards.table_score import BoardScore, TableScore


@click.command()
@PROFILE
@click.option(
    "--seats", type=click.IntRange(min(CORRIDORS), max(CORRIDORS)), help="How many play; default: the profile's."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def score(profile: str, seats: int | None, as_json: bool, images: tuple[Path, ...]) -> None:
    """Score a finished game from pictures.

    Use one picture of the whole table, or one taken above each board. If the winner depends on anything doubtful,
    no winner is named, and the boards to check are listed with the reasons.
    """
    from companion.adapters.wicked.boards.table_score import score_table
    from vision.games.wicked.board_reader import BoardReader

    with plain_errors():
        table = TableProfile.load(profile)
        table = replace(table, seats=seats or table.seats)
        deck = _great_oracles(table)
        reader = BoardReader(table)
        expectation = BoardExpectation(None, ORACLES_DEALT, ORACLES_DEALT)
        readings = [(path.name, reader.read(read_picture(path), expectation)) for path in images]
        scored = score_table(readings, table.seats, deck)
    if as_json:
        click.echo(json.dumps(as_value(scored)))
    else:
        _show(scored)


def as_value(scored: TableScore) -> dict[str, Any]:
    """Return a table's score as plain values for JSON; `winners` is empty while they depend on a doubt."""
    return {
        "sure": scored.sure,
        "winners": list(scored.winners),
        "ahead": list(scored.ahead),
        "verdict": str(scored.verdict),
        "doubts": [str(doubt) for doubt in scored.doubts],
        "boards": [_board_value(board) for board in scored.boards],
    }


def _board_value(board: BoardScore) -> dict[str, Any]:
    return {
        "board": board.reading.board,
        "seat": board.reading.seat,
        "image": board.picture,
        **asdict(board.score),
        "impurity_left": board.score.impurity_left,
        "totals": None if board.totals is None else list(board.totals),
        "doubtful": bool(board.doubts),
        "reasons": [str(doubt) for doubt in board.doubts],
    }


def _great_oracles(profile: TableProfile) -> Deck:
    """Return a deck with only the profile's great oracles; scoring needs no other cards."""
    if profile.deck is None:
        return Deck("no cards", (), (), ())
    cards = [card for card in profile.deck.cards.values() if card.kind == "great"]
    great = [{"id": card.id, "colours": card.shows("colours")} for card in cards]
    try:
        return TypeAdapter(Deck).validate_python(
            {"name": profile.deck.name, "corridors": (), "great": great, "small": ()}
        )
    except ValidationError as error:
        card = cards[int(error.errors()[0]["loc"][1])]
        raise ProfileError(
            say("The great oracle card {card} does not show two colours: enrol it again.", card=card.id)
        ) from None


def _possible(board: BoardScore) -> str:
    """Return the range of a board's possible scores as text; "?" if it is unknown."""
    if board.totals is None:
        return "?"
    least, most = board.totals
    return str(least) if least == most else f"{least} to {most}"


def _behind(scores: Sequence[FinalScore]) -> list[str]:
    """Return for each score, best first, how far it is behind the one before, in words.

    That is the difference in points, or the tie-break that decided; "-" for the first.
    """
    lines: list[str] = ["-"]
    for ahead, one in itertools.pairwise(scores):
        points = counted(ahead.total - one.total, "{n} point", "{n} points")
        lines.append(points if one.decided_by == "points" else one.decided_by or "-")
    return lines[: len(scores)]


def _show(scored: TableScore) -> None:
    ranking = sorted(scored.boards, key=lambda board: (board.score.place, board.score.player))
    scores = [board.score for board in ranking]
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for board in ranking:
        table.add_column(f"{board.score.place}. {board.reading.board}", justify="right")
    for heading, counts, each in (
        ("low", [one.low for one in scores], POINTS["low"]),
        ("middle", [one.middle for one in scores], POINTS["middle"]),
        ("high", [one.high for one in scores], POINTS["high"]),
        ("great", [one.great for one in scores], GREAT_POINTS),
        ("small", [one.small for one in scores], SMALL_POINTS),
    ):
        table.add_row(heading, *(f"{count} × {each} = {count * each}" if count else "0" for count in counts))
    table.add_row("impurity", *(f"-{one.impurity}" if one.impurity else "0" for one in scores))
    table.add_row("given back", *(f"+{one.given_back}" if one.given_back else "0" for one in scores))
    table.add_row("points", *(str(one.total) for one in scores))
    table.add_row("behind by", *_behind(scores))
    if any(board.doubts for board in ranking):
        table.add_row("possible", *(_possible(board) for board in ranking))
        table.add_row("", *("doubtful" if board.doubts else "" for board in ranking))
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(table)
    for board in scored.boards:
        for doubt in board.doubts:
            console.print(say("{board}: {reason}", board=board.reading.board, reason=doubt))
    for doubt in scored.doubts:
        console.print(doubt)
    console.print(scored.verdict)
