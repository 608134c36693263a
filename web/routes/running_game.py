"""Read-only routes of the running game: its state, the legal moves, and its pictures."""

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
from web.channel.role_filtered_messages import as_json, as_plain, hides_proposal, publication
from web.people.request_guards import open_to, open_to_all, principal
from web.people.roles import HOST, PLAYER, check_seat
from web.table_interface import RunningTable

_MOVE: TypeAdapter[Any] = TypeAdapter(Any)


def running_game(table: RunningTable) -> Blueprint:
    """Return the blueprint of the running game's read-only routes: state, legal moves and pictures."""
    blueprint = Blueprint("api", __name__)

    @blueprint.get("/api/state")
    @open_to_all
    def state() -> Response:
        """Return what is published to the sender's screen."""
        published = publication(table.view, principal(), games=offered_games(table.served))
        return jsonify(as_json(published))

    @blueprint.get("/api/options/<int:player>")
    @open_to(HOST, PLAYER)
    def options(player: int) -> Response:
        """Return the moves offered to a player, with their texts."""
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
        """Return the saved games."""
        return jsonify(games=[_as_dictionary(game) for game in table.games()])

    @blueprint.get("/preview.jpg")
    @open_to(HOST)
    def preview() -> Response:
        """Return the camera's latest picture with the detections drawn over it."""
        hidden = hides_proposal(table.view, principal())  # what was read is drawn over the picture
        return _picture_response(None if hidden else table.preview())

    @blueprint.get("/api/evidence/<int:entry>.jpg")
    @open_to_all
    def evidence(entry: int) -> Response:
        """Return the picture that was saved with a journal entry, number `entry`.

        The query parameter `of` is the id of the game; a browser may show the same address without asking again.
        """
        game = table.view.game
        running = game is not None and request.args.get("of", game.id) == game.id
        return _picture_response(table.evidence(entry, principal().seat) if running else None)

    @blueprint.get("/api/proposal.jpg")
    @open_to(HOST)
    def whole_picture() -> Response:
        """Return the whole picture from which the proposal or comparison named in the query was read."""
        return _picture_response(_read_picture(table, None))

    @blueprint.get("/api/proposal/<int:seat>.jpg")
    @open_to_all
    def picture_of_seat(seat: int) -> Response:
        """Return the part that shows one seat, of the same picture."""
        return _picture_response(_read_picture(table, seat))

    return blueprint


def _read_picture(table: RunningTable, seat: int | None) -> bytes | None:
    """Return the picture (JPEG) from which a proposal or comparison was read; None if the sender may not see it.

    Its id is the query parameter `of`. seat: whose part of the picture; None: the whole picture.
    """
    id, published = request.args.get("of", ""), publication(table.view, principal())
    shown = {each.id for each in (published.proposal, published.comparison) if each is not None}
    return table.proposals.picture(id, seat) if id in shown else None


def _as_dictionary(value: Any) -> Any:
    """Return a dataclass as a dictionary; other values unchanged."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _picture_response(jpeg: bytes | None) -> Response:
    """Return a JPEG response: status 304 if the browser has the picture already, 204 if there is none."""
    if jpeg is None:
        return make_response("", 204)
    response = make_response(jpeg)
    response.mimetype = "image/jpeg"
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(hashlib.blake2b(jpeg, digest_size=12).hexdigest())
    response.make_conditional(request)
    return response
