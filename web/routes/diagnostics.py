"""Routes of diagnostics: figures for the health page, and a zip file to attach to a bug report."""

from __future__ import annotations

import io
import json
import platform
import time
import zipfile
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, jsonify, make_response, request
from pydantic import BaseModel, ConfigDict, ValidationError

from calibration.errors import CalibrationError
from calibration.profile import folder_of
from calibration.translatable import say
from companion import __version__
from companion.table.views import Refused
from web.channel.role_filtered_messages import as_plain, hides_proposal
from web.people.access_codes import in_groups
from web.people.access_control import AccessControl
from web.people.request_guards import open_to, open_to_all, principal
from web.people.roles import HOST, ROLES
from web.recent_log import keep_recent_log, redact
from web.table_interface import RunningTable

SETTINGS = "settings"
"""Key of `app.extensions` with the command-line options of this run."""
_LIBRARIES = {
    "OpenCV": "opencv-python-headless",
    "OpenVINO": "openvino",
    "NumPy": "numpy",
    "Flask": "flask",
    "Flask-SocketIO": "flask-socketio",
    "pydantic": "pydantic",
}
"""Distribution of each library whose version is reported."""


class _Options(BaseModel):
    """Options of a diagnostic file, from the request's body."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    picture: bool = False
    """Include the camera's latest picture."""


def diagnostics(app: Flask, table: RunningTable, access: AccessControl) -> Blueprint:
    """Return the blueprint of the diagnostic routes, and begin to keep the latest logged warnings in memory."""
    blueprint = Blueprint("diagnostics", __name__)
    log = keep_recent_log()
    started = time.monotonic()

    def figures(*, host: bool) -> dict[str, Any]:
        """Return the figures of the health page. host: whether they may contain paths of files."""
        return {
            "camera": as_plain(table.view.camera),
            "readings": as_plain(table.timings.view()),
            "profile": _profile_summary(table),
            "versions": _library_versions(),
            "journal": _journal_summary(table, host=host),
            "screens": _screen_counts(access),
            "up": round(time.monotonic() - started),
        }

    @blueprint.get("/api/health")
    @open_to_all
    def health() -> Response:
        return jsonify(figures(host=principal().role == HOST))

    @blueprint.post("/api/diagnostics")
    @open_to(HOST)
    def collect() -> Response:
        """Return the diagnostic file, in which secrets are redacted, as a download."""
        try:
            options = _Options.model_validate_json(request.get_data() or b"{}")
        except ValidationError:
            text = say("The companion did not understand that message. Reload the page.")
            raise Refused("bad_request", text) from None
        shown = options.picture and not hides_proposal(table.view, principal())
        picture = table.preview() if shown else None
        secrets = (access.table_code, access.host_code, in_groups(access.host_code))
        parts = {
            "about.json": _json_text(
                {"time": datetime.now(UTC).isoformat(timespec="seconds"), **figures(host=True)}
            ),
            "settings.json": _json_text(_command_line_options(app)),
            "log.txt": log.text,
            "readings.csv": "seconds_ago,milliseconds\n"
            + "".join(f"{ago:.1f},{spent:.1f}\n" for ago, spent in table.timings.recent()),
        }
        response = make_response(_zip_file({name: redact(text, secrets) for name, text in parts.items()}, picture))
        response.mimetype = "application/zip"
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        response.headers["Content-Disposition"] = f'attachment; filename="companion-{stamp}.diagnostics.zip"'
        return response

    return blueprint


def _profile_summary(table: RunningTable) -> dict[str, Any] | None:
    """Return a summary of the table's profile; None if there is none or it cannot be read."""
    if table.enrolment is None:
        return None
    try:
        enrolled = table.enrolment.saved_profile()
        folder = folder_of(table.enrolment.profile)
    except (Refused, CalibrationError):
        return None
    return {
        "name": folder.name,
        "calibrated": None if enrolled.plane is None else _calibration_time(folder),
        "kinds": list(enrolled.pieces),
        "cards": 0 if enrolled.deck is None else len(enrolled.deck.cards),
    }


def _calibration_time(folder: Path) -> str | None:
    """Return the time of the calibration (ISO 8601), that of the oldest picture of the empty table, if any.

    folder: of the profile.
    """
    times = []
    with suppress(OSError):
        times = [path.stat().st_mtime for path in folder.glob("view-*.jpg")]
    return datetime.fromtimestamp(min(times), UTC).isoformat(timespec="seconds") if times else None


@cache
def _library_versions() -> dict[str, str]:
    """Return the versions of the companion, Python and the libraries, and the operating system, by name."""
    found = {"companion": __version__, "Python": platform.python_version()}
    for name, package in _LIBRARIES.items():
        with suppress(PackageNotFoundError):
            found[name] = version(package)
    return {**found, "system": f"{platform.system()} {platform.release()}, {platform.machine()}"}


def _journal_summary(table: RunningTable, *, host: bool) -> dict[str, Any] | None:
    """Return id, entries and bytes of the running game's journal, for hosts also its path; None without a game."""
    game = table.view.game
    if game is None or table.past is None:
        return None
    path = table.past.saved.folder / f"{game.id}.journal"
    size = 0
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            size += part.stat().st_size
    return {"game": game.id, "entries": game.number, "bytes": size, "path": str(path) if host else None}


def _screen_counts(access: AccessControl) -> dict[str, int]:
    """Return the number of connected screens by role."""
    counts = Counter(one.role for one in access.principals().values())
    return {role: counts[role] for role in ROLES}


def _command_line_options(app: Flask) -> Mapping[str, Any]:
    """Return the command-line options of this run."""
    found: Mapping[str, Any] = app.extensions.get(SETTINGS, {})
    return found


def _json_text(value: object) -> str:
    """Return a value as indented JSON text."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _zip_file(texts: Mapping[str, str], picture: bytes | None) -> bytes:
    """Return a zip file of these texts, by file name, and of the picture (JPEG) if there is one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        if picture is not None:
            archive.writestr("picture.jpg", picture, zipfile.ZIP_STORED)
    return buffer.getvalue()
