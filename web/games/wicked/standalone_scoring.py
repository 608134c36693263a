"""The events and routes that score personal boards without a game, also from pictures that are sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.translatable import say
from companion.adapters.wicked.scoring.scoresheet import ScoresheetRow, scoresheet
from companion.adapters.wicked.scoring.service import LARGEST_PICTURE, ScoringService
from companion.adapters.wicked.scoring.view_model import ScoringView
from companion.adapters.wicked.table_services import WickedServices
from companion.games.wicked.game import WICKED
from companion.table.views import Refused
from web.channel.role_filtered_messages import as_plain
from web.channel.router import CommandRouter
from web.games.wicked import standalone_scoring_commands as commands
from web.people.request_guards import limit_body, open_to
from web.people.roles import HOST
from web.table_interface import RunningTable

EVENT = "scoring"
"""The event that sends the scored boards to hosts."""
_BOARD_ID = re.compile(r"b[0-9]{1,9}")


def add_scoring_events(
    router: CommandRouter, table: RunningTable, send_to_hosts: Callable[[str, Any], None]
) -> Callable[[], None]:
    """Register the events that score boards without a game, and send every change to hosts' screens.

    Returns the function that stops sending changes. send_to_hosts: sends an event, by name, with a plain value.
    """

    def view_after(act: Callable[[ScoringService], None]) -> ScoringView:
        """Execute a command and return the scoring afterwards."""
        service = scoring_of(table)
        act(service)
        return service.view

    @router.on("scoring_watch", commands.WatchScoring)
    def _watch(_: commands.WatchScoring) -> object:
        return scoring_of(table).watch()

    @router.on("scoring_players", commands.PlayersScored)
    def _players(command: commands.PlayersScored) -> object:
        return view_after(lambda service: service.set_players(command.players))

    @router.on("scoring_by_hand", commands.BoardByHand)
    def _by_hand(command: commands.BoardByHand) -> object:
        return view_after(lambda service: service.begin_by_hand(command.colour))

    @router.on("scoring_sheet", commands.AddUpScoreSheet)
    def _sheet(command: commands.AddUpScoreSheet) -> object:
        return scoresheet([ScoresheetRow(**row.model_dump()) for row in command.rows])

    @router.on("scoring_put", commands.PutToken)
    def _put(command: commands.PutToken) -> object:
        spot = command.rank, command.spot
        return view_after(lambda service: service.set_token(command.board, *spot, command.token))

    @router.on("scoring_count", commands.CountOnBoard)
    def _count(command: commands.CountOnBoard) -> object:
        return view_after(lambda service: service.set_count(command.board, command.what, command.number))

    @router.on("scoring_great", commands.MarkGreatOracle)
    def _great(command: commands.MarkGreatOracle) -> object:
        return view_after(lambda service: service.set_achieved(command.board, command.card, command.achieved))

    @router.on("scoring_right", commands.ConfirmDoubt)
    def _confirm(command: commands.ConfirmDoubt) -> object:
        return view_after(lambda service: service.confirm(command.board, command.about))

    @router.on("scoring_remove", commands.RemoveBoard)
    def _remove(command: commands.RemoveBoard) -> object:
        return view_after(lambda service: service.remove(command.board))

    @router.on("scoring_clear", commands.ClearBoards)
    def _clear(_: commands.ClearBoards) -> object:
        return view_after(lambda service: service.clear())

    @router.on("scoring_look", commands.ReadScoredBoards)
    def _read(command: commands.ReadScoredBoards) -> object:
        return view_after(lambda service: service.read_camera(command.again))

    services = table.services(WICKED.id)
    if not isinstance(services, WickedServices):
        return lambda: None
    return services.scoring.subscribe(lambda view: send_to_hosts(EVENT, as_plain(view)))


def board_pictures(table: RunningTable) -> Blueprint:
    """Return the blueprint of the routes that receive pictures of boards and return their crops; hosts only."""
    blueprint = Blueprint("board_pictures", __name__, url_prefix="/api/scoring")

    @blueprint.post("/pictures")
    @open_to(HOST)
    @limit_body(LARGEST_PICTURE)
    def photograph() -> tuple[Response, int]:
        """Queue a picture of boards for reading; the query parameter `again` is the id of the board to replace."""
        again = request.args.get("again")
        if again is not None and not _BOARD_ID.fullmatch(again):
            raise Refused("bad_request", say("The companion did not understand that message. Reload the page."))
        scoring_of(table).add_picture(request.get_data(cache=False), again)
        return jsonify(taken=True), 202

    @blueprint.get("/<picture>")
    @open_to(HOST)
    def crop(picture: str) -> Response:
        data = scoring_of(table).picture(picture)
        if data is None:
            return make_response("That picture is gone.\n", 404)
        response = make_response(data)
        response.mimetype = "image/jpeg"
        response.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return response

    return blueprint


def scoring_of(table: RunningTable) -> ScoringService:
    """Return a table's scoring service. Raises `Refused` without one."""
    services = table.services(WICKED.id)
    if not isinstance(services, WickedServices):
        raise Refused("not_now", say("Boards cannot be scored at this table."))
    return services.scoring
