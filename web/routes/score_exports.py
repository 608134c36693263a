"""Downloads of the running game's scores, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, make_response
from pydantic import TypeAdapter

from calibration.translatable import say
from companion.games.game import OVER, Score
from companion.table.running_game import RunningGame
from companion.table.views import Refused, RoundPoints
from web.people.request_guards import open_to_all
from web.table_interface import RunningTable

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters with which a text begins that a spreadsheet takes for a formula."""


@dataclass(frozen=True, slots=True)
class PlayerScores:
    """The scores of one player."""

    name: str
    """The player's name."""
    figure: str
    """Name of the player's figure."""
    colour: str
    """Colour of the player's figure."""
    score: Score
    """Points."""
    deeds: Any
    """The game's own statistics; None without any."""


@dataclass(frozen=True, slots=True)
class GameScores:
    """The present scores of a game, without anything that the rules hide from players."""

    game: str
    """Id of the saved game."""
    title: str
    """Name of the game that is played."""
    over: bool
    """Whether these are the final scores."""
    round: int
    """Number of the round, from 1."""
    players: tuple[PlayerScores, ...]
    """By seat."""
    rounds: tuple[RoundPoints, ...]
    """Points of each round."""


_JSON = TypeAdapter(GameScores)


def exports(table: RunningTable) -> Blueprint:
    """Return the blueprint of the downloads of the running game's scores as JSON and as CSV."""
    blueprint = Blueprint("exports", __name__)

    @blueprint.get("/api/scores.json")
    @open_to_all
    def as_json() -> Response:
        scores = _running_scores(table)
        return _download_response(_JSON.dump_json(scores, indent=1), "application/json", scores, "json")

    @blueprint.get("/api/scores.csv")
    @open_to_all
    def as_csv() -> Response:
        scores = _running_scores(table)
        # Spreadsheets recognise UTF-8 by the byte order mark.
        return _download_response(scores_csv(scores).encode("utf-8-sig"), "text/csv; charset=utf-8", scores, "csv")

    return blueprint


def game_scores(played: RunningGame) -> GameScores:
    """Return the present scores of a game."""
    game = played.view_for(None)
    figures = {figure.id: figure for figure in played.record.figures}
    deeds = game.chronicle.deeds or (None,) * len(game.seats)
    return GameScores(
        game.id,
        game.title,
        game.stage.phase == OVER,
        game.stage.round,
        tuple(
            PlayerScores(seat.name, figures[seat.figure].name, figures[seat.figure].colour, score, deed)
            for seat, score, deed in zip(game.seats, game.scores, deeds, strict=True)
        ),
        game.chronicle.rounds,
    )


def scores_csv(scores: GameScores) -> str:
    """Return the scores as CSV text: a header, then one row per player, the winner first."""
    text = io.StringIO()
    writer = csv.writer(text)
    rounds = [f"round {one.round}" for one in scores.rounds]
    terms = [line.id for line in scores.players[0].score.lines]
    writer.writerow(["place", "player", "figure", "colour", *terms, "total", "decided by", *rounds])
    for player in sorted(scores.players, key=lambda player: (player.score.place, player.score.player)):
        score = player.score
        counts = [line.count for line in score.lines]
        points = [one.points[score.player] for one in scores.rounds]
        name = _escape_formula(player.name)
        row = [score.place, name, player.figure, player.colour, *counts, score.total, score.decided_by, *points]
        writer.writerow(row)
    return text.getvalue()


def _escape_formula(text: str) -> str:
    """Return a text, with an apostrophe before it if a spreadsheet would run it as a formula."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def file_name(title: str, game: str, ending: str) -> str:
    """Return the file name of a download, such as `title-of-the-game-2026-05-01.csv`.

    title: of the game. game: id of the saved game, which begins with the date; if not, today's date is used.
    ending: such as "csv".
    """
    day = re.match(r"(\d{4})(\d{2})(\d{2})-", game)
    date = "-".join(day.groups()) if day else f"{datetime.now(UTC):%Y-%m-%d}"
    words = re.findall(r"\w+", title.lower().removeprefix("the "))
    return f"{'-'.join(words)}-{date}.{ending}"


def _running_scores(table: RunningTable) -> GameScores:
    """Return the scores of the running game. Raises `Refused` without one."""
    game = table.view.game
    if game is None:
        raise Refused("not_now", say("No game is running, so there are no scores."))
    return game_scores(game)


def _download_response(body: bytes, media_type: str, scores: GameScores, ending: str) -> Response:
    """Return a response that a browser saves as a file. ending: of the file name."""
    response = make_response(body)
    response.headers["Content-Type"] = media_type
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{file_name(scores.title, scores.game, ending)}"'
    )
    return response
