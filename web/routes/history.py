"""Looking back at saved games: lists, moves, how things stood, pictures; and games that come and go as one file."""

from __future__ import annotations

import hashlib
import io
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.errors import TeachError
from calibration.profile import TableProfile
from calibration.sharing import export_profile
from calibration.wording import say
from companion.session.archive import MOST_FILE_BYTES, SUFFIX
from companion.table.history.past_games import PastGames
from companion.table.views import Refused
from web.channel.publication import as_plain
from web.people.roles import HOST
from web.people.security import open_to, open_to_all, reader, takes
from web.running_table import RunningTable

_CHUNK = 256 * 1024


def history(table: RunningTable) -> Blueprint:
    """Make the blueprint of everything about saved games.

    Hosts look at all of them; others only at the one that is played now, and take none along.
    """
    blueprint = Blueprint("history", __name__, url_prefix="/api/history")
    one_at_a_time = threading.Lock()

    def past() -> PastGames:
        if table.past is None:
            raise Refused("not_now", say("No games are kept here."))
        return table.past

    def visible(id: str) -> str:
        game = table.view.game
        if reader().role != HOST and (game is None or game.id != id):
            raise Refused("not_allowed", say("Only the host looks at other games. Ask at the tablet."))
        return id

    @blueprint.get("")
    @open_to(HOST)
    def games() -> Response:
        return jsonify(games=as_plain(past().games()))

    @blueprint.get("/<id>")
    @open_to_all
    def story(id: str) -> Response:
        return jsonify(past().story(visible(id)))

    @blueprint.get("/<id>/<int:place>")
    @open_to_all
    def moment(id: str, place: int) -> Response:
        return jsonify(as_plain(past().moment(visible(id), place)))

    @blueprint.get("/<id>/evidence/<int:entry>.jpg")
    @open_to_all
    def evidence(id: str, entry: int) -> Response:
        picture = past().evidence(visible(id), entry)
        if picture is None:
            raise Refused("not_now", say("No picture is kept with that move."))
        response = make_response(picture)
        response.mimetype = "image/jpeg"
        response.headers["Cache-Control"] = "private, max-age=3600"
        response.set_etag(hashlib.blake2b(picture, digest_size=12).hexdigest())
        response.make_conditional(request)
        return response

    @blueprint.get("/<id>/game.zip")
    @open_to(HOST)
    def export(id: str) -> Response:
        return _file(lambda buffer: past().export(id, buffer), f"{id}{SUFFIX}")

    @blueprint.get("/<id>/fixture.zip")
    @open_to(HOST)
    def fixture(id: str) -> Response:
        profile = _profile(table)
        return _file(lambda buffer: past().export(id, buffer, frames=True, profile=profile), f"{id}.fixture.zip")

    @blueprint.post("")
    @open_to(HOST)
    @takes(MOST_FILE_BYTES)
    def bring_in() -> Response:
        if not one_at_a_time.acquire(blocking=False):
            raise Refused("not_now", say("Another game is being taken in. Try again in a moment."))
        try:
            with tempfile.TemporaryFile(prefix="companion-") as file:
                while chunk := request.stream.read(_CHUNK):
                    file.write(chunk)
                file.seek(0)
                return jsonify(id=past().take_in(file))
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refused(
                "not_now", say("There is no room to take it in ({reason}). Make some.", reason=reason)
            ) from None
        finally:
            one_at_a_time.release()

    return blueprint


def _file(write: Callable[[io.BytesIO], None], name: str) -> Response:
    buffer = io.BytesIO()
    write(buffer)
    response = make_response(buffer.getvalue())
    response.mimetype = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _profile(table: RunningTable) -> bytes | None:
    """Give the table's profile as one file, None where there is none that could be read."""
    if table.teacher is None:
        return None
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / "profile.zip"
        try:
            export_profile(TableProfile.load(table.teacher.profile), file)
        except TeachError:
            return None
        return file.read_bytes()
