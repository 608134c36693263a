"""What holds for every request before the application is asked: bounded bodies, deadlines, headers of replies."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from web.serving.sockets import PlainSocket, TlsSocket

HEAD_SECONDS = 10.0
"""Until the whole head of a request must be there, its TLS handshake included."""
IDLE_SECONDS = 15.0
"""For which a connection is kept open for its next request."""
MOST_BODY_BYTES = 128 * 1024 * 1024
"""The largest body of any route; each route has its own, smaller bound."""
_BODY_SECONDS = 20.0
_BODY_RATE = 32 * 1024
"""Bytes a second below which a body takes too long, once `_BODY_SECONDS` are over."""
HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
"""On each reply that does not bring its own."""

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


def bounded(application: Application, secure: bool = False) -> Application:
    """Wrap an application: refuse a body before it is read, give it a deadline, complete the headers of replies.

    secure: requests come by https.
    """

    def answer(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if secure:
            environ["wsgi.url_scheme"] = "https"

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            present = {name.lower() for name, _ in headers}
            return start_response(status, [*headers, *(h for h in HEADERS if h[0].lower() not in present)], *error)

        refused = _refusal(environ)
        if refused is not None:
            status, line = refused
            start(status, [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(line)))])
            return [line]
        connection = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
        if isinstance(connection, (PlainSocket, TlsSocket)):
            length = int(environ.get("CONTENT_LENGTH") or 0)
            connection.receive_until = time.monotonic() + _BODY_SECONDS + length / _BODY_RATE
        try:
            return application(environ, start)
        except (TimeoutError, ConnectionError):  # the peer left, or its web socket is over
            raise
        except Exception:
            COUNTED.exception("A request could not be answered")
            line = b"The companion could not answer that. Its log says more.\n"
            start(
                "500 Internal Server Error",
                [("Content-Type", "text/plain"), ("Content-Length", str(len(line)))],
            )
            return [line]

    return answer


def _refusal(environ: Environ) -> tuple[str, bytes] | None:
    """Return status and line for a request whose body is not to be read; None for all others."""
    length = str(environ.get("CONTENT_LENGTH") or "0")
    if not (length.isascii() and length.isdigit() and len(length) <= 18):
        return "400 Bad Request", b"The length of this request is malformed.\n"
    if int(length) > MOST_BODY_BYTES:
        return "413 Content Too Large", b"That is too large, so it was not read.\n"
    if "chunked" in str(environ.get("HTTP_TRANSFER_ENCODING", "")).lower():
        return "411 Length Required", b"The companion reads only what says how long it is.\n"
    return None


class CountingLog:
    """Writes one line for the first error of a kind, and for repeats only how many there were since the last line.

    Anybody of the network can provoke some errors: they must not fill the terminal. quiet: seconds between lines.
    """

    def __init__(self, name: str, quiet: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = logging.getLogger(name)
        self._quiet = quiet
        self._clock = clock
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[float, int]] = {}

    def exception(self, message: str, *args: object) -> None:
        """Log the exception being handled, its place in the program included, in one line."""
        error = sys.exc_info()[1]
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        place = f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else "?"
        what = _one_line(message % args if args else message)
        self.error(f"{type(error).__name__} at {place}: {what}: {_one_line(str(error))}".replace("%", "%%"))

    def error(self, message: str, *args: object) -> None:
        """Log a line, or count it where one of its kind was logged a moment ago."""
        line = _one_line(message % args)
        kind = line[:60]
        with self._lock:
            now = self._clock()
            logged_at, missed = self._kinds.get(kind, (-self._quiet, 0))
            if now - logged_at < self._quiet:
                self._kinds[kind] = (logged_at, missed + 1)
                return
            if len(self._kinds) >= 256:
                self._kinds.clear()
            self._kinds[kind] = (now, 0)
        self._log.error("%s%s", line, f" ({missed} more like it)" if missed else "")

    def info(self, message: str, *args: object) -> None:
        """Log nothing: what goes well is not reported."""

    debug = warning = info


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text[:300])


COUNTED = CountingLog("web.serving")
"""For what anybody of the network may provoke."""
