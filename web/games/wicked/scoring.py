"""Boards that are scored without a game: commands, their pictures, and how they stand on every host's screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.wording import say
from companion.adapters.wicked.scoring.scoresheet import ScoresheetRow, scoresheet
from companion.adapters.wicked.scoring.service import LARGEST_PICTURE, ScoringService
from companion.adapters.wicked.scoring.views import ScoringView
from companion.table.views import Refused
from web.channel.enrolment import On
from web.channel.publication import as_plain
from web.games.wicked import scoring_commands as commands
from web.people.roles import HOST
from web.people.security import open_to, takes
from web.running_table import RunningTable

EVENT = "scoring"
_BOARD = re.compile(r"b[0-9]{1,9}")


def scoring(on: On, table: RunningTable, show: Callable[[str, Any], None]) -> Callable[[], None]:
    """Put the commands about scored boards on the channel, and show what changes; what is returned ends that.

    show: sends an event with plain values to the screens of all hosts.
    """

    def after(act: Callable[[ScoringService], None]) -> ScoringView:
        """Carry something out, and tell how it stands then: a tap right after it is made for that."""
        desk = desk_of(table)
        act(desk)
        return desk.view

    @on("scoring_watch", commands.WatchScoring)
    def _watch(_: commands.WatchScoring) -> object:
        return desk_of(table).watch()

    @on("scoring_players", commands.PlayersScored)
    def _players(command: commands.PlayersScored) -> object:
        return after(lambda desk: desk.play(command.players))

    @on("scoring_by_hand", commands.BoardByHand)
    def _by_hand(command: commands.BoardByHand) -> object:
        return after(lambda desk: desk.begin_by_hand(command.colour))

    @on("scoring_sheet", commands.ScoreSheet)
    def _sheet(command: commands.ScoreSheet) -> object:
        return scoresheet([ScoresheetRow(**row.model_dump()) for row in command.rows])

    @on("scoring_put", commands.PutToken)
    def _put(command: commands.PutToken) -> object:
        return after(lambda desk: desk.put(command.board, command.rank, command.spot, command.token))

    @on("scoring_count", commands.CountOnBoard)
    def _count(command: commands.CountOnBoard) -> object:
        return after(lambda desk: desk.count(command.board, command.what, command.number))

    @on("scoring_great", commands.AchieveGreat)
    def _great(command: commands.AchieveGreat) -> object:
        return after(lambda desk: desk.achieve(command.board, command.card, command.achieved))

    @on("scoring_right", commands.SettleDoubt)
    def _right(command: commands.SettleDoubt) -> object:
        return after(lambda desk: desk.settle(command.board, command.about))

    @on("scoring_remove", commands.RemoveBoard)
    def _remove(command: commands.RemoveBoard) -> object:
        return after(lambda desk: desk.remove(command.board))

    @on("scoring_clear", commands.ClearBoards)
    def _clear(_: commands.ClearBoards) -> object:
        return after(lambda desk: desk.clear())

    @on("scoring_look", commands.LookAtBoards)
    def _look(command: commands.LookAtBoards) -> object:
        return after(lambda desk: desk.look(command.again))

    if table.scoring is None:
        return lambda: None
    return table.scoring.subscribe(lambda view: show(EVENT, as_plain(view)))


def board_pictures(table: RunningTable) -> Blueprint:
    """Make the blueprint by which pictures of boards come in, and what was cut out of them goes out."""
    blueprint = Blueprint("board_pictures", __name__, url_prefix="/api/scoring")

    @blueprint.post("/pictures")
    @open_to(HOST)
    @takes(LARGEST_PICTURE)
    def photograph() -> tuple[Response, int]:
        """Take a picture of boards; `again` in the address names the board that it shall replace."""
        again = request.args.get("again")
        if again is not None and not _BOARD.fullmatch(again):
            raise Refused("bad_request", say("The companion did not understand that message. Reload the page."))
        desk_of(table).photograph(request.get_data(cache=False), again)
        return jsonify(taken=True), 202

    @blueprint.get("/<picture>")
    @open_to(HOST)
    def cut_out(picture: str) -> Response:
        data = desk_of(table).picture(picture)
        if data is None:
            return make_response("That picture is gone.\n", 404)
        response = make_response(data)
        response.mimetype = "image/jpeg"
        response.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return response

    return blueprint


def desk_of(table: RunningTable) -> ScoringService:
    """Give where boards are scored. Raises `Refused` where that cannot be done."""
    if table.scoring is None:
        raise Refused("not_now", say("Boards cannot be scored here."))
    return table.scoring
