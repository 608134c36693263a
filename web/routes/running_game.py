"""Read-only routes of the running game: its state, the legal moves, and pictures."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, is_dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request
from pydantic import TypeAdapter

from calibration.translatable import say
from companion.adapters import adapter
from companion.table.offered_games import offered_games
from companion.table.views import Refused
from web.channel.publication import as_json, as_plain, hides_proposal, publication
from web.people.roles import HOST, PLAYER, check_seat
from web.people.security import open_to, open_to_all, principal
from web.table_interface import RunningTable

_MOVE: TypeAdapter[Any] = TypeAdapter(Any)


def running_game(table: RunningTable) -> Blueprint:
    """Return the blueprint of the read-only routes."""
    blueprint = Blueprint("api", __name__)

    @blueprint.get("/api/state")
    @open_to_all
    def state() -> Response:
        published = publication(table.view, principal(), games=offered_games(table.served))
        return jsonify(as_json(published))

    @blueprint.get("/api/options/<int:player>")
    @open_to(HOST, PLAYER)
    def options(player: int) -> Response:
        check_seat(principal(), player)
        game = table.view.game
        if game is None or player >= len(game.seats):
            raise Refused("not_now", say("Nobody sits there. Reload the page."))
        offered = [
            {"move": _MOVE.dump_python(option.move, mode="json"), "text": option.text}
            for option in table.options(player, principal().seat)
        ]
        own = game.record.secrets != "seats" or principal().seat == player
        aids = as_plain(adapter(game.record.id).aids(game.state, player)) if own else None
        return jsonify(game=game.id, number=game.number, options=offered, aids=aids)

    @blueprint.get("/api/games")
    @open_to(HOST)
    def games() -> Response:
        return jsonify(games=[_as_dictionary(game) for game in table.games()])

    @blueprint.get("/preview.jpg")
    @open_to(HOST)
    def preview() -> Response:
        hidden = hides_proposal(table.view, principal())  # what was read is drawn over the picture
        return _picture_response(None if hidden else table.preview())

    @blueprint.get("/api/evidence/<int:entry>.jpg")
    @open_to_all
    def evidence(entry: int) -> Response:
        return _picture_response(table.evidence(entry, principal().seat))

    @blueprint.get("/api/proposal.jpg")
    @open_to(HOST)
    def whole_picture() -> Response:
        return _picture_response(_read_picture(table, None))

    @blueprint.get("/api/proposal/<int:seat>.jpg")
    @open_to_all
    def picture_of_seat(seat: int) -> Response:
        return _picture_response(_read_picture(table, seat))

    return blueprint


def _read_picture(table: RunningTable, seat: int | None) -> bytes | None:
    """Return the picture of a seat, or the whole one, that the named proposal or comparison was read from.

    What is not published to this screen has no picture for it.
    """
    id, published = request.args.get("of", ""), publication(table.view, principal())
    shown = {each.id for each in (published.proposal, published.comparison) if each is not None}
    return table.proposals.picture(id, seat) if id in shown else None


def _as_dictionary(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _picture_response(jpeg: bytes | None) -> Response:
    """Return a JPEG response, status 304 if the browser has the picture already, or 204 if there is none."""
    if jpeg is None:
        return make_response("", 204)
    response = make_response(jpeg)
    response.mimetype = "image/jpeg"
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(hashlib.blake2b(jpeg, digest_size=12).hexdigest())
    response.make_conditional(request)
    return response
