"""The scores to take home: as JSON for programs, as CSV for spreadsheets. Nothing here changes anything."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Blueprint, Response, make_response
from pydantic import TypeAdapter

from calibration.wording import say
from companion.games.wicked.components import ANIMALS, PlayerColour
from companion.games.wicked.scoring.chronicle import PlayerStatistics, RoundPoints
from companion.games.wicked.scoring.final_scores import Score
from companion.table.views import GameView, Refused
from web.people.security import open_to_all
from web.running_table import RunningTable

_COUNTED = ("low", "middle", "high", "great", "small", "impurity", "given_back", "total")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula, in East Asian width too."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's part of the scores."""

    name: str
    colour: PlayerColour
    animal: str
    score: Score
    deeds: PlayerStatistics | None


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The scores of a game as they stand: players by seat, points round by round. Nothing that the rules hide.

    over: whether these are the final scores.
    """

    game: str
    over: bool
    round: int
    players: tuple[Sheet, ...]
    rounds: tuple[RoundPoints, ...]


_SHEET = TypeAdapter(ScoreSheet)


def exports(table: RunningTable) -> Blueprint:
    """Make the blueprint of what can be taken home of the game that is on."""
    blueprint = Blueprint("exports", __name__)

    @blueprint.get("/api/scores.json")
    @open_to_all
    def as_json() -> Response:
        sheet = _sheet_of(table)
        return _download(_SHEET.dump_json(sheet, indent=1), "application/json", sheet, "json")

    @blueprint.get("/api/scores.csv")
    @open_to_all
    def as_csv() -> Response:
        sheet = _sheet_of(table)
        # The mark at the beginning tells spreadsheets that names are in UTF-8.
        return _download(scores_csv(sheet).encode("utf-8-sig"), "text/csv; charset=utf-8", sheet, "csv")

    return blueprint


def score_sheet(game: GameView) -> ScoreSheet:
    """Take from a game what may be taken home. Pure."""
    deeds = game.chronicle.deeds or (None,) * len(game.seats)
    return ScoreSheet(
        game.id,
        game.state.phase == "over",
        game.state.round,
        tuple(
            Sheet(seat.name, seat.colour, ANIMALS[seat.colour], score, done)
            for seat, score, done in zip(game.seats, game.scores, deeds, strict=True)
        ),
        game.chronicle.rounds,
    )


def scores_csv(sheet: ScoreSheet) -> str:
    """Write the scores as a table, one line a player, the best first; no cell can be taken for a formula. Pure."""
    written = io.StringIO()
    rows = csv.writer(written)
    rounds = [f"round {one.round}" for one in sheet.rounds]
    rows.writerow(["place", "player", "animal", "colour", *_COUNTED, "decided by", *rounds])
    for player in sorted(sheet.players, key=lambda player: (player.score.place, player.score.player)):
        score = player.score
        counted = [getattr(score, name) for name in _COUNTED]
        points = [one.points[score.player] for one in sheet.rounds]
        rows.writerow(
            [score.place, _harmless(player.name), player.animal, player.colour, *counted, score.decided_by, *points]
        )
    return written.getvalue()


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula: an apostrophe before it says that it is text."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def file_name(game: str, ending: str) -> str:
    """Name a file after the day on which the game began, or after today where its id does not tell it. Pure."""
    day = re.match(r"(\d{4})(\d{2})(\d{2})-", game)
    date = "-".join(day.groups()) if day else f"{datetime.now(UTC):%Y-%m-%d}"
    return f"wicked-labyrinth-{date}.{ending}"


def _sheet_of(table: RunningTable) -> ScoreSheet:
    game = table.view.game
    if game is None:
        raise Refused("not_now", say("No game is on, so there are no scores."))
    return score_sheet(game)


def _download(body: bytes, kind: str, sheet: ScoreSheet, ending: str) -> Response:
    response = make_response(body)
    response.headers["Content-Type"] = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(sheet.game, ending)}"'
    return response
