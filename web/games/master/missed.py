"""The route of what players missed in a finished game."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from calibration.wording import say
from companion.adapters.master.services import MasterServices
from companion.games.master.game import MASTER
from companion.table.views import Refused
from web.channel.publication import as_plain
from web.people.security import open_to_all
from web.table_interface import RunningTable


def missed(table: RunningTable) -> Blueprint:
    """Return the blueprint of the route."""
    blueprint = Blueprint("master_missed", __name__)

    @blueprint.get("/api/master/missed")
    @open_to_all
    def turns() -> Response:
        services = table.services(MASTER.id)
        if not isinstance(services, MasterServices):
            raise Refused("not_now", say("What you missed is shown when the game is over."))
        return jsonify(as_plain(services.missed()))

    return blueprint
