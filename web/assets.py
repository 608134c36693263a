"""Files that never change under their address: styles, scripts, fonts and marks, named by what they hold.

All of them lie under one folder of the address that names their version, so that a browser keeps them for ever and
never mixes those of two versions; an installed page keeps them for when the companion cannot be reached.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import threading
from functools import lru_cache

import cv2
from flask import Blueprint, Flask, Response, make_response, render_template, request
from werkzeug.exceptions import NotFound

from calibration.games.wicked import art
from web.bundle import STATIC, bundle, modules, styles
from web.languages import ENGLISH, catalogue, language_of, page_words
from web.people.security import open_to_all
from web.serving.requests import COUNTED

ENTRY = "js/app.js"
BUNDLE = "js/app.bundle.js"
"""The page's modules in one, beside them; there is none where they cannot be put together."""
STYLES = (
    "base", "head", "table", "wall", "doing", "sheets", "history", "health", "player", "scores", "scoring", "setup",
    "wizard", "ways", "join", "begin", "demo", "byhand",
)  # fmt: skip
"""The page's style sheets, in their order."""
ICON_SIZES = (192, 512)
_FOR_EVER = "public, max-age=31536000, immutable"
_WORTH_PACKING = 1024
_PACKED = ("text/", "image/svg+xml")
_MARK_UNITS = 64
_LOOKING = threading.BoundedSemaphore(3)
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


@lru_cache(maxsize=1)
def version() -> str:
    """Name the present version of all static files, by their content."""
    digest = hashlib.blake2b(digest_size=6)
    for name in names():
        digest.update(name.encode() + b"\0" + (STATIC / name).read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """List the static files, by their path below the folder."""
    return tuple(sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()))


def _kept() -> tuple[str, ...]:
    """List what an installed page keeps: all that it asks for."""
    script = (BUNDLE,) if bundle(ENTRY) is not None else modules(ENTRY)
    besides = [name for name in names() if name.endswith((".woff2", ".svg")) or name == "css/light.css"]
    vendor = ["js/old.js"] + [name for name in names() if name.startswith("vendor/") and name.endswith(".js")]
    return tuple(dict.fromkeys((*script, *vendor, f"css/{'+'.join(STYLES)}.css", "css/base.css", *besides)))


class Served(Flask):
    """A Flask application whose static files are kept for ever, each version under an address of its own."""

    def __init__(self, name: str) -> None:
        """Make it for the module of this name."""
        super().__init__(name, static_folder=None)
        self.add_url_rule("/static/<version>/<path:filename>", "static", self.send_kept, methods=["GET"])

        self.after_request(pack)

        @self.context_processor
        def in_pages() -> dict[str, object]:
            language = language_of(request)
            words = None if language == ENGLISH else f"/words/{language}-{page_words(language)[1]}.js"
            theme = request.cookies.get("theme", "")
            return {
                "version": version(),
                "script": BUNDLE if bundle(ENTRY) is not None else ENTRY,
                "modules": () if bundle(ENTRY) is not None else modules(ENTRY),
                "words": words,
                "styles": STYLES,
                "theme": theme if theme in ("light", "auto") else "dark",
            }

        @self.url_defaults
        def at_version(endpoint: str, values: dict[str, object]) -> None:
            if endpoint == "static":
                values.setdefault("version", version())

    def full_dispatch_request(self) -> Response:
        """Answer the request; of those that only look, a few at a time, so that commands are not held up."""
        if request.method not in ("GET", "HEAD"):
            return super().full_dispatch_request()
        with _LOOKING:
            return super().full_dispatch_request()

    def log_exception(self, exc_info: object) -> None:
        """Log an error of a route in one line; what anybody may provoke again and again is counted."""
        COUNTED.exception("%s %s", request.method, request.path)

    @staticmethod
    @open_to_all
    def send_kept(filename: str, **at: str) -> Response:
        """Send one static file, packed where the browser takes that. Raises NotFound."""
        plain, packed, kind = _content(filename)
        response = make_response(plain)
        if packed is not None:
            response.vary.add("Accept-Encoding")
            if request.accept_encodings.quality("gzip") > 0:
                response = make_response(packed)
                response.headers["Content-Encoding"] = "gzip"
                response.vary.add("Accept-Encoding")
        response.mimetype = kind
        # What a page of another version still asks for is given, but not kept in its name.
        response.headers["Cache-Control"] = _FOR_EVER if at["version"] == version() else "no-store"
        return response


@lru_cache(maxsize=256)
def _content(name: str) -> tuple[bytes, bytes | None, str]:
    content = _made(name)
    if content is None:
        if name not in names():
            raise NotFound
        content = (STATIC / name).read_bytes()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    worth = kind.startswith(_PACKED) and len(content) >= _WORTH_PACKING
    return content, gzip.compress(content, 9, mtime=0) if worth else None, kind


def _made(name: str) -> bytes | None:
    """Put together what is no file: the page's bundle, or styles named by `css/one+another.css`."""
    if name == BUNDLE:
        script = bundle(ENTRY)
        return None if script is None else script.encode()
    if not (name.startswith("css/") and name.endswith(".css") and "+" in name):
        return None
    sheets = tuple(name.removeprefix("css/").removesuffix(".css").split("+"))
    if sheets != STYLES:  # nothing else is asked for, and every mixture would be kept in memory
        raise NotFound
    return styles(sheets).encode()


def pack(response: Response) -> Response:
    """Send drawings and pages packed where the browser takes that; for `after_request`."""
    if (
        response.direct_passthrough
        or response.status_code != 200
        or "Content-Encoding" in response.headers
        or request.accept_encodings.quality("gzip") <= 0
        or not (response.mimetype or "").startswith(("image/svg+xml", "text/html", "text/javascript"))
    ):
        return response
    content = response.get_data()
    if len(content) >= _WORTH_PACKING:
        response.set_data(gzip.compress(content, 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
    return response


def installed() -> Blueprint:
    """Make the blueprint of what a page needs to be installed as an app, and of its words."""
    blueprint = Blueprint("installed", __name__)

    @blueprint.get("/words/<language>-<mark>.js")
    @open_to_all
    def words(language: str, mark: str) -> Response:
        if language not in ("ja", "pt"):
            raise NotFound
        script, now = page_words(language)
        response = make_response(script)
        response.mimetype = "text/javascript"
        response.headers["Cache-Control"] = _FOR_EVER if mark == now else "no-store"
        return response

    @blueprint.get("/manifest.webmanifest")
    @open_to_all
    def manifest() -> Response:
        text = catalogue(language_of(request)).text
        told = {
            "name": text("The Wicked Labyrinth: companion"),
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
        response = make_response(json.dumps(told, ensure_ascii=False))
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
        response = make_response(render_template("service-worker.js", version=version(), names=_kept()))
        response.mimetype = "text/javascript"
        response.headers["Cache-Control"] = "no-cache"
        return response

    @blueprint.get("/not-reached")
    @open_to_all
    def not_reached() -> Response:
        response = make_response(render_template("not-reached.html"))
        response.headers["Cache-Control"] = "no-store"
        return response

    @blueprint.get("/version")
    @open_to_all
    def which() -> Response:
        response = make_response(version())
        response.mimetype = "text/plain"
        response.headers["Cache-Control"] = "no-store"
        return response

    return blueprint


@lru_cache(maxsize=len(ICON_SIZES))
def icon_png(size: int) -> bytes:
    """Draw the mark as PNG, its ground reaching to the edges, so that any launcher may cut it to its own shape."""
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8").replace('rx="14"', "")
    whole = mark.replace("<svg ", f'<svg width="{_MARK_UNITS}mm" height="{_MARK_UNITS}mm" ', 1)
    pixels = cv2.resize(art.rasterise(whole, size / _MARK_UNITS), (size, size), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".png", pixels)
    return bytes(data)
