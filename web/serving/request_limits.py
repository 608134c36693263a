"""Wraps the application: limits the size and duration of request bodies, and adds headers to all responses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from web.serving.deadline_sockets import PlainSocket, TlsSocket
from web.serving.rate_limited_log import RATE_LIMITED_LOG

HEAD_SECONDS = 10.0
"""Seconds within which a request's whole head must arrive, TLS handshake included."""
IDLE_SECONDS = 15.0
"""Seconds for which an idle connection is kept open for its next request."""
MAX_BODY_BYTES = 128 * 1024 * 1024
"""Bytes of the largest body of any route; each route has its own, smaller limit."""
_BODY_SECONDS = 20.0
"""Seconds within which a body must arrive, plus the time that it takes at the minimum rate."""
_MIN_BODY_RATE = 32 * 1024
"""Minimum rate of a body, bytes per second."""
HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
"""Headers of each response that does not set them itself."""

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


def limit_requests(application: Application, secure: bool = False) -> Application:
    """Return an application wrapped so that request bodies are limited and timed, and `HEADERS` are always sent.

    secure: whether requests arrive by https.
    """

    def limited(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
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
            connection.receive_until = time.monotonic() + _BODY_SECONDS + length / _MIN_BODY_RATE
        try:
            return application(environ, start)
        except (TimeoutError, ConnectionError):  # the peer left, or its web socket has ended
            raise
        except Exception:
            RATE_LIMITED_LOG.exception("A request could not be answered")
            line = b"The companion could not answer the request. Its log has the details.\n"
            start(
                "500 Internal Server Error",
                [("Content-Type", "text/plain"), ("Content-Length", str(len(line)))],
            )
            return [line]

    return limited


def _refusal(environ: Environ) -> tuple[str, bytes] | None:
    """Return (status, line) to refuse a request whose body is too large or of unknown length; None to accept it."""
    length = str(environ.get("CONTENT_LENGTH") or "0")
    if not (length.isascii() and length.isdigit() and len(length) <= 18):
        return "400 Bad Request", b"The length of this request is malformed.\n"
    if int(length) > MAX_BODY_BYTES:
        return "413 Content Too Large", b"The request is too large, so it was not read.\n"
    if "chunked" in str(environ.get("HTTP_TRANSFER_ENCODING", "")).lower():
        return "411 Length Required", b"The request does not state its length, so it was not read.\n"
    return None
