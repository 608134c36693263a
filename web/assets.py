"""Static files under an address that names their version: styles, scripts, fonts and icons.

The version is a hash of all contents, so a browser caches each file for ever and never mixes two versions.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
import threading
from dataclasses import dataclass
from functools import cache, lru_cache

from flask import Flask, Response, make_response, request
from werkzeug.exceptions import NotFound

from web.bundle import SEPARATE, STATIC, Bundle, bundle, late_modules, modules, styles
from web.languages import ENGLISH, language_of, page_words
from web.people.request_guards import open_to_all
from web.serving.rate_limited_log import RATE_LIMITED_LOG

PLAIN = "plain"
"""Name of the page for games that have no modules of their own."""
_PLAIN_ENTRIES = ("page/plain_game.js", "page/app.css")
"""Entry module and style sheet of that page."""
_GAME_ENTRY = re.compile(r"page/games/\w+/main\.js")
_BESIDE_BUNDLES = ("page/base.css", "page/light.css", "page/unsupported_browser.js", "page/not_reached.js")
"""Files that pages request by themselves."""
IMMUTABLE = "public, max-age=31536000, immutable"
"""Cache-Control of an address that names its version: one year."""
_MIN_COMPRESSED_BYTES = 1024
"""Smaller contents are sent as they are: gzip gains nothing."""
_COMPRESSED_TYPES = ("text/", "image/svg+xml")
"""Prefixes of the media types that gzip shortens."""
_MAX_CONCURRENT_READS = 3
"""GET and HEAD requests that are answered at a time."""
_reads = threading.BoundedSemaphore(_MAX_CONCURRENT_READS)
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version of the static files: 12 hexadecimal digits, a hash of their names and contents."""
    digest = hashlib.blake2b(digest_size=6)
    for name in names():
        digest.update(name.encode() + b"\0" + (STATIC / name).read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """Return the paths of all static files, relative to their folder, sorted."""
    return tuple(sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()))


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The script and the style sheet of the page that is made for one game."""

    entry: str
    """The module that starts the page."""
    style_entry: str
    """The style sheet that imports all others of the page, in cascade order."""
    script_bundle: str
    """Name under which the modules that the page loads at its start are served as one."""
    late_bundle: str
    """Name under which the modules that it loads later by `import()` are served as one."""
    style: str
    """Name under which all style sheets are served as one."""

    @property
    def script(self) -> str:
        """Path of the script that the page loads: the bundle, or the entry module where bundling is impossible."""
        return self.entry if self.bundle is None else self.script_bundle

    @property
    def modules(self) -> tuple[str, ...]:
        """Paths of the modules that the page loads one by one at its start; none where they are bundled."""
        return modules(self.entry) if self.bundle is None else ()

    @property
    def late(self) -> tuple[str, ...]:
        """Paths of the scripts that the page loads later by `import()`: a bundle, or single modules."""
        if self.bundle is None:
            return late_modules(self.entry)
        return (self.late_bundle,) if self.bundle.late else ()

    @property
    def bundle(self) -> Bundle | None:
        """All modules of the page as bundles; None where bundling is impossible."""
        return bundle(self.entry, *(name.rpartition("/")[2] for name in (self.script_bundle, self.late_bundle)))


@cache
def page_files(game: str) -> PageFiles:
    """Return the files of a game's page: its own in `page/games/GAME`, or those of the page for games without any.

    game: its id.
    """
    name = game if f"page/games/{game}/main.js" in names() else PLAIN
    own = f"page/games/{name}/main.js", f"page/games/{name}/main.css"
    entry, style_entry = _PLAIN_ENTRIES if name == PLAIN else own
    of_page = f"page/{name}.bundle.js", f"page/{name}.late.js", f"page/{name}.bundle.css"
    return PageFiles(entry, style_entry, *of_page)


@cache
def all_pages() -> tuple[PageFiles, ...]:
    """Return the files of every page: one per game with modules of its own, and the page for all other games."""
    own = {name.split("/")[2] for name in names() if _GAME_ENTRY.fullmatch(name)}
    return tuple(map(page_files, (*sorted(own), PLAIN)))


def offline_names() -> tuple[str, ...]:
    """Return the paths of the files that the service worker caches: all that the pages request."""
    scripts = [name for page in all_pages() for name in (page.script, *page.modules, *page.late, page.style)]
    further = [name for name in names() if name.endswith((".woff2", ".svg"))]
    return tuple(dict.fromkeys((*scripts, *SEPARATE, *_BESIDE_BUNDLES, *further)))


class AssetFlask(Flask):
    """A Flask application that serves versioned static files and compresses text."""

    def __init__(self, import_name: str) -> None:
        super().__init__(import_name, static_folder=None)
        self.add_url_rule("/static/<version>/<path:filename>", "static", self.send_asset, methods=["GET"])

        self.after_request(compress)

        @self.context_processor
        def page_variables() -> dict[str, object]:
            language = language_of(request)
            words = None if language == ENGLISH else f"/words/{language}-{page_words(language)[1]}.js"
            theme = request.cookies.get("theme", "")
            return {
                "version": version(),
                "words": words,
                "theme": theme if theme in ("light", "auto") else "dark",
            }

        @self.url_defaults
        def add_version(endpoint: str, values: dict[str, object]) -> None:
            if endpoint == "static":
                values.setdefault("version", version())

    def full_dispatch_request(self) -> Response:
        """Answer the request; GET requests wait until few are in progress, so that they do not delay commands."""
        if request.method not in ("GET", "HEAD"):
            return super().full_dispatch_request()
        with _reads:
            return super().full_dispatch_request()

    def log_exception(self, exc_info: object) -> None:
        """Log an unhandled exception of a route as one line, rate-limited: anybody can provoke it repeatedly."""
        RATE_LIMITED_LOG.exception("%s %s", request.method, request.path)

    @staticmethod
    @open_to_all
    def send_asset(filename: str, **at: str) -> Response:
        """Return one static file, gzipped if the browser accepts that. Raises NotFound. at: version in the URL."""
        plain, compressed, media_type = _content(filename)
        response = make_response(plain)
        if compressed is not None:
            response.vary.add("Accept-Encoding")
            if request.accept_encodings.quality("gzip") > 0:
                response = make_response(compressed)
                response.headers["Content-Encoding"] = "gzip"
                response.vary.add("Accept-Encoding")
        response.mimetype = media_type
        # A page of another version gets the present content, but must not cache it under its own version.
        response.headers["Cache-Control"] = IMMUTABLE if at["version"] == version() else "no-store"
        return response


@lru_cache(maxsize=256)
def _content(name: str) -> tuple[bytes, bytes | None, str]:
    """Return a file's content, its gzipped content if that is worthwhile, and its media type. Raises NotFound."""
    content = _generated(name)
    if content is None:
        if name not in names():
            raise NotFound
        content = (STATIC / name).read_bytes()
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    worthwhile = media_type.startswith(_COMPRESSED_TYPES) and len(content) >= _MIN_COMPRESSED_BYTES
    return content, gzip.compress(content, 9, mtime=0) if worthwhile else None, media_type


def _generated(name: str) -> bytes | None:
    """Return the content of the bundle of scripts or styles with this name; None for any other name."""
    for page in all_pages():
        if name in (page.script_bundle, page.late_bundle):
            if page.bundle is None:
                return None
            return (page.bundle.first if name == page.script_bundle else page.bundle.late).encode()
        if name == page.style:
            return styles(page.style_entry).encode()
    return None


def compress(response: Response) -> Response:
    """Gzip the response in place if it is a page, script or SVG and the browser accepts that, and return it."""
    if (
        response.direct_passthrough
        or response.status_code != 200
        or "Content-Encoding" in response.headers
        or request.accept_encodings.quality("gzip") <= 0
        or not (response.mimetype or "").startswith(("image/svg+xml", "text/html", "text/javascript"))
    ):
        return response
    content = response.get_data()
    if len(content) >= _MIN_COMPRESSED_BYTES:
        response.set_data(gzip.compress(content, 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
    return response
