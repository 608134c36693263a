"""Routes of saved games: list, moves, states, pictures, export and import."""

from __future__ import annotations

import hashlib
import io
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.errors import CalibrationError
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile
from calibration.translatable import say
from companion.session.archive import MOST_FILE_BYTES, SUFFIX
from companion.table.history.past_games import PastGames
from companion.table.views import Refused
from web.channel.role_filtered_messages import as_plain
from web.people.request_guards import limit_body, open_to, open_to_all, principal
from web.people.roles import HOST
from web.table_interface import RunningTable

_CHUNK_BYTES = 256 * 1024
"""Bytes of an import that are read at a time."""


def history(table: RunningTable) -> Blueprint:
    """Return the blueprint of the routes of saved games.

    Only hosts may list, export and import games, and read games other than the running one.
    """
    blueprint = Blueprint("history", __name__, url_prefix="/api/history")
    importing = threading.Lock()

    def past() -> PastGames:
        """Return the saved games. Raises `Refused` if none are kept."""
        if table.past is None:
            raise Refused("not_now", say("No games are saved here."))
        return table.past

    def check_readable(id: str) -> str:
        """Return this id of a game if the sender may read the game. Raises `Refused` otherwise."""
        game = table.view.game
        if principal().role != HOST and (game is None or game.id != id):
            raise Refused(
                "not_allowed", say("Only a host can open other games. Ask at the tablet beside the table.")
            )
        return id

    @blueprint.get("")
    @open_to(HOST)
    def games() -> Response:
        return jsonify(games=() if table.past is None else as_plain(past().games()))

    @blueprint.get("/<id>")
    @open_to_all
    def story(id: str) -> Response:
        """Return a saved game with its moves, as the sender's seat may see them."""
        return jsonify(past().game(check_readable(id), principal().seat))

    @blueprint.get("/<id>/<int:place>")
    @open_to_all
    def moment(id: str, place: int) -> Response:
        """Return the state after the first `place` steps of a saved game, as the sender's seat may see it."""
        return jsonify(as_plain(past().state_after(check_readable(id), place, principal().seat)))

    @blueprint.get("/<id>/evidence/<int:entry>.jpg")
    @open_to_all
    def evidence(id: str, entry: int) -> Response:
        """Return the picture (JPEG) that was saved with a journal entry, number `entry`."""
        picture = past().evidence(check_readable(id), entry, principal().seat)
        if picture is None:
            raise Refused("not_now", say("No picture was saved with that move."))
        response = make_response(picture)
        response.mimetype = "image/jpeg"
        response.headers["Cache-Control"] = "private, max-age=3600"
        response.set_etag(hashlib.blake2b(picture, digest_size=12).hexdigest())
        response.make_conditional(request)
        return response

    @blueprint.get("/<id>/game.zip")
    @open_to(HOST)
    def export(id: str) -> Response:
        """Return a saved game as a zip file that can be imported."""
        return _zip_response(lambda buffer: past().export(id, buffer), f"{id}{SUFFIX}")

    @blueprint.get("/<id>/fixture.zip")
    @open_to(HOST)
    def fixture(id: str) -> Response:
        """Return a saved game as a zip file with its frames and the table's profile, for tests."""
        profile = _profile_zip(table)
        return _zip_response(
            lambda buffer: past().export(id, buffer, frames=True, profile=profile), f"{id}.fixture.zip"
        )

    @blueprint.post("")
    @open_to(HOST)
    @limit_body(MOST_FILE_BYTES)
    def import_game() -> Response:
        """Import the game in the request's body, and return its id."""
        if not importing.acquire(blocking=False):
            raise Refused("not_now", say("Another game is being imported. Try again in a moment."))
        try:
            with tempfile.TemporaryFile(prefix="companion-") as file:
                while chunk := request.stream.read(_CHUNK_BYTES):
                    file.write(chunk)
                file.seek(0)
                return jsonify(id=past().import_game(file))
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refused(
                "not_now",
                say(
                    "The game cannot be imported: there is no disk space for it ({reason}). Free some space and "
                    "try again.",
                    reason=reason,
                ),
            ) from None
        finally:
            importing.release()

    return blueprint


def _zip_response(write: Callable[[io.BytesIO], None], name: str) -> Response:
    """Return a download of the zip file that `write` writes into a buffer. name: file name of the download."""
    buffer = io.BytesIO()
    write(buffer)
    response = make_response(buffer.getvalue())
    response.mimetype = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _profile_zip(table: RunningTable) -> bytes | None:
    """Return the table's profile as a zip file; None if there is none or it cannot be read."""
    if table.enrolment is None:
        return None
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / "profile.zip"
        try:
            export_profile(TableProfile.load(table.enrolment.profile), file)
        except CalibrationError:
            return None
        return file.read_bytes()
