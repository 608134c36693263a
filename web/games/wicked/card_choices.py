"""The route that returns the cards that can be dealt or laid now."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify

from calibration.translatable import say
from companion.games.wicked.state import WickedState
from companion.table.running_game import RunningGame
from companion.table.views import Refused
from web.people.request_guards import open_to
from web.people.roles import HOST
from web.table_interface import RunningTable


def card_choices(table: RunningTable) -> Blueprint:
    """Return the blueprint of the route that returns the cards that can be dealt or laid now."""
    blueprint = Blueprint("cards", __name__, url_prefix="/api")

    def playing() -> RunningGame[WickedState, Any]:
        game = table.view.game
        if game is None or not isinstance(game.state, WickedState):
            raise Refused("not_now", say("No game is running."))
        return game

    @blueprint.get("/choices")
    @open_to(HOST)
    def choices() -> Response:
        game = playing()
        bounds = game.record.bounds(game.state)
        if bounds is None:
            raise Refused("not_now", say("No cards are being dealt or laid now."))
        return jsonify(game=game.id, number=game.number, **asdict(bounds))  # type: ignore[call-overload]

    return blueprint
