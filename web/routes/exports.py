"""Downloads of the running game's scores, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Blueprint, Response, make_response
from pydantic import TypeAdapter

from calibration.wording import say
from companion.games.wicked.components import ANIMALS
from companion.games.wicked.scoring.chronicle import PlayerStatistics, RoundPoints
from companion.games.wicked.scoring.final_scores import Score
from companion.table.views import GameView, Refused
from web.people.security import open_to_all
from web.running_table import RunningTable

_COLUMNS = ("low", "middle", "high", "great", "small", "impurity", "given_back", "total")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""First characters by which a spreadsheet recognises a formula, full-width forms included."""


@dataclass(frozen=True, slots=True)
class PlayerScores:
    """One player's scores."""

    name: str
    colour: str
    animal: str
    score: Score
    deeds: PlayerStatistics | None


@dataclass(frozen=True, slots=True)
class GameScores:
    """The present scores of a game, without anything that the rules hide from players."""

    game: str
    """Id of the game."""
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
    """Return the blueprint of the downloads."""
    blueprint = Blueprint("exports", __name__)

    @blueprint.get("/api/scores.json")
    @open_to_all
    def as_json() -> Response:
        scores = _scores_of(table)
        return _download(_JSON.dump_json(scores, indent=1), "application/json", scores, "json")

    @blueprint.get("/api/scores.csv")
    @open_to_all
    def as_csv() -> Response:
        scores = _scores_of(table)
        # Spreadsheets recognise UTF-8 by the byte order mark.
        return _download(scores_csv(scores).encode("utf-8-sig"), "text/csv; charset=utf-8", scores, "csv")

    return blueprint


def game_scores(game: GameView) -> GameScores:
    """Return the scores of a game."""
    deeds = game.chronicle.deeds or (None,) * len(game.seats)
    return GameScores(
        game.id,
        game.state.phase == "over",
        game.state.round,
        tuple(
            PlayerScores(seat.name, seat.colour, ANIMALS[seat.colour], score, deed)
            for seat, score, deed in zip(game.seats, game.scores, deeds, strict=True)
        ),
        game.chronicle.rounds,
    )


def scores_csv(scores: GameScores) -> str:
    """Return the scores as CSV, one line per player, the winner first."""
    text = io.StringIO()
    writer = csv.writer(text)
    rounds = [f"round {one.round}" for one in scores.rounds]
    writer.writerow(["place", "player", "animal", "colour", *_COLUMNS, "decided by", *rounds])
    for player in sorted(scores.players, key=lambda player: (player.score.place, player.score.player)):
        score = player.score
        counts = [getattr(score, name) for name in _COLUMNS]
        points = [one.points[score.player] for one in scores.rounds]
        name = _escape_formula(player.name)
        writer.writerow([score.place, name, player.animal, player.colour, *counts, score.decided_by, *points])
    return text.getvalue()


def _escape_formula(text: str) -> str:
    """Return a text, with an apostrophe in front if a spreadsheet would run it as a formula."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def file_name(game: str, ending: str) -> str:
    """Return the name of a download, with the date in the game's id, or today's if the id has none."""
    day = re.match(r"(\d{4})(\d{2})(\d{2})-", game)
    date = "-".join(day.groups()) if day else f"{datetime.now(UTC):%Y-%m-%d}"
    return f"wicked-labyrinth-{date}.{ending}"


def _scores_of(table: RunningTable) -> GameScores:
    game = table.view.game
    if game is None:
        raise Refused("not_now", say("No game is running, so there are no scores."))
    return game_scores(game)


def _download(body: bytes, media_type: str, scores: GameScores, ending: str) -> Response:
    response = make_response(body)
    response.headers["Content-Type"] = media_type
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(scores.game, ending)}"'
    return response
