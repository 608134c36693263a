"""Routes with which a browser installs the page as an app: manifest, icons, service worker, translated texts."""

from __future__ import annotations

import json
from functools import lru_cache

import cv2
from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import NotFound

from calibration.drawing.raster import rasterise
from companion.games import available, game
from web.assets import IMMUTABLE, offline_names, version
from web.bundle import STATIC
from web.languages import catalogue, language_of, page_words
from web.people.request_guards import open_to_all

ICON_SIZES = (192, 512)
"""Widths of the app's icons, px."""
_MARK_UNITS = 64
"""Width of the drawing in `mark.svg`, in its own units."""


def installation(served: str | None = None) -> Blueprint:
    """Return the blueprint of the installed app's manifest, icons, service worker, translated texts and version.

    served: id of the game whose title the installed app has; None: that of the first available game.
    """
    blueprint = Blueprint("installed", __name__)

    @blueprint.get("/words/<language>-<mark>.js")
    @open_to_all
    def words(language: str, mark: str) -> Response:
        """Return the script of the page's translated texts.

        mark: hash of the texts in the address; the browser may keep the script if it is the present one.
        """
        if language not in ("ja", "pt"):
            raise NotFound
        script, now = page_words(language)
        response = make_response(script)
        response.mimetype = "text/javascript"
        response.headers["Cache-Control"] = IMMUTABLE if mark == now else "no-store"
        return response

    @blueprint.get("/manifest.webmanifest")
    @open_to_all
    def manifest() -> Response:
        text = catalogue(language_of(request)).text
        content = {
            "name": text("{game}: companion").replace("{game}", text(game(served or available()[0]).title)),
            "short_name": text("Labyrinth"),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#14121a",
            "theme_color": "#14121a",
            "icons": [
                {"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for size in ICON_SIZES
                for purpose in ("any", "maskable")
            ],
        }
        response = make_response(json.dumps(content, ensure_ascii=False))
        response.mimetype = "application/manifest+json"
        response.headers["Cache-Control"] = "no-cache"
        response.vary.update(("Cookie", "Accept-Language"))
        return response

    @blueprint.get("/icon-<int:size>.png")
    @open_to_all
    def icon(size: int) -> Response:
        if size not in ICON_SIZES:
            raise NotFound
        response = make_response(icon_png(size))
        response.mimetype = "image/png"
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response

    @blueprint.get("/service-worker.js")
    @open_to_all
    def worker() -> Response:
        """Return the script of the service worker."""
        response = make_response(
            render_template(
                "service-worker.js", version=version(), language=language_of(request), names=offline_names()
            )
        )
        response.mimetype = "text/javascript"
        response.headers["Cache-Control"] = "no-cache"
        return response

    @blueprint.get("/not-reached")
    @open_to_all
    def not_reached() -> Response:
        """Return the page that an installed app shows while the server cannot be reached."""
        response = make_response(render_template("not-reached.html"))
        response.headers["Cache-Control"] = "no-store"
        return response

    @blueprint.get("/version")
    @open_to_all
    def present_version() -> Response:
        """Return the version of the page's files as text."""
        response = make_response(version())
        response.mimetype = "text/plain"
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint


@lru_cache(maxsize=len(ICON_SIZES))
def icon_png(size: int) -> bytes:
    """Return the app's icon as PNG. size: width and height, px.

    Its background fills the square, so that a launcher can cut any shape.
    """
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8").replace('rx="14"', "")
    whole = mark.replace("<svg ", f'<svg width="{_MARK_UNITS}mm" height="{_MARK_UNITS}mm" ', 1)
    pixels = cv2.resize(rasterise(whole, size / _MARK_UNITS), (size, size), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".png", pixels)
    return bytes(data)
