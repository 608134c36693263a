"""How the companion does: figures for the page, and one file to send along with a question."""

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

from calibration.errors import TeachError
from calibration.profile import folder_of
from calibration.wording import say
from companion import __version__
from companion.table.views import Refused
from web.channel.publication import as_plain
from web.people.access import Door
from web.people.roles import HOST, ROLES
from web.people.security import open_to, open_to_all, reader
from web.routes.recent_lines import harmless, remember_log
from web.running_table import RunningTable

SETTINGS = "settings"
"""Under this name an application's `extensions` keep what it was started with."""
_LIBRARIES = {
    "OpenCV": "opencv-python-headless",
    "OpenVINO": "openvino",
    "NumPy": "numpy",
    "Flask": "flask",
    "Flask-SocketIO": "flask-socketio",
    "pydantic": "pydantic",
}


class _Wish(BaseModel):
    """What the diagnostic file shall hold besides figures."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    picture: bool = False


def diagnostics(app: Flask, table: RunningTable, door: Door) -> Blueprint:
    """Make the blueprint of how things are doing; from now on the log's latest lines are remembered."""
    blueprint = Blueprint("diagnostics", __name__)
    log = remember_log()
    started = time.monotonic()

    def figures(*, host: bool) -> dict[str, Any]:
        return {
            "camera": as_plain(table.view.camera),
            "readings": as_plain(table.timings.view()),
            "profile": _profile(table),
            "versions": _versions(),
            "journal": _journal(table, host=host),
            "screens": _screens(door),
            "up": round(time.monotonic() - started),
        }

    @blueprint.get("/api/health")
    @open_to_all
    def health() -> Response:
        return jsonify(figures(host=reader().role == HOST))

    @blueprint.post("/api/diagnostics")
    @open_to(HOST)
    def collect() -> Response:
        try:
            wish = _Wish.model_validate_json(request.get_data() or b"{}")
        except ValidationError:
            text = say("The companion did not understand that message. Reload the page.")
            raise Refused("bad_request", text) from None
        picture = table.preview() if wish.picture else None
        secrets = (door.table_code, door.host_code, f"{door.host_code[:4]}-{door.host_code[4:]}")
        parts = {
            "about.json": _json({"time": datetime.now(UTC).isoformat(timespec="seconds"), **figures(host=True)}),
            "settings.json": _json(_settings(app)),
            "log.txt": log.text,
            "readings.csv": "seconds_ago,milliseconds\n"
            + "".join(f"{ago:.1f},{spent:.1f}\n" for ago, spent in table.timings.recent()),
        }
        response = make_response(_zipped({name: harmless(text, secrets) for name, text in parts.items()}, picture))
        response.mimetype = "application/zip"
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        response.headers["Content-Disposition"] = f'attachment; filename="companion-{stamp}.diagnostics.zip"'
        return response

    return blueprint


def _profile(table: RunningTable) -> dict[str, Any] | None:
    """Tell what the table has been taught, None where nobody teaches it or it cannot be read."""
    if table.teacher is None:
        return None
    try:
        taught = table.teacher.taught()
        folder = folder_of(table.teacher.profile)
    except (Refused, TeachError):
        return None
    return {
        "name": folder.name,
        "calibrated": None if taught.plane is None else _calibrated(folder),
        "kinds": list(taught.pieces),
        "cards": 0 if taught.deck is None else len(taught.deck.cards),
    }


def _calibrated(folder: Path) -> str | None:
    """Tell when the oldest picture of the table that is in use was taken: that of the calibration."""
    times = []
    with suppress(OSError):
        times = [path.stat().st_mtime for path in folder.glob("view-*.jpg")]
    return datetime.fromtimestamp(min(times), UTC).isoformat(timespec="seconds") if times else None


@cache
def _versions() -> dict[str, str]:
    found = {"companion": __version__, "Python": platform.python_version()}
    for name, package in _LIBRARIES.items():
        with suppress(PackageNotFoundError):
            found[name] = version(package)
    return {**found, "system": f"{platform.system()} {platform.release()}, {platform.machine()}"}


def _journal(table: RunningTable, *, host: bool) -> dict[str, Any] | None:
    game = table.view.game
    if game is None or table.past is None:
        return None
    path = table.past.saved.folder / f"{game.id}.journal"
    size = 0
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            size += part.stat().st_size
    return {"game": game.id, "entries": game.number, "bytes": size, "path": str(path) if host else None}


def _screens(door: Door) -> dict[str, int]:
    counted = Counter(one.role for one in door.readers().values())
    return {role: counted[role] for role in ROLES}


def _settings(app: Flask) -> Mapping[str, Any]:
    found: Mapping[str, Any] = app.extensions.get(SETTINGS, {})
    return found


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _zipped(texts: Mapping[str, str], picture: bytes | None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        if picture is not None:
            archive.writestr("picture.jpg", picture, zipfile.ZIP_STORED)
    return buffer.getvalue()
