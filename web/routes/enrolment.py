"""Routes of enrolment: what is enrolled, pictures of drafts, boards and cards, and the import of a deck."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.translatable import say
from companion.table.views import Refused
from web.channel.role_filtered_messages import as_plain
from web.people.request_guards import limit_body, open_to
from web.people.roles import HOST
from web.table_interface import RunningTable, enrolment_of

MAX_DECK_BYTES = 64 * 1024 * 1024
"""Maximum size of an imported profile or deck, bytes; a deck of cards alone has a few million."""


def enrolment(table: RunningTable) -> Blueprint:
    """Return the blueprint of the routes about what is enrolled, for hosts."""
    blueprint = Blueprint("enrolment", __name__, url_prefix="/api/teaching")

    @blueprint.get("/known")
    @open_to(HOST)
    def known() -> Response:
        """Return a summary of what is enrolled; null if the table cannot be set up now."""
        plain: Any = None if table.enrolment is None else as_plain(table.enrolment.known())
        return jsonify(plain)

    @blueprint.get("/<draft>.jpg")
    @open_to(HOST)
    def picture(draft: str) -> Response:
        return _picture_response(enrolment_of(table).draft_picture(draft), "image/jpeg")

    @blueprint.get("/<draft>/card.png")
    @open_to(HOST)
    def card_crop(draft: str) -> Response:
        return _picture_response(enrolment_of(table).draft_card_picture(draft), "image/png")

    @blueprint.get("/<draft>/board.jpg")
    @open_to(HOST)
    def board_crop(draft: str) -> Response:
        return _picture_response(enrolment_of(table).draft_board_picture(draft), "image/jpeg")

    @blueprint.get("/boards/<board>.jpg")
    @open_to(HOST)
    def board(board: str) -> Response:
        return _picture_response(enrolment_of(table).board_picture(board), "image/jpeg")

    @blueprint.get("/cards/<card>.png")
    @open_to(HOST)
    def card(card: str) -> Response:
        return _picture_response(enrolment_of(table).card_picture(card), "image/png")

    @blueprint.get("/cameras")
    @open_to(HOST)
    def cameras() -> Response:
        plain: Any = as_plain(enrolment_of(table).cameras_view())
        return jsonify(plain)

    @blueprint.post("/deck")
    @open_to(HOST)
    @limit_body(MAX_DECK_BYTES)
    def import_deck() -> Response:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table uses its own cards, which are all enrolled."))
        try:
            with tempfile.TemporaryDirectory(prefix="companion-") as folder:
                file = Path(folder) / "the file"  # named in error lines
                file.write_bytes(request.get_data(cache=False))
                plain: Any = as_plain(enrolment_of(table).import_deck(file))
        except OSError as error:
            raise Refused(
                "not_now",
                say(
                    "The cards cannot be imported: there is no disk space for them ({reason}). Free some space "
                    "and try again.",
                    reason=error.strerror or str(error),
                ),
            ) from None
        return jsonify(plain)

    return blueprint


def _picture_response(data: bytes | None, media_type: str) -> Response:
    """Return a response with a picture, or status 404 if it is None. media_type: such as "image/png"."""
    if data is None:
        return make_response("That picture is gone: another one was taken since.\n", 404)
    response = make_response(data)
    response.mimetype = media_type
    return response
